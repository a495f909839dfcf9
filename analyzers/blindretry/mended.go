package blindretry

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// scene is what the questions about one attempt share.
type scene struct {
	c *checker
	a *attempt
	// region are the functions that run while data comes in: what the first call
	// runs, and the callbacks it is given.
	region map[*ssa.Function]bool
	r      *reach
	// written are the locations that the region changes; updated those among them
	// that get a position from what came in.
	written, updated map[any]bool
	inline           bool // the receiving loop is part of the function itself
}

// mended reports whether something keeps the consumer from getting data twice.
func (c *checker) mended(a *attempt) bool {
	s := &scene{c: c, a: a, region: make(map[*ssa.Function]bool), r: c.reachOf(a.fn),
		written: make(map[any]bool), updated: make(map[any]bool)}
	s.inline = !c.openedAt(a.fn, a.e, a.first) || a.first == a.e.in && a.first != a.again
	s.collect()
	return s.stopped() || s.reset() || s.resumes() || !a.marked && s.dedups() || s.early()
}

// collect finds the region and what it changes.
func (s *scene) collect() {
	add := func(in ssa.Instruction) {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			return
		}
		for _, g := range s.c.flow.Callees(call) {
			for _, h := range s.c.reachOf(g).fns {
				s.region[h] = true
			}
		}
		for _, arg := range streamflow.Args(call) {
			if mc, ok := s.c.root(arg).(*ssa.MakeClosure); ok {
				for _, h := range s.c.reachOf(mc.Fn.(*ssa.Function)).fns {
					s.region[h] = true
				}
			}
		}
	}
	add(s.a.first)
	if s.a.first == s.a.again && s.a.turn != never && s.a.fn == s.a.e.at.Parent() && s.a.e.at != s.a.first {
		add(s.a.e.at)
	}
	s.region[s.a.e.in.Parent()] = true
	if s.a.e.in.Parent() == s.a.fn {
		delete(s.region, s.a.fn)
	}
	note := func(in ssa.Instruction) {
		switch x := in.(type) {
		case *ssa.Store:
			s.wrote(x.Addr, x.Val)
		case *ssa.MapUpdate:
			s.wrote(x.Map, x.Value)
		case ssa.CallInstruction:
			// Methods that change what they are called on: atomic.Bool.Store,
			// strings.Builder.WriteString, sync.Once.Do, a cursor of another package.
			if fn := streamflow.Callee(x); fn != nil && fn.Signature().Recv() != nil && len(s.c.flow.Callees(x)) == 0 {
				args := streamflow.Args(x)
				if len(args) > 1 && changes(fn) {
					s.wrote(args[0], args[1])
				}
			}
		}
	}
	for fn := range s.region {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				note(in)
			}
		}
	}
	for _, b := range s.a.fn.Blocks {
		for _, in := range b.Instrs {
			if s.receiving(in) {
				note(in)
			}
		}
	}
}

// receiving reports whether an instruction of the function itself belongs to the
// loop in which data comes in (and not only to the one that sends again).
func (s *scene) receiving(in ssa.Instruction) bool {
	if s.a.first == s.a.again || in.Parent() != s.a.fn {
		return false
	}
	first := s.a.first
	if in.Block() == first.Block() {
		return s.c.flow.Bypasses(first, first, s.a.again) || s.c.flow.Reaches(first, in)
	}
	return in.Block() != s.a.again.Block() && s.c.flow.Bypasses(first, in, s.a.again) && s.c.flow.Bypasses(in, first, s.a.again)
}

// changes reports whether a method of another package changes its receiver, for
// all that its name and type tell.
func changes(fn *types.Func) bool {
	switch model.Path(fn.Pkg().Path()) {
	case "sync/atomic", "sync", "strings", "bytes":
		return true
	}
	for _, prefix := range []string{"Set", "Save", "Store", "Update", "Put", "Add", "Record", "Commit", "Advance", "Mark", "Append", "Write"} {
		if strings.HasPrefix(fn.Name(), prefix) {
			return true
		}
	}
	return false
}

func (s *scene) wrote(addr, val ssa.Value) {
	l := s.c.flow.Location(addr)
	places := []any{l}
	// What a callee writes through a pointer is the caller's variable.
	if p, ok := l.(*ssa.Parameter); ok {
		places = append(places, s.arguments(p, 0)...)
	}
	for _, l := range places {
		s.written[l] = true
		if _, ok := val.(*ssa.Const); !ok && isPosition(val.Type()) {
			s.updated[l] = true
		}
	}
}

func (s *scene) arguments(p *ssa.Parameter, depth int) []any {
	if depth > 4 {
		return nil
	}
	var out []any
	for _, site := range s.c.flow.Callers(p.Parent()) {
		if i := streamflow.ParamIndex(p); i < len(site.Args) {
			l := s.c.flow.Location(site.Args[i])
			out = append(out, l)
			if q, ok := l.(*ssa.Parameter); ok {
				out = append(out, s.arguments(q, depth+1)...)
			}
			if a, ok := s.c.root(site.Args[i]).(*ssa.Alloc); ok {
				out = append(out, any(a))
			}
		}
	}
	return out
}

// isPosition reports whether a value of type t can say how far a stream was read:
// text, a number, a time.
func isPosition(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsString|types.IsNumeric) != 0
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	case *types.Pointer:
		return isPosition(u.Elem()) || model.TypeName(t) == "time.Time"
	case *types.Struct:
		return model.TypeName(t) == "time.Time"
	}
	return false
}

// slice visits the values that v's are computed from; visit says whether to go on
// behind one. Errors are not looked behind: they say that the stream broke, not
// how far it came.
func (c *checker) slice(vs []ssa.Value, fn *ssa.Function, visit func(ssa.Value) bool) {
	seen := make(map[ssa.Value]bool)
	work := append([]ssa.Value(nil), vs...)
	for n := 0; len(work) > 0 && n < 600; n++ {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v == nil || seen[v] || streamflow.IsError(v.Type()) {
			continue
		}
		seen[v] = true
		if !visit(v) {
			continue
		}
		switch x := v.(type) {
		case *ssa.FreeVar:
			if b := c.flow.Binding(x); b != nil {
				work = append(work, b)
			}
		case *ssa.Alloc:
			for _, p := range c.flow.Puts(any(x)) {
				if p.Val != nil {
					work = append(work, p.Val)
				}
			}
			for _, ref := range *x.Referrers() { // fields and elements set one by one
				switch fa := ref.(type) {
				case *ssa.FieldAddr:
					work = append(work, stored(fa)...)
				case *ssa.IndexAddr:
					work = append(work, stored(fa)...)
				}
			}
		case ssa.Instruction:
			for _, op := range x.Operands(nil) {
				if *op != nil {
					work = append(work, *op)
				}
			}
		}
	}
}

func stored(addr ssa.Value) []ssa.Value {
	var out []ssa.Value
	for _, use := range *addr.Referrers() {
		if st, ok := use.(*ssa.Store); ok && st.Addr == addr {
			out = append(out, st.Val)
		}
	}
	return out
}

// touches reports whether a value depends on what receiving has changed: on one of
// the places, on another result of the first call, or on what the receiving loop
// of the function itself computes.
func (s *scene) touches(vs []ssa.Value, places map[any]bool) bool {
	found := false
	// (What a select chose says nothing of what came in.)
	var first ssa.Value
	if call, ok := s.a.first.(*ssa.Call); ok {
		first = call
	}
	s.c.slice(vs, s.a.fn, func(v ssa.Value) bool {
		if found {
			return false
		}
		switch x := v.(type) {
		case *ssa.Extract:
			if x.Tuple == first && first != nil && !streamflow.IsError(x.Type()) {
				found = true
			}
			if x.Tuple == first {
				return false
			}
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.Field, *ssa.Alloc, *ssa.FreeVar, *ssa.Parameter, *ssa.Lookup:
			if l := s.c.flow.Location(v); places[l] {
				found = true
			}
			if f, ok := s.c.flow.Location(v).(*types.Var); ok && places[any(f)] {
				found = true
			}
		case *ssa.Call:
			if v == first && s.a.first != s.a.again {
				return false
			}
			if v == first {
				found = !streamflow.IsError(v.Type())
				return false
			}
		}
		return !found
	})
	return found
}

// stopped reports whether a condition keeps the request from being sent again once
// data has gone out: an "emitted" flag, a count, a length.
func (s *scene) stopped() bool {
	a := s.a
	for _, b := range a.fn.Blocks {
		ifi, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		if a.first == a.again {
			// A loop's call, or the operation of a library: any condition that
			// decides whether it is called (once more).
			if !s.c.flow.Reaches(ifi, a.again) && !s.c.flow.Reaches(a.first, ifi) {
				continue
			}
		} else if !s.c.between(a, ifi) && !(s.c.flow.Reaches(a.first, ifi) && s.c.flow.Reaches(ifi, a.again)) {
			continue
		}
		if s.receiving(ifi) && !s.outer(ifi) {
			continue
		}
		t, e := s.c.leads(b.Succs[0], a.again, b), s.c.leads(b.Succs[1], a.again, b)
		if t == e && a.fn == a.again.Parent() && s.c.flow.InLoop(a.again) {
			continue
		}
		if t && e {
			continue
		}
		if s.touches([]ssa.Value{ifi.Cond}, s.written) || s.emittedFlag(ifi.Cond) {
			return true
		}
		if s.partialError(ifi, t) {
			return true
		}
	}
	return false
}

// outer reports whether a condition inside the receiving loop leaves it.
func (s *scene) outer(ifi *ssa.If) bool {
	for _, succ := range ifi.Block().Succs {
		if len(succ.Instrs) > 0 && !s.receiving(succ.Instrs[0]) {
			return true
		}
	}
	return false
}

// emittedFlag reports whether a condition depends on a variable that the receiving
// loop of the function itself sets: a flag, or a count or text that grows.
func (s *scene) emittedFlag(cond ssa.Value) bool {
	if s.a.first == s.a.again {
		return false
	}
	found := false
	s.c.slice([]ssa.Value{cond}, s.a.fn, func(v ssa.Value) bool {
		if found {
			return false
		}
		switch x := v.(type) {
		case *ssa.Phi:
			if !isBool(x.Type()) {
				return true
			}
			for i, edge := range x.Edges {
				k, ok := edge.(*ssa.Const)
				if !ok || k.Value == nil {
					continue
				}
				pred := x.Block().Preds[i]
				if pred == s.a.first.Block() || s.c.flow.Bypasses(s.a.first, pred.Instrs[len(pred.Instrs)-1], s.a.again) && s.receiving(pred.Instrs[len(pred.Instrs)-1]) {
					found = true
				}
			}
		case *ssa.BinOp:
			if x.Op == token.ADD && s.receiving(x) {
				found = true
			}
		case *ssa.Call:
			if b, ok := x.Call.Value.(*ssa.Builtin); ok {
				if b.Name() == "append" && s.receiving(x) {
					found = true
				}
				return !found
			}
			return false
		}
		return !found
	})
	return found
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// partialError reports whether the loop is left for an error that the region makes
// itself: a type or a variable for "broke after output".
func (s *scene) partialError(ifi *ssa.If, againOnTrue bool) bool {
	call, ok := ifi.Cond.(*ssa.Call)
	if !ok || againOnTrue {
		return false
	}
	var mark any
	switch streamflow.CalleeName(call) {
	case "errors.Is":
		if load, ok := call.Call.Args[1].(*ssa.UnOp); ok {
			mark = load.X
		}
	case "errors.As":
		if mi, ok := call.Call.Args[1].(*ssa.MakeInterface); ok {
			if p, ok := mi.X.Type().Underlying().(*types.Pointer); ok {
				mark = model.TypeName(p.Elem())
			}
		}
	}
	if mark == nil {
		return false
	}
	for fn := range s.region {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if load, ok := in.(*ssa.UnOp); ok && any(load.X) == mark {
					return true
				}
				if mi, ok := in.(*ssa.MakeInterface); ok {
					if name, ok := mark.(string); ok && name != "" && model.TypeName(mi.X.Type()) == name {
						return true
					}
				}
			}
		}
	}
	return false
}

// reset reports whether, before the request goes out again, what was handed on is
// taken back, or the consumer is told.
func (s *scene) reset() bool {
	a := s.a
	for _, b := range a.fn.Blocks {
		for _, in := range b.Instrs {
			lib := a.first == a.again && !s.c.flow.InLoop(a.again)
			switch {
			case lib:
				if in == a.first || s.c.flow.Reaches(a.first, in) || !s.c.flow.Reaches(in, a.first) {
					continue
				}
			case !s.c.between(a, in):
				continue
			case s.receiving(in):
				continue
			}
			if s.takesBack(in, true) {
				return true
			}
			if call, ok := in.(ssa.CallInstruction); ok {
				for _, g := range s.c.flow.Callees(call) {
					for _, h := range s.c.reachOf(g).fns {
						for _, hb := range h.Blocks {
							for _, hi := range hb.Instrs {
								if s.takesBack(hi, false) {
									return true
								}
							}
						}
					}
				}
			}
		}
	}
	// At the start of the attempt itself.
	for fn := range s.region {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if in.Parent() == a.e.in.Parent() && s.c.flow.Reaches(a.e.in, in) {
					continue
				}
				if s.empties(in) {
					return true
				}
			}
		}
	}
	return false
}

// takesBack reports whether an instruction resets the target of the emission,
// hands the consumer something besides the stream's data, or calls a hook of the
// caller's.
func (s *scene) takesBack(in ssa.Instruction, own bool) bool {
	e := s.a.e
	same := func(v ssa.Value) bool {
		l := s.c.flow.Location(v)
		if l == e.place {
			return true
		}
		return e.target != nil && s.c.root(v) == e.target && own && e.place == any(e.target)
	}
	if s.empties(in) {
		return true
	}
	switch x := in.(type) {
	case *ssa.Send:
		return e.place != nil && same(x.Chan)
	case *ssa.Select:
		for _, st := range x.States {
			if st.Dir == types.SendOnly && e.place != nil && same(st.Chan) {
				return true
			}
		}
	case *ssa.Go, *ssa.Defer:
		return false
	case *ssa.Call:
		c := x.Common()
		if _, ok := c.Value.(*ssa.Builtin); ok {
			return false
		}
		if c.IsInvoke() || c.StaticCallee() != nil {
			if len(s.c.flow.Callees(x)) > 0 {
				return false // its body is looked into
			}
			args := streamflow.Args(x)
			if len(args) == 0 || e.place == nil || !same(args[0]) {
				return false
			}
			fn := streamflow.Callee(x)
			return fn != nil && fn.Signature().Recv() != nil
		}
		if len(s.c.flow.Callees(x)) > 0 {
			return false
		}
		if e.place != nil && same(c.Value) {
			return true
		}
		return own && hook(c.Signature()) && s.callers(c.Value)
	}
	return false
}

// empties reports whether an instruction empties the target.
func (s *scene) empties(in ssa.Instruction) bool {
	e := s.a.e
	if e.place == nil {
		return false
	}
	switch x := in.(type) {
	case *ssa.Store:
		if s.c.flow.Location(x.Addr) != e.place {
			return false
		}
		switch v := x.Val.(type) {
		case *ssa.Const, *ssa.MakeSlice:
			return true
		case *ssa.Slice:
			k, ok := v.High.(*ssa.Const)
			return ok && k.Value != nil && k.Int64() == 0
		}
	case *ssa.Call:
		fn := streamflow.Callee(x)
		if fn == nil || fn.Signature().Recv() == nil || len(streamflow.Args(x)) == 0 {
			return false
		}
		switch fn.Name() {
		case "Reset", "Truncate", "Clear", "Seek":
			recv := streamflow.Args(x)[0]
			return s.c.flow.Location(recv) == e.place || e.target != nil && s.c.root(recv) == e.target
		}
	}
	return false
}

// hook reports whether a function type can be one by which a consumer is told of a
// retry: it gives nothing back but perhaps an error, and it is no sleep and no
// logger.
func hook(sig *types.Signature) bool {
	if sig.Variadic() || sig.Results().Len() > 1 {
		return false
	}
	if sig.Results().Len() == 1 && !streamflow.IsError(sig.Results().At(0).Type()) {
		return false
	}
	if sig.Params().Len() == 0 {
		return true
	}
	other := 0
	for i := range sig.Params().Len() {
		switch model.TypeName(sig.Params().At(i).Type()) {
		case "context.Context", "time.Duration":
		default:
			other++
		}
	}
	return other > 0
}

// callers reports whether a function value comes from outside the function: a
// parameter, a field.
func (s *scene) callers(v ssa.Value) bool {
	if load, ok := v.(*ssa.UnOp); ok {
		if _, ok := load.X.(*ssa.Global); ok {
			return false
		}
	}
	_, ok := s.c.root(v).(*ssa.Parameter)
	return ok
}

// resumes reports whether an attempt begins where the last one has stopped: what
// is asked for depends on what came in.
func (s *scene) resumes() bool {
	a := s.a
	call, ok := a.again.(ssa.CallInstruction)
	if !ok {
		return false
	}
	args := append([]ssa.Value(nil), streamflow.Args(call)...)
	roots := make(map[ssa.Value]bool)
	for _, arg := range args {
		if r := s.c.root(arg); r != nil {
			if _, ok := r.(*ssa.Const); !ok && model.TypeName(r.Type()) != "context.Context" {
				roots[r] = true
			}
		}
	}
	if a.e.target != nil {
		delete(roots, a.e.target)
	}
	// What is done to the request in between: a header set, a field stored.
	for _, b := range a.fn.Blocks {
		for _, in := range b.Instrs {
			if !s.c.between(a, in) || s.receiving(in) && a.e.in == in {
				continue
			}
			switch x := in.(type) {
			case *ssa.Store:
				if roots[s.c.root(x.Addr)] && isPosition(x.Val.Type()) {
					args = append(args, x.Val)
				}
			case *ssa.Call:
				xs := streamflow.Args(x)
				if len(xs) > 1 && roots[s.c.root(xs[0])] && len(s.c.flow.Callees(x)) == 0 {
					args = append(args, xs[1:]...)
				}
			}
		}
	}
	var asked []ssa.Value
	for _, arg := range args {
		if s.isTarget(arg) || dataCallback(arg.Type()) {
			continue
		}
		asked = append(asked, arg)
	}
	if s.touchesPosition(asked) {
		return true
	}
	// What the attempt reads before its data comes in.
	out := s.r.lift(a.e.in)
	before := func(in ssa.Instruction) bool {
		if in.Parent() == a.fn && a.fn != a.e.in.Parent() && a.first != a.again {
			return false
		}
		for _, x := range s.c.lifts(in) {
			for _, e := range out {
				if x.Parent() == e.Parent() && x != e && s.c.flow.Reaches(x, e) && !s.c.flow.Reaches(e, x) {
					return true
				}
			}
		}
		return false
	}
	reads := make(map[*ssa.Function]bool)
	for fn := range s.region {
		reads[fn] = true
	}
	sender := make(map[*ssa.Function]bool)
	for _, g := range s.c.flow.Callees(call) {
		for _, h := range s.c.reachOf(g).fns {
			reads[h] = true
			if a.first != a.again {
				sender[h] = true
			}
		}
	}
	if a.first == a.again && !s.c.flow.InLoop(a.again) {
		reads[a.fn] = true
	}
	for fn := range reads {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch x := in.(type) {
				case *ssa.UnOp:
					if x.Op == token.MUL && isPosition(x.Type()) && s.updated[s.c.flow.Location(x.X)] && s.c.flow.Location(x.X) != a.e.place && (sender[fn] || before(in)) {
						return true
					}
				case *ssa.Lookup:
					if isPosition(x.Type()) && s.updated[s.c.flow.Location(x.X)] && s.c.flow.Location(x.X) != a.e.place && (sender[fn] || before(in)) {
						return true
					}
				case *ssa.Call:
					if s.rangeHeader(x) {
						return true
					}
					args := streamflow.Args(x)
					callee := streamflow.Callee(x)
					if callee != nil && callee.Signature().Recv() != nil && len(args) > 0 && s.updated[s.c.flow.Location(args[0])] &&
						callee.Signature().Results().Len() > 0 && isPosition(callee.Signature().Results().At(0).Type()) && (sender[fn] || before(in)) {
						return true
					}
				}
			}
		}
	}
	if a.fn == a.e.in.Parent() || s.inline {
		for _, c := range s.c.flow.Calls(a.fn) {
			if x, ok := c.(*ssa.Call); ok && s.rangeHeader(x) {
				return true
			}
		}
	}
	return false
}

// lifts gives an instruction and the calls that lead to it.
func (c *checker) lifts(in ssa.Instruction) []ssa.Instruction {
	out := []ssa.Instruction{in}
	seen := map[ssa.Instruction]bool{in: true}
	for i := 0; i < len(out) && len(out) < 25; i++ {
		for _, site := range c.flow.Callers(out[i].Parent()) {
			if !seen[site.Call] {
				seen[site.Call] = true
				out = append(out, site.Call)
			}
		}
	}
	return out
}

// isTarget reports whether an argument is the target of the emission itself.
func (s *scene) isTarget(arg ssa.Value) bool {
	return s.a.e.place != nil && s.c.flow.Location(arg) == s.a.e.place
}

// touchesPosition reports whether one of the values depends on a position that
// receiving has updated.
func (s *scene) touchesPosition(vs []ssa.Value) bool {
	if s.touches(vs, s.updated) {
		return true
	}
	if s.a.first == s.a.again {
		return false
	}
	found := false
	s.c.slice(vs, s.a.fn, func(v ssa.Value) bool {
		if in, ok := v.(ssa.Instruction); ok && isPosition(v.Type()) && s.receiving(in) && !counter(v) {
			found = true
		}
		return !found
	})
	return found
}

// counter reports whether v is a count of attempts: a phi or sum of constants.
func counter(v ssa.Value) bool {
	seen := make(map[ssa.Value]bool)
	var ask func(v ssa.Value) bool
	ask = func(v ssa.Value) bool {
		if seen[v] {
			return true
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Const:
			return true
		case *ssa.Phi:
			for _, e := range x.Edges {
				if !ask(e) {
					return false
				}
			}
			return true
		case *ssa.BinOp:
			return ask(x.X) && ask(x.Y)
		}
		return false
	}
	return ask(v)
}

// rangeHeader reports whether a call asks for a part of a document from an offset
// on.
func (s *scene) rangeHeader(call *ssa.Call) bool {
	switch streamflow.CalleeName(call) {
	case "(net/http.Header).Set", "(net/http.Header).Add":
		k, ok := streamflow.Args(call)[1].(*ssa.Const)
		return ok && k.Value != nil && k.Value.Kind() == constant.String && strings.EqualFold(constant.StringVal(k.Value), "range")
	}
	return false
}

// dedups reports whether what was handed on before is not handed on again: the
// emission stands under a question about a set, or a comparison of positions.
func (s *scene) dedups() bool {
	for _, in := range s.r.lift(s.a.e.in) {
		if !s.region[in.Parent()] && in.Parent() != s.a.fn {
			continue
		}
		if in == s.a.first && s.a.first == s.a.again {
			continue
		}
		for _, g := range s.c.flow.Guards(in) {
			if s.asksSet(g.Cond, 0) {
				return true
			}
		}
	}
	return false
}

func (s *scene) asksSet(cond ssa.Value, depth int) bool {
	found := false
	s.c.slice([]ssa.Value{cond}, s.a.fn, func(v ssa.Value) bool {
		if found {
			return false
		}
		switch x := v.(type) {
		case *ssa.Lookup:
			if _, ok := x.X.Type().Underlying().(*types.Map); ok && s.keeps(x.X) {
				found = true
			}
			return false
		case *ssa.BinOp:
			_, c1 := x.X.(*ssa.Const)
			_, c2 := x.Y.(*ssa.Const)
			if !c1 && !c2 && x.Op != token.ADD && isPosition(x.X.Type()) && (s.touches([]ssa.Value{x.X}, s.updated) || s.touches([]ssa.Value{x.Y}, s.updated)) {
				found = true
			}
			if !c1 && !c2 && x.Op != token.ADD && isPosition(x.X.Type()) && s.carried(x.X, x.Y) {
				found = true
			}
		case *ssa.Call:
			switch streamflow.CalleeName(x) {
			case "(sync.Map).LoadOrStore", "(sync.Map).Load", "(time.Time).After", "(time.Time).Before", "(time.Time).Equal", "(time.Time).Compare":
				found = true
				return false
			}
			if b, ok := x.Call.Value.(*ssa.Builtin); ok {
				return b.Name() == "len"
			}
			if depth < 2 {
				for _, g := range s.c.flow.Callees(x) {
					for _, b := range g.Blocks {
						for _, in := range b.Instrs {
							if lk, ok := in.(*ssa.Lookup); ok {
								if _, ok := lk.X.Type().Underlying().(*types.Map); ok && s.keeps(lk.X) {
									found = true
								}
							}
						}
					}
				}
			}
			return false
		}
		return !found
	})
	return found
}

// keeps reports whether a map lives longer than an attempt.
func (s *scene) keeps(m ssa.Value) bool {
	if _, ok := s.c.flow.Location(m).(*types.Var); ok {
		return true
	}
	switch r := s.c.root(m).(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return true
	case *ssa.Global:
		return false // a table
	case ssa.Instruction:
		if r.Parent() != s.a.fn {
			return encloses(r.Parent(), s.a.e.in.Parent()) && !s.region[r.Parent()]
		}
		return !s.c.flow.SameLoop(r, s.a.again)
	}
	return false
}

// carried reports whether one of two values is a variable of the function that
// keeps its value over the attempts.
func (s *scene) carried(vs ...ssa.Value) bool {
	for _, v := range vs {
		if phi, ok := v.(*ssa.Phi); ok && phi.Parent() == s.a.fn && s.receiving(phi) && !counter(phi) {
			return true
		}
	}
	return false
}

// early reports whether the request goes out again only for errors that come
// before any data: a status, a refusal, a named condition that no broken stream
// gives.
func (s *scene) early() bool {
	a := s.a
	call, ok := a.first.(ssa.CallInstruction)
	if !ok { // the data goes out in the function itself
		if call, ok = a.again.(ssa.CallInstruction); !ok {
			return false
		}
	}
	alias := s.errors(call)
	if len(alias) == 0 {
		return false
	}
	for _, b := range a.fn.Blocks {
		ifi, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !s.c.between(a, ifi) {
			continue
		}
		t, e := s.c.leads(b.Succs[0], a.again, b), s.c.leads(b.Succs[1], a.again, b)
		if t && !e && s.particular(ifi.Cond, alias, false) || e && !t && s.particular(ifi.Cond, alias, true) {
			return true
		}
	}
	return false
}

// errors gives the values that hold the error of an attempt: what the call that
// sends gives, or, where that gives none, what the stream is asked for afterwards
// (stream.Err).
func (s *scene) errors(call ssa.CallInstruction) map[ssa.Value]bool {
	if i := streamflow.ErrorResult(call.Common().Signature()); i >= 0 {
		return s.c.aliases(s.a.fn, streamflow.Result(call, i))
	}
	alias := make(map[ssa.Value]bool)
	for _, asked := range s.c.flow.Calls(s.a.fn) {
		sig := asked.Common().Signature()
		if fn := streamflow.Callee(asked); fn == nil || fn.Signature().Recv() == nil || sig.Params().Len() > 0 ||
			sig.Results().Len() != 1 || streamflow.ErrorResult(sig) != 0 || !s.c.between(s.a, asked) {
			continue
		}
		for v := range s.c.aliases(s.a.fn, streamflow.Result(asked, 0)) {
			alias[v] = true
		}
	}
	return alias
}

// particular reports whether a condition (or its opposite) holds for certain
// errors only, none of them a broken stream.
func (s *scene) particular(cond ssa.Value, alias map[ssa.Value]bool, opposite bool) bool {
	switch x := cond.(type) {
	case *ssa.UnOp:
		if x.Op == token.NOT {
			return s.particular(x.X, alias, !opposite)
		}
	case *ssa.BinOp:
		if x.Op == token.EQL && !opposite || x.Op == token.NEQ && opposite {
			if streamflow.IsError(x.X.Type()) && (alias[x.X] || alias[x.Y]) {
				return !broken(x.X) && !broken(x.Y)
			}
			if k, ok := x.Y.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Int {
				n, _ := constant.Int64Val(k.Value)
				return n >= 400 && n < 600
			}
		}
	case *ssa.Phi: // the verdict, or false where there were too many attempts
		asked := false
		for _, e := range x.Edges {
			if k, ok := e.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Bool && constant.BoolVal(k.Value) == opposite {
				continue
			}
			if !s.particular(e, alias, opposite) {
				return false
			}
			asked = true
		}
		return asked
	case *ssa.Extract: // retry, wait, err := shouldRetry(attempt, err)
		call, ok := x.Tuple.(*ssa.Call)
		if !ok || !isBool(x.Type()) || len(s.c.flow.Callees(call)) == 0 {
			return false
		}
		return s.particular(call, alias, opposite)
	case *ssa.Call:
		if opposite {
			return false
		}
		args := x.Call.Args
		takes := false
		for _, arg := range args {
			takes = takes || alias[arg]
		}
		if !takes {
			return false
		}
		switch streamflow.CalleeName(x) {
		case "errors.Is":
			return !broken(args[1])
		case "errors.As":
			return !brokenType(args[1])
		}
		bodies := s.c.flow.Callees(x)
		if len(bodies) == 0 {
			return streamflow.Callee(x) != nil && !strings.Contains(strings.ToLower(streamflow.Callee(x).Name()), "retr")
		}
		selective := false
		for _, body := range bodies {
			for _, g := range s.c.reachOf(body).fns {
				for _, b := range g.Blocks {
					for _, in := range b.Instrs {
						for _, op := range in.Operands(nil) {
							if *op != nil && (broken(*op) || brokenType(*op)) {
								return false
							}
						}
						switch y := in.(type) {
						case *ssa.TypeAssert:
							if brokenName(model.TypeName(y.AssertedType)) {
								return false
							}
						case *ssa.Call:
							switch streamflow.CalleeName(y) {
							case "errors.Is", "errors.As", "strings.Contains", "strings.HasPrefix":
								selective = true
							}
						case *ssa.BinOp:
							if k, ok := y.Y.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Int {
								if n, _ := constant.Int64Val(k.Value); n >= 400 && n < 600 {
									selective = true
								}
							}
						}
					}
				}
			}
		}
		return selective
	}
	return false
}

// broken reports whether a value is an error (or a text looked for in one) that a
// stream gives when it breaks on the way.
func broken(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.UnOp:
		return broken(x.X)
	case *ssa.MakeInterface:
		return broken(x.X) || strings.HasPrefix(model.TypeName(x.X.Type()), "syscall.")
	case *ssa.Global:
		switch x.Pkg.Pkg.Path() + "." + x.Name() {
		case "io.EOF", "io.ErrUnexpectedEOF", "net.ErrClosed", "os.ErrDeadlineExceeded", "context.DeadlineExceeded", "io.ErrClosedPipe":
			return true
		}
	case *ssa.Const:
		if x.Value != nil && x.Value.Kind() == constant.String {
			s := strings.ToLower(constant.StringVal(x.Value))
			for _, w := range []string{"eof", "reset", "broken", "timeout", "timed out", "connection", "stream", "closed"} {
				if strings.Contains(s, w) {
					return true
				}
			}
		}
	}
	return false
}

func brokenType(v ssa.Value) bool {
	mi, ok := v.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	p, ok := mi.X.Type().Underlying().(*types.Pointer)
	return ok && brokenName(model.TypeName(p.Elem()))
}

func brokenName(name string) bool {
	switch name {
	case "net.Error", "net.OpError", "net/url.Error", "syscall.Errno", "os.SyscallError":
		return true
	}
	return false
}
