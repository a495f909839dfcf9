package streamtimeout

import (
	"fmt"
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// makers are the functions that make a context which ends; true for those that end
// it by themselves after a time.
var makers = map[string]bool{
	"context.WithTimeout": true, "context.WithTimeoutCause": true,
	"context.WithDeadline": true, "context.WithDeadlineCause": true,
	"context.WithCancel": false, "context.WithCancelCause": false,
}

// contexts reports contexts that end before the stream opened with them has been
// read: by a deferred cancel, or after a short fixed time.
func (c *checker) contexts() {
	for _, fn := range c.flow.Functions() {
		for _, call := range c.flow.Calls(fn) {
			timed, ok := makers[streamflow.CalleeName(call)]
			if !ok {
				continue
			}
			ctx := streamflow.Result(call, 0)
			if ctx == nil {
				continue
			}
			if d := deferred(call); d != nil {
				if out := c.outlives(call, ctx); out != nil {
					c.r.Report(report.Finding{
						Pos: d.Pos(),
						Message: fmt.Sprintf("the deferred cancel ends the context when the function returns, while %s is still to be read (%s): the stream is cut off at once; cancel when it is closed, or read it to its end here",
							out.what, c.where(out.open.Pos(), call.Pos())),
						Related: append(related(out.open.Pos(), "opened here"), related(call.Pos(), "the context is made here")...),
					})
					continue
				}
			}
			if timed {
				c.timed(call, ctx)
			}
		}
	}
}

// deferred gives the defer statement that cancels the context that a call made,
// whatever happens.
func deferred(call ssa.CallInstruction) *ssa.Defer {
	cancel := streamflow.Result(call, 1)
	if cancel == nil {
		return nil
	}
	seen := make(map[ssa.Value]bool)
	var find func(v ssa.Value) *ssa.Defer
	find = func(v ssa.Value) *ssa.Defer {
		if seen[v] || v.Referrers() == nil {
			return nil
		}
		seen[v] = true
		for _, ref := range *v.Referrers() {
			switch x := ref.(type) {
			case *ssa.Defer:
				if x.Call.Value == v {
					return x
				}
			case *ssa.Phi:
				if d := find(x); d != nil {
					return d
				}
			case *ssa.Store: // a variable that a closure captures as well
				if a, ok := x.Addr.(*ssa.Alloc); ok && x.Val == v && only(a, x) {
					if d := find(a); d != nil {
						return d
					}
				}
			case *ssa.UnOp:
				if x.Op == token.MUL {
					if d := find(x); d != nil {
						return d
					}
				}
			}
		}
		return nil
	}
	d := find(cancel)
	if d == nil || d.Parent() != call.Parent() {
		return nil
	}
	return d
}

// only reports whether a variable gets one value only.
func only(a *ssa.Alloc, st *ssa.Store) bool {
	for _, ref := range *a.Referrers() {
		if o, ok := ref.(*ssa.Store); ok && o.Addr == ssa.Value(a) && o != st {
			return false
		}
	}
	return true
}

// span gives the time after which a context that a call made ends by itself, if
// it is fixed.
func (c *checker) span(call ssa.CallInstruction) (time.Duration, bool) {
	args := streamflow.Args(call)
	if len(args) < 2 {
		return 0, false
	}
	switch streamflow.CalleeName(call) {
	case "context.WithTimeout", "context.WithTimeoutCause":
		return c.constant(args[1])
	}
	return c.fromNow(args[1])
}

// fromNow evaluates time.Now().Add(d).
func (c *checker) fromNow(v ssa.Value) (time.Duration, bool) {
	add, ok := v.(*ssa.Call)
	if !ok || streamflow.CalleeName(add) != "(time.Time).Add" {
		return 0, false
	}
	now, ok := add.Call.Args[0].(*ssa.Call)
	if !ok || streamflow.CalleeName(now) != "time.Now" {
		return 0, false
	}
	return c.constant(add.Call.Args[1])
}

// constant evaluates a duration that no setting can change.
func (c *checker) constant(v ssa.Value) (time.Duration, bool) {
	for {
		u, ok := v.(*ssa.Convert)
		if !ok {
			break
		}
		v = u.X
	}
	switch x := v.(type) {
	case *ssa.Const, *ssa.BinOp:
		return c.fixed(v)
	case *ssa.UnOp:
		if _, ok := x.X.(*ssa.Global); ok {
			return c.fixed(v)
		}
		if a, ok := x.X.(*ssa.Alloc); ok && len(c.stores[any(a)]) == 1 {
			return c.constant(c.stores[any(a)][0].Val)
		}
	}
	return 0, false
}

// timed reports a context of a short fixed time that a stream is received under.
func (c *checker) timed(call ssa.CallInstruction, ctx ssa.Value) {
	d, ok := c.span(call)
	if !ok || d > contextMax {
		return
	}
	u := c.bound(ctx, call)
	if u == nil {
		return
	}
	c.r.Report(report.Finding{
		Pos: call.Pos(),
		Message: fmt.Sprintf("the context ends %s after it was made, and a stream is received under it (%s, %s): a longer one is cut off in the middle; limit the wait for the next piece instead, with a timer that each piece resets (stream/sse has one)",
			words(d), u.words, c.where(u.pos(), call.Pos())),
		Related: related(u.pos(), "the stream is read here"),
	})
}

// bound follows a context to a stream that is received under it.
func (c *checker) bound(ctx ssa.Value, made ssa.CallInstruction) *streamUse {
	var found []*streamUse
	w := c.contextWalk(func(v ssa.Value, call ssa.CallInstruction, i int) {
		if u := c.receives(v, call, i, made); u != nil {
			found = append(found, u)
		}
	})
	w.mark(ctx, made.Parent())
	w.run()
	// An answer that a helper gives to several callers: only one that the context
	// has come through counts.
	through := w.functions()
	for _, u := range found {
		if u.top == nil || through[u.top] {
			return u
		}
	}
	return c.gathered(w, made)
}

// contextWalk makes a walk that follows a context and the requests made with it;
// under is told of the calls that get one.
func (c *checker) contextWalk(under func(v ssa.Value, call ssa.CallInstruction, i int)) *walk {
	w := c.walk()
	w.holds = func(t types.Type) bool {
		if isContext(t) {
			return true
		}
		switch t.Underlying().(type) {
		case *types.Pointer:
			name := model.TypeName(t)
			return name == "net/http.Request" || name == "github.com/hashicorp/go-retryablehttp.Request" || isContext(streamflow.Deref(t)) ||
				model.TypeName(streamflow.Deref(t)) == "net/http.Request"
		}
		return false
	}
	w.part = func(ssa.Value, *types.Var) bool { return false }
	w.foreign = func(v ssa.Value, call ssa.CallInstruction, i int) {
		sig := call.Common().Signature()
		switch streamflow.CalleeName(call) {
		case "context.WithoutCancel":
			return
		}
		for k := range sig.Results().Len() {
			t := sig.Results().At(k).Type()
			if isContext(t) || model.TypeName(t) == "net/http.Request" || model.TypeName(t) == "github.com/hashicorp/go-retryablehttp.Request" {
				w.mark(streamflow.Result(call, k), w.top[v])
			}
		}
		under(v, call, i)
	}
	return w
}

// receives tells whether a call that gets a context, or a request made with one,
// receives a stream under it.
func (c *checker) receives(v ssa.Value, call ssa.CallInstruction, i int, made ssa.CallInstruction) *streamUse {
	callee := streamflow.Callee(call)
	name := model.FuncName(callee)
	if f := c.fact(callee); f != nil && contains(f.Bound, i) {
		return &streamUse{at: call, words: streamflow.CallWords(call)}
	}
	switch name {
	case "(github.com/coder/websocket.Conn).Read", "(github.com/coder/websocket.Conn).Reader", "github.com/coder/websocket/wsjson.Read",
		"(nhooyr.io/websocket.Conn).Read", "(nhooyr.io/websocket.Conn).Reader", "nhooyr.io/websocket/wsjson.Read":
		// The context limits this one message, if it is made anew for each.
		if c.flow.InLoop(call) && (made.Parent() != call.Parent() || made.Block() != call.Block() && c.flow.Bypasses(call, call, made)) && c.handsOn(call) {
			if made.Parent() == call.Parent() {
				return &streamUse{at: call, words: streamflow.CallWords(call)}
			}
		}
		return nil
	}
	kind := c.opens(call)
	switch kind {
	case nothing, rows:
		return nil
	}
	if name == "(net/http.Client).Get" || name == "(net/http.Client).Post" {
		return nil
	}
	u := c.streamed(call)
	if u == nil {
		return nil
	}
	if kind == endless && u.at == call && streamflow.Result(call, 0) != nil && len(model.LookupCallbacks(name)) == 0 {
		// Opened, and received where nobody sees it: iterators excepted.
		if _, iter := streamflow.Result(call, 0).Type().Underlying().(*types.Signature); !iter && !rangedOver(streamflow.Result(call, 0)) {
			return nil
		}
	}
	return u
}

// rangedOver reports whether an iterator is called: a range statement does that.
func rangedOver(v ssa.Value) bool {
	if v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		if call, ok := ref.(ssa.CallInstruction); ok && call.Common().Value == v {
			return true
		}
	}
	return false
}

// gathered finds a call that gets the context together with somebody who calls
// back with the pieces of a text: an event bus, or a callback that joins them.
func (c *checker) gathered(w *walk, made ssa.CallInstruction) *streamUse {
	for _, fn := range c.flow.Functions() {
		if outermost(fn) != outermost(made.Parent()) {
			continue
		}
		for _, call := range c.flow.Calls(fn) {
			args := streamflow.Args(call)
			under := false
			for _, a := range args {
				under = under || isContext(a.Type()) && w.seen[a]
			}
			common := call.Common()
			if !under || !common.IsInvoke() && (common.StaticCallee() != nil || len(c.flow.Callees(call)) > 0) {
				continue
			}
			for _, a := range args {
				if isContext(a.Type()) {
					continue
				}
				if at := c.gathers(a, made.Parent()); at != nil {
					return &streamUse{at: call, words: streamflow.CallWords(call)}
				}
			}
		}
	}
	return nil
}

func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// gathers reports whether v is a callback that joins the pieces of a text, or an
// object of the function's that one was handed to.
func (c *checker) gathers(v ssa.Value, in *ssa.Function) ssa.Instruction {
	if fv, ok := v.(*ssa.FreeVar); ok {
		if b := c.flow.Binding(fv); b != nil {
			v = b
		}
	}
	if u, ok := v.(*ssa.UnOp); ok {
		switch a := u.X.(type) {
		case *ssa.FreeVar:
			if b := c.flow.Binding(a); b != nil {
				v = b
			}
		case *ssa.Alloc:
			v = a
		}
	}
	if a, ok := v.(*ssa.Alloc); ok && len(c.stores[any(a)]) == 1 {
		if _, obj := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct); !obj {
			v = c.stores[any(a)][0].Val
		}
	}
	if mc, ok := v.(*ssa.MakeClosure); ok {
		return c.joins(mc)
	}
	made, ok := v.(*ssa.Call)
	if !ok || outermost(made.Parent()) != outermost(in) {
		return nil
	}
	// All names of the object.
	objects := []ssa.Value{made}
	for _, ref := range *made.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Val == ssa.Value(made) {
			if a, ok := st.Addr.(*ssa.Alloc); ok {
				for _, r := range *a.Referrers() {
					if u, ok := r.(*ssa.UnOp); ok {
						objects = append(objects, u)
					}
				}
			}
		}
	}
	for _, o := range objects {
		for _, ref := range *o.Referrers() {
			call, ok := ref.(ssa.CallInstruction)
			if !ok || len(streamflow.Args(call)) == 0 || streamflow.Args(call)[0] != o {
				continue
			}
			for _, a := range streamflow.Args(call)[1:] {
				if ct, ok := a.(*ssa.ChangeType); ok {
					a = ct.X
				}
				if mc, ok := a.(*ssa.MakeClosure); ok {
					if at := c.joins(mc); at != nil {
						return at
					}
				}
			}
		}
	}
	return nil
}

// joins finds where a callback puts a text that it is called with behind what a
// variable around it holds.
func (c *checker) joins(mc *ssa.MakeClosure) ssa.Instruction {
	fn := mc.Fn.(*ssa.Function)
	for _, call := range c.flow.Calls(fn) {
		wr, ok := model.LookupWrite(streamflow.CalleeName(call))
		args := streamflow.Args(call)
		if !ok || wr.Whole || wr.Arg >= len(args) || wr.To >= len(args) {
			continue
		}
		if _, captured := base(args[wr.To]).(*ssa.FreeVar); captured && c.fromParam(args[wr.Arg], fn, 0) {
			return call
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			fv, ok := st.Addr.(*ssa.FreeVar)
			if !ok {
				continue
			}
			if sum, ok := st.Val.(*ssa.BinOp); ok && sum.Op == token.ADD && streamflow.IsText(sum.Type()) {
				if u, ok := sum.X.(*ssa.UnOp); ok && u.X == ssa.Value(fv) && c.fromParam(sum.Y, fn, 0) {
					return st
				}
			}
		}
	}
	return nil
}

// fromParam reports whether a text is, or is a part of, what a function is called
// with.
func (c *checker) fromParam(v ssa.Value, fn *ssa.Function, depth int) bool {
	if depth > 15 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Parameter:
		return x.Parent() == fn && !isContext(x.Type())
	case *ssa.UnOp:
		return c.fromParam(x.X, fn, depth+1)
	case *ssa.FieldAddr:
		return c.fromParam(x.X, fn, depth+1)
	case *ssa.Field:
		return c.fromParam(x.X, fn, depth+1)
	case *ssa.IndexAddr:
		return c.fromParam(x.X, fn, depth+1)
	case *ssa.Convert:
		return c.fromParam(x.X, fn, depth+1)
	case *ssa.Extract:
		return c.fromParam(x.Tuple, fn, depth+1)
	case *ssa.TypeAssert:
		return c.fromParam(x.X, fn, depth+1)
	case *ssa.Alloc:
		for _, st := range c.stores[any(x)] {
			if c.fromParam(st.Val, fn, depth+1) {
				return true
			}
		}
	}
	return false
}
