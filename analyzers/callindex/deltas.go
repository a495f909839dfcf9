package callindex

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// nameless finds fragments that are dropped because they bear no name: of each call
// only the first fragment is kept and decoded as if it were the whole.
func (c *checker) nameless() {
	type found struct {
		p    piece
		cond *ssa.BinOp
	}
	var kept []found
	byCall := make(map[ssa.Value]bool)
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			v, ok := in.(ssa.Value)
			if !ok {
				continue
			}
			p, ok := pieceOf(v, 0)
			if !ok || p.read != v || p.list == nil || isConstInt(p.pos, 0) {
				continue
			}
			cond := c.named(in, p)
			if cond == nil {
				byCall[p.call] = true // read without a look at the name
				continue
			}
			kept = append(kept, found{p, cond})
		}
	}
	for _, k := range kept {
		if byCall[k.p.call] || c.said[k.cond] || c.asksIndex(join{piece: k.p}, unsure) || !c.decoded(k.p) {
			continue
		}
		path, ok := argsPath(k.p.call.Type())
		if !ok {
			continue
		}
		at, ok := c.fragment(k.cond, k.p.call, path, false)
		if !ok {
			continue
		}
		if c.said == nil {
			c.said = make(map[any]bool)
		}
		c.said[k.cond] = true
		c.r.Report(report.Finding{
			Pos:     k.cond.Pos(),
			Message: "fragments without a name are dropped, and only the first of a call has one: its arguments are cut off behind the first fragment; join the fragments by their index and decode the call when it is whole",
			Related: related(at, "the delta"),
		})
	}
}

// named gives the condition that a read of arguments stands under where that is that
// the call bears a name.
func (c *checker) named(in ssa.Instruction, p piece) *ssa.BinOp {
	for _, g := range c.flow.Guards(in) {
		cond, ok := g.Cond.(*ssa.BinOp)
		if !ok || cond.Op != token.EQL && cond.Op != token.NEQ {
			continue
		}
		if (cond.Op == token.EQL) != (g.Branch == streamflow.False) || g.Branch == streamflow.Either {
			continue
		}
		k, ok := cond.Y.(*ssa.Const)
		if !ok || k.Value == nil || k.Value.Kind() != constant.String || constant.StringVal(k.Value) != "" {
			continue
		}
		if owner, i, call := nameRead(cond.X); call != nil && call == p.call {
			if s := structOf(owner.Type()); s != nil && known(s, i, map[string]bool{"name": true}) {
				return cond
			}
		}
	}
	return nil
}

// nameRead gives the struct and field of a read, and the call it belongs to.
func nameRead(v ssa.Value) (owner ssa.Value, i int, call ssa.Value) {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		v = load.X
	}
	x, i, ok := streamflow.FieldAt(v)
	if !ok {
		return nil, 0, nil
	}
	return x, i, holder(x)
}

// decoded reports whether the text of a piece goes to a decoder in this function.
func (c *checker) decoded(p piece) bool {
	for _, d := range c.flow.Decodes() {
		if d.Call.Parent() != c.fn {
			continue
		}
		v := d.Data
		for {
			switch x := v.(type) {
			case *ssa.Convert:
				v = x.X
				continue
			case *ssa.ChangeType:
				v = x.X
				continue
			}
			break
		}
		if q, ok := pieceOf(v, 0); ok && q.call == p.call {
			return true
		}
	}
	return false
}

// unnumbered finds deltas that are made anew for another protocol, with a fragment
// in them and no index: whoever reads them takes all fragments for one call.
func (c *checker) unnumbered() {
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			fa, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || !isArgs(fa.X.Type(), fa.Field) {
				continue
			}
			call := madeFor(fa)
			if call == nil || !inList(call) {
				continue
			}
			i := fieldOf(call.Type(), model.CallIndexTags)
			if i < 0 || sets(call, i) || whole(call) {
				continue
			}
			at, ok := c.fragment(st, st.Val, nil, true)
			if !ok {
				continue
			}
			c.r.Report(report.Finding{
				Pos:     st.Pos(),
				Message: "this delta carries a fragment and no index: whoever joins the fragments takes those of parallel calls for one; set the index from the event the fragment came with",
				Related: related(at, "the fragment"),
			})
		}
	}
}

// madeFor gives the tool call that a field of its arguments is set for: the literal
// it belongs to, also where the inner struct is made by itself and copied in.
func madeFor(fa *ssa.FieldAddr) ssa.Value {
	v := fa.X
	if path, ok := argsPath(v.Type()); ok && len(path) == 1 {
		if fieldOf(v.Type(), model.CallIndexTags) >= 0 {
			return v
		}
	}
	if a, ok := v.(*ssa.Alloc); ok {
		v = copiedTo(a)
	}
	outer, ok := v.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	return outer.X
}

// copiedTo gives the address that a literal is copied to, nil where that is not one.
func copiedTo(a *ssa.Alloc) ssa.Value {
	var to ssa.Value
	for _, ref := range *a.Referrers() {
		load, ok := ref.(*ssa.UnOp)
		if !ok {
			continue
		}
		for _, use := range *load.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok || st.Val != load || to != nil {
				return nil
			}
			to = st.Addr
		}
	}
	return to
}

// inList reports whether a tool call is made as an element of a slice literal.
func inList(call ssa.Value) bool {
	if a, ok := call.(*ssa.Alloc); ok {
		call = copiedTo(a)
	}
	ia, ok := call.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	arr, ok := ia.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, ref := range *arr.Referrers() {
		if _, ok := ref.(*ssa.Slice); ok {
			return true
		}
	}
	return false
}

// sets reports whether field i of an element is set.
func sets(v ssa.Value, i int) bool {
	for _, ref := range *v.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok || fa.Field != i {
			continue
		}
		for _, use := range *fa.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == fa {
				return true
			}
		}
	}
	return false
}

// whole reports whether an element is set from another value as a whole.
func whole(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == v {
			return true
		}
	}
	return false
}
