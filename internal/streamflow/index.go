package streamflow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// index walks the package once and notes who calls whom, what is written where,
// and where documents are decoded.
func (f *Flow) index() {
	f.callers = make(map[*ssa.Function][]Site)
	f.writes = make(map[any][]write)
	f.passed = make(map[any][]passed)
	f.closures = make(map[*ssa.Function][]*ssa.MakeClosure)
	f.callbacks = make(map[*ssa.Parameter]Origin)
	f.funcFields = make(map[*types.Var][]ssa.Value)
	f.summaries = make(map[summaryKey][]Origin)
	f.marks = findMarks(f.pass)

	for _, fn := range f.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if mc, ok := in.(*ssa.MakeClosure); ok {
					target := mc.Fn.(*ssa.Function)
					f.closures[target] = append(f.closures[target], mc)
				}
			}
		}
	}
	// Locations need the closures; decodes need nothing; writes need both.
	for _, fn := range f.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				f.indexInstr(in)
			}
		}
	}
	f.indexCallers()
}

func (f *Flow) indexInstr(in ssa.Instruction) {
	put := func(addr ssa.Value, w write) {
		w.instr, w.addr = in, addr
		l := f.location(addr)
		f.writes[l] = append(f.writes[l], w)
	}
	switch in := in.(type) {
	case *ssa.FieldAddr:
		field := fieldVar(in.X.Type(), in.Field)
		if _, ok := field.Type().Underlying().(*types.Signature); ok {
			f.funcFields[field] = append(f.funcFields[field], in)
		}
	case *ssa.Field:
		field := fieldVar(in.X.Type(), in.Field)
		if _, ok := field.Type().Underlying().(*types.Signature); ok {
			f.funcFields[field] = append(f.funcFields[field], in)
		}
	case *ssa.Store:
		put(in.Addr, write{kind: wrStore, val: in.Val})
	case *ssa.MapUpdate:
		put(in.Map, write{kind: wrStore, val: in.Value})
	case *ssa.Send:
		put(in.Chan, write{kind: wrStore, val: in.X})
	case *ssa.Select:
		for _, s := range in.States {
			if s.Dir == types.SendOnly {
				put(s.Chan, write{kind: wrStore, val: s.Send})
			}
		}
	case ssa.CallInstruction:
		args := Args(in)
		if b, ok := in.Common().Value.(*ssa.Builtin); ok {
			if b.Name() == "copy" && len(args) == 2 {
				put(args[0], write{kind: wrCopy, val: args[1]})
			}
			return
		}
		f.decodes = append(f.decodes, f.decodeOf(in)...)
		callee := Callee(in)
		name := model.FuncName(callee)
		for i, arg := range args {
			if refersToStorage(arg.Type()) {
				l := f.location(arg)
				f.passed[l] = append(f.passed[l], passed{in, i})
			}
		}
		if callee == nil {
			return
		}
		for _, s := range f.sources(name) {
			if s.Out >= 0 && s.Out < len(args) {
				put(args[s.Out], write{kind: wrFill, state: s.State})
			}
		}
		if len(f.sources(name)) == 0 && isReadMethod(callee) && len(args) == 2 {
			put(args[1], write{kind: wrFill, state: f.readState(in)})
		}
		if w, ok := model.LookupWrite(name); ok && w.To < len(args) && w.Arg < len(args) {
			kind := wrAppend
			if w.Whole {
				kind = wrWhole
			}
			put(args[w.To], write{kind: kind, val: args[w.Arg]})
		}
		for _, d := range f.decodes[max(0, len(f.decodes)-2):] {
			if d.Call == in && d.Into != nil && !d.Bool && d.Model.Into != model.Result {
				put(d.Into, write{kind: wrFill, state: model.Whole, decoded: d})
			}
		}
		switch name {
		case "(bytes.Buffer).Reset", "(strings.Builder).Reset":
			put(args[0], write{kind: wrLose})
		case "(bytes.Buffer).Truncate", "(bytes.Buffer).Next", "(bytes.Buffer).Read", "(bytes.Buffer).ReadBytes",
			"(bytes.Buffer).ReadString", "(bytes.Buffer).WriteTo", "(bytes.Buffer).ReadByte", "(bytes.Buffer).ReadRune":
			put(args[0], write{kind: wrTake})
		}
	}
}

// refersToStorage reports whether a callee that gets a value of type t can write
// to what the caller sees.
func refersToStorage(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface:
		return true
	}
	return false
}

// isReadMethod reports whether fn is Read([]byte) (int, error).
func isReadMethod(fn *types.Func) bool {
	sig := fn.Signature()
	return fn.Name() == "Read" && sig.Recv() != nil && readShape(sig)
}

func readShape(sig *types.Signature) bool {
	return sig.Params().Len() == 1 && isBytes(sig.Params().At(0).Type()) &&
		sig.Results().Len() == 2 && types.Identical(sig.Results().At(0).Type(), types.Typ[types.Int]) &&
		IsError(sig.Results().At(1).Type())
}

// isWriteMethod reports whether fn is Write([]byte) (int, error).
func isWriteMethod(fn *types.Func) bool {
	sig := fn.Signature()
	return fn.Name() == "Write" && sig.Recv() != nil && readShape(sig)
}

// indexCallers notes the call sites of every function of the package.
func (f *Flow) indexCallers() {
	add := func(fn *ssa.Function, call ssa.CallInstruction, args []ssa.Value) {
		if fn.Pkg == f.ssaPkg || fn.Origin() != nil && fn.Origin().Pkg == f.ssaPkg || fn.Parent() != nil {
			fn = origin(fn)
			f.callers[fn] = append(f.callers[fn], Site{call, args})
		}
	}
	for _, fn := range f.funcs {
		for _, call := range f.Calls(fn) {
			c := call.Common()
			if c.IsInvoke() {
				for _, m := range f.implementations(c) {
					add(m, call, Args(call))
				}
				continue
			}
			if callee := c.StaticCallee(); callee != nil {
				add(callee, call, c.Args)
			}
		}
	}
	// Function values: follow each to where it is called.
	for _, fn := range f.funcs {
		if fn.Parent() != nil {
			for _, mc := range f.closures[fn] {
				f.followValue(fn, mc, add, make(map[ssa.Value]bool))
			}
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					if *op == nil {
						continue
					}
					if target, ok := (*op).(*ssa.Function); ok {
						f.followOperand(target, in, *op, add)
					}
				}
			}
		}
	}
}

// followOperand follows a plain function (no closure) used as a value in one
// instruction.
func (f *Flow) followOperand(target *ssa.Function, in ssa.Instruction, v ssa.Value, add func(*ssa.Function, ssa.CallInstruction, []ssa.Value)) {
	seen := map[ssa.Value]bool{}
	f.followUse(target, v, in, add, seen)
}

// followValue finds the calls of a function value: v is fn, or holds it.
func (f *Flow) followValue(fn *ssa.Function, v ssa.Value, add func(*ssa.Function, ssa.CallInstruction, []ssa.Value), seen map[ssa.Value]bool) {
	if seen[v] || len(seen) > 200 {
		return
	}
	seen[v] = true
	refs := v.Referrers()
	if refs == nil {
		return
	}
	for _, in := range *refs {
		f.followUse(fn, v, in, add, seen)
	}
}

func (f *Flow) followUse(fn *ssa.Function, v ssa.Value, in ssa.Instruction, add func(*ssa.Function, ssa.CallInstruction, []ssa.Value), seen map[ssa.Value]bool) {
	switch in := in.(type) {
	case ssa.CallInstruction:
		c := in.Common()
		if c.Value == v && !c.IsInvoke() {
			if c.StaticCallee() == nil { // static calls are noted already
				add(fn, in, c.Args)
			}
		}
		for i, arg := range c.Args {
			if arg != v {
				continue
			}
			f.foreignCallback(fn, in, i)
			for _, callee := range f.callees(in) {
				k := i
				if c.IsInvoke() {
					k++
				}
				if k < len(callee.Params) {
					f.followValue(fn, callee.Params[k], add, seen)
				}
			}
		}
	case *ssa.Phi:
		f.followValue(fn, in, add, seen)
	case *ssa.ChangeType:
		f.followValue(fn, in, add, seen)
	case *ssa.MakeInterface:
		f.followValue(fn, in, add, seen)
	case *ssa.TypeAssert:
		f.followValue(fn, in, add, seen)
	case *ssa.MakeClosure: // captured by another closure
		inner := in.Fn.(*ssa.Function)
		for i, b := range in.Bindings {
			if b == v && i < len(inner.FreeVars) {
				f.followValue(fn, inner.FreeVars[i], add, seen)
			}
		}
	case *ssa.Store:
		if in.Val == v {
			f.followLocation(fn, in.Addr, add, seen)
		}
	case *ssa.Return:
		for i, r := range in.Results {
			if r == v {
				f.followResult(fn, in.Parent(), i, add, seen)
			}
		}
	case *ssa.UnOp:
		f.followValue(fn, in, add, seen)
	}
}

// followLocation follows a function value through a variable or field.
func (f *Flow) followLocation(fn *ssa.Function, addr ssa.Value, add func(*ssa.Function, ssa.CallInstruction, []ssa.Value), seen map[ssa.Value]bool) {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		for _, v := range f.funcFields[fieldVar(a.X.Type(), a.Field)] {
			f.followValue(fn, v, add, seen)
		}
	case *ssa.Alloc:
		f.followValue(fn, a, add, seen)
	case *ssa.FreeVar:
		if b := f.binding(a); b != nil {
			f.followValue(fn, b, add, seen)
		}
	}
}

// followResult follows a function value that holder returns as result i.
func (f *Flow) followResult(fn, holder *ssa.Function, i int, add func(*ssa.Function, ssa.CallInstruction, []ssa.Value), seen map[ssa.Value]bool) {
	if holder == fn {
		return
	}
	for _, site := range f.callers[origin(holder)] {
		if r := Result(site.Call, i); r != nil {
			f.followValue(fn, r, add, seen)
		}
	}
}

// callees gives the functions of the package that a call may run.
func (f *Flow) callees(call ssa.CallInstruction) []*ssa.Function {
	c := call.Common()
	if c.IsInvoke() {
		return f.implementations(c)
	}
	if fn := f.Body(call); fn != nil {
		return []*ssa.Function{fn}
	}
	if fn := c.StaticCallee(); fn != nil {
		if fn.Parent() != nil {
			return []*ssa.Function{fn}
		}
		return nil
	}
	return f.functionValues(c.Value, 0)
}

// functionValues gives the functions that a function value can be, as far as its
// making is in sight.
func (f *Flow) functionValues(v ssa.Value, depth int) []*ssa.Function {
	if depth > 6 {
		return nil
	}
	switch x := v.(type) {
	case *ssa.Function:
		return []*ssa.Function{origin(x)}
	case *ssa.MakeClosure:
		return []*ssa.Function{x.Fn.(*ssa.Function)}
	case *ssa.ChangeType:
		return f.functionValues(x.X, depth+1)
	case *ssa.Phi:
		var out []*ssa.Function
		for _, e := range x.Edges {
			out = append(out, f.functionValues(e, depth+1)...)
		}
		return out
	case *ssa.Call:
		if body := f.Body(x); body != nil {
			return f.returnedFunctions(body, 0, depth+1)
		}
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			if body := f.Body(call); body != nil {
				return f.returnedFunctions(body, x.Index, depth+1)
			}
		}
	case *ssa.UnOp:
		var out []*ssa.Function
		for _, w := range f.writes[f.location(x.X)] {
			if w.kind == wrStore {
				out = append(out, f.functionValues(w.val, depth+1)...)
			}
		}
		return out
	case *ssa.FreeVar:
		if b := f.binding(x); b != nil {
			return f.functionValues(b, depth+1)
		}
	}
	return nil
}

func (f *Flow) returnedFunctions(body *ssa.Function, i, depth int) []*ssa.Function {
	var out []*ssa.Function
	for _, b := range body.Blocks {
		if ret, ok := last(b).(*ssa.Return); ok && i < len(ret.Results) {
			out = append(out, f.functionValues(ret.Results[i], depth)...)
		}
	}
	return out
}

func (f *Flow) methodsByName() map[string][]*ssa.Function {
	if f.methods == nil {
		f.methods = make(map[string][]*ssa.Function)
		for _, fn := range f.funcs {
			if fn.Signature.Recv() != nil && fn.Parent() == nil {
				f.methods[fn.Name()] = append(f.methods[fn.Name()], fn)
			}
		}
	}
	return f.methods
}

func implements(t types.Type, iface *types.Interface) bool {
	if types.Implements(t, iface) {
		return true
	}
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		return types.Implements(types.NewPointer(t), iface)
	}
	return false
}

// foreignCallback notes what a function of another package calls its callback
// with, as that package's facts say.
func (f *Flow) foreignCallback(fn *ssa.Function, call ssa.CallInstruction, arg int) {
	f.foreignYield(fn, call, arg)
	callee := Callee(call)
	if callee == nil || callee.Pkg() == nil || callee.Pkg() == f.pass.Pkg {
		return
	}
	if call.Common().IsInvoke() {
		arg++
	}
	for _, c := range model.LookupCallbacks(model.FuncName(callee)) {
		if c.Arg == arg && c.Param < len(fn.Params) {
			f.callbacks[fn.Params[c.Param]] = Origin{Kind: kindOf(c.State), What: shortName(callee)}
		}
	}
	fact := f.funcFact(callee)
	if fact == nil {
		return
	}
	for _, c := range fact.Callbacks {
		if c.Param == arg && c.Arg < len(fn.Params) {
			f.callbacks[fn.Params[c.Arg]] = Origin{Kind: c.Kind, What: c.What}
		}
	}
}

// foreignYield notes what an iterator that comes out of another package yields to
// the body of a range-over-func loop.
func (f *Flow) foreignYield(fn *ssa.Function, call ssa.CallInstruction, arg int) {
	if arg != 0 || call.Common().IsInvoke() {
		return
	}
	v := call.Common().Value
	for {
		ct, ok := v.(*ssa.ChangeType)
		if !ok {
			break
		}
		v = ct.X
	}
	made, result := (*ssa.Call)(nil), 0
	switch x := v.(type) {
	case *ssa.Call:
		made = x
	case *ssa.Extract:
		made, _ = x.Tuple.(*ssa.Call)
		result = x.Index
	}
	if made == nil {
		return
	}
	fact := f.funcFact(Callee(made))
	if fact == nil {
		return
	}
	for _, y := range fact.Yields {
		if y.Param == result && y.Arg < len(fn.Params) {
			f.callbacks[fn.Params[y.Arg]] = Origin{Kind: y.Kind, What: y.What}
		}
	}
}

// implementations gives the methods of the package's types that a call through an
// interface may run.
func (f *Flow) implementations(c *ssa.CallCommon) []*ssa.Function {
	candidates := f.methodsByName()[c.Method.Name()]
	if len(candidates) == 0 {
		return nil
	}
	iface, ok := c.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	k := invoked{iface, c.Method}
	if out, ok := f.invokes[k]; ok {
		return out
	}
	var out []*ssa.Function
	for _, m := range candidates {
		if implements(m.Signature.Recv().Type(), iface) {
			out = append(out, m)
		}
	}
	if f.invokes == nil {
		f.invokes = make(map[invoked][]*ssa.Function)
	}
	f.invokes[k] = out
	return out
}

// invoked names a method of an interface type.
type invoked struct {
	iface  *types.Interface
	method *types.Func
}
