package streamflow

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// End says what the conditions around an instruction tell about the end of the
// stream.
type End uint8

// The verdicts, weakest first.
const (
	Open     End = iota // nothing here says that the stream has ended
	Unsure              // a condition stands here that the engine does not understand
	Terminal            // the instruction runs only when the end was shown
)

// Ending looks at the conditions that decide whether the instruction runs.
// Conditions that only ask whether there is data, or whether the last step went
// well, leave it Open. A condition on what ends a protocol makes it Terminal: a
// finish reason, an event type, a marker, io.EOF, a closed channel, a flag set
// under such a condition. Everything else is Unsure.
func (f *Flow) Ending(in ssa.Instruction) End {
	e := &ender{f: f, seen: make(map[ssa.Value]bool), asked: make(map[bodyResult]bool), steps: 2000}
	return e.at(in)
}

// EndingAll is Ending for a use and the calls that lead to it.
func (f *Flow) EndingAll(uses []ssa.Instruction) End {
	worst := Open
	for _, in := range uses {
		worst = max(worst, f.Ending(in))
	}
	return worst
}

type ender struct {
	f     *Flow
	seen  map[ssa.Value]bool
	asked map[bodyResult]bool // results of functions that were looked into: a second time adds nothing
	depth int
	steps int // what is left to look at; without any the answer is Unsure
}

type bodyResult struct {
	body    *ssa.Function
	i       int
	outcome bool
}

func (e *ender) at(in ssa.Instruction) End {
	if e.depth > 6 {
		return Unsure
	}
	e.depth++
	defer func() { e.depth-- }()
	out := Open
	for _, g := range e.f.Guards(in) {
		var v End
		switch g.Branch {
		case True:
			v = e.cond(g.Cond, true)
		case False:
			v = e.cond(g.Cond, false)
		default:
			// One arm of an "or": only a clear ending counts.
			if v = max(e.cond(g.Cond, true), e.cond(g.Cond, false)); v == Unsure {
				v = Open
			}
		}
		out = max(out, v)
		if out == Terminal {
			return out
		}
	}
	return out
}

// cond says what it tells that v has the given outcome.
func (e *ender) cond(v ssa.Value, outcome bool) End {
	if e.steps--; e.steps <= 0 {
		return Unsure
	}
	switch x := v.(type) {
	case *ssa.Const:
		return Open
	case *ssa.UnOp:
		switch x.Op {
		case token.NOT:
			return e.cond(x.X, !outcome)
		case token.MUL:
			return e.flag(x, outcome)
		}
	case *ssa.BinOp:
		return e.compare(x, outcome)
	case *ssa.Extract:
		return e.extract(x, outcome)
	case *ssa.Call:
		return e.call(x, outcome)
	case *ssa.Phi, *ssa.Field, *ssa.Parameter, *ssa.FreeVar:
		return e.flag(v, outcome)
	}
	return Unsure
}

func (e *ender) extract(x *ssa.Extract, outcome bool) End {
	switch t := x.Tuple.(type) {
	case *ssa.Lookup, *ssa.Next:
		return Open
	case *ssa.TypeAssert:
		if e.f.typeRole(t.AssertedType) == model.RoleFinish {
			if outcome {
				return Terminal
			}
			return Open
		}
		return Open
	case *ssa.UnOp:
		if t.Op == token.ARROW && !outcome {
			return Terminal
		}
		return Open
	case *ssa.Select:
		if x.Index == 1 && !outcome {
			return Terminal
		}
		return Open
	case *ssa.Call:
		switch CalleeName(t) {
		case "strings.CutPrefix", "strings.CutSuffix", "strings.Cut", "bytes.CutPrefix", "bytes.CutSuffix", "bytes.Cut":
			if args := Args(t); len(args) > 1 && outcome && e.endingText(args[1]) {
				return Terminal
			}
			return Open
		}
		if IsError(x.Type()) {
			return Unsure
		}
		if nextLike(t, x.Index) && len(e.f.callees(t)) == 0 {
			if outcome {
				return Open // ev, ok := next(): one more came
			}
			return Terminal
		}
		return e.result(t, x.Index, outcome)
	}
	return Unsure
}

// nextLike reports whether a call gives one thing and whether there was one, as
// the pull form of an iterator does. Text beside the verdict could be what a
// parser has put together so far, and the verdict that it is whole: that is not
// meant.
func nextLike(call *ssa.Call, i int) bool {
	res := call.Call.Signature().Results()
	return res.Len() == 2 && i == 1 && len(call.Call.Args) <= 1 && !IsText(res.At(0).Type())
}

// compare judges a comparison.
func (e *ender) compare(b *ssa.BinOp, outcome bool) End {
	x, y := b.X, b.Y
	if _, ok := x.(*ssa.Const); ok {
		x, y = y, x
	}
	if _, ok := x.(*ssa.Const); ok {
		return Open // both are: the bounds of a counted loop
	}
	equal := b.Op == token.EQL && outcome || b.Op == token.NEQ && !outcome
	switch b.Op {
	case token.EQL, token.NEQ:
	default: // an order
		return e.order(x, y)
	}
	if IsError(x.Type()) || IsError(y.Type()) {
		return e.errorCompare(x, y, equal)
	}
	c, ok := y.(*ssa.Const)
	if !ok {
		if e.isFinish(x) || e.isFinish(y) {
			return Terminal
		}
		if isNumber(x.Type()) {
			return Unsure // a count compared with a count: somebody keeps the books
		}
		return Open
	}
	if c.Value == nil { // nil
		if e.isFinish(x) {
			if !equal {
				return Terminal
			}
			return Open
		}
		return Open
	}
	switch c.Value.Kind() {
	case constant.String:
		s := constant.StringVal(c.Value)
		if s == "" {
			if !equal && e.isFinish(x) {
				return Terminal
			}
			return Open
		}
		if model.IsEnding(s) {
			if equal {
				return Terminal
			}
			return Open
		}
		if !equal && e.isFinish(x) {
			// finish != "null": some end was shown, whichever.
			return Terminal
		}
		return Open
	case constant.Bool:
		return e.cond(x, constant.BoolVal(c.Value) == equal)
	case constant.Int:
		if isLen(x) || e.isCount(x) || induction(x) {
			return Open
		}
		if e.isFinish(x) {
			return Terminal
		}
		return Unsure // perhaps the enumeration's value that ends
	}
	return Unsure
}

// order judges a < b and its kin: loop bounds and emptiness are no ending.
func (e *ender) order(x, y ssa.Value) End {
	if _, ok := y.(*ssa.Const); ok && (isLen(x) || e.isCount(x)) {
		return Open
	}
	if induction(x) || induction(y) {
		return Open
	}
	return Unsure
}

// induction reports whether v counts: it is a variable that only ever takes
// constants and grows or shrinks by constants, or a range index.
func induction(v ssa.Value) bool {
	seen := make(map[ssa.Value]bool)
	grows := false
	var ask func(v ssa.Value) bool
	ask = func(v ssa.Value) bool {
		if seen[v] {
			return true
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Const:
			return true
		case *ssa.BinOp:
			if x.Op != token.ADD && x.Op != token.SUB {
				return false
			}
			grows = true
			_, left := x.X.(*ssa.Const)
			_, right := x.Y.(*ssa.Const)
			return right && ask(x.X) || left && ask(x.Y)
		case *ssa.Phi:
			for _, e := range x.Edges {
				if !ask(e) {
					return false
				}
			}
			return true
		}
		return false
	}
	return ask(v) && grows
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

func isLen(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	return ok && (isBuiltin(call, "len") || isBuiltin(call, "cap"))
}

// isCount reports whether v is the count of a read or a write.
func (e *ender) isCount(v ssa.Value) bool {
	x, ok := v.(*ssa.Extract)
	if !ok || x.Index != 0 {
		return false
	}
	_, ok = x.Tuple.(*ssa.Call)
	return ok
}

// errorCompare judges err == nil, err == io.EOF.
func (e *ender) errorCompare(x, y ssa.Value, equal bool) End {
	if c, ok := y.(*ssa.Const); ok && c.Value == nil {
		if equal {
			return Open
		}
		if e.decodeError(x) {
			return Open
		}
		return Terminal // the stream broke or ended
	}
	if equal {
		return Terminal // err == io.EOF, err == errDone
	}
	return Open
}

// decodeError reports whether an error value comes from decode calls only.
func (e *ender) decodeError(v ssa.Value) bool {
	origins := e.f.Trace(v)
	if len(origins) == 0 {
		return false
	}
	for _, o := range origins {
		if o.Kind == Const {
			continue
		}
		call, ok := o.Instr.(ssa.CallInstruction)
		if o.Kind != Error || !ok || !e.f.IsDecode(call) {
			return false
		}
	}
	return true
}

// isFinish reports whether a value comes from something that shows an end.
func (e *ender) isFinish(v ssa.Value) bool {
	for _, o := range e.f.Trace(v) {
		if o.Kind == Finish {
			return true
		}
	}
	return false
}

func (e *ender) endingText(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Const:
		return x.Value != nil && x.Value.Kind() == constant.String && model.IsEnding(constant.StringVal(x.Value))
	case *ssa.Convert:
		return e.endingText(x.X)
	case *ssa.UnOp:
		for _, o := range e.f.Trace(x) {
			if o.Kind == Const && model.IsEnding(o.What) {
				return true
			}
		}
	}
	return false
}

// call judges a call used as a condition.
func (e *ender) call(call *ssa.Call, outcome bool) End {
	args := Args(call)
	switch name := CalleeName(call); name {
	case "errors.Is", "errors.As":
		if outcome {
			return Terminal
		}
		return Open
	case "strings.HasPrefix", "strings.Contains", "strings.HasSuffix", "strings.EqualFold",
		"bytes.HasPrefix", "bytes.Contains", "bytes.HasSuffix", "bytes.Equal", "bytes.EqualFold":
		if outcome && len(args) > 1 && (e.endingText(args[1]) || e.endingText(args[0])) {
			return Terminal
		}
		return Open
	case "(bufio.Scanner).Scan":
		if outcome {
			return Open
		}
		return Terminal
	default:
		if name == "" && isBuiltin(call, "len") {
			return Open
		}
	}
	for _, d := range e.f.decodes {
		if d.Call == ssa.CallInstruction(call) && d.Bool {
			return Open
		}
	}
	// Next() bool of an iterator: more came.
	if fn := Callee(call); fn != nil && fn.Signature().Recv() != nil && fn.Signature().Params().Len() == 0 && (fn.Name() == "Next" || fn.Name() == "More") {
		if outcome {
			return Open
		}
		return Terminal
	}
	return e.result(call, 0, outcome)
}

// result judges a bool that a function of the package returns: by the conditions
// under which it returns true, or false.
func (e *ender) result(call *ssa.Call, i int, outcome bool) End {
	bodies := e.f.callees(call)
	if len(bodies) == 0 || e.depth > 4 {
		return Unsure
	}
	e.depth++
	defer func() { e.depth-- }()
	out := Open
	for _, body := range bodies {
		if k := (bodyResult{body, i, outcome}); e.asked[k] {
			continue
		} else {
			e.asked[k] = true
		}
		for _, b := range body.Blocks {
			ret, ok := last(b).(*ssa.Return)
			if !ok || i >= len(ret.Results) {
				continue
			}
			v := ret.Results[i]
			if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool {
				if constant.BoolVal(c.Value) != outcome {
					continue
				}
				out = max(out, e.at(ret))
				continue
			}
			out = max(out, e.cond(v, outcome))
		}
	}
	return out
}

// flag judges a bool variable: by what it was set to and where.
func (e *ender) flag(v ssa.Value, outcome bool) End {
	if e.seen[v] {
		return Open
	}
	e.seen[v] = true
	switch x := v.(type) {
	case *ssa.Phi:
		out := Open
		for i, edge := range x.Edges {
			if c, ok := edge.(*ssa.Const); ok && c.Value != nil {
				if constant.BoolVal(c.Value) == outcome && i < len(x.Block().Preds) {
					pred := x.Block().Preds[i]
					if in := last(pred); in != nil {
						out = max(out, e.at(in))
						if ifi, ok := in.(*ssa.If); ok {
							out = max(out, e.cond(ifi.Cond, pred.Succs[0] == x.Block()))
						}
					}
				}
				continue
			}
			if edge != v {
				out = max(out, e.cond(edge, outcome))
			}
		}
		return out
	case *ssa.Parameter:
		if !outcome {
			return Open
		}
		sites := e.f.Callers(x.Parent())
		if len(sites) == 0 || e.depth > 3 {
			return Unsure
		}
		out := Open
		k := paramIndex(x)
		for _, s := range sites {
			if k < len(s.Args) {
				out = max(out, e.cond(s.Args[k], outcome))
			}
		}
		return max(out, Unsure)
	}
	if e.isFinish(v) {
		if outcome {
			return Terminal
		}
		return Open
	}
	ws := e.f.writes[e.f.location(v)]
	out := Unsure
	for _, w := range ws {
		if w.kind != wrStore {
			continue
		}
		if c, ok := w.val.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool {
			if constant.BoolVal(c.Value) == outcome && outcome {
				out = max(out, e.at(w.instr))
			}
			continue
		}
		out = max(out, e.cond(w.val, outcome))
	}
	if !outcome && out == Unsure && len(ws) > 0 {
		return Open
	}
	return out
}
