package blindretry

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// emission is a place at which the data of a stream leaves.
type emission struct {
	in     ssa.Instruction // where it is handed on, perhaps in a callee
	src    ssa.Instruction // where it leaves the function that reads: in, or the call of the callback around in
	at     ssa.Instruction // the instruction of the function asked about that leads to in
	target ssa.Value       // who gets it: the root of a callback, channel, writer or variable
	place  any             // the location of the target: tells fields of one object apart
	what   string          // its name, for the message
	open   ssa.Instruction // what opened the stream
	// fails says that the function can give an error after it has handed data on.
	fails bool
	// unknown says that the stream is behind a function nobody here has seen.
	unknown bool
	// endless says that the stream may be one without an end (not gRPC, whose
	// watches begin with a snapshot).
	endless bool
}

// reach is a function with what it runs: callees of the package and closures.
type reach struct {
	fns  []*ssa.Function
	from map[*ssa.Function][]ssa.Instruction // the calls or makings that lead to it
	wait map[*ssa.Function]bool              // false: only started, by go
}

const maxReach = 60

func (c *checker) reachOf(fn *ssa.Function) *reach {
	if r := c.reached[fn]; r != nil {
		return r
	}
	r := &reach{from: make(map[*ssa.Function][]ssa.Instruction), wait: map[*ssa.Function]bool{fn: true}}
	c.reached[fn] = r
	r.fns = []*ssa.Function{fn}
	in := map[*ssa.Function]bool{fn: true}
	for i := 0; i < len(r.fns) && len(r.fns) < maxReach; i++ {
		g := r.fns[i]
		add := func(h *ssa.Function, at ssa.Instruction, wait bool) {
			if h == nil || h.Blocks == nil || h == fn {
				return
			}
			r.from[h] = append(r.from[h], at)
			if wait && r.wait[g] {
				r.wait[h] = true
			}
			if !in[h] {
				in[h] = true
				r.fns = append(r.fns, h)
			}
		}
		for _, b := range g.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.MakeClosure:
					// A closure may be kept: it counts as run where it is made, unless
					// a go statement starts it.
					for _, at := range usedAt(x) {
						add(x.Fn.(*ssa.Function), at, !onlyStarted(x))
					}
				case ssa.CallInstruction:
					_, started := instr.(*ssa.Go)
					for _, h := range c.flow.Callees(x) {
						if h.Parent() == g {
							continue
						}
						add(h, instr, !started)
					}
				}
			}
		}
	}
	return r
}

// usedAt gives the calls that run a closure or take it as an argument, or its
// making where it is stored.
func usedAt(mc *ssa.MakeClosure) []ssa.Instruction {
	var out []ssa.Instruction
	if refs := mc.Referrers(); refs != nil {
		for _, ref := range *refs {
			call, ok := ref.(ssa.CallInstruction)
			if !ok {
				return []ssa.Instruction{mc}
			}
			out = append(out, call)
		}
	}
	if len(out) == 0 {
		return []ssa.Instruction{mc}
	}
	return out
}

// onlyStarted reports whether a closure is used by go statements alone.
func onlyStarted(mc *ssa.MakeClosure) bool {
	refs := mc.Referrers()
	if refs == nil || len(*refs) == 0 {
		return false
	}
	for _, ref := range *refs {
		switch x := ref.(type) {
		case *ssa.Go:
		case *ssa.Call:
			if fn := streamflow.Callee(x); fn != nil && fn.Name() == "Go" && x.Common().Value != mc {
				continue // (*sync.WaitGroup).Go, (*errgroup.Group).Go
			}
			return false
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// lift gives, for an instruction in a function that r reaches, the instructions
// of all functions on the way out to r's own.
func (r *reach) lift(in ssa.Instruction) []ssa.Instruction {
	out := []ssa.Instruction{in}
	seen := map[ssa.Instruction]bool{in: true}
	for i := 0; i < len(out) && len(out) < 30; i++ {
		for _, at := range r.from[out[i].Parent()] {
			if !seen[at] {
				seen[at] = true
				out = append(out, at)
			}
		}
	}
	return out
}

// opens reports whether a call opens a stream; endless as in emission.
func (c *checker) opens(call ssa.CallInstruction) (ok, endless bool) {
	callee := streamflow.Callee(call)
	name := model.FuncName(callee)
	if o, known := model.LookupOpen(name); known {
		if o.Unary || o.Resumes || strings.Contains(name, "websocket") || strings.Contains(name, "gobwas/ws") {
			return false, false
		}
		return true, !strings.HasPrefix(name, "(google.golang.org/grpc.")
	}
	if callee != nil && callee.Pkg() == c.pass.Pkg && len(c.flow.Callees(call)) > 0 {
		return false, false
	}
	if c.flow.Body(call) != nil {
		return false, false
	}
	if _, ok := call.Common().Value.(*ssa.Builtin); ok {
		return false, false
	}
	sig := call.Common().Signature()
	if streamflow.ErrorResult(sig) != 1 || sig.Results().Len() != 2 {
		return false, false
	}
	t := sig.Results().At(0).Type()
	switch model.TypeName(t) {
	case "net/http.Response":
		return true, true
	case "io.ReadCloser":
		// A reader that a client of another package gives: a log, an answer's body.
		// What the standard library and file systems open is no request.
		if callee == nil || callee.Pkg() == nil || !strings.Contains(callee.Pkg().Path(), ".") || !takesContext(sig) {
			return false, false
		}
		return true, true
	}
	if serverStream(t) {
		return true, false
	}
	if f := c.fact(callee); f != nil {
		for _, i := range f.Gives {
			if i == 0 {
				return true, true
			}
		}
	}
	return false, false
}

func takesContext(sig *types.Signature) bool {
	return sig.Params().Len() > 0 && model.TypeName(sig.Params().At(0).Type()) == "context.Context"
}

// serverStream reports whether t is the client's end of a gRPC stream that only
// the server sends on: it has Recv, RecvMsg and CloseSend, and no Send.
func serverStream(t types.Type) bool {
	has := func(name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		_, ok := obj.(*types.Func)
		return ok
	}
	return has("Recv") && has("RecvMsg") && has("CloseSend") && !has("Send")
}

// spread follows a stream, and what is read from it, through a function and what
// it runs.
type spread struct {
	c       *checker
	r       *reach
	root    *ssa.Function
	marked  map[ssa.Value]bool
	fields  map[any]bool
	in      map[*ssa.Function]bool
	work    []ssa.Value
	steps   []ssa.Instruction // calls and receives that fetch the next piece
	out     []emission
	open    ssa.Instruction
	results map[*ssa.Function]map[int]bool
	each    map[*ssa.Function]bool // closures that run once for each piece
	changed map[any]bool           // locations of positions that received data updates
}

func (c *checker) spread(root *ssa.Function, open ssa.Instruction) *spread {
	s := &spread{c: c, r: c.reachOf(root), root: root, open: open, marked: make(map[ssa.Value]bool), fields: make(map[any]bool),
		in: make(map[*ssa.Function]bool), results: make(map[*ssa.Function]map[int]bool), each: make(map[*ssa.Function]bool), changed: make(map[any]bool)}
	for _, fn := range s.r.fns {
		s.in[fn] = true
	}
	return s
}

func (s *spread) run() {
	for n := 0; len(s.work) > 0 && n < 5000; n++ {
		v := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		refs := v.Referrers()
		if refs == nil {
			continue
		}
		for _, in := range *refs {
			s.use(v, in)
		}
	}
}

func (s *spread) mark(v ssa.Value) {
	if v == nil || s.marked[v] || !carries(v.Type()) {
		return
	}
	switch v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin, *ssa.Global:
		return
	}
	s.marked[v] = true
	s.work = append(s.work, v)
}

// carries reports whether a value of type t can hold the stream or its data:
// counts, flags, errors and contexts do not.
func carries(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer || u.Kind() == types.Uint8 || u.Kind() == types.Int32
	case *types.Interface:
		if streamflow.IsError(t) {
			return false
		}
	}
	return model.TypeName(t) != "context.Context" && model.TypeName(t) != "net/http.Header"
}

func (s *spread) use(v ssa.Value, in ssa.Instruction) {
	switch x := in.(type) {
	case *ssa.Store:
		if x.Val == v {
			s.store(x.Addr, x.Val, x)
		}
	case *ssa.MapUpdate:
		if x.Value == v || x.Key == v {
			s.object(x.Map)
		}
	case *ssa.Send:
		if x.X == v {
			s.emit(x, x.Chan)
			s.object(x.Chan)
		}
	case *ssa.Select:
		for _, st := range x.States {
			switch {
			case st.Dir == types.SendOnly && st.Send == v:
				s.emit(x, st.Chan)
				s.object(st.Chan)
			case st.Dir == types.RecvOnly && st.Chan == v:
				s.steps = append(s.steps, x)
				s.extracts(x)
			}
		}
	case *ssa.UnOp:
		if x.Op.String() == "<-" {
			s.steps = append(s.steps, x)
			if x.CommaOk {
				s.extracts(x)
				return
			}
		}
		s.mark(x)
	case *ssa.MakeClosure:
		inner := x.Fn.(*ssa.Function)
		for i, b := range x.Bindings {
			if b == v && i < len(inner.FreeVars) && s.in[inner] {
				s.mark(inner.FreeVars[i])
			}
		}
	case *ssa.Return:
		fn := x.Parent()
		for i, r := range x.Results {
			if r != v || !carries(r.Type()) {
				continue
			}
			if s.results[fn] == nil {
				s.results[fn] = make(map[int]bool)
			}
			s.results[fn][i] = true
			for _, at := range s.r.from[fn] {
				if call, ok := at.(ssa.CallInstruction); ok {
					s.mark(streamflow.Result(call, i))
				}
			}
			// A closure's result goes where its value is called.
			for _, site := range s.c.flow.Callers(fn) {
				if s.in[site.Call.Parent()] {
					s.mark(streamflow.Result(site.Call, i))
				}
			}
		}
	case ssa.CallInstruction:
		s.call(v, x)
	case *ssa.Extract:
		s.mark(x)
	case *ssa.TypeAssert, *ssa.Range, *ssa.Next, *ssa.Lookup:
		s.mark(in.(ssa.Value))
		s.extracts(in.(ssa.Value))
	case ssa.Value:
		s.mark(x)
	}
}

// extracts marks what is taken out of a tuple that holds a marked value.
func (s *spread) extracts(tuple ssa.Value) {
	for _, ref := range *tuple.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok {
			s.mark(x)
		}
	}
}

// store follows a value into a location.
func (s *spread) store(addr, val ssa.Value, in ssa.Instruction) {
	if isPosition(val.Type()) {
		s.changed[s.c.flow.Location(addr)] = true
	}
	if grows(s.c.flow, addr, val) {
		s.emit(in, addr)
	}
	s.object(addr)
}

// object marks the thing that an address is part of: a local variable as a whole,
// a field wherever it is read.
func (s *spread) object(addr ssa.Value) {
	for depth := 0; depth < 20; depth++ {
		switch x := addr.(type) {
		case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
			s.mark(x)
			return
		case *ssa.FieldAddr:
			if a, ok := x.X.(*ssa.Alloc); ok {
				s.mark(a)
			}
			l := s.c.flow.Location(x)
			if !s.fields[l] {
				s.fields[l] = true
				for _, v := range s.c.loads[l] {
					if in, ok := v.(ssa.Instruction); ok && s.in[in.Parent()] {
						s.mark(v)
					}
				}
			}
			return
		case *ssa.IndexAddr:
			addr = x.X
		case *ssa.UnOp:
			addr = x.X
		case *ssa.Slice:
			addr = x.X
		case *ssa.MakeInterface:
			addr = x.X
		case *ssa.ChangeType:
			addr = x.X
		case *ssa.FreeVar:
			s.mark(x)
			if b := s.c.flow.Binding(x); b != nil {
				addr = b
				continue
			}
			return
		default:
			return
		}
	}
}

// grows reports whether a store adds to what the location held: x += v,
// x = append(x, v).
func grows(f *streamflow.Flow, addr, val ssa.Value) bool {
	var first ssa.Value
	switch x := val.(type) {
	case *ssa.BinOp:
		first = x.X
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			first = x.Call.Args[0]
		}
	}
	if first == nil {
		return false
	}
	load, ok := first.(*ssa.UnOp)
	return ok && f.Location(load.X) == f.Location(addr)
}

// call follows a marked value into a call.
func (s *spread) call(v ssa.Value, call ssa.CallInstruction) {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "min", "max":
			s.mark(call.Value())
		case "copy":
			if common.Args[1] == v {
				s.object(common.Args[0])
			}
		}
		return
	}
	args := streamflow.Args(call)
	// A marked function: the body of a range over the stream, a next function.
	if common.Value == v && !common.IsInvoke() {
		s.fetch(call, nil)
		return
	}
	bodies := s.c.flow.Callees(call)
	if len(bodies) > 0 {
		for i, arg := range args {
			if arg != v {
				continue
			}
			for _, h := range bodies {
				if s.in[h] && i < len(h.Params) {
					s.mark(h.Params[i])
				}
			}
		}
		return
	}
	callee := streamflow.Callee(call)
	name := model.FuncName(callee)
	if name == "" && callee == nil { // a function value: somebody's callback
		for _, arg := range common.Args {
			if arg == v {
				s.emit(call, common.Value)
				return
			}
		}
		return
	}
	for _, src := range model.LookupSources(name) {
		if src.State == model.Whole && (src.Out < 0 || len(args) > 0 && args[0] == v) {
			return // everything at once: no stream any more
		}
	}
	if w, ok := model.LookupWrite(name); ok && w.To < len(args) && w.Arg < len(args) {
		if args[w.To] != v && !discards(args[w.To]) {
			s.emit(call, args[w.To])
			s.object(args[w.To])
		}
		return
	}
	switch {
	case strings.HasPrefix(name, "fmt.Print"):
		s.emit(call, nil)
		return
	case strings.HasPrefix(name, "errors."), name == "fmt.Errorf", strings.HasPrefix(name, "log."), strings.HasPrefix(name, "log/slog."),
		strings.HasPrefix(name, "(log/slog."), strings.HasPrefix(name, "(log."), strings.HasPrefix(name, "context."):
		return
	}
	if pos, ok := s.c.flow.Sink(name); ok {
		if pos < len(args) && args[pos] == v {
			s.emit(call, nil)
		}
		return
	}
	if callee != nil && len(args) > 1 && args[0] != v && sends(callee) {
		s.emit(call, args[0])
		return
	}
	if f := s.c.fact(callee); f != nil && len(f.Emits) > 0 {
		return
	}
	if args[0] == v || callee.Signature().Recv() == nil {
		s.fetch(call, v)
		return
	}
	// An argument of a foreign method: its result may hold it.
	s.result(call)
	for _, arg := range args {
		if arg != v {
			s.filled(arg)
		}
	}
}

// sends reports whether a method passes its argument to another program: Write,
// WriteString, Send of a gRPC stream, the write methods of a websocket.
func sends(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return false
	}
	switch fn.Name() {
	case "Write", "WriteString":
		sig := fn.Signature()
		return sig.Params().Len() == 1 && streamflow.IsText(sig.Params().At(0).Type())
	case "Send", "SendMsg":
		obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, nil, "SendMsg")
		return obj != nil
	case "WriteMessage", "WriteJSON":
		return strings.Contains(model.TypeName(recv.Type()), "websocket")
	}
	return false
}

// fetch notes a call on the stream: it fetches the next piece, or makes another
// view of the stream.
func (s *spread) fetch(call ssa.CallInstruction, v ssa.Value) {
	if fn := streamflow.Callee(call); fn != nil {
		switch fn.Name() {
		case "Close", "Err", "Error", "String", "CloseSend", "Context", "Buffer", "Split", "Header", "Trailer":
			return
		}
	}
	s.steps = append(s.steps, call)
	s.result(call)
	for _, arg := range streamflow.Args(call) {
		if arg == v {
			continue
		}
		if mc, ok := arg.(*ssa.MakeClosure); ok {
			inner := mc.Fn.(*ssa.Function)
			if s.in[inner] {
				s.each[inner] = true
				for _, p := range inner.Params {
					s.mark(p)
				}
			}
			continue
		}
		if _, ok := arg.Type().Underlying().(*types.Signature); ok {
			s.emit(call, arg) // each piece goes to a callback
			continue
		}
		s.filled(arg)
	}
}

func (s *spread) result(call ssa.CallInstruction) {
	v := call.Value()
	if v == nil {
		return
	}
	if _, ok := v.Type().(*types.Tuple); ok {
		s.extracts(v)
		return
	}
	s.mark(v)
}

// filled marks what a call may have filled: a pointer or buffer given to it.
func (s *spread) filled(arg ssa.Value) {
	switch x := arg.(type) {
	case *ssa.MakeInterface:
		s.filled(x.X)
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.MakeSlice, *ssa.MakeMap, *ssa.FreeVar, *ssa.Slice, *ssa.IndexAddr:
		if _, basic := arg.Type().Underlying().(*types.Basic); !basic {
			s.object(arg)
			s.mark(arg)
		}
	case *ssa.UnOp:
		if _, ok := x.Type().Underlying().(*types.Slice); ok {
			s.object(x.X)
		}
	}
}

// emit notes that data leaves at an instruction; a nil target is the process's
// own output.
func (s *spread) emit(in ssa.Instruction, target ssa.Value) {
	for i := range s.out {
		if s.out[i].in == in {
			return
		}
	}
	e := emission{in: in, open: s.open}
	if target != nil {
		e.target, e.place, e.what = s.c.root(target), s.c.flow.Location(target), valueName(target)
	} else {
		e.what = "stdout"
	}
	s.out = append(s.out, e)
}

// discards reports whether a writer is io.Discard, which is no consumer.
func discards(w ssa.Value) bool {
	if ci, ok := w.(*ssa.ChangeInterface); ok {
		w = ci.X
	}
	load, ok := w.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "io" && g.Name() == "Discard"
}

// streaming reports whether an emission happens piece by piece: in a loop that
// fetches the next piece without passing the opening call, in a closure that runs
// for each, or in a copy of the whole.
func (s *spread) streaming(e *emission) bool {
	if call, ok := e.in.(ssa.CallInstruction); ok {
		if w, ok := model.LookupWrite(streamflow.CalleeName(call)); ok && w.Whole {
			return true
		}
		for _, arg := range streamflow.Args(call) {
			if _, ok := arg.Type().Underlying().(*types.Signature); ok && call.Common().Value != arg {
				for _, st := range s.steps {
					if st == e.in {
						return true
					}
				}
			}
		}
	}
	opens := s.r.lift(s.open)
	for _, in := range s.r.lift(e.in) {
		if s.each[in.Parent()] || in.Parent().Synthetic == "range-over-func yield" {
			return true
		}
		for _, st := range s.steps {
			for _, fetch := range s.r.lift(st) {
				if fetch.Parent() != in.Parent() || !s.c.flow.SameLoop(fetch, in) || !s.fromOutside(st, fetch, in) {
					continue
				}
				free := true
				for _, o := range opens {
					if o.Parent() == in.Parent() && s.c.flow.SameLoop(o, in) &&
						(o.Block() == in.Block() || o.Block() == fetch.Block() || !s.c.flow.Bypasses(in, fetch, o)) {
						free = false
					}
				}
				if free {
					return true
				}
			}
		}
	}
	return false
}

// fromOutside reports whether the object that a step fetches from was there
// before the loop's turn: an element picked by the loop itself is not a stream.
func (s *spread) fromOutside(step, fetch, in ssa.Instruction) bool {
	var v ssa.Value
	switch x := step.(type) {
	case ssa.CallInstruction:
		v = x.Common().Value
		if !x.Common().IsInvoke() {
			if x.Common().StaticCallee() != nil {
				if len(x.Common().Args) == 0 {
					return false
				}
				v = x.Common().Args[0]
			}
		}
		if fn := streamflow.Callee(x); fn != nil && fn.Signature().Recv() == nil && !isReader(v.Type()) {
			return false // a function of a piece: strings.TrimSpace(line)
		}
	case *ssa.UnOp:
		v = x.X
	case *ssa.Select:
		return true
	default:
		return false
	}
	if !streamLike(v.Type()) {
		return false
	}
	for depth := 0; depth < 10; depth++ {
		switch x := v.(type) {
		case *ssa.IndexAddr, *ssa.Index, *ssa.Lookup, *ssa.Extract:
			if e, ok := x.(*ssa.Extract); ok {
				if _, ok := e.Tuple.(*ssa.Next); !ok {
					return true
				}
			}
			return false
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		default:
			return true
		}
	}
	return true
}

func isReader(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "Read")
	return obj != nil
}

// streamLike reports whether a type can be a stream: an object with methods, a
// channel, a function. Slices, maps, text and messages are none.
func streamLike(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature, *types.Interface:
		return true
	case *types.Pointer:
		switch model.TypeName(t) {
		case "net/http.Response", "net/http.Request", "bytes.Buffer", "strings.Builder":
			return false
		}
		_, ok := u.Elem().Underlying().(*types.Struct)
		return ok
	case *types.Struct:
		return true
	}
	return false
}

func valueName(v ssa.Value) string {
	switch x := v.(type) {
	case *ssa.Parameter:
		return x.Name()
	case *ssa.FreeVar:
		return x.Name()
	case *ssa.Global:
		return x.Name()
	case *ssa.Alloc:
		switch x.Comment {
		case "complit", "new", "varargs", "slicelit", "makeslice":
			return "" // made in an expression: it has no name
		}
		return x.Comment
	case *ssa.UnOp:
		return valueName(x.X)
	case *ssa.MakeInterface:
		return valueName(x.X)
	case *ssa.ChangeInterface:
		return valueName(x.X)
	case *ssa.ChangeType:
		return valueName(x.X)
	case *ssa.FieldAddr:
		if p, ok := x.X.Type().Underlying().(*types.Pointer); ok {
			if st, ok := p.Elem().Underlying().(*types.Struct); ok {
				return st.Field(x.Field).Name()
			}
		}
	case *ssa.Field:
		if st, ok := x.X.Type().Underlying().(*types.Struct); ok {
			return st.Field(x.Field).Name()
		}
	}
	return ""
}

// root gives the value at the beginning of a chain of fields, loads, conversions
// and captures.
func (c *checker) root(v ssa.Value) ssa.Value {
	for depth := 0; depth < 30; depth++ {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Index:
			v = x.X
		case *ssa.Lookup:
			v = x.X
		case *ssa.UnOp:
			if x.Op.String() != "*" {
				return v
			}
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Convert:
			v = x.X
		case *ssa.Extract:
			if ta, ok := x.Tuple.(*ssa.TypeAssert); ok {
				v = ta.X
				continue
			}
			return v
		case *ssa.FreeVar:
			b := c.flow.Binding(x)
			if b == nil {
				return v
			}
			v = b
		case *ssa.Alloc:
			// A variable that only ever holds one value: a captured parameter, a
			// channel made once.
			one := c.only(x)
			if one == nil {
				return v
			}
			v = one
		default:
			return v
		}
	}
	return v
}

// only gives the one value that is stored in a variable, if it is a reference to
// something else.
func (c *checker) only(a *ssa.Alloc) ssa.Value {
	var one ssa.Value
	for _, p := range c.flow.Puts(any(a)) {
		st, ok := p.Instr.(*ssa.Store)
		if !ok || st.Addr != ssa.Value(a) {
			continue
		}
		if one != nil {
			return nil
		}
		one = st.Val
	}
	switch one.(type) {
	case *ssa.Parameter, *ssa.MakeChan, *ssa.Alloc, *ssa.UnOp, *ssa.FreeVar, *ssa.MakeInterface, *ssa.MakeClosure:
		if one.Type().Underlying() == nil {
			return nil
		}
		switch one.Type().Underlying().(type) {
		case *types.Pointer, *types.Chan, *types.Signature, *types.Interface:
			return one
		}
	}
	return nil
}

// gives lists the results of a function that hold a stream it has opened.
func (c *checker) gives(fn *ssa.Function) []int {
	if list, ok := c.given[fn]; ok {
		return list
	}
	list := c.findGiven(fn)
	c.given[fn] = list
	return list
}

func (c *checker) findGiven(fn *ssa.Function) []int {
	res := fn.Signature.Results()
	may := false
	for i := range res.Len() {
		may = may || streamLike(res.At(i).Type()) && !streamflow.IsError(res.At(i).Type())
	}
	if !may {
		return nil
	}
	out := make(map[int]bool)
	for _, g := range c.reachOf(fn).fns {
		for _, o := range c.startsIn(g).opens {
			s := c.spread(fn, o.call)
			s.result(o.call)
			s.run()
			for i := range s.results[fn] {
				if streamLike(res.At(i).Type()) && !message(res.At(i).Type()) {
					out[i] = true
				}
			}
		}
	}
	var list []int
	for i := range res.Len() {
		if out[i] {
			list = append(list, i)
		}
	}
	return list
}

// message reports whether a type is plain data: a struct, or a pointer to one,
// from which nothing can be fetched.
func message(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature, *types.Interface:
		return false
	}
	if model.TypeName(t) == "net/http.Response" {
		return false
	}
	for _, name := range []string{"Recv", "Next", "Read", "Events", "Close", "Scan", "All"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj != nil {
			if _, ok := obj.(*types.Func); ok {
				return false
			}
		}
	}
	return true
}
