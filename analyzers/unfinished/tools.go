package unfinished

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// tools looks at tool calls that are put together from a stream and run.
func (c *checker) tools() {
	for _, fn := range c.flow.Functions() {
		c.lengthAccepted(fn)
	}
	for _, fn := range c.flow.Functions() {
		if !c.spoken[fn] {
			c.unasked(fn)
		}
		if !c.spoken[fn] {
			c.commands(fn)
		}
	}
	c.accumulators()
}

// lengthAccepted reports a finish reason that says that the answer was cut among
// those under which tool calls are run.
func (c *checker) lengthAccepted(fn *ssa.Function) {
	type test struct {
		cmp *ssa.BinOp
		of  ssa.Value
		to  *ssa.BasicBlock
	}
	var cut, whole []test
	for _, b := range fn.Blocks {
		ifi, ok := last(b).(*ssa.If)
		if !ok {
			continue
		}
		cmp, ok := ifi.Cond.(*ssa.BinOp)
		if !ok || cmp.Op != token.EQL {
			continue
		}
		of, text := cmp.X, streamflow.ConstText(cmp.Y)
		if text == "" {
			of, text = cmp.Y, streamflow.ConstText(cmp.X)
		}
		t := test{cmp, of, b.Succs[0]}
		switch strings.ToLower(text) {
		case "length", "max_tokens":
			cut = append(cut, t)
		case "tool_calls", "tool_use", "function_call", "stop", "end_turn":
			whole = append(whole, t)
		}
	}
	for _, l := range cut {
		for _, w := range whole {
			if l.to != w.to || l.of != w.of || !c.isFinish(l.of) || !c.dispatches(l.to) {
				continue
			}
			c.speak(fn, report.Finding{Pos: l.cmp.Pos(),
				Message: fmt.Sprintf("tool calls are run here when the answer ended with %s too: it was cut, and so may be the arguments; run them for a regular finish reason only, and take this one for an error", reasonOf(l.cmp))})
			return
		}
	}
}

// reasonOf quotes the constant of a comparison.
func reasonOf(cmp *ssa.BinOp) string {
	if t := streamflow.ConstText(cmp.Y); t != "" {
		return fmt.Sprintf("%q", t)
	}
	return fmt.Sprintf("%q", streamflow.ConstText(cmp.X))
}

func (c *checker) isFinish(v ssa.Value) bool {
	for _, o := range c.flow.Trace(v) {
		if o.Kind == streamflow.Finish {
			return true
		}
	}
	return false
}

// dispatches reports whether the blocks that only run from b on hand the arguments
// of a tool call to somebody.
func (c *checker) dispatches(b *ssa.BasicBlock) bool {
	found := false
	var walk func(b *ssa.BasicBlock)
	walk = func(b *ssa.BasicBlock) {
		for _, in := range b.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok && !found && c.runs(call) {
				for _, a := range streamflow.Args(call) {
					found = found || c.isArguments(a, 0)
				}
			}
		}
		for _, d := range b.Dominees() {
			walk(d)
		}
	}
	walk(b)
	return found
}

// runs reports whether a call may do something with what it is given.
func (c *checker) runs(call ssa.CallInstruction) bool {
	if _, ok := call.Common().Value.(*ssa.Builtin); ok || isPrint(call) || isPure(call) {
		return false
	}
	if fn := streamflow.Callee(call); fn != nil && fn.Pkg() != nil {
		switch fn.Pkg().Path() {
		case "strings", "bytes", "fmt", "context", "sync", "sort", "slices":
			return false
		}
	}
	return true
}

// isArguments reports whether a value is read out of a field that holds the
// arguments of a tool call.
func (c *checker) isArguments(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		return c.isArguments(x.X, depth+1)
	case *ssa.Convert:
		return c.isArguments(x.X, depth+1)
	case *ssa.FieldAddr, *ssa.Field:
		switch c.flow.FieldRole(v) {
		case model.RoleOutput, model.RolePiece:
			return true
		}
	}
	return false
}

// unasked reports tool arguments that were joined in a receive loop and are
// decoded or handed on after it, in a flow that never looks at the finish reason.
func (c *checker) unasked(fn *ssa.Function) {
	all := c.endings(fn)
	if len(all) == 0 || c.readsFinish(fn) {
		return
	}
	for _, call := range c.flow.Calls(fn) {
		if !c.runs(call) {
			continue
		}
		after := false
		for _, e := range all {
			if !c.flow.SameLoop(call, e.in) && (call.Block() == e.to || reaches(e.to, call.Block(), e.in.Block())) {
				after = true
			}
		}
		if !after {
			continue
		}
		for _, a := range streamflow.Args(call) {
			if !streamflow.IsText(a.Type()) {
				continue
			}
			for _, o := range c.flow.Trace(a) {
				if o.Kind != streamflow.Fragment || !o.Joined() || !argumentWords(o.What) {
					continue
				}
				c.speak(fn, report.Finding{Pos: call.Pos(), Related: []analysis.RelatedInformation{{Pos: o.Pos, Message: "received here"}},
					Message: fmt.Sprintf("the arguments of a tool call (%s, line %d) are used here and the finish reason is never read: an answer that broke off or ran into its token limit runs a call with half its arguments; go on only after a regular finish reason",
						o.What, c.r.Line(o.Pos))})
				return
			}
		}
	}
}

// commands reports a text that was joined in a receive loop and is run as a command
// after it, in a flow that knows no end marker and no finish reason.
func (c *checker) commands(fn *ssa.Function) {
	all := c.endings(fn)
	if len(all) == 0 || c.readsFinish(fn) || len(c.markerTests(fn)) > 0 {
		return
	}
	for _, call := range c.flow.Calls(fn) {
		for i, a := range streamflow.Args(call) {
			if !c.execs(call, i, 0) {
				continue
			}
			for _, e := range all {
				if c.flow.SameLoop(call, e.in) || call.Block() != e.to && !reaches(e.to, call.Block(), e.in.Block()) || !c.joinedIn(a, e, 0) {
					continue
				}
				c.speak(fn, report.Finding{Pos: call.Pos(), Related: []analysis.RelatedInformation{{Pos: e.in.Pos(), Message: "received here"}},
					Message: fmt.Sprintf("the text of a stream (line %d) is run as a command and nothing showed that it was whole: a connection closed early runs half a command; go on only after the end marker or a regular finish reason", c.r.Line(e.in.Pos()))})
				return
			}
		}
	}
}

// joinedIn reports whether a text was joined from what a receive loop brought.
func (c *checker) joinedIn(v ssa.Value, e ending, depth int) bool {
	if depth > 8 {
		return false
	}
	switch x := v.(type) {
	case *ssa.BinOp:
		return x.Op == token.ADD && c.flow.SameLoop(x, e.in)
	case *ssa.Phi:
		for _, edge := range x.Edges {
			if c.joinedIn(edge, e, depth+1) {
				return true
			}
		}
	case *ssa.UnOp:
		a, ok := x.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		for _, ref := range *a.Referrers() {
			if st, ok := ref.(*ssa.Store); ok && st.Addr == a && c.joinedIn(st.Val, e, depth+1) {
				return true
			}
		}
	case *ssa.Slice: // the operands of a variadic call
		a, ok := x.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		for _, ref := range *a.Referrers() {
			ia, ok := ref.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			for _, use := range *ia.Referrers() {
				if st, ok := use.(*ssa.Store); ok && c.joinedIn(st.Val, e, depth+1) {
					return true
				}
			}
		}
	case *ssa.Call:
		switch streamflow.CalleeName(x) {
		case "strings.TrimSpace", "strings.Trim":
			return c.joinedIn(x.Call.Args[0], e, depth+1)
		case "(strings.Builder).String", "(bytes.Buffer).String":
			for _, ref := range *x.Call.Args[0].Referrers() {
				w, ok := ref.(*ssa.Call)
				if ok && c.flow.SameLoop(w, e.in) && strings.HasPrefix(streamflow.Callee(w).Name(), "Write") {
					return true
				}
			}
		}
	}
	return false
}

// execs reports whether a call runs its argument i as a command: os/exec itself, or
// a function of the package that hands it there.
func (c *checker) execs(call ssa.CallInstruction, i, depth int) bool {
	switch streamflow.CalleeName(call) {
	case "os/exec.Command", "os/exec.CommandContext":
		return true
	}
	body := c.flow.Body(call)
	if body == nil || depth > 2 || i >= len(body.Params) || !streamflow.IsText(body.Params[i].Type()) {
		return false
	}
	return c.flowsToExec(body.Params[i], depth, make(map[ssa.Value]bool))
}

func (c *checker) flowsToExec(v ssa.Value, depth int, seen map[ssa.Value]bool) bool {
	if seen[v] || len(seen) > 60 || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	for _, ref := range *v.Referrers() {
		switch x := ref.(type) {
		case *ssa.Phi:
			if c.flowsToExec(x, depth, seen) {
				return true
			}
		case *ssa.BinOp, *ssa.Slice, *ssa.Convert, *ssa.UnOp:
			if c.flowsToExec(x.(ssa.Value), depth, seen) {
				return true
			}
		case *ssa.Store:
			addr := x.Addr
			if ia, ok := addr.(*ssa.IndexAddr); ok {
				addr = ia.X
			}
			if a, ok := addr.(*ssa.Alloc); ok && x.Val == v && c.flowsToExec(a, depth, seen) {
				return true
			}
		case ssa.CallInstruction:
			for i, a := range streamflow.Args(x) {
				if a == v && c.execs(x, i, depth+1) {
					return true
				}
			}
			if b, ok := x.Common().Value.(*ssa.Builtin); ok && b.Name() == "append" && x.Value() != nil && c.flowsToExec(x.Value(), depth, seen) {
				return true
			}
		}
	}
	return false
}

// argumentWords tells the arguments of a call from the text of an answer, by the
// name that the wire gives them.
func argumentWords(what string) bool {
	w := strings.ToLower(what)
	return strings.Contains(w, "argument") || strings.Contains(w, "partial_json") || strings.Contains(w, "partialjson") || strings.Contains(w, "tooluse") || strings.Contains(w, "functioncall")
}

// accumulators looks at the message that an SDK's accumulator puts together: its
// tool calls are handed on in a package that never looks at the finish reason.
func (c *checker) accumulators() {
	held := make(map[any]ssa.CallInstruction)
	for _, name := range []string{"(github.com/openai/openai-go.ChatCompletionAccumulator).AddChunk", "(github.com/anthropics/anthropic-sdk-go.Message).Accumulate",
		"(github.com/anthropics/anthropic-sdk-go.BetaMessage).Accumulate"} {
		for _, call := range c.io.Named(name) {
			held[c.flow.Location(streamflow.Args(call)[0])] = call
		}
	}
	if len(held) == 0 || c.packageReadsFinish() {
		return
	}
	for _, fn := range c.flow.Functions() {
		for _, call := range c.flow.Calls(fn) {
			if !c.runs(call) {
				continue
			}
			for _, a := range streamflow.Args(call) {
				if !streamflow.IsText(a.Type()) {
					continue
				}
				from := c.readFrom(a, held)
				if from == nil {
					continue
				}
				c.speak(fn, report.Finding{Pos: call.Pos(), Related: []analysis.RelatedInformation{{Pos: from.Pos(), Message: "joined here"}},
					Message: fmt.Sprintf("the tool calls of the message that is put together in line %d are run here and its finish reason is never read: an answer that ran into its token limit runs a call with half its arguments; go on only after a regular finish reason",
						c.r.Line(from.Pos()))})
				return
			}
		}
	}
}

// packageReadsFinish reports whether anything in the package looks at a finish
// reason.
func (c *checker) packageReadsFinish() bool {
	for _, fn := range c.flow.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				v, ok := in.(ssa.Value)
				if !ok {
					continue
				}
				if _, _, ok := streamflow.FieldAt(v); ok && c.flow.FieldRole(v) == model.RoleFinish && isRead(v) {
					return true
				}
			}
		}
	}
	return false
}

// holdsArguments reports whether a field that is read holds the arguments of a tool
// call: by the tables, or by the name it has on the wire.
func (c *checker) holdsArguments(v ssa.Value) bool {
	switch c.flow.FieldRole(v) {
	case model.RoleOutput, model.RolePiece:
		return true
	}
	owner, i, ok := streamflow.FieldAt(v)
	if !ok {
		return false
	}
	t := owner.Type().Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	s, ok := t.(*types.Struct)
	if !ok || !streamflow.IsText(s.Field(i).Type()) {
		return false
	}
	name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
	return name == "arguments"
}

// readFrom gives the accumulation that a text is read out of, when it is the
// arguments of a tool call.
func (c *checker) readFrom(v ssa.Value, held map[any]ssa.CallInstruction) ssa.CallInstruction {
	args := false
	for range 24 {
		if from := held[c.flow.Location(v)]; from != nil && args {
			return from
		}
		switch x := v.(type) {
		case *ssa.FieldAddr:
			args = args || c.holdsArguments(x)
			if from := held[c.flow.Location(x)]; from != nil && args {
				return from
			}
			v = x.X
		case *ssa.Field:
			args = args || c.holdsArguments(x)
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Index:
			v = x.X
		case *ssa.Convert:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.Alloc: // a variable that holds a copy
			var one ssa.Value
			for _, ref := range *x.Referrers() {
				if st, ok := ref.(*ssa.Store); ok && st.Addr == x {
					one = st.Val
				}
			}
			if one == nil {
				return nil
			}
			v = one
		case *ssa.Call:
			fn := streamflow.Callee(x)
			if fn == nil || fn.Signature().Recv() == nil || len(streamflow.Args(x)) != 1 {
				return nil
			}
			if fn.Name() == "Raw" {
				args = true
			}
			v = streamflow.Args(x)[0]
		default:
			return nil
		}
	}
	return nil
}
