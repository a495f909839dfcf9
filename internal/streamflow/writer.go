package streamflow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// StreamFed reports whether somebody in the package copies a stream into the
// writer that the Write method fn belongs to: as the target of io.Copy, as the
// output of a child process, behind io.TeeReader or io.MultiWriter. Without that,
// each call of Write may well be one whole record, as logging libraries promise.
func (f *Flow) StreamFed(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil {
		return false
	}
	name := namedOf(recv.Type())
	if name == nil {
		return false
	}
	if f.fed == nil {
		f.fed = f.fedWriters()
	}
	return f.fed[name]
}

func namedOf(t types.Type) *types.TypeName {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

func (f *Flow) fedWriters() map[*types.TypeName]bool {
	fed := make(map[*types.TypeName]bool)
	note := func(v ssa.Value) {
		for _, t := range f.writerTypes(v, 0) {
			fed[t] = true
		}
	}
	for _, fn := range f.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.Store:
					if fa, ok := in.Addr.(*ssa.FieldAddr); ok {
						switch model.FieldName(fa.X.Type(), fieldVar(fa.X.Type(), fa.Field)) {
						case "os/exec.Cmd.Stdout", "os/exec.Cmd.Stderr":
							note(in.Val)
						}
					}
				case ssa.CallInstruction:
					args := Args(in)
					switch CalleeName(in) {
					case "io.Copy", "io.CopyBuffer", "io.CopyN":
						note(args[0])
					case "io.TeeReader":
						note(args[1])
					}
				}
			}
		}
	}
	return fed
}

// writerTypes gives the types of the package that an io.Writer value can hold.
func (f *Flow) writerTypes(v ssa.Value, depth int) []*types.TypeName {
	if depth > 6 {
		return nil
	}
	switch x := v.(type) {
	case *ssa.MakeInterface:
		if n := namedOf(x.X.Type()); n != nil {
			return []*types.TypeName{n}
		}
	case *ssa.ChangeInterface:
		return f.writerTypes(x.X, depth+1)
	case *ssa.Phi:
		var out []*types.TypeName
		for _, e := range x.Edges {
			out = append(out, f.writerTypes(e, depth+1)...)
		}
		return out
	case *ssa.UnOp:
		var out []*types.TypeName
		for _, w := range f.writes[f.location(x.X)] {
			if w.kind == wrStore {
				out = append(out, f.writerTypes(w.val, depth+1)...)
			}
		}
		return out
	case *ssa.Call:
		if CalleeName(x) == "io.MultiWriter" && len(x.Call.Args) == 1 {
			return f.sliceElements(x.Call.Args[0], depth+1)
		}
		if body := f.Body(x); body != nil {
			var out []*types.TypeName
			for _, b := range body.Blocks {
				if ret, ok := last(b).(*ssa.Return); ok && len(ret.Results) == 1 {
					out = append(out, f.writerTypes(ret.Results[0], depth+1)...)
				}
			}
			return out
		}
		if n := namedOf(x.Type()); n != nil {
			return []*types.TypeName{n}
		}
	case *ssa.Parameter:
		var out []*types.TypeName
		for _, s := range f.Callers(x.Parent()) {
			if k := paramIndex(x); k < len(s.Args) {
				out = append(out, f.writerTypes(s.Args[k], depth+2)...)
			}
		}
		return out
	}
	return nil
}

func (f *Flow) sliceElements(v ssa.Value, depth int) []*types.TypeName {
	s, ok := v.(*ssa.Slice)
	if !ok || s.X.Referrers() == nil {
		return nil
	}
	var out []*types.TypeName
	for _, ref := range *s.X.Referrers() {
		if ia, ok := ref.(*ssa.IndexAddr); ok {
			for _, use := range *ia.Referrers() {
				if st, ok := use.(*ssa.Store); ok {
					out = append(out, f.writerTypes(st.Val, depth+1)...)
				}
			}
		}
	}
	return out
}
