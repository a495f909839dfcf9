package streamflow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// A program that looks after borders keeps the unfinished rest of what it has
// read and puts the next chunk behind it. The signs: the accumulator is set to a
// part of something, or a part is taken out of it.

// carriedOver reports whether a location that accumulates keeps a rest: one of
// its writes is a part of something and not the whole or nothing.
func (f *Flow) carriedOver(ws []write) bool {
	for _, w := range ws {
		switch w.kind {
		case wrTake:
			return true
		case wrStore:
			if IsText(w.val.Type()) && f.partOf(w.val, 0) {
				return true
			}
		case wrAppend:
			// buf.Reset(); buf.Write(rest)
			if hasLose(ws) && f.partOf(w.val, 0) {
				return true
			}
		case wrCopy:
			// copy(buf, buf[n:])
			if f.partOf(w.val, 0) && f.location(w.val) == f.location(w.addr) {
				return true
			}
		}
	}
	return false
}

func hasLose(ws []write) bool {
	for _, w := range ws {
		if w.kind == wrLose {
			return true
		}
	}
	return false
}

// keepsRest reports whether v, about to be joined with new data, holds a rest.
func (f *Flow) keepsRest(v ssa.Value) bool { return f.keepsRestDepth(v, 0) }

func (f *Flow) keepsRestDepth(v ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Phi:
		for _, e := range x.Edges {
			if e != v && (f.partOf(e, 0) || f.keepsRestDepth(e, depth+1)) {
				return true
			}
		}
	case *ssa.UnOp:
		return f.carriedOver(f.writes[f.location(x.X)])
	case *ssa.FreeVar:
		return f.carriedOver(f.writes[f.location(x)])
	case *ssa.Call:
		if p, ok := model.LookupPass(CalleeName(x)); ok && len(p.Args) > 0 {
			args := Args(x)
			return f.carriedOver(f.writes[f.location(args[p.Args[0]])]) || f.keepsRestDepth(args[p.Args[0]], depth+1)
		}
		// A value kept elsewhere between calls (a context, a session): unknown, and
		// that it is joined with the new chunk says that somebody keeps it.
		return Callee(x) != nil && !isBuiltin(x, "append")
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return f.keepsRestDepth(call, depth+1)
		}
		if ta, ok := x.Tuple.(*ssa.TypeAssert); ok {
			return f.keepsRestDepth(ta.X, depth+1)
		}
	case *ssa.TypeAssert:
		return f.keepsRestDepth(x.X, depth+1)
	case *ssa.Convert:
		return f.keepsRestDepth(x.X, depth+1)
	case *ssa.ChangeType:
		return f.keepsRestDepth(x.X, depth+1)
	case *ssa.Slice:
		return x.Low != nil || f.keepsRestDepth(x.X, depth+1)
	}
	return false
}

// partOf reports whether v is a part of some larger text: cut at an index, an
// element of a split, what Cut leaves, what a function hands back as the rest.
func (f *Flow) partOf(v ssa.Value, depth int) bool {
	switch v.(type) {
	case *ssa.Const, *ssa.Parameter, *ssa.Alloc, *ssa.MakeSlice, *ssa.BinOp:
		return false
	}
	if depth > 8 {
		return false
	}
	if out, ok := f.parts[v]; ok {
		return out
	}
	if f.parts == nil {
		f.parts = make(map[ssa.Value]bool)
	}
	f.parts[v] = false // a value that is made from itself adds nothing
	out := f.cutFrom(v, depth)
	f.parts[v] = out
	return out
}

func (f *Flow) cutFrom(v ssa.Value, depth int) bool {
	switch x := v.(type) {
	case *ssa.Slice:
		if x.Low != nil {
			if c, ok := x.Low.(*ssa.Const); !ok || c.Int64() != 0 {
				return true
			}
		}
		return f.partOf(x.X, depth+1)
	case *ssa.UnOp:
		_, ok := x.X.(*ssa.IndexAddr)
		return ok
	case *ssa.Convert:
		return f.partOf(x.X, depth+1)
	case *ssa.ChangeType:
		return f.partOf(x.X, depth+1)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if e != v && f.partOf(e, depth+1) {
				return true
			}
		}
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			switch CalleeName(call) {
			case "strings.Cut", "bytes.Cut":
				return true
			}
			if p, ok := model.LookupPass(CalleeName(call)); ok {
				return f.partOf(Args(call)[p.Args[0]], depth+1)
			}
			return Callee(call) != nil && len(Args(call)) > 0 && IsText(x.Type())
		}
	case *ssa.Call:
		if isBuiltin(x, "append") {
			args := x.Call.Args
			return len(args) > 1 && (f.partOf(args[0], depth+1) || emptySlice(args[0]) && f.partOf(args[1], depth+1))
		}
		if p, ok := model.LookupPass(CalleeName(x)); ok && !p.Join {
			return f.partOf(Args(x)[p.Args[0]], depth+1)
		}
		// A function of the program that gets the accumulator and gives text back.
		return f.Body(x) != nil && IsText(x.Type())
	}
	return false
}

// RestKept reports whether the function that a chunk arrives in stores the rest
// of it where the next call finds it: a part of the chunk in a field, a captured
// variable, or a buffer that lives longer than the call.
func (f *Flow) RestKept(o *Origin) bool {
	if o.Kind != Chunk || o.Instr == nil {
		return false
	}
	fn := o.Instr.Parent()
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			var to, v ssa.Value
			switch in := in.(type) {
			case *ssa.Store:
				to, v = in.Addr, in.Val
			case *ssa.Call:
				if isBuiltin(in, "copy") {
					to, v = in.Call.Args[0], in.Call.Args[1]
				}
			}
			if v == nil || !IsText(v.Type()) || !outlives(f.location(to), fn) || !f.partOf(v, 0) {
				continue
			}
			for _, x := range f.Trace(v) {
				if x.Kind == Chunk && x.Instr == o.Instr {
					return true
				}
			}
		}
	}
	return false
}

// outlives reports whether a location is there still when the function has
// returned: a field, a package variable, a variable of an enclosing function.
func outlives(l any, fn *ssa.Function) bool {
	switch l := l.(type) {
	case *ssa.Alloc:
		return l.Parent() != fn
	case *ssa.MakeSlice:
		return l.Parent() != fn
	case ssa.Instruction:
		return l.Parent() != fn
	}
	return true
}
