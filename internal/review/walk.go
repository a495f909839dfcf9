package review

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// walk goes from a reader, a stream or a client back to where it was made.
type walk struct {
	c     *collector
	seen  map[ssa.Value]bool
	opens map[ssa.CallInstruction]bool // requests and dials it leads to
}

const maxWalk = 400

func (w *walk) value(v ssa.Value, depth int) {
	if v == nil || w.seen[v] || depth > 14 || len(w.seen) > maxWalk {
		return
	}
	w.seen[v] = true
	switch x := v.(type) {
	case *ssa.MakeInterface:
		w.value(x.X, depth)
	case *ssa.ChangeInterface:
		w.value(x.X, depth)
	case *ssa.ChangeType:
		w.value(x.X, depth)
	case *ssa.TypeAssert:
		w.value(x.X, depth)
	case *ssa.Slice:
		w.value(x.X, depth)
	case *ssa.Phi:
		for _, e := range x.Edges {
			w.value(e, depth+1)
		}
	case *ssa.UnOp:
		w.value(x.X, depth)
	case *ssa.FieldAddr:
		w.field(x, x.X, depth)
	case *ssa.Field:
		w.field(x, x.X, depth)
	case *ssa.Alloc:
		w.puts(x, depth)
	case *ssa.Global:
		w.puts(x, depth)
	case *ssa.FreeVar:
		w.value(w.c.flow.Binding(x), depth+1)
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			w.call(call, x.Index, depth)
		} else {
			w.value(x.Tuple, depth)
		}
	case *ssa.Call:
		w.call(x, 0, depth)
	case *ssa.Parameter:
		k := streamflow.ParamIndex(x)
		for _, s := range w.c.flow.Callers(x.Parent()) {
			if k < len(s.Args) {
				w.value(s.Args[k], depth+1)
			}
		}
	}
}

func (w *walk) field(at, owner ssa.Value, depth int) {
	v, t := fieldOf(at)
	if v == nil {
		return
	}
	if model.FieldName(t, v) == "net/http.Response.Body" {
		w.value(owner, depth+1)
		return
	}
	if v.Pkg() == w.c.pass.Pkg {
		for _, p := range w.c.flow.Puts(any(v)) {
			if p.Val != nil {
				w.value(p.Val, depth+1)
			}
		}
		return
	}
	w.value(owner, depth+1)
}

func (w *walk) puts(v ssa.Value, depth int) {
	for _, p := range w.c.flow.Puts(w.c.flow.Location(v)) {
		if p.Val != nil && p.Val != v {
			w.value(p.Val, depth+1)
		}
	}
}

func (w *walk) call(call *ssa.Call, result, depth int) {
	name := streamflow.CalleeName(call)
	if o, ok := model.LookupOpen(name); ok {
		if !o.Unary {
			w.add(call)
		}
		return
	}
	bodies := w.c.flow.Callees(call)
	for _, fn := range bodies {
		for _, b := range fn.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && result < len(ret.Results) {
				w.value(ret.Results[result], depth+1)
			}
		}
	}
	if len(bodies) > 0 {
		return
	}
	// A wrapper reads what an argument reads; a function that takes none has
	// opened something itself.
	wraps := false
	for _, arg := range streamflow.Args(call) {
		if has(arg.Type(), "Read") || model.TypeName(arg.Type()) == "net/http.Response" {
			wraps = true
			w.value(arg, depth+1)
		}
	}
	if !wraps {
		w.add(call)
	}
}

func (w *walk) add(call *ssa.Call) {
	if w.opens == nil {
		w.opens = make(map[ssa.CallInstruction]bool)
	}
	w.opens[call] = true
}

// standardPackage reports whether an import path is one of the standard library.
func standardPackage(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && stdRoots[first]
}

var stdRoots = map[string]bool{
	"bufio": true, "bytes": true, "compress": true, "context": true, "crypto": true, "database": true, "encoding": true,
	"errors": true, "fmt": true, "io": true, "iter": true, "log": true, "mime": true, "net": true, "os": true,
	"regexp": true, "strings": true, "sync": true, "syscall": true, "time": true,
}
