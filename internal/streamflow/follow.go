package streamflow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// IO answers what becomes of readers, scanners and decoders in a package, and what
// they read. It keeps what it has found: ask one IO all questions of a check.
type IO struct {
	flow  *Flow
	named map[*types.Var][]ssa.Value
	calls map[string][]ssa.CallInstruction
}

// IO makes the answerer.
func (f *Flow) IO() *IO { return &IO{flow: f} }

// Named gives the calls in the package of a function or method, by the name the
// model tables write, in source order of their functions.
func (o *IO) Named(name string) []ssa.CallInstruction {
	if o.calls == nil {
		o.calls = make(map[string][]ssa.CallInstruction)
		for _, fn := range o.flow.funcs {
			for _, call := range o.flow.Calls(fn) {
				if n := CalleeName(call); n != "" {
					o.calls[n] = append(o.calls[n], call)
				}
			}
		}
	}
	return o.calls[name]
}

// Object is a value that one place of the package makes (a scanner, a decoder, a
// pipe's writer), as far as the package shows what becomes of it.
type Object struct {
	// Calls are the calls of its methods, by name, wherever in the package they
	// stand: in closures, helpers and other methods of a struct that holds it.
	Calls map[string][]ssa.CallInstruction
	// Passed are the calls of functions out of sight that are given it as an argument.
	Passed []Passed
	// InField says that a struct field holds it.
	InField bool
	// Escapes says that code out of sight gets hold of it: what it does there is
	// unknown.
	Escapes bool
}

// Passed is a call that is given an object; Arg counts as Args does.
type Passed struct {
	Call ssa.CallInstruction
	Arg  int
}

// Method gives the calls of a method of the object.
func (o *Object) Method(name string) []ssa.CallInstruction { return o.Calls[name] }

// Follow finds what becomes of the object that v holds.
func (o *IO) Follow(v ssa.Value) *Object {
	w := &follower{io: o, f: o.flow, seen: make(map[ssa.Value]bool), out: &Object{Calls: make(map[string][]ssa.CallInstruction)}}
	w.value(v)
	return w.out
}

// maxFollowed bounds the values that one object is followed through.
const maxFollowed = 400

type follower struct {
	io   *IO
	f    *Flow
	seen map[ssa.Value]bool
	out  *Object
}

func (w *follower) value(v ssa.Value) {
	if v == nil || w.seen[v] {
		return
	}
	if len(w.seen) > maxFollowed {
		w.out.Escapes = true
		return
	}
	w.seen[v] = true
	refs := v.Referrers()
	if refs == nil {
		return
	}
	for _, in := range *refs {
		w.use(v, in)
	}
}

func (w *follower) use(v ssa.Value, in ssa.Instruction) {
	switch in := in.(type) {
	case ssa.CallInstruction:
		w.call(v, in)
	case *ssa.Store:
		if in.Val == v {
			w.stored(in.Addr)
		}
	case *ssa.Send, *ssa.MapUpdate, *ssa.Select, *ssa.Slice, *ssa.IndexAddr, *ssa.Index, *ssa.Lookup:
		w.out.Escapes = true
	case *ssa.UnOp:
		w.value(in)
	case *ssa.Phi:
		w.value(in)
	case *ssa.ChangeType:
		w.value(in)
	case *ssa.MakeInterface:
		w.value(in)
	case *ssa.ChangeInterface:
		w.value(in)
	case *ssa.TypeAssert:
		w.value(in)
	case *ssa.Extract:
		w.value(in)
	case *ssa.MakeClosure:
		w.captured(v, in)
	case *ssa.Return:
		w.returned(v, in)
	}
}

func (w *follower) captured(v ssa.Value, mc *ssa.MakeClosure) {
	fn := mc.Fn.(*ssa.Function)
	if fn.Blocks == nil || fn.Synthetic != "" && fn.Parent() == nil {
		w.out.Escapes = true // a method value
		return
	}
	for i, b := range mc.Bindings {
		if b == v && i < len(fn.FreeVars) {
			w.value(fn.FreeVars[i])
		}
	}
}

func (w *follower) returned(v ssa.Value, ret *ssa.Return) {
	fn := ret.Parent()
	sites := w.f.Callers(fn)
	if len(sites) == 0 || visible(fn) {
		w.out.Escapes = true
	}
	for i, r := range ret.Results {
		if r != v {
			continue
		}
		for _, s := range sites {
			if res := Result(s.Call, i); res != nil {
				w.value(res)
			}
		}
	}
}

// visible reports whether other packages can call a function.
func visible(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok || !obj.Exported() {
		return false
	}
	if recv := obj.Signature().Recv(); recv != nil {
		n := namedOf(recv.Type())
		return n == nil || n.Exported()
	}
	return obj.Pkg().Name() != "main"
}

func (w *follower) stored(addr ssa.Value) {
	switch a := addr.(type) {
	case *ssa.Alloc:
		w.value(a)
	case *ssa.FreeVar:
		w.value(a)
		if b := w.f.binding(a); b != nil {
			w.value(b)
		}
	case *ssa.FieldAddr:
		w.out.InField = true
		field := fieldVar(a.X.Type(), a.Field)
		if field.Exported() && field.Pkg() != nil && field.Pkg().Name() != "main" {
			if n := namedOf(Deref(a.X.Type())); n == nil || n.Exported() {
				w.out.Escapes = true
			}
		}
		for _, r := range w.io.fieldReads(field) {
			w.value(r)
		}
	default:
		w.out.Escapes = true
	}
}

// Deref gives what a pointer type points to, and any other type itself.
func Deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func (w *follower) call(v ssa.Value, call ssa.CallInstruction) {
	c := call.Common()
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return
	}
	if c.IsInvoke() && c.Value == v {
		w.out.Calls[c.Method.Name()] = append(w.out.Calls[c.Method.Name()], call)
		return
	}
	for i, arg := range Args(call) {
		if arg != v {
			continue
		}
		fn := Callee(call)
		if i == 0 && fn != nil && fn.Signature().Recv() != nil && !c.IsInvoke() && w.f.Body(call) == nil {
			w.out.Calls[fn.Name()] = append(w.out.Calls[fn.Name()], call)
			continue
		}
		callees := w.f.callees(call)
		if len(callees) == 0 {
			w.out.Escapes = true
			w.out.Passed = append(w.out.Passed, Passed{call, i})
		}
		for _, callee := range callees {
			if i < len(callee.Params) {
				w.value(callee.Params[i])
			}
		}
	}
}

// fieldReads gives the instructions of the package that name a field.
func (o *IO) fieldReads(field *types.Var) []ssa.Value {
	if o.named == nil {
		o.named = make(map[*types.Var][]ssa.Value)
		for _, fn := range o.flow.funcs {
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					switch x := in.(type) {
					case *ssa.FieldAddr:
						v := fieldVar(x.X.Type(), x.Field)
						o.named[v] = append(o.named[v], x)
					case *ssa.Field:
						v := fieldVar(x.X.Type(), x.Field)
						o.named[v] = append(o.named[v], x)
					}
				}
			}
		}
	}
	return o.named[field]
}
