package lossyutf8

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// sinkFact lists the parameters of a function that meet something which needs
// whole characters.
type sinkFact struct{ Params []sinkParam }

type sinkParam struct {
	Param int // a receiver is 0
	How   string
	Kind  kind
}

// AFact marks the type as a fact.
func (*sinkFact) AFact() {}

func (f *sinkFact) String() string {
	var parts []string
	for _, p := range f.Params {
		parts = append(parts, fmt.Sprintf("text(%d)", p.Param))
	}
	return strings.Join(parts, " ")
}

// cutFact says that a field holds text which was cut at a byte limit.
type cutFact struct{}

// AFact marks the type as a fact.
func (*cutFact) AFact() {}

func (*cutFact) String() string { return "cut" }

func (c *checker) sinkFact(fn *types.Func) *sinkFact {
	if fn.Pkg() == nil {
		return nil
	}
	var f sinkFact
	if c.pass.ImportObjectFact(fn.Origin(), &f) {
		return &f
	}
	return nil
}

// facts gathers the parameters that reach sinks.
type facts struct {
	list []*types.Func
	by   map[*types.Func]*sinkFact
}

func (f *facts) note(a *streamflow.Arrival, s sink) {
	fn := a.Param.Parent()
	obj, ok := fn.Object().(*types.Func)
	if !ok || !obj.Exported() || fn.Parent() != nil || s.kind == chars {
		return
	}
	if f.by == nil {
		f.by = make(map[*types.Func]*sinkFact)
	}
	fact := f.by[obj]
	if fact == nil {
		fact = new(sinkFact)
		f.by[obj] = fact
		f.list = append(f.list, obj)
	}
	i := streamflow.ParamIndex(a.Param)
	for _, p := range fact.Params {
		if p.Param == i {
			return
		}
	}
	fact.Params = append(fact.Params, sinkParam{Param: i, How: s.how, Kind: s.kind})
}

func (c *checker) exportFacts(f *facts) {
	for _, fn := range f.list {
		if fn.Pkg() == c.pass.Pkg {
			c.pass.ExportObjectFact(fn, f.by[fn])
		}
	}
}

// cutFields finds fields that are set to what io.ReadFull has read, up to its
// count: a prefix of something that may be longer.
func (c *checker) cutFields() {
	for _, fn := range c.flow.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				st, ok := in.(*ssa.Store)
				if !ok || !readUpTo(st.Val) {
					continue
				}
				if v := field(st.Addr); v != nil && v.Pkg() == c.pass.Pkg {
					c.pass.ExportObjectFact(v, new(cutFact))
				}
			}
		}
	}
}

// readUpTo reports whether a value is buf[:n] with the n of io.ReadFull.
func readUpTo(v ssa.Value) bool {
	if cv, ok := v.(*ssa.Convert); ok {
		v = cv.X
	}
	s, ok := v.(*ssa.Slice)
	if !ok || s.High == nil {
		return false
	}
	x, ok := s.High.(*ssa.Extract)
	if !ok || x.Index != 0 {
		return false
	}
	call, ok := x.Tuple.(*ssa.Call)
	return ok && streamflow.CalleeName(call) == "io.ReadFull"
}

func field(addr ssa.Value) *types.Var {
	fa, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	p, ok := fa.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	st, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return st.Field(fa.Field).Origin()
}

// cut reports whether the text of a judgement (utf8.Valid) was cut at a limit, and
// nothing around asks whether the limit was reached.
func (c *checker) cut(s sink) bool {
	v := s.v
	if cv, ok := v.(*ssa.Convert); ok {
		v = cv.X
	}
	var owner types.Type
	switch x := v.(type) {
	case *ssa.UnOp:
		f := field(x.X)
		if f == nil {
			return false
		}
		var fact cutFact
		if !c.pass.ImportObjectFact(f, &fact) {
			return false
		}
		owner = x.X.(*ssa.FieldAddr).X.Type()
	default:
		if !readUpTo(v) {
			return false
		}
	}
	if c.keepsRunes(s.at.Parent(), 1) {
		return false
	}
	for _, g := range c.flow.Guards(s.at) {
		if asksLimit(g.Cond, owner, 0) {
			return false
		}
	}
	return true
}

// asksLimit reports whether a condition looks at a length or count, or at another
// field of the struct that holds the text.
func asksLimit(v ssa.Value, owner types.Type, depth int) bool {
	if depth > 5 {
		return false
	}
	switch x := v.(type) {
	case *ssa.BinOp:
		if x.Op == token.EQL || x.Op == token.NEQ {
			if streamflow.IsError(x.X.Type()) {
				return false
			}
		}
		return asksLimit(x.X, owner, depth+1) || asksLimit(x.Y, owner, depth+1)
	case *ssa.UnOp:
		if fa, ok := x.X.(*ssa.FieldAddr); ok {
			return owner != nil && model.TypeName(fa.X.Type()) == model.TypeName(owner)
		}
		return asksLimit(x.X, owner, depth+1)
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "len"
	case *ssa.Extract:
		call, ok := x.Tuple.(*ssa.Call)
		return ok && streamflow.CalleeName(call) == "io.ReadFull" && x.Index == 0
	case *ssa.Phi:
		for _, e := range x.Edges {
			if asksLimit(e, owner, depth+1) {
				return true
			}
		}
	}
	return false
}
