package callindex

import (
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// structOf gives the struct that t is, or points to.
func structOf(t types.Type) *types.Struct {
	for range 2 {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}

func jsonName(tag string) string {
	name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return name
}

// known reports whether field i of a struct bears one of the names: by its JSON tag,
// or, where it has none, by its own name.
func known(s *types.Struct, i int, names map[string]bool) bool {
	if tag := jsonName(s.Tag(i)); tag != "" && tag != "-" {
		return names[tag]
	}
	return names[strings.ToLower(s.Field(i).Name())]
}

// isArgs reports whether field i holds the arguments of a tool call as text.
func isArgs(owner types.Type, i int) bool {
	s := structOf(owner)
	return s != nil && i < s.NumFields() && isText(s.Field(i).Type()) && known(s, i, model.ArgumentTags)
}

// isText reports whether a type is text, or keeps text that grows.
func isText(t types.Type) bool {
	switch model.TypeName(t) {
	case "strings.Builder", "bytes.Buffer":
		return true
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return streamflow.IsText(t)
}

// argsPath gives the way from a tool call to its arguments: Function.Arguments, or
// Arguments.
func argsPath(t types.Type) (streamflow.Path, bool) {
	s := structOf(t)
	if s == nil {
		return nil, false
	}
	for i := range s.NumFields() {
		if isArgs(t, i) {
			return streamflow.Path{s.Field(i).Name()}, true
		}
	}
	for i := range s.NumFields() {
		inner := structOf(s.Field(i).Type())
		if inner == nil || s.Field(i).Embedded() {
			continue
		}
		for j := range inner.NumFields() {
			if isArgs(s.Field(i).Type(), j) {
				return streamflow.Path{s.Field(i).Name(), inner.Field(j).Name()}, true
			}
		}
	}
	return nil, false
}

// fieldOf gives the field of a struct that bears one of the names, or -1.
func fieldOf(t types.Type, names map[string]bool) int {
	s := structOf(t)
	if s == nil {
		return -1
	}
	for i := range s.NumFields() {
		if known(s, i, names) {
			return i
		}
	}
	return -1
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

func elem(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return t
}

func isConstInt(v ssa.Value, want int64) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && k.Value.Kind() == constant.Int && k.Int64() == want
}

func isBuiltin(call ssa.CallInstruction, name string) bool {
	b, ok := call.Common().Value.(*ssa.Builtin)
	return ok && b.Name() == name
}

// takesArgs reports whether of an element the arguments are taken, or the element as
// a whole; its id, its name and its index alone are whole in every delta.
func takesArgs(v ssa.Value, depth int) bool {
	if depth > 6 || v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		switch x := ref.(type) {
		case *ssa.FieldAddr:
			if isArgs(x.X.Type(), x.Field) && used(x) {
				return true
			}
			if _, ok := argsPath(x.Type()); ok && takesArgs(x, depth+1) {
				return true
			}
		case *ssa.Field:
			if isArgs(x.X.Type(), x.Field) && used(x) {
				return true
			}
			if _, ok := argsPath(x.Type()); ok && takesArgs(x, depth+1) {
				return true
			}
		case *ssa.UnOp:
			if x.Op == token.MUL && takesArgs(x, depth+1) {
				return true
			}
		case *ssa.BinOp, *ssa.If, *ssa.DebugRef:
		case *ssa.Store:
			if x.Val != v {
				continue
			}
			if local, ok := x.Addr.(*ssa.Alloc); ok {
				if takesArgs(local, depth+1) {
					return true
				}
				continue
			}
			return true
		case *ssa.Call, *ssa.MapUpdate, *ssa.Send, *ssa.MakeInterface, *ssa.Return, *ssa.Phi, *ssa.MakeClosure, *ssa.ChangeType, *ssa.Convert:
			return true
		}
	}
	return false
}

// used reports whether a field's text is more than compared.
func used(v ssa.Value) bool {
	if v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		switch x := ref.(type) {
		case *ssa.UnOp:
			if used(x) {
				return true
			}
		case *ssa.BinOp:
			if x.Op == token.ADD {
				return true
			}
		case *ssa.Call:
			if !isBuiltin(x, "len") {
				return true
			}
		case *ssa.If, *ssa.DebugRef:
		default:
			return true
		}
	}
	return false
}
