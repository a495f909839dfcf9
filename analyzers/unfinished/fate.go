package unfinished

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/streamflow"
)

// fate is what becomes of an error.
type fate uint8

const (
	dropped fate = iota // nobody looks at it, or only whether it is there
	logged              // it is shown to whoever reads the log
	passed              // somebody can act on it, or the analysis does not know
)

// fateOf says what becomes of an error value: of the value itself, and of what
// stands under the conditions on it.
func (c *checker) fateOf(v ssa.Value) fate {
	if v == nil {
		return dropped
	}
	w := &walker{c: c, seen: make(map[ssa.Value]bool), sentinels: make(map[ssa.Value]bool)}
	w.value(v, 0)
	return w.out
}

type walker struct {
	c         *checker
	seen      map[ssa.Value]bool
	sentinels map[ssa.Value]bool
	out       fate
}

func (w *walker) value(v ssa.Value, depth int) {
	if w.out == passed || w.seen[v] || v.Referrers() == nil {
		return
	}
	w.seen[v] = true
	if depth > 12 {
		w.out = passed
		return
	}
	for _, in := range *v.Referrers() {
		w.use(v, in, depth)
	}
}

func (w *walker) use(v ssa.Value, in ssa.Instruction, depth int) {
	switch x := in.(type) {
	case *ssa.DebugRef:
	case *ssa.BinOp:
		w.compared(x, depth)
	case *ssa.MakeInterface:
		w.value(x, depth+1)
	case *ssa.ChangeInterface:
		w.value(x, depth+1)
	case *ssa.ChangeType:
		w.value(x, depth+1)
	case *ssa.Slice:
		w.value(x, depth+1)
	case *ssa.Phi:
		w.value(x, depth+1)
	case *ssa.UnOp:
		w.value(x, depth+1)
	case *ssa.Extract:
		w.value(x, depth+1)
	case *ssa.TypeAssert:
		// A question about the kind of error; what the answer holds is the error.
		w.value(x, depth+1)
	case *ssa.IndexAddr:
		w.value(x, depth+1)
	case *ssa.If:
	case *ssa.Store:
		if x.Val != v {
			return
		}
		w.stored(x.Addr, depth)
	case ssa.CallInstruction:
		w.call(v, x, depth)
	default: // returned, sent, put into a map, captured, panicked with
		w.out = passed
	}
}

func (w *walker) stored(addr ssa.Value, depth int) {
	switch a := addr.(type) {
	case *ssa.IndexAddr: // the operands of a variadic call
		w.value(a.X, depth+1)
	case *ssa.Alloc:
		if isResult(a) {
			w.out = passed
			return
		}
		w.value(a, depth+1)
	default:
		w.out = passed
	}
}

// isResult reports whether a variable is a named result of its function.
func isResult(a *ssa.Alloc) bool {
	for _, b := range a.Parent().Blocks {
		ret, ok := last(b).(*ssa.Return)
		if !ok {
			continue
		}
		for _, r := range ret.Results {
			if u, ok := r.(*ssa.UnOp); ok && u.X == a {
				return true
			}
		}
	}
	return false
}

func (w *walker) call(v ssa.Value, call ssa.CallInstruction, depth int) {
	switch name := streamflow.CalleeName(call); name {
	case "errors.Is", "errors.As":
		// What is done about the kind of error that is asked for says nothing of the
		// others.
		return
	}
	if isPrint(call) {
		w.out = max(w.out, logged)
		return
	}
	if call.Value() != nil && (isPure(call) || chained(call)) {
		w.value(call.Value(), depth+1)
		return
	}
	if body := w.c.flow.Body(call); body != nil && depth < 6 {
		for i, a := range streamflow.Args(call) {
			if a == v && i < len(body.Params) {
				w.value(body.Params[i], depth+3)
			}
		}
		return
	}
	w.out = passed
}

// chained reports whether a call's result is nothing but the receiver of print
// calls: logger.WithError(err).Warn("...").
func chained(call ssa.CallInstruction) bool {
	v := call.Value()
	if v == nil || v.Referrers() == nil || len(*v.Referrers()) == 0 {
		return false
	}
	for _, ref := range *v.Referrers() {
		next, ok := ref.(ssa.CallInstruction)
		if !ok || len(streamflow.Args(next)) == 0 || streamflow.Args(next)[0] != v || !isPrint(next) && !chained(next) {
			return false
		}
	}
	return true
}

// compared looks at what stands under err != nil.
func (w *walker) compared(cmp *ssa.BinOp, depth int) {
	if !isNil(cmp.X) && !isNil(cmp.Y) || cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return
	}
	for _, ref := range *cmp.Referrers() {
		switch x := ref.(type) {
		case *ssa.If:
			bad := x.Block().Succs[0]
			if cmp.Op == token.EQL {
				bad = x.Block().Succs[1]
			}
			w.out = max(w.out, w.c.region(x.Block(), bad))
		case *ssa.DebugRef:
		default:
			w.out = passed // kept as a bool
		}
	}
}

func isNil(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value == nil
}

// region says what the blocks that only run on the failure branch make of it.
func (c *checker) region(from, bad *ssa.BasicBlock) fate {
	if len(bad.Preds) > 1 {
		// Nothing runs on this branch alone, or it is shared by several conditions.
		if len(bad.Succs) != 0 || !onlyReturns(bad) {
			return dropped
		}
	}
	out := dropped
	var walk func(b *ssa.BasicBlock)
	walk = func(b *ssa.BasicBlock) {
		for _, in := range b.Instrs {
			out = max(out, c.tells(in))
		}
		for _, d := range b.Dominees() {
			walk(d)
		}
	}
	walk(bad)
	return out
}

func onlyReturns(b *ssa.BasicBlock) bool {
	_, ok := last(b).(*ssa.Return)
	return ok
}

// tells says whether an instruction on a failure branch lets somebody know.
func (c *checker) tells(in ssa.Instruction) fate {
	switch x := in.(type) {
	case *ssa.Send, *ssa.Panic, *ssa.MapUpdate, *ssa.Go:
		return passed
	case *ssa.Select:
		for _, s := range x.States {
			if s.Dir == types.SendOnly {
				return passed
			}
		}
	case *ssa.Store:
		switch a := root(x.Addr).(type) {
		case *ssa.Alloc:
			if isResult(a) && !zero(x.Val) || a.Heap && isBool(x.Val.Type()) {
				return passed
			}
		default:
			return passed
		}
	case *ssa.Return:
		return returns(x)
	case *ssa.Jump:
		// A flag that is set here and asked later.
		if flags(x.Block()) {
			return passed
		}
	case ssa.CallInstruction:
		switch {
		case isPrint(x), chained(x):
			return logged
		case isPure(x):
		default:
			if body := c.flow.Body(x); body != nil && c.onlyPrints(body, 0) {
				return logged
			}
			return passed
		}
	}
	return dropped
}

// flags reports whether a block gives a bool variable a value of its own.
func flags(b *ssa.BasicBlock) bool {
	for _, s := range b.Succs {
		at := -1
		for i, p := range s.Preds {
			if p == b {
				at = i
			}
		}
		for _, in := range s.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			if k, ok := phi.Edges[at].(*ssa.Const); ok && isBool(phi.Type()) && k.Value != nil && constant.BoolVal(k.Value) {
				return true
			}
		}
	}
	return false
}

// returns judges a return on a failure branch: an error that is not nil tells, and
// so may any other value where there is no error.
func returns(ret *ssa.Return) fate {
	fn := ret.Parent()
	if fn.Signature.Results().Len() == 0 || len(ret.Results) == 0 {
		return dropped
	}
	if i := streamflow.ErrorResult(fn.Signature); i >= 0 {
		if zero(ret.Results[i]) {
			return dropped
		}
		return passed
	}
	for _, r := range ret.Results {
		if !zero(r) {
			return passed
		}
	}
	return dropped
}

// zero reports whether a value is a constant zero value.
func zero(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	if !ok {
		return false
	}
	if k.Value == nil {
		return true
	}
	switch k.Value.Kind() {
	case constant.Bool:
		return !constant.BoolVal(k.Value)
	case constant.String:
		return constant.StringVal(k.Value) == ""
	case constant.Int:
		return constant.Sign(k.Value) == 0
	}
	return false
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// onlyPrints reports whether a function does nothing but show something.
func (c *checker) onlyPrints(fn *ssa.Function, depth int) bool {
	if depth > 3 || len(fn.Blocks) == 0 || fn.Signature.Results().Len() > 0 {
		return false
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.Send, *ssa.Select, *ssa.MapUpdate, *ssa.Go, *ssa.Panic:
				return false
			case *ssa.Store:
				if _, ok := root(x.Addr).(*ssa.Alloc); !ok {
					return false
				}
			case ssa.CallInstruction:
				if isPrint(x) || isPure(x) {
					continue
				}
				if body := c.flow.Body(x); body != nil && c.onlyPrints(body, depth+1) {
					continue
				}
				return false
			}
		}
	}
	return true
}

// root gives the variable that an address lies in.
func root(addr ssa.Value) ssa.Value {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		default:
			return addr
		}
	}
}

func last(b *ssa.BasicBlock) ssa.Instruction {
	if len(b.Instrs) == 0 {
		return nil
	}
	return b.Instrs[len(b.Instrs)-1]
}
