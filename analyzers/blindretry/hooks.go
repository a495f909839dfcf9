package blindretry

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// streamCall is a struct of an SDK that names the callbacks of a stream which the
// SDK itself sends again after an error, calling a hook before it does.
type streamCall struct {
	Type  string
	Retry string   // the hook's field
	Data  []string // the fields of the callbacks that get pieces
	Mod   string   // module@version the entry was checked against
}

var streamCalls = []streamCall{
	{Type: "charm.land/fantasy.AgentStreamCall", Retry: "OnRetry", Data: []string{"OnTextDelta", "OnReasoningDelta"}, Mod: "charm.land/fantasy"},
}

// hooks reports retry hooks that leave what the failed attempt has handed on where
// it is.
func (c *checker) hooks() {
	for _, fn := range c.flow.Functions() {
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
				for _, sc := range streamCalls {
					if model.TypeName(fa.X.Type()) == sc.Type && fieldName(fa) == sc.Retry {
						c.hook(st, fa, sc)
					}
				}
			}
		}
	}
}

func fieldName(fa *ssa.FieldAddr) string {
	p, ok := fa.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return ""
	}
	st, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	return st.Field(fa.Field).Name()
}

func (c *checker) hook(st *ssa.Store, at *ssa.FieldAddr, sc streamCall) {
	hook, ok := st.Val.(*ssa.MakeClosure)
	var touched map[ssa.Value]bool
	if ok {
		touched = make(map[ssa.Value]bool)
		for _, b := range hook.Bindings {
			touched[c.root(b)] = true
		}
	} else if _, ok := st.Val.(*ssa.Function); !ok {
		return
	}
	for _, ref := range *at.X.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		data := false
		for _, name := range sc.Data {
			data = data || fieldName(fa) == name
		}
		if !data {
			continue
		}
		for _, v := range stored(fa) {
			mc, ok := v.(*ssa.MakeClosure)
			if !ok {
				continue
			}
			shared, outer := false, false
			for i, b := range mc.Bindings {
				if !c.changesVar(mc.Fn.(*ssa.Function), i) {
					continue
				}
				outer = true
				if touched[c.root(b)] {
					shared = true
				}
			}
			if outer && !shared {
				e := emission{in: mc, what: fieldName(fa)}
				c.report(st, &e, "is told that the request is sent again and resets nothing")
				return
			}
		}
	}
}

// changesVar reports whether a closure calls a method with what it was given on a
// captured variable, or assigns to it.
func (c *checker) changesVar(fn *ssa.Function, i int) bool {
	if i >= len(fn.FreeVars) {
		return false
	}
	s := c.spread(fn, nil)
	for _, p := range fn.Params {
		s.mark(p)
	}
	s.run()
	var ask func(v ssa.Value, depth int) bool
	ask = func(v ssa.Value, depth int) bool {
		if depth > 4 || v.Referrers() == nil {
			return false
		}
		for _, ref := range *v.Referrers() {
			switch x := ref.(type) {
			case *ssa.Store:
				if x.Addr == v {
					return true
				}
			case *ssa.UnOp:
				if ask(x, depth+1) {
					return true
				}
			case *ssa.FieldAddr:
				if ask(x, depth+1) {
					return true
				}
			case *ssa.Call:
				args := x.Call.Args
				if len(args) > 1 && args[0] == v && s.marked[args[1]] {
					return true
				}
			}
		}
		return false
	}
	return ask(fn.FreeVars[i], 0)
}
