package partialapply

import (
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// tools looks at the tool calls of models that arrive whole, one after the other, in
// a stream. (Calls that arrive in fragments are the matter of other checks.)
func (c *checker) tools() {
	for _, fn := range c.flow.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				v, ok := in.(ssa.Value)
				if !ok || !c.wholeCall(v) {
					continue
				}
				if rcv := c.answer(fn, v); rcv != nil {
					c.report(rcv, c.follow(rcv))
				}
			}
		}
	}
}

// wholeCall reports whether an instruction reads a whole tool call, or its arguments,
// out of a message.
func (c *checker) wholeCall(v ssa.Value) bool {
	owner, i, ok := streamflow.FieldAt(v)
	if !ok {
		if ta, ok := v.(*ssa.TypeAssert); ok {
			return c.flow.TypeRole(ta.AssertedType) == model.RoleWhole
		}
		return false
	}
	s, ok := structOf(owner.Type())
	if !ok || i >= s.NumFields() {
		return false
	}
	k := fieldOf{owner.Type(), i}
	whole, ok := c.whole[k]
	if !ok {
		whole = c.holdsCalls(v, s, i)
		c.whole[k] = whole
	}
	return whole
}

// fieldOf names a field of a type.
type fieldOf struct {
	owner types.Type
	index int
}

// holdsCalls reports whether field i of a struct, read by v, holds whole tool calls.
func (c *checker) holdsCalls(v ssa.Value, s *types.Struct, i int) bool {
	if streamflow.IsText(s.Field(i).Type()) {
		return false
	}
	switch c.flow.FieldRole(v) {
	case model.RoleWhole:
		return true
	case model.NoRole:
		// A struct made after the wire: the calls of a message that is no delta.
		name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		return name == "tool_calls"
	}
	return false
}

func structOf(t types.Type) (*types.Struct, bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	return s, ok
}

// answer gives the receiver of the stream that a tool call arrives in, nil where it is
// not one in sight.
func (c *checker) answer(fn *ssa.Function, call ssa.Value) *receiver {
	top := c.messageOf(call)
	if top == nil {
		return nil
	}
	rcv := &receiver{shape: toolCalls, item: []ssa.Value{call}, fn: fn}
	if p, ok := top.(*ssa.Parameter); ok {
		rcv.pos = c.calledBack(fn, p)
		if !rcv.pos.IsValid() || c.unstreamed(fn) {
			return nil
		}
		return rcv
	}
	if a, ok := top.(*ssa.Alloc); ok {
		d := c.decodedLine(a)
		if d == nil {
			return nil
		}
		rcv.pos, rcv.at = d.Pos(), d.Call
		return rcv
	}
	for _, o := range c.flow.Trace(top) {
		if !piecewise(o.Kind) || o.Instr == nil || !c.flow.SameLoop(o.Instr, top.(ssa.Instruction)) {
			return nil
		}
		rcv.pos, rcv.at = o.Pos, o.Instr
	}
	if rcv.at == nil {
		return nil
	}
	return rcv
}

// decodedLine gives the decode, in a loop that receives, that fills a variable with one
// message after the other.
func (c *checker) decodedLine(a *ssa.Alloc) *streamflow.Decode {
	for _, d := range c.flow.Decodes() {
		if d.Into == nil || root(d.Into) != ssa.Value(a) || !c.flow.InLoop(d.Call) {
			continue
		}
		if made, ok := d.Data.(*ssa.Call); ok && streamflow.CalleeName(made) == "encoding/json.NewDecoder" {
			if !c.flow.SameLoop(made, d.Call) && breaks(c.io.Source(made.Call.Args[0])) {
				return d // one document after the other
			}
			continue
		}
		for _, o := range c.flow.Trace(d.Data) {
			if piecewise(o.Kind) && o.Instr != nil && c.flow.SameLoop(o.Instr, d.Call) {
				return d
			}
		}
	}
	return nil
}

// calledBack gives the place where a function is given to a stream, to be called with
// each message as this parameter.
func (c *checker) calledBack(fn *ssa.Function, p *ssa.Parameter) token.Pos {
	for _, o := range c.flow.Trace(p) {
		if piecewise(o.Kind) {
			if o.Pos.IsValid() {
				return o.Pos
			}
			return p.Pos()
		}
	}
	// The body of a loop over what an SDK gives.
	for _, mc := range c.flow.Closures(fn) {
		for _, ref := range *mc.Referrers() {
			if ct, ok := ref.(*ssa.ChangeType); ok && len(*ct.Referrers()) == 1 {
				ref = (*ct.Referrers())[0]
			}
			run, ok := ref.(ssa.CallInstruction)
			if !ok {
				continue
			}
			made, ok := stripType(run.Common().Value).(*ssa.Call)
			if !ok {
				continue
			}
			for _, s := range model.LookupSources(streamflow.CalleeName(made)) {
				if s.State == model.Frame || s.State == model.Fragment {
					return made.Pos()
				}
			}
		}
	}
	return token.NoPos
}

// piecewise reports whether an origin brings one message after the other.
func piecewise(k streamflow.Kind) bool {
	return k == streamflow.Fragment || k == streamflow.Frame || k == streamflow.Delta
}

// messageOf gives the message that a field is read out of: a parameter, what a call
// gave, or a variable that something fills. Of a delta it is nothing.
func (c *checker) messageOf(v ssa.Value) ssa.Value {
	for range 30 {
		switch x := v.(type) {
		case *ssa.FieldAddr, *ssa.Field:
			if c.flow.FieldRole(v) == model.RoleDelta {
				return nil
			}
			v, _, _ = streamflow.FieldAt(v)
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Index:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Alloc:
			var one ssa.Value
			for _, ref := range *x.Referrers() {
				if st, ok := ref.(*ssa.Store); ok && st.Addr == x {
					if one != nil {
						return nil
					}
					one = st.Val
				}
			}
			if one == nil {
				return x
			}
			v = one
		case *ssa.Extract:
			if _, ok := x.Tuple.(*ssa.Call); ok {
				return x
			}
			if ta, ok := x.Tuple.(*ssa.TypeAssert); ok {
				v = ta.X
				continue
			}
			return nil
		case *ssa.Call, *ssa.Parameter:
			return v
		default:
			return nil
		}
	}
	return nil
}

// unstreamed reports whether a function, or the one around it, switches streaming off:
// its callback is called once, with the whole answer.
func (c *checker) unstreamed(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				st, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				fa, ok := st.Addr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				if s, ok := structOf(fa.X.Type()); ok && s.Field(fa.Field).Name() == "Stream" {
					return true
				}
			}
		}
	}
	return false
}
