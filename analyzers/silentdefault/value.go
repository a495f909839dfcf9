package silentdefault

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/streamflow"
)

// target is what a decode fills, and where it goes from there.
type target struct {
	typ types.Type // of the value
	// cell is the address that the decoder writes to; nil where the value is a
	// result.
	cell ssa.Value
	root ssa.Value // the variable that the cell lies in, or the result
	// out says that the cell is not the function's own: a parameter, a field of an
	// object, a variable around a closure.
	out    bool
	values map[ssa.Value]bool       // what is computed from the value
	same   map[*ssa.Phi]bool        // merges of the value itself
	uses   map[ssa.Instruction]bool // where it is passed on
	// links are the places where it is put into another variable or map of the
	// function, or merges with something else: only on a way that passes there does
	// it go on from that.
	links  map[ssa.Instruction]ssa.Value
	follow *follower
}

// target finds what the subject fills. It gives nil where the program drops the
// value.
func (c *checker) target(s *subject) *target {
	t := &target{values: make(map[ssa.Value]bool), same: make(map[*ssa.Phi]bool), uses: make(map[ssa.Instruction]bool),
		links: make(map[ssa.Instruction]ssa.Value)}
	f := &follower{c: c, s: s, t: t}
	t.follow = f
	if s.valid {
		t.root = base(s.data)
		t.typ = t.root.Type()
		f.value(t.root)
		return t
	}
	if s.into == nil {
		return nil
	}
	if s.result {
		t.root, t.typ = s.into, s.into.Type()
		f.value(s.into)
		return t
	}
	t.cell = strip(s.into)
	t.typ = t.cell.Type()
	if p, ok := t.typ.Underlying().(*types.Pointer); ok {
		t.typ = p.Elem()
	}
	addr := t.cell
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
			continue
		case *ssa.IndexAddr:
			addr = x.X
			continue
		}
		break
	}
	t.root = addr
	switch x := addr.(type) {
	case *ssa.Alloc:
		f.address(x)
	case *ssa.UnOp:
		if a, ok := x.X.(*ssa.Alloc); ok { // a pointer that a closure shares
			f.address(a)
			break
		}
		t.out = true
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		t.out = true
	default:
		f.value(addr)
	}
	return t
}

// fullTarget is the target with all its links followed, as on a way that passes
// everywhere.
func (c *checker) fullTarget(s *subject, t *target) *target {
	out := *t
	out.values, out.same, out.uses = maps.Clone(t.values), maps.Clone(t.same), maps.Clone(t.uses)
	out.links = make(map[ssa.Instruction]ssa.Value)
	out.follow = &follower{c: c, s: s, t: &out}
	work := slices.Collect(maps.Values(t.links))
	for len(work) > 0 {
		out.follow.into(work[len(work)-1])
		work = work[:len(work)-1]
		for in, v := range out.links {
			work = append(work, v)
			delete(out.links, in)
		}
	}
	return &out
}

// into goes on from a variable or map that the value was put into.
func (f *follower) into(v ssa.Value) {
	if _, ok := v.(*ssa.Alloc); ok {
		f.address(v)
		return
	}
	f.value(v)
}

// base takes conversions and readers off the data of a decoder, so that two uses
// of one text can be told to be the same.
func base(v ssa.Value) ssa.Value {
	for range 12 {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.MultiConvert:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.Slice:
			if x.Low != nil || x.High != nil {
				return v
			}
			v = x.X
		case *ssa.Call:
			switch streamflow.CalleeName(x) {
			case "bytes.NewReader", "bytes.NewBuffer", "bytes.NewBufferString", "strings.NewReader", "encoding/json.NewDecoder",
				"bytes.TrimSpace", "strings.TrimSpace":
				v = x.Call.Args[0]
			default:
				return v
			}
		default:
			return v
		}
	}
	return v
}

// same reports whether two values are the same text, read twice perhaps.
func same(a, b ssa.Value, depth int) bool {
	a, b = base(a), base(b)
	if a == b {
		return true
	}
	if depth > 8 {
		return false
	}
	switch x := a.(type) {
	case *ssa.UnOp:
		y, ok := b.(*ssa.UnOp)
		return ok && x.Op == y.Op && same(x.X, y.X, depth+1)
	case *ssa.FieldAddr:
		y, ok := b.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && same(x.X, y.X, depth+1)
	case *ssa.Field:
		y, ok := b.(*ssa.Field)
		return ok && x.Field == y.Field && same(x.X, y.X, depth+1)
	case *ssa.IndexAddr:
		y, ok := b.(*ssa.IndexAddr)
		return ok && same(x.X, y.X, depth+1) && same(x.Index, y.Index, depth+1)
	case *ssa.Const:
		y, ok := b.(*ssa.Const)
		return ok && x.Value != nil && y.Value != nil && constant.Compare(x.Value, token.EQL, y.Value) && types.Identical(x.Type(), y.Type())
	case *ssa.Extract:
		return false
	case *ssa.TypeAssert:
		y, ok := b.(*ssa.TypeAssert)
		return ok && same(x.X, y.X, depth+1)
	case *ssa.Call:
		// The text of one buffer or scanner, asked for twice.
		y, ok := b.(*ssa.Call)
		if !ok || streamflow.CalleeName(x) == "" || len(x.Call.Args) != 1 || len(y.Call.Args) != 1 {
			return false
		}
		nx, ny := streamflow.CalleeName(x), streamflow.CalleeName(y)
		text := func(n string) bool {
			return strings.HasSuffix(n, ").Bytes") || strings.HasSuffix(n, ").Text") || strings.HasSuffix(n, ").String")
		}
		return text(nx) && text(ny) && same(x.Call.Args[0], y.Call.Args[0], depth+1)
	}
	return false
}

// follower finds what is computed from a value and where it is passed on.
type follower struct {
	c     *checker
	s     *subject
	t     *target
	steps int
}

func (f *follower) later(in ssa.Instruction) bool {
	return in.Block() != nil && (in.Parent() != f.s.fn || f.c.flow.Reaches(f.s.call, in))
}

// address follows the address of a variable that holds the value.
func (f *follower) address(v ssa.Value) {
	if f.t.values[v] || v.Referrers() == nil {
		return
	}
	f.t.values[v] = true
	if f.steps++; f.steps > 2000 {
		return
	}
	for _, ref := range *v.Referrers() {
		switch x := ref.(type) {
		case *ssa.UnOp:
			if f.later(x) {
				f.value(x)
			}
		case *ssa.FieldAddr, *ssa.IndexAddr:
			if f.disjoint(x.(ssa.Value)) {
				continue
			}
			f.address(x.(ssa.Value))
		case *ssa.Slice, *ssa.Phi, *ssa.MakeInterface, *ssa.ChangeType:
			f.address(x.(ssa.Value))
		case *ssa.Store:
			if x.Val == v && f.later(x) {
				f.store(x, v)
			}
		case *ssa.MakeClosure:
			if f.later(x) {
				f.t.uses[x] = true
			}
		default:
			if f.later(ref) {
				f.use(ref, v)
			}
		}
	}
}

// disjoint reports whether addr is a part of the variable that the decoder does
// not write to.
func (f *follower) disjoint(addr ssa.Value) bool {
	cell, ok := f.t.cell.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	x, ok := addr.(*ssa.FieldAddr)
	return ok && x.X == cell.X && x.Field != cell.Field
}

// value follows a value.
func (f *follower) value(v ssa.Value) {
	if f.t.values[v] || v.Referrers() == nil {
		return
	}
	if isErrorType(v.Type()) {
		return // it has become part of an error
	}
	f.t.values[v] = true
	if f.steps++; f.steps > 2000 {
		return
	}
	for _, ref := range *v.Referrers() {
		f.use(ref, v)
	}
}

func (f *follower) use(ref ssa.Instruction, v ssa.Value) {
	switch x := ref.(type) {
	case *ssa.DebugRef, *ssa.If, *ssa.Panic, *ssa.RunDefers:
	case *ssa.Phi:
		if v == f.t.root || f.isSame(v) {
			f.t.same[x] = true
			f.value(x)
			return
		}
		f.t.links[x] = x
	case *ssa.UnOp:
		if x.Op != token.NOT {
			f.value(x)
		}
	case *ssa.BinOp:
		switch x.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		default:
			f.value(x)
		}
	case *ssa.FieldAddr, *ssa.IndexAddr:
		f.value(x.(ssa.Value))
	case *ssa.Field, *ssa.Index, *ssa.Lookup, *ssa.Extract, *ssa.Next, *ssa.Range, *ssa.Slice,
		*ssa.Convert, *ssa.ChangeType, *ssa.MultiConvert, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert, *ssa.SliceToArrayPointer:
		f.value(x.(ssa.Value))
	case *ssa.Store:
		if x.Val == v {
			f.store(x, v)
		}
	case *ssa.MapUpdate:
		if x.Value == v || x.Key == v {
			if m, ok := x.Map.(*ssa.MakeMap); ok && (!f.c.flow.InLoop(f.s.call) || f.c.flow.SameLoop(m, f.s.call)) {
				f.t.links[x] = m
			} else if x.Map != v {
				f.t.uses[x] = true
			}
		}
	case *ssa.Send:
		if x.X == v {
			f.t.uses[x] = true
		}
	case ssa.CallInstruction:
		f.call(x, v)
	default:
		f.t.uses[ref] = true // Return, Select, MakeClosure
	}
}

func (f *follower) isSame(v ssa.Value) bool {
	p, ok := v.(*ssa.Phi)
	return ok && f.t.same[p]
}

// store follows a value into a variable of the function; elsewhere it is gone.
func (f *follower) store(st *ssa.Store, v ssa.Value) {
	addr := st.Addr
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
			continue
		case *ssa.IndexAddr:
			addr = x.X
			continue
		}
		break
	}
	alloc, ok := addr.(*ssa.Alloc)
	if !ok {
		f.t.uses[st] = true
		return
	}
	if p, ok := alloc.Type().Underlying().(*types.Pointer); ok && isErrorType(p.Elem()) {
		return // part of an error
	}
	if f.c.flow.InLoop(f.s.call) && !f.c.flow.SameLoop(alloc, f.s.call) && alloc.Parent() == f.s.fn {
		f.t.uses[st] = true // kept beyond the turn of the loop
		return
	}
	f.t.links[st] = alloc
}

func (f *follower) call(call ssa.CallInstruction, v ssa.Value) {
	if call == f.s.call {
		return
	}
	if d := f.c.byCall[call]; d != nil && d.into != nil && strip(d.into) == strip(v) {
		return // decoded anew
	}
	if b, ok := call.Common().Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "copy":
			f.t.uses[call] = true
		case "min", "max", "real", "imag":
			if r := call.Value(); r != nil {
				f.value(r)
			}
		}
		return
	}
	if streamflow.IsPrint(call) {
		return
	}
	if body := f.c.flow.Body(call); body != nil && f.c.onlyPrints(body, 0) {
		return
	}
	if r, ok := call.(*ssa.Call); ok && (isPure(call) || isGetter(call, v)) {
		f.value(r)
		return
	}
	f.t.uses[call] = true
}

// isGetter reports whether a call is a method of the value that takes nothing and
// gives one plain value.
func isGetter(call ssa.CallInstruction, v ssa.Value) bool {
	args := streamflow.Args(call)
	sig := call.Common().Signature()
	if len(args) != 1 || args[0] != v || sig.Results().Len() != 1 || streamflow.Callee(call) == nil || streamflow.Callee(call).Signature().Recv() == nil {
		return false
	}
	_, basic := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return basic
}

// isDefault reports whether v is nothing: a zero value, an empty container, or the
// text of an empty document.
func isDefault(v ssa.Value) bool { return defaultDepth(v, 0) }

func defaultDepth(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value == nil {
			return true
		}
		switch x.Value.Kind() {
		case constant.String:
			switch strings.TrimSpace(constant.StringVal(x.Value)) {
			case "", "{}", "[]", "null", `""`:
				return true
			}
			return false
		case constant.Int, constant.Float:
			return constant.Sign(x.Value) == 0
		case constant.Bool:
			return !constant.BoolVal(x.Value)
		}
	case *ssa.MakeMap:
		return !filledDepth(x, depth+1)
	case *ssa.MakeSlice:
		return defaultDepth(x.Len, depth+1)
	case *ssa.Convert:
		return defaultDepth(x.X, depth+1)
	case *ssa.ChangeType:
		return defaultDepth(x.X, depth+1)
	case *ssa.MakeInterface:
		return defaultDepth(x.X, depth+1)
	case *ssa.Slice:
		if a, ok := x.X.(*ssa.Alloc); ok {
			p := a.Type().Underlying().(*types.Pointer)
			arr, ok := p.Elem().Underlying().(*types.Array)
			return ok && arr.Len() == 0
		}
	case *ssa.UnOp:
		if x.Op == token.MUL {
			if a, ok := x.X.(*ssa.Alloc); ok {
				return !filledDepth(a, depth+1)
			}
		}
	case *ssa.Alloc:
		return !filledDepth(x, depth+1)
	}
	return false
}

// filledDepth reports whether something is put into a fresh map or struct.
func filledDepth(v ssa.Value, depth int) bool {
	for _, ref := range *v.Referrers() {
		switch x := ref.(type) {
		case *ssa.MapUpdate:
			if x.Map == v {
				return true
			}
		case *ssa.Store:
			if x.Addr == v && !defaultDepth(x.Val, depth) {
				return true
			}
		case *ssa.FieldAddr:
			if referred(x) {
				for _, r := range *x.Referrers() {
					if st, ok := r.(*ssa.Store); ok && st.Addr == x {
						return true // a field is named: somebody has chosen the value
					}
				}
			}
		case *ssa.IndexAddr, ssa.CallInstruction, *ssa.MakeClosure:
			return true
		}
	}
	return false
}
