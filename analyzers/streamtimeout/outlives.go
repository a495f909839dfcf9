package streamtimeout

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// outlet is a stream that leaves the function in which its context ends.
type outlet struct {
	open ssa.CallInstruction
	what string
}

// give says that a function gives, as one of its results, an unread stream that
// was opened with the context, or the request, of a parameter.
type give struct {
	Context int
	Result  int
}

// outlives finds a stream that was opened with the context and is given away
// unread by the function that cancels it.
func (c *checker) outlives(made ssa.CallInstruction, ctx ssa.Value) *outlet {
	fn := made.Parent()
	var found *outlet
	w := c.contextWalk(nil)
	w.local = fn
	foreign := func(v ssa.Value, call ssa.CallInstruction, i int) {
		if found != nil || call.Parent() != fn && !c.later(fn, call.Parent()) {
			return
		}
		found = c.leaves(fn, call, i)
	}
	w.foreign = func(v ssa.Value, call ssa.CallInstruction, i int) {
		c.derive(w, v, call)
		foreign(v, call, i)
	}
	w.enter = func(v ssa.Value, call ssa.CallInstruction, i int) bool {
		// A function of the package that is given the context, or a request.
		c.derive(w, v, call)
		foreign(v, call, i)
		return true
	}
	w.mark(ctx, fn)
	w.run()
	return found
}

// derive marks the contexts and requests that a call makes out of one.
func (c *checker) derive(w *walk, v ssa.Value, call ssa.CallInstruction) {
	if streamflow.CalleeName(call) == "context.WithoutCancel" {
		return
	}
	sig := call.Common().Signature()
	for k := range sig.Results().Len() {
		t := sig.Results().At(k).Type()
		if isContext(t) || model.TypeName(t) == "net/http.Request" || model.TypeName(t) == "github.com/hashicorp/go-retryablehttp.Request" {
			w.mark(streamflow.Result(call, k), w.top[v])
		}
	}
}

// leaves tells whether what a call opens leaves fn unread.
func (c *checker) leaves(fn *ssa.Function, call ssa.CallInstruction, ctx int) *outlet {
	if call.Parent() != fn {
		// In a closure that fn returns or starts.
		if k := c.opens(call); k == nothing || k == answer && c.streamed(call) == nil {
			return nil
		}
		return &outlet{open: call, what: "the stream from " + streamflow.CallWords(call)}
	}
	for _, r := range c.opened(call, ctx) {
		v := streamflow.Result(call, r)
		if v == nil {
			continue
		}
		if escape, _ := c.escape(fn, v, 0); escape != nil {
			return &outlet{open: call, what: "what " + streamflow.CallWords(call) + " opened"}
		}
	}
	return nil
}

// opened gives the results of a call that hold an unread stream opened with the
// context, or the request, at position ctx.
func (c *checker) opened(call ssa.CallInstruction, ctx int) []int {
	switch c.opens(call) {
	case nothing:
	case endless, listing, answer:
		name := streamflow.CalleeName(call)
		if o, _ := model.LookupOpen(name); o.Returns || len(model.LookupCallbacks(name)) > 0 {
			return nil // reads it itself and calls back
		}
		return []int{0}
	case rows:
		return []int{0}
	}
	var out []int
	if f := c.fact(streamflow.Callee(call)); f != nil {
		for _, g := range f.Gives {
			if g.Context == ctx {
				out = append(out, g.Result)
			}
		}
	}
	for _, fn := range c.flow.Callees(call) {
		for _, g := range c.gives(fn) {
			if g.Context == ctx && !contains(out, g.Result) {
				out = append(out, g.Result)
			}
		}
	}
	return out
}

// gives tells which unread streams a function of the package gives, for which of
// its contexts or requests.
func (c *checker) gives(fn *ssa.Function) []give {
	if g, ok := c.given[fn]; ok {
		return g
	}
	c.given[fn] = nil
	var out []give
	for k, p := range fn.Params {
		if !isContext(p.Type()) && model.TypeName(p.Type()) != "net/http.Request" {
			continue
		}
		w := c.contextWalk(nil)
		w.local = fn
		look := func(v ssa.Value, call ssa.CallInstruction, i int) {
			c.derive(w, v, call)
			if call.Parent() != fn {
				return
			}
			for _, r := range c.opened(call, i) {
				v := streamflow.Result(call, r)
				if v == nil {
					continue
				}
				if at, res := c.escape(fn, v, 0); at != nil && res >= 0 {
					g := give{Context: k, Result: res}
					have := false
					for _, o := range out {
						have = have || o == g
					}
					if !have {
						out = append(out, g)
					}
				}
			}
		}
		w.foreign = look
		w.enter = func(v ssa.Value, call ssa.CallInstruction, i int) bool { look(v, call, i); return true }
		w.mark(p, fn)
		w.run()
	}
	c.given[fn] = out
	return out
}

// escape finds where a stream that fn holds leaves it unread: a return (with the
// position of the result), or a store into what a parameter points to (-1).
func (c *checker) escape(fn *ssa.Function, v ssa.Value, depth int) (ssa.Instruction, int) {
	at, res, _ := c.fate(fn, v, depth)
	return at, res
}

// fate is escape that also tells whether fn may read the stream.
func (c *checker) fate(fn *ssa.Function, v ssa.Value, depth int) (at ssa.Instruction, res int, read bool) {
	if depth > 4 {
		return nil, 0, true
	}
	type leak struct {
		at  ssa.Instruction
		res int
	}
	var leaks []leak
	var reads []ssa.Instruction
	w := c.walk()
	w.local = fn
	w.holds = func(t types.Type) bool { return !plain(t) && !isContext(t) }
	w.part = func(owner ssa.Value, f *types.Var) bool {
		if model.TypeName(owner.Type()) == "net/http.Response" {
			return f.Name() == "Body"
		}
		return f.Pkg() == c.pass.Pkg || has(f.Type(), "Read")
	}
	w.returned = func(ret *ssa.Return, i int, v ssa.Value) {
		if ret.Parent() == fn && ret.Block() != fn.Recover {
			leaks = append(leaks, leak{ret, i})
		}
	}
	w.stored = func(st *ssa.Store) {
		fa, ok := st.Addr.(*ssa.FieldAddr)
		if !ok {
			return
		}
		if model.FieldName(streamflow.Deref(fa.X.Type()), fieldOf(fa.X, fa.Field)) == "net/http.Response.Body" {
			return
		}
		if p, ok := base(fa.X).(*ssa.Parameter); ok && p.Parent() == fn && streamflow.ParamIndex(p) > 0 || ok && fn.Signature.Recv() == nil && p.Parent() == fn {
			leaks = append(leaks, leak{st, -1})
		}
	}
	taken := func(v ssa.Value, call ssa.CallInstruction, i int) {
		callee := streamflow.Callee(call)
		if callee != nil && callee.Name() == "Close" && callee.Signature().Recv() != nil && i == 0 {
			if _, ok := call.(*ssa.Defer); ok {
				reads = append(reads, call) // closed at return: nobody can read it
			}
			return
		}
		if callee != nil && i == 0 && callee.Signature().Recv() != nil && (streamflow.IsRead(call) || takes(call, model.FuncName(callee))) {
			reads = append(reads, call)
			return
		}
		if _, isDefer := call.(*ssa.Defer); isDefer {
			return
		}
		results := call.Common().Signature().Results()
		wraps := false
		for k := range results.Len() {
			if t := results.At(k).Type(); !plain(t) && (isReader(t) || has(t, "Recv") || has(t, "Next") || has(t, "Scan") || has(t, "Decode")) {
				wraps = true
				w.mark(streamflow.Result(call, k), fn)
			}
		}
		if !wraps && (isReader(v.Type()) || model.TypeName(v.Type()) == "net/http.Response") && !(callee != nil && callee.Signature().Recv() != nil && i == 0) {
			reads = append(reads, call)
		}
	}
	w.foreign = taken
	w.enter = func(v ssa.Value, call ssa.CallInstruction, i int) bool {
		if call.Parent() != fn {
			return false
		}
		taken := false
		for _, g := range c.flow.Callees(call) {
			if i >= len(g.Params) {
				continue
			}
			at, res, read := c.fate(g, g.Params[i], depth+1)
			if at == nil {
				taken = taken || read
				continue
			}
			if res >= 0 {
				w.mark(streamflow.Result(call, res), fn)
				continue
			}
			// Stored in what an argument points to: is that one's own, or the caller's?
			for k, a := range streamflow.Args(call) {
				if k != i {
					if p, ok := base(a).(*ssa.Parameter); ok && p.Parent() == fn && streamflow.ParamIndex(p) >= 0 && sameTarget(at, g, k) {
						leaks = append(leaks, leak{call, -1})
					} else if sameTarget(at, g, k) {
						w.mark(a, fn)
					}
				}
			}
		}
		if taken {
			reads = append(reads, call)
		}
		return false
	}
	w.mark(v, fn)
	w.run()
	// Answers whose body is put in their place have been read.
	for x := range w.seen {
		if x.Referrers() == nil {
			continue
		}
		for _, ref := range *x.Referrers() {
			fa, ok := ref.(*ssa.FieldAddr)
			if !ok || model.FieldName(streamflow.Deref(fa.X.Type()), fieldOf(fa.X, fa.Field)) != "net/http.Response.Body" {
				continue
			}
			for _, use := range *fa.Referrers() {
				if st, ok := use.(*ssa.Store); ok && st.Addr == ssa.Value(fa) {
					return nil, 0, true
				}
			}
		}
	}
	for _, l := range leaks {
		used := false
		if ret, ok := l.at.(*ssa.Return); ok && (!w.seen[result(ret, l.res)] || c.fails(ret)) {
			continue
		}
		for _, r := range reads {
			if r.Parent() != fn || c.flow.Reaches(r, l.at) || r == l.at {
				used = true
			}
		}
		if !used && !(l.res < 0 && c.usedAfter(fn, l.at)) {
			return l.at, l.res, len(reads) > 0
		}
	}
	return nil, 0, len(reads) > 0
}

// usedAfter reports whether fn goes on to use the parameter in which a stream was
// stored: it may read it there.
func (c *checker) usedAfter(fn *ssa.Function, at ssa.Instruction) bool {
	var targets []ssa.Value
	switch x := at.(type) {
	case *ssa.Store:
		targets = append(targets, base(x.Addr))
	case ssa.CallInstruction:
		for _, a := range streamflow.Args(x) {
			targets = append(targets, base(a))
		}
	}
	for _, call := range c.flow.Calls(fn) {
		if ssa.Instruction(call) == at || !c.flow.Reaches(at, call) || len(c.flow.Callees(call)) == 0 {
			continue
		}
		for _, a := range streamflow.Args(call) {
			if p, ok := base(a).(*ssa.Parameter); ok {
				for _, t := range targets {
					if t == ssa.Value(p) {
						return true
					}
				}
			}
		}
	}
	return false
}

// sameTarget reports whether a store in g goes into what its parameter k points to.
func sameTarget(at ssa.Instruction, g *ssa.Function, k int) bool {
	switch x := at.(type) {
	case *ssa.Store:
		p, ok := base(x.Addr).(*ssa.Parameter)
		return ok && p.Parent() == g && streamflow.ParamIndex(p) == k
	case ssa.CallInstruction:
		return true
	}
	return false
}

// result gives what a return gives: functions that defer something keep their
// results in variables until the deferred calls are over.
func result(ret *ssa.Return, i int) ssa.Value {
	load, ok := ret.Results[i].(*ssa.UnOp)
	if !ok {
		return ret.Results[i]
	}
	var last ssa.Value = load
	for _, in := range ret.Block().Instrs {
		if in == ssa.Instruction(load) {
			break
		}
		if st, ok := in.(*ssa.Store); ok && st.Addr == load.X {
			last = st.Val
		}
	}
	return last
}

// fails reports whether a return gives an error that is surely none, the other way
// round: a constant nil result, or an error beside it that is not nil.
func (c *checker) fails(ret *ssa.Return) bool {
	i := streamflow.ErrorResult(ret.Parent().Signature)
	if i < 0 || i >= len(ret.Results) {
		return false
	}
	err := result(ret, i)
	switch x := err.(type) {
	case *ssa.Const:
		return false
	case *ssa.MakeInterface:
		return true
	case *ssa.Call:
		switch streamflow.CalleeName(x) {
		case "errors.New", "fmt.Errorf":
			return true
		}
	}
	for _, g := range c.flow.Guards(ret) {
		cmp, ok := g.Cond.(*ssa.BinOp)
		if !ok || cmp.X != err {
			continue
		}
		if k, ok := cmp.Y.(*ssa.Const); ok && k.Value == nil {
			return cmp.Op.String() == "!=" && g.Branch == streamflow.True || cmp.Op.String() == "==" && g.Branch == streamflow.False
		}
	}
	return false
}

// later reports whether a closure of fn runs after fn has returned: fn returns it,
// or starts it and returns the channel that it sends on.
func (c *checker) later(fn, closure *ssa.Function) bool {
	for closure != nil && closure.Parent() != fn {
		closure = closure.Parent()
	}
	if closure == nil {
		return false
	}
	for _, mc := range c.flow.Closures(closure) {
		if mc.Parent() != fn || mc.Referrers() == nil {
			continue
		}
		for _, b := range fn.Blocks {
			ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok {
				continue
			}
			for i := range ret.Results {
				v := result(ret, i)
				if ct, ok := v.(*ssa.ChangeType); ok {
					v = ct.X
				}
				if v == ssa.Value(mc) {
					return true
				}
			}
		}
		for _, ref := range *mc.Referrers() {
			if x, ok := ref.(*ssa.Go); ok && x.Call.Value == ssa.Value(mc) && c.returnsChannel(fn, mc) {
				return true
			}
		}
	}
	return false
}

// returnsChannel reports whether fn returns a channel that the closure sends on.
func (c *checker) returnsChannel(fn *ssa.Function, mc *ssa.MakeClosure) bool {
	inner := mc.Fn.(*ssa.Function)
	sent := make(map[any]bool)
	for _, b := range inner.Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*ssa.Send); ok {
				sent[c.flow.Location(s.Chan)] = true
			}
			if s, ok := in.(*ssa.Select); ok {
				for _, st := range s.States {
					if st.Dir == types.SendOnly {
						sent[c.flow.Location(st.Chan)] = true
					}
				}
			}
		}
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for i := range ret.Results {
			r := result(ret, i)
			if ct, ok := r.(*ssa.ChangeType); ok {
				r = ct.X
			}
			if _, ok := r.Type().Underlying().(*types.Chan); ok && sent[c.flow.Location(r)] {
				return true
			}
		}
	}
	return false
}
