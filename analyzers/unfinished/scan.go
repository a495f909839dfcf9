package unfinished

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// sequence is an object that is advanced until it says no, and that must be asked
// then whether it broke off: a bufio.Scanner, the stream of an SDK.
type sequence struct {
	*streamflow.Object
	what    string // for a message: the scanner over resp.Body
	made    ssa.Instruction
	advance []ssa.Instruction
	sure    bool // it reads a stream; else a reader of the caller's
	scanner *streamflow.Scanner
}

// scanners looks at every bufio.Scanner of the package.
func (c *checker) scanners() {
	for _, s := range c.io.Scanners() {
		if s.Escapes || len(s.Tokens()) == 0 {
			continue // somebody else may ask, or nobody looks at what comes
		}
		seq := &sequence{Object: s.Object, made: s.New, advance: instructions(s.Method("Scan")), scanner: s}
		switch {
		case s.Reader.Has(streamflow.Streams):
			seq.sure = true
		case files && s.Reader.Has(streamflow.File|streamflow.Stdin):
			seq.sure = true
		case s.Reader.Has(streamflow.File | streamflow.Stdin | streamflow.Memory):
			continue
		case !s.Reader.Has(streamflow.Given):
			continue
		}
		seq.what = "the scanner"
		if s.Words != "" {
			seq.what = "the scanner over " + s.Words
		}
		c.sequence(seq)
	}
}

// iterators looks at the streams of SDKs: Next, Current and Err.
func (c *checker) iterators() {
	for _, fn := range c.flow.Functions() {
		for _, call := range c.flow.Calls(fn) {
			v := call.Value()
			if v == nil {
				continue
			}
			for i, t := range resultTypes(v.Type()) {
				if !isIterator(t) {
					continue
				}
				res := streamflow.Result(call, i)
				if res == nil {
					continue
				}
				if callee := streamflow.Callee(call); callee == nil || callee.Pkg() == c.pass.Pkg {
					continue // the call that makes it is looked at where it stands
				}
				o := c.io.Follow(res)
				adv := instructions(o.Method("Next"))
				for _, events := range o.Method("Events") {
					adv = append(adv, arrivals(events)...)
				}
				if o.Escapes || len(adv) == 0 {
					continue
				}
				c.sequence(&sequence{Object: o, made: call, advance: adv, sure: true, what: "the stream of " + streamflow.CallWords(call)})
			}
		}
	}
}

func resultTypes(t types.Type) []types.Type {
	tuple, ok := t.(*types.Tuple)
	if !ok {
		return []types.Type{t}
	}
	var out []types.Type
	for i := range tuple.Len() {
		out = append(out, tuple.At(i).Type())
	}
	return out
}

// instructions widens a list of calls.
func instructions(calls []ssa.CallInstruction) []ssa.Instruction {
	var out []ssa.Instruction
	for _, call := range calls {
		out = append(out, call)
	}
	return out
}

// arrivals gives the receives from the channel that a call gives.
func arrivals(call ssa.CallInstruction) []ssa.Instruction {
	v := call.Value()
	if v == nil || v.Referrers() == nil {
		return nil
	}
	var out []ssa.Instruction
	for _, ref := range *v.Referrers() {
		if u, ok := ref.(*ssa.UnOp); ok && u.Op == token.ARROW && u.CommaOk {
			out = append(out, u)
		}
	}
	return out
}

// isIterator reports whether t is a stream of an SDK: Next() bool, Current() T and
// Err() error, or Events() <-chan T and Err() error.
func isIterator(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Basic); ok {
		return false
	}
	next, err, current := method(t, "Next"), method(t, "Err"), method(t, "Current")
	if events := method(t, "Events"); events != nil && err != nil && next == nil {
		// A channel of events, as AWS has it.
		if events.Params().Len() != 0 || events.Results().Len() != 1 || streamflow.ErrorResult(err) != 0 || err.Params().Len() != 0 {
			return false
		}
		_, ok := events.Results().At(0).Type().Underlying().(*types.Chan)
		return ok
	}
	return next != nil && err != nil && current != nil &&
		next.Params().Len() == 0 && next.Results().Len() == 1 && isBool(next.Results().At(0).Type()) &&
		err.Params().Len() == 0 && streamflow.ErrorResult(err) == 0 &&
		current.Params().Len() == 0 && current.Results().Len() == 1
}

func method(t types.Type, name string) *types.Signature {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	if fn, ok := obj.(*types.Func); ok {
		return fn.Signature()
	}
	return nil
}

// sequence applies the rules: Err is asked, at a place where it can tell, and what
// it says reaches somebody.
func (c *checker) sequence(s *sequence) {
	adv := c.looped(s)
	if adv == nil {
		return
	}
	fn := adv.Parent()
	if c.failsAfter(adv) {
		return // the end is an error here anyway
	}
	errs := s.Method("Err")
	if len(errs) == 0 {
		if !s.sure && c.success(fn, exit(adv)) == "" && !c.usedAsValue(fn) {
			return
		}
		if scannererr && s.scanner != nil && plain(s) {
			return
		}
		f := report.Finding{Pos: adv.Pos(), Related: madeHere(s)}
		f.Message = fmt.Sprintf("nobody asks %s for Err: a broken connection%s ends the loop like the end of the data, and half of it passes for all; return Err after the loop", s.what, tooLong(s))
		f.Fixes = c.errFix(s, adv)
		c.speak(fn, f)
		return
	}
	if !c.askedAfter(s, errs) {
		c.speak(fn, report.Finding{Pos: adv.Pos(), Related: []analysis.RelatedInformation{{Pos: errs[0].Pos(), Message: "asked here"}},
			Message: fmt.Sprintf("%s is asked for Err (line %d) only while there is data, where it is always nil: a broken connection%s ends the loop like the end of the data; ask after the loop", s.what, c.r.Line(errs[0].Pos()), tooLong(s))})
		return
	}
	if c.storedFirst(s, adv, errs) {
		return
	}
	c.onlyLogged(s, errs)
}

// storedFirst reports what has arrived being put behind a history before Err is
// asked.
func (c *checker) storedFirst(s *sequence, adv ssa.Instruction, errs []ssa.CallInstruction) bool {
	out := exit(adv)
	if out == nil || s.scanner != nil {
		return false
	}
	for _, e := range errs {
		if e.Parent() != adv.Parent() || c.flow.InLoop(e) {
			return false
		}
	}
	if st := c.kept(adv.Parent(), out, errs); st != nil {
		c.speak(adv.Parent(), report.Finding{Pos: st.Pos(), Related: []analysis.RelatedInformation{{Pos: errs[0].Pos(), Message: "asked here"}},
			Message: fmt.Sprintf("what has arrived is kept before %s is asked for Err (line %d): after a broken connection half an answer stays in the history; ask first", s.what, c.r.Line(errs[0].Pos()))})
		return true
	}
	return false
}

// kept finds an append to a field, on every way from the loop's end to a call of
// Err, that lies before it.
func (c *checker) kept(fn *ssa.Function, out *ssa.BasicBlock, errs []ssa.CallInstruction) *ssa.Store {
	for _, b := range fn.Blocks {
		if b != out && !reaches(out, b, nil) {
			continue
		}
		for _, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			fa, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || !shared(fa.X) || !appends(st.Val) {
				continue
			}
			before := true
			for _, e := range errs {
				before = before && c.flow.Reaches(st, e) && !c.flow.Reaches(e, st)
			}
			if before && !c.flow.InLoop(st) {
				return st
			}
		}
	}
	return nil
}

// shared reports whether a struct outlives the function: its receiver, a
// parameter, something captured.
func shared(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.FreeVar:
		return true
	case *ssa.UnOp:
		return shared(x.X)
	case *ssa.FieldAddr:
		return shared(x.X)
	}
	return false
}

func appends(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "append"
}

func tooLong(s *sequence) string {
	if s.scanner != nil {
		return " or a line over the limit"
	}
	return ""
}

func madeHere(s *sequence) []analysis.RelatedInformation {
	return []analysis.RelatedInformation{{Pos: s.made.Pos(), Message: "made here"}}
}

// looped gives the call that advances the sequence to its end: one in a loop, or
// one in a method that is called again and again on the struct that holds it.
func (c *checker) looped(s *sequence) ssa.Instruction {
	for _, call := range s.advance {
		if c.flow.InLoop(call) {
			return call
		}
	}
	if s.InField && len(s.advance) > 0 {
		return s.advance[0]
	}
	return nil
}

// plain reports whether a missing Err is the case that go vet's scannererr sees:
// the scanner is made and scanned in one function.
func plain(s *sequence) bool {
	if s.InField {
		return false
	}
	for _, call := range s.advance {
		if call.Parent() != s.made.Parent() {
			return false
		}
	}
	return true
}

// exit gives the block that runs when the advance says no; nil where that is not
// decided at once.
func exit(adv ssa.Instruction) *ssa.BasicBlock {
	var v ssa.Value
	switch x := adv.(type) {
	case ssa.CallInstruction:
		if x.Value() != nil {
			v = x.Value()
		}
	case *ssa.UnOp: // a receive: the channel is closed
		for _, ref := range *x.Referrers() {
			if e, ok := ref.(*ssa.Extract); ok && e.Index == 1 {
				v = e
			}
		}
	}
	if v == nil || v.Referrers() == nil {
		return nil
	}
	for _, ref := range *v.Referrers() {
		switch x := ref.(type) {
		case *ssa.If:
			return x.Block().Succs[1]
		case *ssa.UnOp:
			if x.Op != token.NOT {
				continue
			}
			for _, r := range *x.Referrers() {
				if ifi, ok := r.(*ssa.If); ok {
					return ifi.Block().Succs[0]
				}
			}
		}
	}
	return nil
}

// askedAfter reports whether a call of Err can run after the advance said no.
func (c *checker) askedAfter(s *sequence, errs []ssa.CallInstruction) bool {
	for _, adv := range s.advance {
		out := exit(adv)
		if out == nil {
			return true // decided elsewhere
		}
		for _, e := range errs {
			if e.Parent() != adv.Parent() {
				return true // a deferred function, a method of the holder
			}
			if _, ok := e.(*ssa.Defer); ok {
				return true
			}
			if e.Block() == out || reaches(out, e.Block(), adv.Block()) {
				return true
			}
		}
	}
	return false
}

// reaches reports whether control can come from one block to another without
// passing avoid.
func reaches(from, to, avoid *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		if seen[b] || b == avoid {
			continue
		}
		seen[b] = true
		work = append(work, b.Succs...)
	}
	return false
}

// onlyLogged reports an Err that is shown in a log, or only compared, while the
// consumer is told that all went well.
func (c *checker) onlyLogged(s *sequence, errs []ssa.CallInstruction) {
	worst := dropped
	var at ssa.CallInstruction
	for _, e := range errs {
		if c.inLoopOnly(s, e) {
			continue
		}
		f := passed
		if e.Value() != nil {
			f = c.fateOf(e.Value())
		}
		if f >= worst {
			worst = f
		}
		if f == passed {
			return
		}
		if at == nil {
			at = e
		}
	}
	if at == nil {
		return
	}
	how := c.success(at.Parent(), at.Block())
	if how == "" {
		how = c.madeUp(at)
	}
	if how == "" {
		return
	}
	verb := "only looked at"
	if worst == logged {
		verb = "only logged"
	}
	c.speak(at.Parent(), report.Finding{Pos: at.Pos(), Related: madeHere(s),
		Message: fmt.Sprintf("the error that ends %s is %s, and %s: the consumer takes what has arrived for the whole; hand the error on", s.what, verb, how)})
}

// inLoopOnly reports whether a call of Err stands where there is data still.
func (c *checker) inLoopOnly(s *sequence, e ssa.CallInstruction) bool {
	for _, adv := range s.advance {
		if adv.Parent() != e.Parent() {
			continue
		}
		out := exit(adv)
		if out != nil && e.Block() != out && !reaches(out, e.Block(), adv.Block()) {
			return true
		}
	}
	return false
}

// failsAfter reports whether every return after the advance said no gives an error
// of its own.
func (c *checker) failsAfter(adv ssa.Instruction) bool {
	fn := adv.Parent()
	i := streamflow.ErrorResult(fn.Signature)
	out := exit(adv)
	if i < 0 || out == nil {
		return false
	}
	any := false
	for _, b := range fn.Blocks {
		ret, ok := last(b).(*ssa.Return)
		if !ok || i >= len(ret.Results) || !(b == out || reaches(out, b, adv.Block())) {
			continue
		}
		any = true
		if !freshError(resultValue(ret, i)) {
			return false
		}
	}
	return any
}

// freshError reports whether v is an error that is made here and never nil.
func freshError(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.Call:
		switch streamflow.CalleeName(x) {
		case "errors.New", "fmt.Errorf", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf":
			return true
		}
	case *ssa.UnOp:
		g, ok := x.X.(*ssa.Global)
		return ok && g.Pkg != nil
	}
	return false
}

// resultValue gives what a return gives back, for a named result what was stored
// in it last in the block.
func resultValue(ret *ssa.Return, i int) ssa.Value {
	v := ret.Results[i]
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return v
	}
	a, ok := u.X.(*ssa.Alloc)
	if !ok {
		return v
	}
	instrs := ret.Block().Instrs
	for k := len(instrs) - 1; k >= 0; k-- {
		if st, ok := instrs[k].(*ssa.Store); ok && st.Addr == a {
			return st.Val
		}
	}
	return v
}
