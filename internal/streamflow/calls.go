package streamflow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// Site is a place in the package that calls a function of the package. Args are
// lined up with the function's parameters (a method's receiver first).
type Site struct {
	Call ssa.CallInstruction
	Args []ssa.Value
}

// Callee gives the function or method object that a call names, for static calls
// and calls through an interface; nil for calls of function values.
func Callee(call ssa.CallInstruction) *types.Func {
	c := call.Common()
	if c.IsInvoke() {
		return c.Method
	}
	if fn := c.StaticCallee(); fn != nil {
		if fn.Origin() != nil {
			fn = fn.Origin()
		}
		if obj, ok := fn.Object().(*types.Func); ok {
			return obj
		}
	}
	return nil
}

// CalleeName gives the callee's name as the model tables write it, or "".
func CalleeName(call ssa.CallInstruction) string {
	return model.FuncName(Callee(call))
}

// Args gives the operands of a call counted as the model tables do: a method's
// receiver is 0, also for calls through an interface.
func Args(call ssa.CallInstruction) []ssa.Value {
	c := call.Common()
	if c.IsInvoke() {
		return append([]ssa.Value{c.Value}, c.Args...)
	}
	return c.Args
}

// Result gives the i-th result of a call, or nil where the program never takes
// it.
func Result(call ssa.CallInstruction, i int) ssa.Value {
	v := call.Value()
	if v == nil {
		return nil // go and defer statements
	}
	tuple, ok := v.Type().(*types.Tuple)
	if !ok {
		if i == 0 && v.Referrers() != nil {
			return v
		}
		return nil
	}
	if i >= tuple.Len() {
		return nil
	}
	for _, ref := range *v.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == i {
			return x
		}
	}
	return nil
}

// ErrorResult gives the position of the error among the results of a signature,
// or -1: the last result, if it is an error.
func ErrorResult(sig *types.Signature) int {
	n := sig.Results().Len()
	if n > 0 && IsError(sig.Results().At(n-1).Type()) {
		return n - 1
	}
	return -1
}

var errorType = types.Universe.Lookup("error").Type()

// IsError reports whether t is the error type itself.
func IsError(t types.Type) bool { return types.Unalias(t) == errorType }

// Calls gives the calls written in a function, closures inside it excluded.
func (f *Flow) Calls(fn *ssa.Function) []ssa.CallInstruction {
	var out []ssa.CallInstruction
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok {
				out = append(out, call)
			}
		}
	}
	return out
}

// Callers gives the places in the package that call fn: direct calls, calls
// through interfaces of the package that fn's type implements, and calls of a
// function value that is known to be fn (a closure handed to a helper, a method
// value, the body of a range-over-func loop).
func (f *Flow) Callers(fn *ssa.Function) []Site { return f.callers[origin(fn)] }

func origin(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

// Body gives the function of this package that a static call runs, or nil.
func (f *Flow) Body(call ssa.CallInstruction) *ssa.Function {
	fn := call.Common().StaticCallee()
	if fn == nil {
		return nil
	}
	fn = origin(fn)
	if fn.Blocks == nil || fn.Pkg != f.ssaPkg {
		return nil
	}
	return fn
}
