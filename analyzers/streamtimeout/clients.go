package streamtimeout

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// limit is a place where a total time limit is set on a client.
type limit struct {
	in    ssa.Instruction // the store, or the call
	on    ssa.Value       // what is limited
	value time.Duration
	what  string // for the message
	kube  bool
}

// clients reports total limits of clients that receive streams.
func (c *checker) clients() {
	for _, l := range c.limits() {
		if l.value > clientMax {
			continue
		}
		if u := c.limited(l); u != nil {
			c.reportLimit(l, u)
		}
	}
}

func (c *checker) reportLimit(l limit, u *streamUse) {
	message := fmt.Sprintf("%s (%s) covers the whole answer, and one is read as a stream (%s, %s): a longer one is cut off in the middle; bound the wait for headers with Transport.ResponseHeaderTimeout and silence with an idle watchdog, as stream/sse has one",
		l.what, words(l.value), u.words, c.where(u.pos(), l.in.Pos()))
	if l.kube {
		message = fmt.Sprintf("%s (%s) covers watches too (%s, %s): each is cut off after that time, whatever it still has to say; leave it at zero, and give single requests a context with a timeout",
			l.what, words(l.value), u.words, c.where(u.pos(), l.in.Pos()))
	}
	c.r.Report(report.Finding{Pos: l.in.Pos(), Message: message, Related: related(u.pos(), "the stream is read here")})
}

// limits finds the places of the package at which total limits are set.
func (c *checker) limits() []limit {
	var out []limit
	for _, fn := range c.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch x := in.(type) {
				case *ssa.Store:
					fa, ok := x.Addr.(*ssa.FieldAddr)
					if !ok {
						continue
					}
					f := fieldOf(fa.X, fa.Field)
					if f == nil {
						continue
					}
					name := model.FieldName(streamflow.Deref(fa.X.Type()), f)
					if !model.IsLimitField(name) {
						continue
					}
					if d, ok := c.fixed(x.Val); ok {
						short := strings.TrimPrefix(name, "net/")
						kube := strings.HasPrefix(name, "k8s.io/")
						if kube {
							short = "rest.Config.Timeout"
						}
						out = append(out, limit{in: x, on: fa.X, value: d, what: short, kube: kube})
					}
				case *ssa.Call:
					out = append(out, c.limitsOf(x)...)
				}
			}
		}
	}
	return out
}

// limitsOf gives what a call limits: by the tables, or as its package's fact says.
func (c *checker) limitsOf(call *ssa.Call) []limit {
	args := streamflow.Args(call)
	if e, ok := model.LookupLimit(streamflow.CalleeName(call)); ok && e.Arg < len(args) {
		d, ok := c.fixed(args[e.Arg])
		if !ok {
			return nil
		}
		on := ssa.Value(call)
		if e.On != model.Result {
			on = args[e.On]
		}
		return []limit{{in: call, on: on, value: d, what: streamflow.CallWords(call)}}
	}
	f := c.fact(streamflow.Callee(call))
	if f == nil {
		return nil
	}
	var out []limit
	for _, l := range f.Limits {
		if r := streamflow.Result(call, l.Result); r != nil {
			out = append(out, limit{in: call, on: r, value: l.Value, what: "the Timeout of the client from " + streamflow.CallWords(call), kube: l.Kube})
		}
	}
	return out
}

// limited follows a limited client to a stream that is received with it.
func (c *checker) limited(l limit) *streamUse {
	w := c.walk()
	var uses []*streamUse
	through := make(map[*streamUse]bool)
	note := func(u *streamUse) {
		if u != nil && !c.contradict(l.in, u) && !c.optional(l.in, u) {
			uses = append(uses, u)
		}
	}
	w.holds = func(t types.Type) bool {
		if plain(t) || isContext(t) {
			return false
		}
		switch model.TypeName(t) {
		case "net/http.Response", "net/http.Request", "net/http.Transport", "net/http.RoundTripper", "golang.org/x/oauth2.TokenSource":
			return false
		}
		return !has(t, "Token") // sources of tokens ask for them apart
	}
	w.part = func(owner ssa.Value, f *types.Var) bool {
		if model.TypeName(owner.Type()) == "net/http.Client" || f.Pkg() == c.pass.Pkg {
			return false
		}
		return true
	}
	w.foreign = func(v ssa.Value, call ssa.CallInstruction, i int) {
		callee := streamflow.Callee(call)
		if callee == nil || callee.Pkg() == nil {
			return
		}
		name := model.FuncName(callee)
		switch kind := c.opens(call); {
		case kind == answer:
			if i != 0 {
				return
			}
			if u := c.streamed(call); u != nil {
				// A helper that is given the client: its other callers' streams do not count.
				if _, given := v.(*ssa.Parameter); given && u.top != call.Parent() {
					through[u] = true
				}
				note(u)
			}
			return
		case kind == endless:
			if !resets(name) {
				note(c.streamed(call))
			}
			return
		}
		if wt, ok := model.LookupWatcher(name); ok && wt.Arg == i {
			note(&streamUse{at: call, words: streamflow.CallWords(call)})
			return
		}
		if clients.has(name, i) {
			note(&streamUse{at: call, words: streamflow.CallWords(call)})
			return
		}
		if f := c.fact(callee); f != nil && contains(f.Clients, i) {
			note(&streamUse{at: call, words: streamflow.CallWords(call)})
			return
		}
		if streamflow.Standard(callee.Pkg().Path()) {
			return // keeps no client
		}
		if strings.HasPrefix(name, "golang.org/x/oauth2") {
			return // takes the transport out of it
		}
		if o, ok := model.LookupOpen(name); ok && o.Unary {
			return
		}
		held := i == 0 && callee.Signature().Recv() != nil
		if !held && !model.Packages(callee.Pkg().Path()) && !keepsClient(callee) {
			return // something else that works with a client of its own
		}
		w.results(call, w.top[v])
		// A setter of an object or a builder: the object holds it from now on.
		if sig := callee.Signature(); i > 0 && sig.Recv() != nil && (sig.Results().Len() == 0 || types.Identical(sig.Results().At(0).Type(), sig.Recv().Type())) {
			recv := streamflow.Args(call)[0]
			w.mark(recv, w.top[v])
			w.aliases(recv, w.top[v])
		}
	}
	w.veto = func(v ssa.Value) bool { return v != l.on && overridden(v, l.in) }
	type result struct {
		fn *ssa.Function
		i  int
	}
	var given []result
	w.returned = func(ret *ssa.Return, i int, _ ssa.Value) { given = append(given, result{ret.Parent(), i}) }
	c.start(w, l)
	w.run()
	if c.lifted(w) {
		return nil
	}
	fns := w.functions()
	for _, u := range uses {
		if !through[u] || fns[u.top] {
			if fn, ok := outermost(l.in.Parent()).Object().(*types.Func); ok {
				c.spoken[fn] = true
			}
			return u
		}
	}
	for _, g := range given {
		c.givesLimited(g.fn, g.i, l)
	}
	return nil
}

// resets reports whether a library takes the timeout off the client it is given.
func resets(name string) bool { return strings.Contains(name, "launchdarkly/eventsource.") }

// start marks what a limit is set on.
func (c *checker) start(w *walk, l limit) {
	fn := l.in.Parent()
	w.mark(l.on, fn)
	w.aliases(l.on, fn)
	if p, ok := l.on.(*ssa.Parameter); ok {
		k := streamflow.ParamIndex(p)
		for _, s := range c.flow.Callers(fn) {
			if k < len(s.Args) {
				w.mark(s.Args[k], s.Call.Parent())
				w.aliases(s.Args[k], s.Call.Parent())
			}
		}
	}
}

// lifted reports whether the package takes the limit off again: it stores a zero
// where the limited client goes, or another limit in a copy of it.
func (c *checker) lifted(w *walk) bool {
	for v := range w.seen {
		if v.Referrers() == nil {
			continue
		}
		for _, ref := range *v.Referrers() {
			fa, ok := ref.(*ssa.FieldAddr)
			if !ok || fa.X != v {
				continue
			}
			f := fieldOf(fa.X, fa.Field)
			if f == nil || !model.IsLimitField(model.FieldName(streamflow.Deref(fa.X.Type()), f)) {
				continue
			}
			for _, use := range *fa.Referrers() {
				st, ok := use.(*ssa.Store)
				if !ok || st.Addr != ssa.Value(fa) {
					continue
				}
				if k, ok := st.Val.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Int && constant.Sign(k.Value) == 0 {
					return true
				}
			}
		}
	}
	return false
}

// overridden reports whether an object of the function's own gets another limit
// there: a copy of a client, or one just made elsewhere.
func overridden(v ssa.Value, but ssa.Instruction) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.Call, *ssa.Extract:
	default:
		return false
	}
	if v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok || fa.X != v {
			continue
		}
		f := fieldOf(fa.X, fa.Field)
		if f == nil || !model.IsLimitField(model.FieldName(streamflow.Deref(fa.X.Type()), f)) {
			continue
		}
		for _, use := range *fa.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == ssa.Value(fa) && ssa.Instruction(st) != but {
				return true
			}
		}
	}
	return false
}

// contradict reports whether the limit is set under a condition whose opposite the
// stream is read under.
func (c *checker) contradict(in ssa.Instruction, u *streamUse) bool {
	if in.Parent() == nil || u.at.Parent() == nil {
		return false
	}
	for _, a := range c.flow.Guards(in) {
		for _, b := range c.flow.Guards(u.at) {
			if a.Branch == streamflow.Either || b.Branch == streamflow.Either || a.If == b.If {
				if a.If == b.If && a.Branch != b.Branch && a.Branch != streamflow.Either && b.Branch != streamflow.Either {
					return true
				}
				continue
			}
			x, flipX := condition(a.Cond)
			y, flipY := condition(b.Cond)
			if sameCondition(c, x, y) && (a.Branch == b.Branch) == (flipX != flipY) {
				return true
			}
		}
	}
	return false
}

// optional reports whether an option is chosen by a flag of the request, in another
// function than the one that streams: nobody can tell whether streams get it. In
// "if !req.Stream() { opts = append(opts, WithRequestTimeout(d)) }" they do not.
func (c *checker) optional(in ssa.Instruction, u *streamUse) bool {
	if _, ok := in.(*ssa.Call); !ok || in.Parent() == nil || in.Parent() == u.at.Parent() {
		return false
	}
	for _, g := range c.flow.Guards(in) {
		if g.Branch == streamflow.Either {
			continue
		}
		switch x, _ := condition(g.Cond); x := x.(type) {
		case *ssa.Call:
			if callee := streamflow.Callee(x); callee != nil && callee.Signature().Recv() != nil {
				return true
			}
		case *ssa.UnOp:
			if _, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL {
				return true
			}
		case *ssa.Field:
			return true
		}
	}
	return false
}

// condition takes negations off.
func condition(v ssa.Value) (ssa.Value, bool) {
	flip := false
	for {
		u, ok := v.(*ssa.UnOp)
		if !ok || u.Op != token.NOT {
			return v, flip
		}
		v, flip = u.X, !flip
	}
}

func sameCondition(c *checker, x, y ssa.Value) bool {
	if x == y {
		return true
	}
	p, q := c.flow.Location(x), c.flow.Location(y)
	if f, ok := p.(*types.Var); ok && p == q {
		b, ok := f.Type().Underlying().(*types.Basic)
		return ok && b.Info()&types.IsBoolean != 0
	}
	return false
}

// givesLimited notes that an exported function gives a client with a total limit,
// or something that holds one.
func (c *checker) givesLimited(fn *ssa.Function, i int, l limit) {
	obj, ok := fn.Object().(*types.Func)
	if !ok || !obj.Exported() || fn.Parent() != nil {
		return
	}
	t := fn.Signature.Results().At(i).Type()
	n, ok := types.Unalias(streamflow.Deref(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg() == c.pass.Pkg || !model.Packages(n.Obj().Pkg().Path()) {
		return // who knows what it does with the client
	}
	for _, have := range c.gaveLimited[obj] {
		if have.Result == i {
			return
		}
	}
	c.gaveLimited[obj] = append(c.gaveLimited[obj], resultLimit{i, l.value, l.kube})
}

// keepsClient reports whether what a function makes of a client stands for it: an
// HTTP client again, or a type of the function's own package. A type of a third
// package is that of another thing, as the tools of an agent are, which may use the
// client for itself.
func keepsClient(fn *types.Func) bool {
	results := fn.Signature().Results()
	for i := range results.Len() {
		t := streamflow.Deref(results.At(i).Type())
		if streamflow.IsError(t) {
			continue
		}
		named, ok := types.Unalias(t).(*types.Named)
		if !ok || model.TypeName(t) == "net/http.Client" || named.Obj().Pkg() == fn.Pkg() {
			return true
		}
	}
	return false
}
