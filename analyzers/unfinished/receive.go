package unfinished

import (
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// mores looks at loops over (*json.Decoder).More, which is false at the end and
// after a read error alike.
func (c *checker) mores() {
	for _, call := range c.io.Named("(encoding/json.Decoder).More") {
		if !c.flow.InLoop(call) {
			continue
		}
		dec := streamflow.Args(call)[0]
		made := maker(dec)
		if made == nil || streamflow.CalleeName(made) != "encoding/json.NewDecoder" {
			continue
		}
		src := c.io.Source(made.Call.Args[0])
		fn := call.Parent()
		out := exit(call)
		if !src.Reader.Has(streamflow.Streams) || out == nil || c.failsAfter(call) {
			continue
		}
		o := c.io.Follow(made)
		if o.Escapes || c.usedAfter(o, call, out) {
			continue
		}
		how := c.success(fn, out)
		if how == "" {
			continue
		}
		what := "the stream"
		if src.Words != "" {
			what = src.Words
		}
		c.speak(fn, report.Finding{Pos: call.Pos(), Related: []analysis.RelatedInformation{{Pos: made.Pos(), Message: "made here"}},
			Message: fmt.Sprintf("More is false when %s breaks off too, and then %s: a cut answer passes for a short one; decode until Decode gives io.EOF, or read the closing token after the loop", what, how)})
	}
}

// usedAfter reports whether a call on the decoder after the loop would see the
// error.
func (c *checker) usedAfter(o *streamflow.Object, loop ssa.CallInstruction, out *ssa.BasicBlock) bool {
	for _, name := range []string{"Token", "Decode"} {
		for _, use := range o.Method(name) {
			if use.Parent() != loop.Parent() || use.Block() == out || reaches(out, use.Block(), loop.Block()) {
				return true
			}
		}
	}
	return false
}

// maker gives the call that makes a value, through variables that are set once.
func maker(v ssa.Value) *ssa.Call {
	for range 5 {
		switch x := v.(type) {
		case *ssa.Call:
			return x
		case *ssa.Extract:
			call, _ := x.Tuple.(*ssa.Call)
			return call
		case *ssa.UnOp:
			a, ok := x.X.(*ssa.Alloc)
			if !ok {
				return nil
			}
			var one ssa.Value
			for _, ref := range *a.Referrers() {
				if st, ok := ref.(*ssa.Store); ok && st.Addr == a {
					if one != nil {
						return nil
					}
					one = st.Val
				}
			}
			if one == nil {
				return nil
			}
			v = one
		case *ssa.MakeInterface:
			v = x.X
		default:
			return nil
		}
	}
	return nil
}

// receives looks at calls in a loop that bring one message and an error, whose
// error ends the loop and gets lost.
func (c *checker) receives() {
	for _, fn := range c.flow.Functions() {
		for _, call := range c.flow.Calls(fn) {
			if c.flow.InLoop(call) && c.receives1(call) {
				c.receive(fn, call)
			}
		}
	}
}

// receives1 reports whether a call brings the next message of a stream.
func (c *checker) receives1(call ssa.CallInstruction) bool {
	fn := streamflow.Callee(call)
	if fn == nil {
		return false
	}
	args := streamflow.Args(call)
	switch model.FuncName(fn) {
	case "(bufio.Reader).ReadString", "(bufio.Reader).ReadBytes", "(bufio.Reader).ReadLine", "(bufio.Reader).ReadSlice":
		return c.io.Source(args[0]).Reader.Has(streamflow.Streams)
	case "(encoding/json.Decoder).Decode":
		made := maker(args[0])
		return made != nil && streamflow.CalleeName(made) == "encoding/json.NewDecoder" && c.io.Source(made.Call.Args[0]).Reader.Has(streamflow.Streams)
	}
	// Recv() (T, error) of gRPC and of the SDKs.
	sig := fn.Signature()
	return fn.Name() == "Recv" && sig.Recv() != nil && sig.Params().Len() == 0 && sig.Results().Len() == 2 && streamflow.ErrorResult(sig) == 1
}

func (c *checker) receive(fn *ssa.Function, call ssa.CallInstruction) {
	e := streamflow.Result(call, streamflow.ErrorResult(streamflow.Callee(call).Signature()))
	if e == nil || e.Referrers() == nil || len(*e.Referrers()) == 0 {
		return // not looked at: the next turn fails too, or the loop never ends
	}
	if c.cutAsEnd(fn, call, e) || c.cancelAsEnd(fn, call, e) {
		return
	}
	how := c.fateOf(e)
	if how == passed || c.waited(call) {
		return
	}
	for _, b := range c.failures(e) {
		// The way out of the loop that a broken connection takes.
		if c.flow.SameLoop(call, firstOf(b.to)) && !leaves(b.to) {
			continue
		}
		if c.resumed(fn) {
			return
		}
		told := c.success(fn, b.to)
		if told == "" {
			continue
		}
		verb := "is dropped"
		if how == logged {
			verb = "is only logged"
		}
		c.speak(fn, report.Finding{Pos: b.cond.Pos(), Related: []analysis.RelatedInformation{{Pos: call.Pos(), Message: "received here"}},
			Message: fmt.Sprintf("an error of %s (line %d) %s here, and %s: the consumer cannot tell a broken stream from its end; take only io.EOF for the end and hand other errors on",
				streamflow.CallWords(call), c.r.Line(call.Pos()), verb, told)})
		return
	}
}

// waited reports whether a call reads the output of a child process without a limit,
// and Wait is asked afterwards how the process ended: its pipe breaks off in no other
// way.
func (c *checker) waited(call ssa.CallInstruction) bool {
	args := streamflow.Args(call)
	if !strings.HasPrefix(streamflow.CalleeName(call), "(bufio.Reader).") || c.io.Source(args[0]).Reader != streamflow.Child {
		return false
	}
	for _, wait := range c.io.Named("(os/exec.Cmd).Wait") {
		if wait.Parent() == call.Parent() && c.flow.Reaches(call, wait) && wait.Value() != nil && c.fateOf(wait.Value()) == passed {
			return true
		}
	}
	return false
}

// failure is a branch that is taken for an error that is not nil.
type failure struct {
	cond ssa.Value
	to   *ssa.BasicBlock
}

// failures gives the branches under err != nil.
func (c *checker) failures(e ssa.Value) []failure {
	var out []failure
	var follow func(v ssa.Value, depth int)
	follow = func(v ssa.Value, depth int) {
		if depth > 4 || v.Referrers() == nil {
			return
		}
		for _, ref := range *v.Referrers() {
			switch x := ref.(type) {
			case *ssa.Phi:
				follow(x, depth+1)
			case *ssa.Store:
				if a, ok := x.Addr.(*ssa.Alloc); ok && x.Val == v {
					follow(a, depth+1)
				}
			case *ssa.UnOp:
				follow(x, depth+1)
			case *ssa.BinOp:
				if !isNil(x.X) && !isNil(x.Y) {
					continue
				}
				for _, r := range *x.Referrers() {
					ifi, ok := r.(*ssa.If)
					if !ok {
						continue
					}
					bad := ifi.Block().Succs[0]
					if x.Op == token.EQL {
						bad = ifi.Block().Succs[1]
					}
					out = append(out, failure{x, bad})
				}
			}
		}
	}
	follow(e, 0)
	return out
}

func firstOf(b *ssa.BasicBlock) ssa.Instruction { return b.Instrs[0] }

// leaves reports whether a block ends the function.
func leaves(b *ssa.BasicBlock) bool { return len(b.Succs) == 0 }

// resumed reports whether a function is called in a loop: who reads an endless
// stream there opens it again, and its end means nothing.
func (c *checker) resumed(fn *ssa.Function) bool {
	for f := fn; f != nil; f = f.Parent() {
		for _, s := range c.flow.Callers(f) {
			if c.flow.InLoop(s.Call) {
				return true
			}
		}
	}
	return false
}

// cutAsEnd reports an io.ErrUnexpectedEOF that takes the way of io.EOF.
func (c *checker) cutAsEnd(fn *ssa.Function, call ssa.CallInstruction, e ssa.Value) bool {
	eof, cut := c.sentinel(e, "EOF"), c.sentinel(e, "ErrUnexpectedEOF")
	for _, u := range cut {
		for _, n := range eof {
			if u.to != n.to || c.flow.SameLoop(call, firstOf(u.to)) && !leaves(u.to) {
				continue
			}
			how := c.success(fn, u.to)
			if how == "" {
				continue
			}
			c.speak(fn, report.Finding{Pos: u.cond.Pos(), Related: []analysis.RelatedInformation{{Pos: call.Pos(), Message: "received here"}},
				Message: fmt.Sprintf("io.ErrUnexpectedEOF means that the stream broke off, and it is taken for the end here like io.EOF: %s, and half of the data passes for all; hand it on as an error", how)})
			return true
		}
	}
	return false
}

// cancelAsEnd reports a cancelled or late stream that takes the way of io.EOF in a
// function that gives back what has arrived.
func (c *checker) cancelAsEnd(fn *ssa.Function, call ssa.CallInstruction, e ssa.Value) bool {
	if streamflow.ErrorResult(fn.Signature) < 1 {
		return false // no data goes back
	}
	for _, name := range []string{"Canceled", "DeadlineExceeded"} {
		for _, u := range c.sentinelOf(e, "context", name) {
			for _, n := range c.sentinel(e, "EOF") {
				if u.to != n.to || c.flow.SameLoop(call, firstOf(u.to)) && !leaves(u.to) || !c.givesBack(fn, u.to) {
					continue
				}
				c.speak(fn, report.Finding{Pos: u.cond.Pos(), Related: []analysis.RelatedInformation{{Pos: call.Pos(), Message: "received here"}},
					Message: fmt.Sprintf("context.%s broke the stream off, and it is taken for the end here like io.EOF: what has arrived is given back as the whole; return the error with it", name)})
				return true
			}
		}
	}
	return false
}

// givesBack reports whether control can return from a block with data and without
// the error of the stream.
func (c *checker) givesBack(fn *ssa.Function, from *ssa.BasicBlock) bool {
	for _, b := range fn.Blocks {
		ret, ok := last(b).(*ssa.Return)
		if !ok || len(ret.Results) < 2 || !(b == from || reaches(from, b, nil)) {
			continue
		}
		if zero(resultValue(ret, 0)) {
			continue
		}
		switch x := resultValue(ret, len(ret.Results)-1).(type) {
		case *ssa.Const:
			if x.Value == nil {
				return true
			}
		case *ssa.Call:
			return !freshError(x)
		}
	}
	return false
}

// sentinel gives the branches taken when e is the error of package io with this
// name.
func (c *checker) sentinel(e ssa.Value, name string) []failure { return c.sentinelOf(e, "io", name) }

func (c *checker) sentinelOf(e ssa.Value, pkg, name string) []failure {
	var out []failure
	branches := func(cond ssa.Value, equal bool) {
		for _, r := range *cond.Referrers() {
			if ifi, ok := r.(*ssa.If); ok {
				to := ifi.Block().Succs[0]
				if !equal {
					to = ifi.Block().Succs[1]
				}
				out = append(out, failure{cond, to})
			}
		}
	}
	var follow func(v ssa.Value, depth int)
	follow = func(v ssa.Value, depth int) {
		if depth > 4 || v.Referrers() == nil {
			return
		}
		for _, ref := range *v.Referrers() {
			switch x := ref.(type) {
			case *ssa.Phi:
				follow(x, depth+1)
			case *ssa.Store:
				if a, ok := x.Addr.(*ssa.Alloc); ok && x.Val == v {
					follow(a, depth+1)
				}
			case *ssa.UnOp:
				follow(x, depth+1)
			case *ssa.BinOp:
				if isVar(x.X, pkg, name) || isVar(x.Y, pkg, name) {
					branches(x, x.Op == token.EQL)
				}
			case *ssa.Call:
				if streamflow.CalleeName(x) == "errors.Is" && len(x.Call.Args) == 2 && isVar(x.Call.Args[1], pkg, name) {
					branches(x, true)
					for _, r := range *x.Referrers() {
						if n, ok := r.(*ssa.UnOp); ok && n.Op == token.NOT {
							branches(n, false)
						}
					}
				}
			}
		}
	}
	follow(e, 0)
	return out
}

// isVar reports whether v is the variable of a package with this name.
func isVar(v ssa.Value, pkg, name string) bool {
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := u.X.(*ssa.Global)
	return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == pkg && g.Name() == name
}

// yields looks at callbacks that are given one message and an error: func(T, error)
// bool, as iterators call them.
func (c *checker) yields() {
	for _, fn := range c.flow.Functions() {
		sig := fn.Signature
		if fn.Parent() == nil || fn.Synthetic != "" || sig.Params().Len() != 2 || sig.Results().Len() != 1 ||
			!isBool(sig.Results().At(0).Type()) || !streamflow.IsError(sig.Params().At(1).Type()) || len(fn.Params) != 2 {
			continue
		}
		if !c.iterates(fn) {
			continue
		}
		e := fn.Params[1]
		how := c.fateOf(e)
		if how == passed {
			continue
		}
		for _, b := range c.failures(e) {
			told := ""
			for f := fn.Parent(); f != nil && told == ""; f = f.Parent() {
				told = c.success(f, nil)
			}
			if told == "" {
				break
			}
			verb := "is dropped"
			if how == logged {
				verb = "is only logged"
			}
			c.speak(fn, report.Finding{Pos: b.cond.Pos(),
				Message: fmt.Sprintf("an error of the stream %s here, and %s: the consumer cannot tell a broken stream from its end; hand it on", verb, told)})
			break
		}
	}
}

// iterates reports whether a closure is given to an iterator: a function that is
// called with it and returns nothing.
func (c *checker) iterates(fn *ssa.Function) bool {
	for _, mc := range c.flow.Closures(fn) {
		for _, ref := range *mc.Referrers() {
			v := ssa.Value(mc)
			if ct, ok := ref.(*ssa.ChangeType); ok && len(*ct.Referrers()) == 1 {
				v, ref = ct, (*ct.Referrers())[0]
			}
			call, ok := ref.(ssa.CallInstruction)
			if !ok {
				continue
			}
			com := call.Common()
			if com.Value != v && len(com.Args) == 1 && com.Args[0] == v && !com.IsInvoke() && com.Signature().Results().Len() == 0 {
				return true
			}
		}
	}
	return false
}

// pipes looks at io.Pipe writers that are closed as whole after a copy that may
// have failed.
func (c *checker) pipes() {
	for _, in := range c.io.Named("io.Pipe") {
		call, ok := in.(*ssa.Call)
		if !ok {
			continue
		}
		w := streamflow.Result(call, 1)
		if w == nil {
			continue
		}
		o := c.io.Follow(w)
		c.copied(o)
		c.inverted(o)
	}
}

// copied reports a copy of a stream into a pipe whose error is dropped before the
// pipe is closed.
func (c *checker) copied(o *streamflow.Object) {
	if len(o.Method("CloseWithError")) > 0 || len(o.Method("Close")) == 0 {
		return
	}
	for _, use := range o.Passed {
		name := streamflow.CalleeName(use.Call)
		switch name {
		case "io.Copy", "io.CopyBuffer", "io.CopyN":
		default:
			continue
		}
		if use.Arg != 0 || use.Call.Value() == nil || !c.io.Source(streamflow.Args(use.Call)[1]).Reader.Has(streamflow.Streams) {
			continue
		}
		how := dropped
		if e := streamflow.Result(use.Call, 1); e != nil {
			how = c.fateOf(e)
		}
		if how == passed {
			continue
		}
		c.speak(use.Call.Parent(), report.Finding{Pos: use.Call.Pos(),
			Message: fmt.Sprintf("when this %s fails the pipe is closed (line %d) like a whole one, and its reader takes half of the data for all; close it with CloseWithError(err), which with nil is the regular end",
				strings.TrimPrefix(name, "io."), c.r.Line(o.Method("Close")[0].Pos()))})
	}
}

// inverted reports a CloseWithError that only runs for one kind of error while
// the pipe is closed as whole after all others.
func (c *checker) inverted(o *streamflow.Object) {
	closed := false
	for _, cl := range o.Method("Close") {
		_, ok := cl.(*ssa.Defer)
		closed = closed || ok
	}
	if !closed || len(o.Method("CloseWithError")) != 1 {
		return
	}
	cl := o.Method("CloseWithError")[0]
	for _, g := range c.flow.Guards(cl) {
		is, ok := g.Cond.(*ssa.Call)
		if !ok || streamflow.CalleeName(is) != "errors.Is" || g.Branch != streamflow.True {
			continue
		}
		if streamflow.Args(cl)[1] != is.Call.Args[0] || isNil(is.Call.Args[0]) {
			continue
		}
		c.speak(cl.Parent(), report.Finding{Pos: is.Pos(), Related: []analysis.RelatedInformation{{Pos: cl.Pos(), Message: "handed on here"}},
			Message: "only this kind of error reaches the pipe's reader: after any other the deferred Close gives it a regular end, and half of the data passes for all; hand on every error but the expected one"})
		return
	}
}
