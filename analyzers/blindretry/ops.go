package blindretry

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// op gives the emissions of a function: the streams that it opens, itself or in
// what it calls, and hands on before it returns. Targets are values of the
// function itself, of the functions around it, or globals; what an attempt keeps
// in callees is left out.
func (c *checker) op(fn *ssa.Function) []emission {
	if out, ok := c.ops[fn]; ok {
		return out
	}
	c.ops[fn] = nil // recursion adds nothing
	r := c.reachOf(fn)
	var out []emission
	for _, g := range r.fns {
		if !r.wait[g] {
			continue
		}
		st := c.startsIn(g)
		for _, o := range st.opens {
			s := c.spread(fn, o.call)
			s.result(o.call)
			s.run()
			for i := range s.out {
				e := &s.out[i]
				e.endless = o.endless
				if r.wait[e.in.Parent()] && s.streaming(e) {
					out = append(out, c.lifted(fn, r, *e, 0)...)
				}
			}
		}
		for _, e := range st.hands {
			out = append(out, c.lifted(fn, r, e, 0)...)
		}
	}
	for i := range out {
		out[i].fails = c.failsAfter(fn, out[i].at)
	}
	c.ops[fn] = out
	return out
}

// lifted names the target of an emission in terms of fn: parameters of callees
// become their arguments.
func (c *checker) lifted(fn *ssa.Function, r *reach, e emission, depth int) []emission {
	if depth > 5 {
		return nil
	}
	if e.src == nil {
		e.src = e.in
	}
	if e.at == nil {
		var out []emission
		for _, in := range r.lift(e.in) {
			if in.Parent() == fn {
				e := e
				e.at = in
				out = append(out, c.lifted(fn, r, e, depth)...)
			}
		}
		return out
	}
	switch t := e.target.(type) {
	case nil, *ssa.Global:
		return []emission{e}
	case *ssa.MakeClosure:
		var out []emission
		for _, inner := range c.closureEmits(t) {
			inner.at, inner.src, inner.open, inner.unknown, inner.endless = e.at, e.src, e.open, e.unknown, e.endless
			out = append(out, c.lifted(fn, r, inner, depth+1)...)
		}
		return out
	case *ssa.Parameter:
		if t.Parent() == fn || encloses(t.Parent(), fn) {
			return []emission{e}
		}
		if r.from[t.Parent()] == nil {
			return nil
		}
		var out []emission
		i := streamflow.ParamIndex(t)
		for _, at := range r.from[t.Parent()] {
			call, ok := at.(ssa.CallInstruction)
			if !ok || i >= len(streamflow.Args(call)) || call.Common().Value != nil && !runs(c.flow, call, t.Parent()) {
				continue
			}
			arg := streamflow.Args(call)[i]
			next := e
			next.target = c.root(arg)
			if next.target == ssa.Value(nil) {
				continue
			}
			if next.place == any(t) {
				next.place = c.flow.Location(arg)
				if n := valueName(arg); n != "" {
					next.what = n
				}
			}
			out = append(out, c.lifted(fn, r, next, depth+1)...)
			if len(out) > 8 {
				break
			}
		}
		return out
	default:
		in, ok := t.(ssa.Instruction)
		if ok && (in.Parent() == fn || encloses(in.Parent(), fn)) {
			return []emission{e}
		}
		return nil // made and kept in a callee
	}
}

// runs reports whether a call runs h (and does not only take it as an argument).
func runs(f *streamflow.Flow, call ssa.CallInstruction, h *ssa.Function) bool {
	for _, g := range f.Callees(call) {
		if g == h {
			return true
		}
	}
	return false
}

// encloses reports whether inner is written inside outer.
func encloses(outer, inner *ssa.Function) bool {
	for p := inner.Parent(); p != nil; p = p.Parent() {
		if p == outer {
			return true
		}
	}
	return false
}

// closureEmits gives what a callback hands on of what it is called with.
func (c *checker) closureEmits(mc *ssa.MakeClosure) []emission {
	fn := mc.Fn.(*ssa.Function)
	if c.busy[fn] {
		return nil
	}
	c.busy[fn] = true
	defer delete(c.busy, fn)
	s := c.spread(fn, nil)
	for _, p := range fn.Params {
		s.mark(p)
	}
	s.run()
	var out []emission
	for _, e := range s.out {
		if t, ok := e.target.(ssa.Instruction); ok && t.Parent() == fn {
			continue
		}
		out = append(out, e)
	}
	return out
}

// handsCallback gives the emissions of a call that hands a streaming callback to
// somebody else: to an SDK's function, to a function of another package known to
// stream, or to a function value or interface method nobody here has seen.
func (c *checker) handsCallback(call ssa.CallInstruction) []emission {
	if _, ok := call.Common().Value.(*ssa.Builtin); ok {
		return nil
	}
	callee := streamflow.Callee(call)
	args := streamflow.Args(call)
	var out []emission
	add := func(i int, unknown bool) {
		if i < len(args) {
			out = append(out, emission{in: call, open: call, target: c.root(args[i]), place: c.flow.Location(args[i]),
				what: valueName(args[i]), unknown: unknown, endless: !unknown})
		}
	}
	if f := c.fact(callee); f != nil {
		for _, i := range f.Emits {
			add(i, false)
		}
		return out
	}
	name := model.FuncName(callee)
	if o, ok := model.LookupOpen(name); ok {
		if o.Resumes || o.Unary {
			return nil
		}
		for _, cb := range model.LookupCallbacks(name) {
			add(cb.Arg, false)
		}
		return out
	}
	if streamflow.ErrorResult(call.Common().Signature()) < 0 {
		return nil
	}
	common := call.Common()
	if !common.IsInvoke() && common.StaticCallee() != nil {
		return nil
	}
	if len(c.flow.Callees(call)) > 0 {
		return nil
	}
	if common.IsInvoke() && !takesContext(common.Signature()) {
		return nil // an iteration over something in memory, a transaction
	}
	for i, arg := range args {
		if common.IsInvoke() && i == 0 || !dataCallback(arg.Type()) {
			continue
		}
		switch c.root(arg).(type) {
		case *ssa.Parameter, *ssa.MakeClosure:
			add(i, true)
		}
	}
	return out
}

// dataCallback reports whether t is a function that takes data: text, or a struct
// with fields of its own. Functions that take a transaction or a request to fill
// are none.
func dataCallback(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Results().Len() > 1 || sig.Variadic() {
		return false
	}
	if sig.Results().Len() == 1 && !streamflow.IsError(sig.Results().At(0).Type()) && sig.Results().At(0).Type().String() != "bool" {
		return false
	}
	for i := range sig.Params().Len() {
		p := sig.Params().At(i).Type()
		if streamflow.IsText(p) {
			return true
		}
		if ptr, ok := p.Underlying().(*types.Pointer); ok {
			p = ptr.Elem()
		}
		if st, ok := p.Underlying().(*types.Struct); ok {
			for j := range st.NumFields() {
				f := st.Field(j)
				if f.Exported() && !f.Embedded() && textual(f.Type(), 0) {
					return true
				}
			}
		}
	}
	return false
}

func textual(t types.Type, depth int) bool {
	if streamflow.IsText(t) {
		return true
	}
	if depth > 2 {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return textual(u.Elem(), depth+1)
	case *types.Pointer:
		return textual(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if textual(u.Field(i).Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// failsAfter reports whether fn can return an error after the instruction, or has
// no error to return.
func (c *checker) failsAfter(fn *ssa.Function, at ssa.Instruction) bool {
	i := streamflow.ErrorResult(fn.Signature)
	if i < 0 || at == nil {
		return true
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || !(b == at.Block() || c.flow.Reaches(at, ret)) {
			continue
		}
		// (false, nil) says "not yet" to the functions of k8s wait.
		if isBool(ret.Results[0].Type()) {
			if k, ok := ret.Results[0].(*ssa.Const); !ok || !constant.BoolVal(k.Value) {
				return true
			}
		}
		if k, ok := ret.Results[i].(*ssa.Const); ok && k.Value == nil {
			continue
		}
		return true
	}
	return false
}
