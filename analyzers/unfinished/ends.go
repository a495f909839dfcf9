package unfinished

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// ending is a way by which a receive loop is left when the connection is closed.
type ending struct {
	in  ssa.CallInstruction // the call that receives
	to  *ssa.BasicBlock     // where control goes then
	pos token.Pos           // the line to change
	err ssa.Value           // the error of the call, nil for Scan and Next
}

// ends looks at the receive loops of each function: what closes them without an
// error, and what the protocol has to show the end.
func (c *checker) ends() {
	for _, fn := range c.flow.Functions() {
		all := c.endings(fn)
		if len(all) == 0 || c.spoken[fn] {
			continue
		}
		for _, rule := range []func(*ssa.Function, ending) bool{c.markerIgnored, c.doneMadeUp, c.finishMadeUp, c.markerMadeUp, c.flagIgnored} {
			for _, e := range all {
				if !c.spoken[fn] && rule(fn, e) {
					break
				}
			}
		}
	}
}

// endings finds the ways out of the receive loops of a function.
func (c *checker) endings(fn *ssa.Function) []ending {
	var out []ending
	for _, call := range c.flow.Calls(fn) {
		if !c.flow.InLoop(call) {
			continue
		}
		callee := streamflow.Callee(call)
		if callee == nil {
			continue
		}
		sig := callee.Signature()
		if sig.Recv() != nil && sig.Params().Len() == 0 && (callee.Name() == "Scan" || callee.Name() == "Next") &&
			sig.Results().Len() == 1 && isBool(sig.Results().At(0).Type()) && method(sig.Recv().Type(), "Err") != nil {
			if to := exit(call); to != nil && c.overStream(call) {
				out = append(out, ending{in: call, to: to, pos: call.Pos()})
			}
			continue
		}
		i := streamflow.ErrorResult(sig)
		if i < 0 {
			continue
		}
		e := streamflow.Result(call, i)
		if e == nil || e.Referrers() == nil {
			continue
		}
		for _, b := range c.sentinel(e, "EOF") {
			if c.flow.SameLoop(call, firstOf(b.to)) && !leaves(b.to) || !c.overStream(call) {
				continue
			}
			pos := b.cond.Pos()
			if ret, ok := last(b.to).(*ssa.Return); ok && len(b.to.Preds) == 1 && c.under(b.cond.Pos(), ret.Pos()) {
				pos = ret.Pos()
			}
			out = append(out, ending{in: call, to: b.to, pos: pos, err: e})
		}
	}
	return out
}

// under reports whether a return stands in the body of the if whose condition, or
// of the case whose expression, is at cond.
func (c *checker) under(cond, ret token.Pos) bool {
	file := fileOf(c.pass, cond)
	if file == nil {
		return false
	}
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || found || cond < n.Pos() || n.End() <= cond {
			return false
		}
		switch n := n.(type) {
		case *ast.IfStmt:
			if n.Cond.Pos() <= cond && cond < n.Cond.End() {
				found = n.Body.Pos() <= ret && ret < n.Body.End()
			}
		case *ast.CaseClause:
			if cond < n.Colon {
				found = n.Colon < ret && ret < n.End()
			}
		}
		return true
	})
	return found
}

// overStream reports whether a call that receives may do so from a stream that can
// break off: not a file, and not memory.
func (c *checker) overStream(call ssa.CallInstruction) bool {
	args := streamflow.Args(call)
	if len(args) == 0 {
		return false
	}
	switch model.TypeName(args[0].Type()) {
	case "bufio.Scanner", "bufio.Reader", "encoding/json.Decoder":
	default:
		return true
	}
	v := args[0]
	if made := maker(v); made != nil {
		switch streamflow.CalleeName(made) {
		case "bufio.NewScanner", "encoding/json.NewDecoder":
			v = made.Call.Args[0]
		}
	}
	r := c.io.Source(v).Reader
	return r.Has(streamflow.Streams) || r.Has(streamflow.Given) && !r.Has(streamflow.File|streamflow.Stdin|streamflow.Memory)
}

// markerIgnored reports a loop that knows the end marker and takes a connection
// that is closed before it for the same.
func (c *checker) markerIgnored(fn *ssa.Function, e ending) bool {
	if c.readsFinish(fn) {
		return false
	}
	for _, m := range c.markerTests(fn) {
		in, ok := m.cond.(ssa.Instruction)
		if !ok || !c.flow.SameLoop(e.in, in) {
			continue
		}
		if c.told(in.Block(), m.to, e.in.Block()) || c.told(nil, e.to, nil) {
			return false // something tells the two apart
		}
		how := c.success(fn, e.to)
		if how == "" || !c.endsWell(fn, m.to, e.in.Block()) {
			continue
		}
		c.speak(fn, report.Finding{Pos: e.pos, Related: []analysis.RelatedInformation{{Pos: m.cond.Pos(), Message: "the end marker is recognised here"}},
			Message: fmt.Sprintf("a connection closed before %s (line %d) ends the stream like the marker itself: %s, and half an answer passes for the whole; return io.ErrUnexpectedEOF when neither the marker nor a finish reason has come",
				endMarker, c.r.Line(m.cond.Pos()), how)})
		return true
	}
	return false
}

// told reports whether the blocks from one on, up to the end of the loop, do
// something by which the consumer or later code can know that they ran.
func (c *checker) told(from, b, stop *ssa.BasicBlock) bool {
	if from != nil && flagEdge(from, b) {
		return true
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] || x == stop || len(x.Preds) > 1 {
			continue // shared with other ways
		}
		seen[x] = true
		if flags(x) || makesError(x) {
			return true
		}
		next := x.Succs
		for _, in := range x.Instrs {
			if ifi, ok := in.(*ssa.If); ok {
				if asksFlag(ifi.Cond) {
					return true
				}
				next = regular(ifi)
			}
			if _, ok := in.(*ssa.Return); ok {
				continue
			}
			if c.tells(in) == passed {
				return true
			}
		}
		work = append(work, next...)
	}
	return false
}

// makesError reports whether a block gives an error variable an error that is made
// there: err = io.ErrUnexpectedEOF under err == nil. Its use stands behind the block
// where this way and the one with the read error meet.
func makesError(b *ssa.BasicBlock) bool {
	made := func(v ssa.Value) bool {
		return streamflow.IsError(v.Type()) && freshError(v) && !isVar(v, "io", "EOF")
	}
	for _, in := range b.Instrs {
		if st, ok := in.(*ssa.Store); ok && made(st.Val) {
			return true
		}
	}
	for _, s := range b.Succs {
		for i, p := range s.Preds {
			if p != b {
				continue
			}
			for _, in := range s.Instrs {
				phi, ok := in.(*ssa.Phi)
				if !ok {
					break
				}
				if made(phi.Edges[i]) {
					return true
				}
			}
		}
	}
	return false
}

// regular gives the ways that control takes from a condition when no error is
// there.
func regular(ifi *ssa.If) []*ssa.BasicBlock {
	succs := ifi.Block().Succs
	cmp, ok := ifi.Cond.(*ssa.BinOp)
	if !ok || !isNil(cmp.X) && !isNil(cmp.Y) || !streamflow.IsError(cmp.X.Type()) {
		return succs
	}
	if cmp.Op == token.NEQ {
		return succs[1:]
	}
	return succs[:1]
}

// flagEdge reports whether the way from one block to the next gives a bool
// variable the value true.
func flagEdge(from, to *ssa.BasicBlock) bool {
	for i, p := range to.Preds {
		if p != from {
			continue
		}
		for _, in := range to.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			if k, ok := phi.Edges[i].(*ssa.Const); ok && isBool(phi.Type()) && k.Value != nil && constant.BoolVal(k.Value) {
				return true
			}
		}
	}
	return false
}

// asksFlag reports whether a condition asks a bool variable.
func asksFlag(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Phi, *ssa.FreeVar, *ssa.Parameter:
		return isBool(v.Type())
	case *ssa.UnOp:
		if x.Op == token.NOT {
			return asksFlag(x.X)
		}
		return x.Op == token.MUL
	}
	return false
}

// endsWell reports whether the function returns without an error, or with a named
// result as it stands, from a block on without going round the loop again.
func (c *checker) endsWell(fn *ssa.Function, from, avoid *ssa.BasicBlock) bool {
	i := streamflow.ErrorResult(fn.Signature)
	for _, b := range fn.Blocks {
		ret, ok := last(b).(*ssa.Return)
		if !ok || !(b == from || reaches(from, b, avoid)) {
			continue
		}
		if i < 0 {
			return true
		}
		if i < len(ret.Results) {
			if v := resultValue(ret, i); zero(v) || namedResult(v) != nil {
				return true
			}
		}
	}
	return false
}

// readsFinish reports whether a function, a closure in it or a function of the
// package that it calls looks at a finish reason or a done flag.
func (c *checker) readsFinish(fn *ssa.Function) bool {
	found := false
	c.around(fn, 2, func(f *ssa.Function) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				v, ok := in.(ssa.Value)
				if !ok || found {
					continue
				}
				if _, _, ok := streamflow.FieldAt(v); ok && c.flow.FieldRole(v) == model.RoleFinish && isRead(v) {
					found = true
				}
			}
		}
	})
	return found
}

// isRead reports whether a field is read and not only written.
func isRead(v ssa.Value) bool {
	if _, ok := v.(*ssa.FieldAddr); !ok {
		return true
	}
	for _, ref := range *v.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == v {
			continue
		}
		return true
	}
	return false
}

// around visits a function, the closures in it, and the functions of the package
// that they call, a few levels down.
func (c *checker) around(fn *ssa.Function, depth int, visit func(*ssa.Function)) {
	seen := make(map[*ssa.Function]bool)
	var walk func(f *ssa.Function, depth int)
	walk = func(f *ssa.Function, depth int) {
		if f == nil || seen[f] || depth < 0 || len(seen) > 60 {
			return
		}
		seen[f] = true
		visit(f)
		for _, anon := range f.AnonFuncs {
			walk(anon, depth)
		}
		for _, call := range c.flow.Calls(f) {
			for _, callee := range c.flow.Callees(call) {
				walk(callee, depth-1)
			}
		}
	}
	walk(topLevel(fn), depth)
}

// finishStore is a place that gives a field that shows the end a constant.
type finishStore struct {
	st    *ssa.Store
	field *ssa.FieldAddr
}

// finishStores gives the places of a function that set such a field to what means
// success: true, or a finish reason of the regular kind.
func (c *checker) finishStores(fn *ssa.Function) []finishStore {
	var out []finishStore
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			fa, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || c.flow.FieldRole(fa) != model.RoleFinish {
				continue
			}
			k, ok := st.Val.(*ssa.Const)
			if !ok || k.Value == nil {
				continue
			}
			switch k.Value.Kind() {
			case constant.Bool:
				if constant.BoolVal(k.Value) {
					out = append(out, finishStore{st, fa})
				}
			case constant.String:
				if wholeReason(constant.StringVal(k.Value)) {
					out = append(out, finishStore{st, fa})
				}
			}
		}
	}
	return out
}

// wholeReason reports whether a finish reason says that an answer is whole.
func wholeReason(s string) bool {
	switch strings.ToLower(s) {
	case "stop", "end_turn", "tool_calls", "tool_use", "function_call", "complete", "completed", "stop_sequence":
		return true
	}
	return false
}

// doneMadeUp reports a done flag that is set at io.EOF as it is when the
// protocol's own end has come.
func (c *checker) doneMadeUp(fn *ssa.Function, e ending) bool {
	if e.err == nil || len(e.to.Preds) != 1 {
		return false
	}
	stores := c.finishStores(fn)
	for _, s := range stores {
		if !isBool(s.st.Val.Type()) || !e.to.Dominates(s.st.Block()) {
			continue
		}
		for _, other := range stores {
			if other.field.Field != s.field.Field || !types.Identical(other.field.X.Type(), s.field.X.Type()) || e.to.Dominates(other.st.Block()) || c.failing(e.err, other.st.Block()) {
				continue
			}
			c.speak(fn, report.Finding{Pos: e.pos, Related: []analysis.RelatedInformation{{Pos: s.st.Pos(), Message: "set here at io.EOF"}, {Pos: other.st.Pos(), Message: "set here at the protocol's end"}},
				Message: fmt.Sprintf("a connection closed before the protocol's end (line %d) is reported as done too, so that half an answer passes for the whole; hand on io.ErrUnexpectedEOF when the end has not come",
					c.r.Line(other.st.Pos()))})
			return true
		}
	}
	return false
}

// failing reports whether a block only runs when an error is not nil.
func (c *checker) failing(e ssa.Value, b *ssa.BasicBlock) bool {
	for _, f := range c.failures(e) {
		if f.to.Dominates(b) {
			return true
		}
	}
	return false
}

// finishMadeUp reports a finish reason of the regular kind that is written down
// after the loop and was read nowhere.
func (c *checker) finishMadeUp(fn *ssa.Function, e ending) bool {
	for _, s := range c.finishStores(fn) {
		if isBool(s.st.Val.Type()) || c.flow.InLoop(s.st) || !(s.st.Block() == e.to || reaches(e.to, s.st.Block(), e.in.Block())) {
			continue
		}
		if c.readsFinish(fn) || !e.to.Dominates(s.st.Block()) {
			return false
		}
		k := s.st.Val.(*ssa.Const)
		c.speak(fn, report.Finding{Pos: position(s.st), Related: []analysis.RelatedInformation{{Pos: e.in.Pos(), Message: "received here"}},
			Message: fmt.Sprintf("the finish reason %q is made up here: nothing in the stream (line %d) showed it, and an answer that was cut or filtered passes for a whole one; take the reason from the stream, and its lack for an error",
				constant.StringVal(k.Value), c.r.Line(e.in.Pos()))})
		return true
	}
	return false
}

// position gives the position of a store, for a field of a literal that of the
// field.
func position(st *ssa.Store) token.Pos {
	if st.Pos().IsValid() {
		return st.Pos()
	}
	return st.Addr.Pos()
}

// markerMadeUp reports an end marker that is sent after the loop although the loop
// sends it too, when the sender's own has come.
func (c *checker) markerMadeUp(fn *ssa.Function, e ending) bool {
	var inside, after ssa.CallInstruction
	for _, call := range c.flow.Calls(fn) {
		if !c.emits(call) {
			continue
		}
		switch {
		case c.flow.SameLoop(call, e.in) || leadsOut(call, e):
			inside = call
		case call.Block() == e.to || reaches(e.to, call.Block(), e.in.Block()):
			after = call
		}
	}
	if inside == nil || after == nil {
		return false
	}
	c.speak(fn, report.Finding{Pos: after.Pos(), Related: []analysis.RelatedInformation{{Pos: inside.Pos(), Message: "sent here when the end has come"}},
		Message: fmt.Sprintf("%s is sent here when the stream was closed before its end too (line %d sends it at the end), and the client takes half an answer for the whole; send an error instead",
			endMarker, c.r.Line(inside.Pos()))})
	return true
}

// leadsOut reports whether a call stands on a way out of the loop that is not the
// ending.
func leadsOut(call ssa.CallInstruction, e ending) bool {
	return e.in.Block().Dominates(call.Block()) && !e.to.Dominates(call.Block()) && call.Block() != e.to && !reaches(e.to, call.Block(), e.in.Block())
}

// flagIgnored reports a loop that joins the parts of messages with a done flag
// into an answer and never looks at the flag.
func (c *checker) flagIgnored(fn *ssa.Function, e ending) bool {
	if e.err == nil || c.success(fn, e.to) == "" {
		return false
	}
	for _, t := range c.messages(fn, e) {
		flag := c.doneFlag(t)
		if flag == "" || !c.joins(fn, e, t) || c.flagDecides(fn) {
			continue
		}
		c.speak(fn, report.Finding{Pos: e.pos, Related: []analysis.RelatedInformation{{Pos: e.in.Pos(), Message: "received here"}},
			Message: fmt.Sprintf("a connection closed early ends the answer like a whole one: the messages say in %s whether they are the last, and nobody looks; return io.ErrUnexpectedEOF when the last has not come", flag)})
		return true
	}
	return false
}

// variadic reports whether v is the array that holds the operands of a variadic
// call.
func variadic(v ssa.Value) bool {
	a, ok := v.(*ssa.Alloc)
	return ok && a.Comment == "varargs"
}

// flagDecides reports whether a done flag or a finish reason that the function
// reads decides anything: not where it only leaves the last message out.
func (c *checker) flagDecides(fn *ssa.Function) bool {
	found := false
	c.around(fn, 2, func(f *ssa.Function) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				v, ok := in.(ssa.Value)
				if !ok || found {
					continue
				}
				if _, _, ok := streamflow.FieldAt(v); ok && c.flow.FieldRole(v) == model.RoleFinish && isRead(v) && !onlySkips(v) {
					found = true
				}
			}
		}
	})
	return found
}

// onlySkips reports whether a flag is only asked so that nothing is done when it is
// set.
func onlySkips(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		switch x := ref.(type) {
		case *ssa.UnOp:
			if x.Op == token.NOT {
				for _, r := range *x.Referrers() {
					ifi, ok := r.(*ssa.If)
					if !ok || len(ifi.Block().Succs[1].Preds) < 2 {
						return false
					}
				}
				continue
			}
			if !onlySkips(x) {
				return false
			}
		case *ssa.If:
			if len(x.Block().Succs[0].Preds) < 2 {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// messages gives the struct types that a receive loop decodes its messages into.
func (c *checker) messages(fn *ssa.Function, e ending) []types.Type {
	var out []types.Type
	for _, d := range c.flow.Decodes() {
		if d.Into == nil || d.Call.Parent() != fn || d.Call != e.in && !c.flow.SameLoop(d.Call, e.in) {
			continue
		}
		v := d.Into
		if m, ok := v.(*ssa.MakeInterface); ok {
			v = m.X
		}
		if p, ok := v.Type().Underlying().(*types.Pointer); ok {
			out = append(out, p.Elem())
		}
	}
	if v := streamflow.Result(e.in, 0); v != nil && !streamflow.IsText(v.Type()) {
		out = append(out, v.Type())
	}
	return out
}

// doneFlag gives the name of the bool field of a struct that shows the end.
func (c *checker) doneFlag(t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	for i := range s.NumFields() {
		if isBool(s.Field(i).Type()) && c.flow.RoleOfField(t, s.Field(i).Origin()) == model.RoleFinish {
			return s.Field(i).Name()
		}
	}
	return ""
}

// joins reports whether the loop joins a text of the message with what came
// before.
func (c *checker) joins(fn *ssa.Function, e ending, t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if !c.flow.SameLoop(in, e.in) {
				continue
			}
			switch x := in.(type) {
			case *ssa.BinOp:
				if x.Op == token.ADD && partOf(x.Y, t, 0) {
					return true
				}
			case *ssa.Store: // an element of an append
				if ia, ok := x.Addr.(*ssa.IndexAddr); ok && variadic(ia.X) && streamflow.IsText(x.Val.Type()) && partOf(x.Val, t, 0) {
					return true
				}
			case *ssa.Call:
				switch streamflow.CalleeName(x) {
				case "(strings.Builder).WriteString", "(bytes.Buffer).WriteString":
					if partOf(x.Call.Args[1], t, 0) {
						return true
					}
				}
			}
		}
	}
	return false
}

// partOf reports whether a value is a text read out of a struct of type t.
func partOf(v ssa.Value, t types.Type, depth int) bool {
	if depth > 6 {
		return false
	}
	is := func(x types.Type) bool {
		if p, ok := x.Underlying().(*types.Pointer); ok {
			x = p.Elem()
		}
		return types.Identical(x, t)
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		return partOf(x.X, t, depth+1)
	case *ssa.FieldAddr:
		return is(x.X.Type()) || partOf(x.X, t, depth+1)
	case *ssa.Field:
		return is(x.X.Type()) || partOf(x.X, t, depth+1)
	}
	return false
}
