package streamflow

import (
	"golang.org/x/tools/go/ssa"
)

// Put is one place where a value is put into a location: a store, a send, an
// append through a method (Builder.WriteString), a copy.
type Put struct {
	Instr ssa.Instruction
	Val   ssa.Value // nil where a call fills the location
}

// Location gives what a value names or lives in together with others: an
// ssa.Value that makes it, or the *types.Var of a field. Locations are comparable.
func (f *Flow) Location(v ssa.Value) any { return f.location(v) }

// Puts gives the places that put something into a location.
func (f *Flow) Puts(location any) []Put {
	var out []Put
	for _, w := range f.writes[location] {
		if w.kind == wrLose || w.kind == wrTake {
			continue
		}
		out = append(out, Put{w.instr, w.val})
	}
	return out
}

// Binding gives what a closure's free variable is bound to where the closure is
// made, or nil.
func (f *Flow) Binding(v *ssa.FreeVar) ssa.Value { return f.binding(v) }

// Closures gives the places that make a closure.
func (f *Flow) Closures(fn *ssa.Function) []*ssa.MakeClosure { return f.closures[fn] }

// Callees gives the functions of the package that a call may run: also through
// interfaces that its types implement and function values made in sight.
func (f *Flow) Callees(call ssa.CallInstruction) []*ssa.Function { return f.callees(call) }

// ParamIndex gives the position of a parameter, a method's receiver first.
func ParamIndex(p *ssa.Parameter) int { return paramIndex(p) }

// IsRead reports whether the call is one of Read([]byte) (int, error).
func IsRead(call ssa.CallInstruction) bool {
	fn := Callee(call)
	return fn != nil && isReadMethod(fn)
}

// Bypasses reports whether control can go from a back to a, or from a to b,
// without entering the block of avoid.
func (f *Flow) Bypasses(a, b, avoid ssa.Instruction) bool {
	if a.Parent() != b.Parent() {
		return false
	}
	return reachable(a.Block().Succs, b.Block(), avoid.Block())
}

// FieldAt gives the field that an instruction reads or addresses, or nil.
func FieldAt(v ssa.Value) (owner ssa.Value, index int, ok bool) {
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return x.X, x.Field, true
	case *ssa.Field:
		return x.X, x.Field, true
	}
	return nil, 0, false
}
