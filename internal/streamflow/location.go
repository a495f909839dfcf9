package streamflow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// A location is what several values name together: a variable, a struct field (of
// any object: the engine tells fields apart, not objects), a buffer, a map, a
// channel. It is written as the ssa.Value that makes it, or as the *types.Var of
// a field.

type writeKind uint8

const (
	wrStore  writeKind = iota // *loc = val, loc[k] = val, loc <- val
	wrAppend                  // val is put behind what loc holds (Builder.WriteString)
	wrWhole                   // val is read to its end into loc (io.Copy)
	wrCopy                    // copy(loc, val)
	wrFill                    // a call fills loc: Read, ReadFull, Decode
	wrLose                    // loc is emptied (Reset, Truncate(0))
	wrTake                    // a part of loc is taken out (Buffer.Next, Read)
)

// write is one place where something is put into a location.
type write struct {
	kind  writeKind
	val   ssa.Value       // what is put; nil for wrFill, wrLose
	instr ssa.Instruction // where
	addr  ssa.Value       // how the instruction names the location
	state model.State     // wrFill: what the call leaves there
	// decoded is the decode that fills the location (wrFill only).
	decoded *Decode
}

// pass is a place where a location is handed to a call.
type passed struct {
	call ssa.CallInstruction
	arg  int // counted as Args does
}

// location gives the location that a value names or lives in.
func (f *Flow) location(v ssa.Value) any {
	switch v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.Parameter, *ssa.Const, *ssa.MakeSlice, *ssa.MakeMap, *ssa.Call:
		return v // itself: not worth remembering
	}
	if l, ok := f.locations[v]; ok {
		return l
	}
	l := f.locationDepth(v, 0)
	if f.locations == nil {
		f.locations = make(map[ssa.Value]any)
	}
	f.locations[v] = l
	return l
}

func (f *Flow) locationDepth(v ssa.Value, depth int) any {
	if depth > 20 {
		return v
	}
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return fieldVar(x.X.Type(), x.Field)
	case *ssa.Field:
		return fieldVar(x.X.Type(), x.Field)
	case *ssa.IndexAddr:
		return f.locationDepth(x.X, depth+1)
	case *ssa.Index:
		return f.locationDepth(x.X, depth+1)
	case *ssa.Lookup:
		return f.locationDepth(x.X, depth+1)
	case *ssa.UnOp:
		if x.Op == token.MUL || x.Op == token.ARROW {
			return f.locationDepth(x.X, depth+1)
		}
	case *ssa.Slice:
		return f.locationDepth(x.X, depth+1)
	case *ssa.ChangeType:
		return f.locationDepth(x.X, depth+1)
	case *ssa.Convert:
		if isBytes(x.Type()) && isBytes(x.X.Type()) {
			return f.locationDepth(x.X, depth+1)
		}
	case *ssa.MakeInterface:
		return f.locationDepth(x.X, depth+1)
	case *ssa.ChangeInterface:
		return f.locationDepth(x.X, depth+1)
	case *ssa.TypeAssert:
		return f.locationDepth(x.X, depth+1)
	case *ssa.SliceToArrayPointer:
		return f.locationDepth(x.X, depth+1)
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.TypeAssert:
			return f.locationDepth(t.X, depth+1)
		case *ssa.Lookup:
			return f.locationDepth(t.X, depth+1)
		case *ssa.UnOp:
			return f.locationDepth(t.X, depth+1)
		}
	case *ssa.FreeVar:
		if b := f.binding(x); b != nil {
			return f.locationDepth(b, depth+1)
		}
	case *ssa.Phi:
		// A variable that is re-sliced or grown in a loop keeps its location.
		if f.locating[x] {
			return v
		}
		if f.locating == nil {
			f.locating = make(map[*ssa.Phi]bool)
		}
		f.locating[x] = true
		defer delete(f.locating, x)
		var one any
		for _, e := range x.Edges {
			if _, ok := e.(*ssa.Const); ok || e == v {
				continue
			}
			if _, ok := e.(*ssa.Phi); ok {
				return v
			}
			if call, ok := e.(*ssa.Call); ok && isBuiltin(call, "append") {
				continue
			}
			l := f.locationDepth(e, depth+1)
			if l == any(v) {
				continue
			}
			if one != nil && one != l {
				return v
			}
			one = l
		}
		if one != nil {
			return one
		}
	}
	return v
}

// fieldVar gives field i of the struct that t is or points to, the same variable
// for every instance of a generic type.
func fieldVar(t types.Type, i int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok { // a type parameter with a struct core type
		if s, ok = coreStruct(t); !ok {
			return types.NewField(token.NoPos, nil, "?", types.Typ[types.Invalid], false)
		}
	}
	return s.Field(i).Origin()
}

func coreStruct(t types.Type) (*types.Struct, bool) {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		if iface, ok := p.Constraint().Underlying().(*types.Interface); ok && iface.NumEmbeddeds() == 1 {
			s, ok := iface.EmbeddedType(0).Underlying().(*types.Struct)
			return s, ok
		}
	}
	return nil, false
}

// binding gives what a closure's free variable is bound to where the closure is
// made.
func (f *Flow) binding(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	for i, fv := range fn.FreeVars {
		if fv != v {
			continue
		}
		for _, mc := range f.closures[fn] {
			if i < len(mc.Bindings) {
				return mc.Bindings[i]
			}
		}
	}
	return nil
}

func isBuiltin(call ssa.CallInstruction, name string) bool {
	b, ok := call.Common().Value.(*ssa.Builtin)
	return ok && b.Name() == name
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// IsText reports whether t holds characters or bytes: a string, []byte, or a type
// made from one (json.RawMessage).
func IsText(t types.Type) bool { return isString(t) || isBytes(t) }
