package streamtimeout

import (
	"go/constant"
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/streamflow"
)

// fixed evaluates a duration: a constant, or the constant that the package falls
// back to where nobody sets another. ok is false for a value of the caller's, and
// where some way leads to no limit at all.
func (c *checker) fixed(v ssa.Value) (time.Duration, bool) {
	e := &evaluation{c: c, seen: make(map[ssa.Value]bool)}
	n, ok := e.value(v, 0)
	if !ok || e.none || n <= 0 {
		return 0, false
	}
	return time.Duration(n), true
}

type evaluation struct {
	c    *checker
	seen map[ssa.Value]bool
	none bool // an explicit zero is among the values
}

func (e *evaluation) value(v ssa.Value, depth int) (int64, bool) {
	if v == nil || depth > 12 || e.seen[v] {
		return 0, false
	}
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value == nil || x.Value.Kind() != constant.Int {
			return 0, false
		}
		n, ok := constant.Int64Val(x.Value)
		if ok && n <= 0 {
			e.none = true
			return 0, false
		}
		return n, ok
	case *ssa.Convert:
		return e.value(x.X, depth+1)
	case *ssa.ChangeType:
		return e.value(x.X, depth+1)
	case *ssa.BinOp:
		a, ok := e.value(x.X, depth+1)
		if !ok {
			return 0, false
		}
		b, ok := e.value(x.Y, depth+1)
		if !ok {
			return 0, false
		}
		switch x.Op {
		case token.MUL:
			return a * b, true
		case token.ADD:
			return a + b, true
		case token.QUO:
			return a / b, true
		}
		return 0, false
	}
	e.seen[v] = true
	defer delete(e.seen, v)
	switch x := v.(type) {
	case *ssa.Phi:
		return e.any(x.Edges, depth)
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return e.variable(x.X, depth)
		}
	case *ssa.Field:
		return e.field(fieldOf(x.X, x.Field), depth)
	case *ssa.Parameter:
		return e.param(x, depth)
	case *ssa.Call:
		if streamflow.CalleeName(x) == "cmp.Or" {
			return e.elements(x.Call.Args, depth)
		}
	}
	return 0, false
}

// any gives the largest of several values that can be there; those that nobody
// here sees are the user's own and say nothing.
func (e *evaluation) any(vs []ssa.Value, depth int) (out int64, ok bool) {
	for _, v := range vs {
		if n, known := e.value(v, depth+1); known {
			out, ok = max(out, n), true
		}
	}
	return out, ok
}

func (e *evaluation) elements(args []ssa.Value, depth int) (int64, bool) {
	var vs []ssa.Value
	for _, arg := range args {
		sl, ok := arg.(*ssa.Slice)
		if !ok || sl.X.Referrers() == nil {
			continue
		}
		for _, ref := range *sl.X.Referrers() {
			ia, ok := ref.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			for _, use := range *ia.Referrers() {
				if st, ok := use.(*ssa.Store); ok {
					vs = append(vs, st.Val)
				}
			}
		}
	}
	return e.any(vs, depth)
}

func (e *evaluation) variable(addr ssa.Value, depth int) (int64, bool) {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		return e.field(fieldOf(a.X, a.Field), depth)
	case *ssa.Global:
		// A package variable that anything changes is a setting.
		if a.Pkg == nil || a.Pkg.Pkg != e.c.pass.Pkg {
			return 0, false
		}
		stores := e.c.stores[any(a)]
		if len(stores) != 1 || a.Object() != nil && a.Object().Exported() && a.Pkg.Pkg.Name() != "main" {
			return 0, false
		}
		if e.c.escapes(a) {
			return 0, false
		}
		return e.value(stores[0].Val, depth+1)
	case *ssa.Alloc:
		var vs []ssa.Value
		for _, st := range e.c.stores[any(a)] {
			vs = append(vs, st.Val)
		}
		return e.any(vs, depth)
	case *ssa.FreeVar:
		if b := e.c.flow.Binding(a); b != nil {
			return e.variable(b, depth+1)
		}
	}
	return 0, false
}

// escapes reports whether the address of a global goes somewhere: to a flag, to a
// decoder.
func (c *checker) escapes(g *ssa.Global) bool {
	for _, in := range c.globals[g] {
		switch x := in.(type) {
		case *ssa.UnOp:
		case *ssa.Store:
			if x.Val == ssa.Value(g) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func (e *evaluation) field(f *types.Var, depth int) (int64, bool) {
	if f == nil {
		return 0, false
	}
	if f.Pkg() != e.c.pass.Pkg {
		var fact limitFact
		if f.Pkg() != nil && e.c.pass.ImportObjectFact(f, &fact) {
			return fact.Default, true
		}
		return 0, false
	}
	var vs []ssa.Value
	for _, st := range e.c.stores[any(f)] {
		vs = append(vs, st.Val)
	}
	// A zero in one literal of the struct says nothing of the others.
	none := e.none
	n, ok := e.any(vs, depth)
	if ok {
		e.none = none
	}
	return n, ok
}

// param takes the values of the calls in the package, if all are known.
func (e *evaluation) param(p *ssa.Parameter, depth int) (out int64, ok bool) {
	k := streamflow.ParamIndex(p)
	sites := e.c.flow.Callers(p.Parent())
	if len(sites) == 0 || exported(p.Parent()) {
		return 0, false
	}
	for _, s := range sites {
		if k >= len(s.Args) {
			return 0, false
		}
		n, known := e.value(s.Args[k], depth+1)
		if !known {
			return 0, false
		}
		out, ok = max(out, n), true
	}
	return out, ok
}

// exported reports whether other packages can call a function.
func exported(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && obj.Exported() && obj.Pkg().Name() != "main"
}
