package blindretry

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// turn says when control comes back to a call.
type turn uint8

const (
	never   turn = iota
	onError      // after an error, and not after a success
	always       // after both
)

// turns says when control comes from after a call back to it.
func (c *checker) turns(call ssa.CallInstruction) turn {
	if !c.flow.InLoop(call) {
		return never
	}
	i := streamflow.ErrorResult(call.Common().Signature())
	if i < 0 {
		return always
	}
	err := streamflow.Result(call, i)
	alias := c.aliases(call.Parent(), err)
	bad := c.comesBack(call, call, alias, false)
	good := c.comesBack(call, call, alias, true)
	switch {
	case bad && good:
		return always
	case bad:
		return onError
	}
	return never
}

// aliases gives the values that hold an error value, as far as the function's own
// variables tell.
func (c *checker) aliases(fn *ssa.Function, err ssa.Value) map[ssa.Value]bool {
	out := make(map[ssa.Value]bool)
	if err == nil {
		return out
	}
	work := []ssa.Value{err}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if out[v] {
			continue
		}
		out[v] = true
		if v.Referrers() == nil {
			continue
		}
		for _, ref := range *v.Referrers() {
			switch x := ref.(type) {
			case *ssa.Phi:
				work = append(work, x)
			case *ssa.Store:
				if a, ok := x.Addr.(*ssa.Alloc); ok && x.Val == v {
					for _, use := range *a.Referrers() {
						if load, ok := use.(*ssa.UnOp); ok {
							work = append(work, load)
						}
					}
				}
			}
		}
	}
	return out
}

// comesBack reports whether control can go from after one instruction to another
// when the error that alias names is nil (good), or is not.
func (c *checker) comesBack(from, to ssa.Instruction, alias map[ssa.Value]bool, good bool) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	var work []*ssa.BasicBlock
	push := func(b *ssa.BasicBlock) {
		succs := b.Succs
		if ifi, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
			if isNil, known := nilTest(ifi.Cond, alias); known {
				// Succs[0] is taken when the comparison holds.
				if isNil == good {
					succs = succs[:1]
				} else {
					succs = succs[1:]
				}
			} else if good && endTest(ifi.Cond, alias) {
				succs = succs[1:]
			}
		}
		work = append(work, succs...)
	}
	push(from.Block())
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if b == to.Block() {
			return true
		}
		push(b)
	}
	return false
}

// nilTest reports whether a condition compares one of the errors with nil, and
// whether it holds when the error is nil.
func nilTest(cond ssa.Value, alias map[ssa.Value]bool) (holdsOnNil, ok bool) {
	b, isBin := cond.(*ssa.BinOp)
	if !isBin || b.Op != token.EQL && b.Op != token.NEQ {
		return false, false
	}
	x, y := b.X, b.Y
	if k, isConst := x.(*ssa.Const); isConst && k.Value == nil {
		x, y = y, x
	}
	k, isConst := y.(*ssa.Const)
	if !isConst || k.Value != nil || !alias[x] {
		return false, false
	}
	return b.Op == token.EQL, true
}

// endTest reports whether a condition holds only for a certain error: err ==
// io.EOF, errors.Is(err, errDone).
func endTest(cond ssa.Value, alias map[ssa.Value]bool) bool {
	switch x := cond.(type) {
	case *ssa.BinOp:
		return x.Op == token.EQL && (alias[x.X] || alias[x.Y]) && streamflow.IsError(x.X.Type())
	case *ssa.Call:
		switch streamflow.CalleeName(x) {
		case "errors.Is", "errors.As":
			return alias[x.Call.Args[0]]
		}
	}
	return false
}

// attempt is a request that may be sent again.
type attempt struct {
	fn    *ssa.Function
	first ssa.Instruction // where data goes out the first time (in fn)
	again ssa.Instruction // where the request goes out again (in fn)
	e     *emission
	turn  turn
	// marked says that a set is asked before the request goes out: not about events.
	marked bool
}

// between reports whether an instruction runs after data has gone out and before
// the request is sent again.
func (c *checker) between(a *attempt, in ssa.Instruction) bool {
	if in == a.first || in == a.again || in.Parent() != a.fn {
		return false
	}
	return c.flow.Reaches(a.first, in) && c.flow.Reaches(in, a.again)
}

// loops reports calls in a loop that open a stream and hand its data on.
func (c *checker) loops(fn *ssa.Function) {
	for i := range c.op(fn) {
		e := &c.op(fn)[i]
		call, ok := e.at.(ssa.CallInstruction)
		if !ok || !c.flow.InLoop(call) || !c.openedAt(fn, e, call) || !c.callFails(call, e) {
			continue
		}
		if _, lib := model.RetryOf(streamflow.Callee(call)); lib {
			continue
		}
		a := &attempt{fn: fn, first: call, again: call, e: e, turn: c.turns(call)}
		if a.turn == never || !c.outside(a) {
			continue
		}
		if a.turn == always && (e.unknown || !e.endless || !c.reconnects(a)) {
			continue
		}
		if c.variesByItem(a) && a.turn == always {
			continue
		}
		if c.mended(a) {
			continue
		}
		c.report(call, e, "is called again")
	}
}

// openedAt reports whether the stream of an emission is opened inside the same
// call that hands it on.
func (c *checker) openedAt(fn *ssa.Function, e *emission, call ssa.Instruction) bool {
	for _, in := range c.reachOf(fn).lift(e.open) {
		if in == call {
			return true
		}
	}
	return false
}

// callFails reports whether the function that a call runs can fail after it has
// handed data on.
func (c *checker) callFails(call ssa.CallInstruction, e *emission) bool {
	for _, g := range c.flow.Callees(call) {
		for _, x := range c.op(g) {
			if x.src == e.src && x.fails {
				return true
			}
		}
		if len(c.op(g)) > 0 {
			return false
		}
	}
	return true
}

// inPlace reports a request that is sent again in the loop that hands the data on:
// in a loop around the loop that reads, or to replace the stream that broke.
func (c *checker) inPlace(fn *ssa.Function) {
	for i := range c.op(fn) {
		e := &c.op(fn)[i]
		for _, in := range c.reachOf(fn).lift(e.open) {
			call, ok := in.(ssa.CallInstruction)
			if !ok || in.Parent() != fn || in == e.at || !c.flow.SameLoop(in, e.at) || !c.flow.Reaches(e.at, in) {
				continue
			}
			if c.openedAt(fn, e, e.at) {
				continue // a loop whose calls each open and read: see loops
			}
			a := &attempt{fn: fn, first: e.at, again: call, e: e, turn: c.placeTurn(e.at, call)}
			if a.turn == never || !c.outside(a) {
				continue
			}
			if a.turn == always && (!e.endless || !c.reconnects(a) || c.variesByItem(a)) {
				continue
			}
			if c.mended(a) {
				continue
			}
			c.report(call, e, "sends the request again")
		}
	}
}

// placeTurn says when control comes from where data goes out to where the request
// is sent again: only after an error of the stream, or anyhow.
func (c *checker) placeTurn(out, again ssa.Instruction) turn {
	// An error other than that of sending decides whether the request goes out again.
	own := make(map[ssa.Value]bool)
	if call, ok := again.(ssa.CallInstruction); ok {
		if i := streamflow.ErrorResult(call.Common().Signature()); i >= 0 {
			own = map[ssa.Value]bool{streamflow.Result(call, i): true}
		}
	}
	for _, b := range again.Parent().Blocks {
		ifi, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !c.flow.Reaches(out, ifi) {
			continue
		}
		bin, ok := ifi.Cond.(*ssa.BinOp)
		var isError bool
		eq := true
		switch {
		case ok && (bin.Op == token.EQL || bin.Op == token.NEQ) && streamflow.IsError(bin.X.Type()) && !own[bin.X] && !own[bin.Y]:
			isError, eq = true, bin.Op == token.EQL
		default:
			if call, ok := ifi.Cond.(*ssa.Call); ok && streamflow.CalleeName(call) == "errors.Is" {
				isError = true
			}
		}
		if !isError || contextError(ifi.Cond) {
			continue
		}
		good, bad := b.Succs[0], b.Succs[1] // err == nil, err == io.EOF
		if !eq {
			good, bad = bad, good
		}
		if c.leads(bad, again, b) && !c.leads(good, again, b) {
			return onError
		}
	}
	// Sent again under an error's condition alone.
	for _, g := range c.flow.Guards(again) {
		if b, ok := g.Cond.(*ssa.BinOp); ok && streamflow.IsError(b.X.Type()) && !own[b.X] && !contextError(b) {
			if k, ok := b.Y.(*ssa.Const); ok && k.Value == nil && (b.Op == token.NEQ) == (g.Branch == streamflow.True) {
				return onError
			}
		}
	}
	return always
}

// contextError reports whether a condition asks a context for its error.
func contextError(cond ssa.Value) bool {
	b, ok := cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	for _, v := range []ssa.Value{b.X, b.Y} {
		if call, ok := v.(*ssa.Call); ok && streamflow.CalleeName(call) == "(context.Context).Err" {
			return true
		}
	}
	return false
}

// leads reports whether control can go from a block to an instruction without
// entering avoid.
func (c *checker) leads(from *ssa.BasicBlock, to ssa.Instruction, avoid *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{avoid: true}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if b == to.Block() {
			return true
		}
		work = append(work, b.Succs...)
	}
	return false
}

// outside reports whether the target of an emission outlives the attempt.
func (c *checker) outside(a *attempt) bool {
	switch t := a.e.target.(type) {
	case nil:
		return true
	case *ssa.Global, *ssa.Parameter, *ssa.FreeVar:
		return true
	case *ssa.Const, *ssa.Function, *ssa.Builtin, *ssa.MakeClosure:
		return false
	default:
		in, ok := t.(ssa.Instruction)
		if !ok {
			return false
		}
		if in.Parent() != a.fn {
			return true
		}
		if a.first == a.again {
			return !c.flow.SameLoop(in, a.again)
		}
		return !(c.flow.SameLoop(in, a.again) && c.flow.Reaches(a.first, in))
	}
}

// reconnects reports whether a loop that goes on after success and error alike
// looks like one that reconnects: it waits a while between the rounds, no ticker
// drives it, and nothing comes in that asks for a new request.
func (c *checker) reconnects(a *attempt) bool {
	waits := false
	for _, b := range a.fn.Blocks {
		if len(b.Instrs) == 0 || !c.flow.SameLoop(b.Instrs[0], a.again) {
			continue
		}
		for _, in := range b.Instrs {
			if a.first != a.again && !c.between(a, in) {
				continue
			}
			switch x := in.(type) {
			case *ssa.Range:
				return false
			case *ssa.UnOp:
				if x.Op == token.ARROW && !c.signal(x.X) {
					return false
				}
			case *ssa.Select:
				for _, st := range x.States {
					if st.Dir == types.RecvOnly && !c.signal(st.Chan) {
						return false
					}
				}
			case ssa.CallInstruction:
				if in == a.again || in == a.first {
					continue
				}
				switch name := streamflow.CalleeName(x); {
				case name == "time.Tick", name == "time.NewTicker":
					return false
				case name == "time.Sleep", name == "time.After", name == "time.NewTimer", name == "(time.Timer).Reset":
					waits = true
				case strings.HasPrefix(name, "(bufio.Scanner)."), strings.HasPrefix(name, "(bufio.Reader).Read"):
					if a.first == a.again {
						return false // input that asks for the next request
					}
				default:
					for _, arg := range x.Common().Args {
						if model.TypeName(arg.Type()) == "time.Duration" {
							waits = true
						}
					}
				}
			}
		}
	}
	return waits
}

// signal reports whether a channel only tells that something is over or that time
// has passed.
func (c *checker) signal(ch ssa.Value) bool {
	t, ok := ch.Type().Underlying().(*types.Chan)
	if !ok {
		return true
	}
	if st, ok := t.Elem().Underlying().(*types.Struct); ok && st.NumFields() == 0 {
		return true
	}
	if model.TypeName(t.Elem()) != "time.Time" {
		return false
	}
	if load, ok := ch.(*ssa.UnOp); ok {
		if fa, ok := load.X.(*ssa.FieldAddr); ok && model.TypeName(fa.X.Type()) == "time.Ticker" {
			return false
		}
	}
	return true
}

// variesByItem reports whether what is asked for differs from round to round: an
// element of a range, something received or read in the loop.
func (c *checker) variesByItem(a *attempt) bool {
	call, ok := a.again.(ssa.CallInstruction)
	if !ok {
		return false
	}
	found := false
	c.slice(streamflow.Args(call), a.fn, func(v ssa.Value) bool {
		in, ok := v.(ssa.Instruction)
		if !ok || in.Parent() != a.fn || !c.flow.SameLoop(in, a.again) {
			return true
		}
		switch x := v.(type) {
		case *ssa.Next:
			found = true
		case *ssa.IndexAddr, *ssa.Index:
			found = true
		case *ssa.UnOp:
			if x.Op == token.ARROW {
				found = true
			}
		case *ssa.Call:
			if v == a.again.(ssa.Value) {
				return false
			}
		}
		return !found
	})
	return found
}

// recursion reports a function that calls itself after an error of the stream that
// it has handed on.
func (c *checker) recursion(fn *ssa.Function) {
	for i := range c.op(fn) {
		e := &c.op(fn)[i]
		p, ok := e.target.(*ssa.Parameter)
		if !ok || p.Parent() != fn {
			continue
		}
		for _, call := range c.flow.Calls(fn) {
			if call == e.at || !c.leadsTo(call, fn) || !c.flow.Reaches(e.at, call) || !c.underError(call, nil) {
				continue
			}
			if i := streamflow.ParamIndex(p); i >= len(streamflow.Args(call)) || c.root(streamflow.Args(call)[i]) != ssa.Value(p) {
				continue
			}
			a := &attempt{fn: fn, first: e.at, again: call, e: e, turn: onError}
			if !c.mended(a) {
				c.report(call, e, "sends the request again")
			}
		}
	}
}

// leadsTo reports whether a call runs fn, directly or through one function.
func (c *checker) leadsTo(call ssa.CallInstruction, fn *ssa.Function) bool {
	for _, g := range c.flow.Callees(call) {
		if g == fn {
			return true
		}
		for _, inner := range c.flow.Calls(g) {
			for _, h := range c.flow.Callees(inner) {
				if h == fn {
					return true
				}
			}
		}
	}
	return false
}

// underError reports whether an instruction runs only when an error is not nil:
// one of alias, or any but a context's.
func (c *checker) underError(in ssa.Instruction, alias map[ssa.Value]bool) bool {
	for _, g := range c.flow.Guards(in) {
		b, ok := g.Cond.(*ssa.BinOp)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ || contextError(b) {
			continue
		}
		x, y := b.X, b.Y
		k, ok := y.(*ssa.Const)
		if !ok || k.Value != nil || !streamflow.IsError(x.Type()) || alias != nil && !alias[x] {
			continue
		}
		if (b.Op == token.NEQ) == (g.Branch == streamflow.True) {
			return true
		}
	}
	return false
}

// libraries reports operations given to a retry library, or to a function that
// calls its argument again after an error.
func (c *checker) libraries(fn *ssa.Function) {
	for _, call := range c.flow.Calls(fn) {
		for _, arg := range c.operations(call) {
			for _, op := range c.functions(arg) {
				for i := range c.op(op) {
					e := &c.op(op)[i]
					if !e.fails || !c.outsideOp(op, e) || e.unknown && c.root(arg) == nil {
						continue
					}
					a := &attempt{fn: op, first: e.at, again: e.at, e: e, turn: onError}
					if c.mended(a) || c.stops(call, op, e) {
						continue
					}
					c.report(call, e, "runs its operation again")
				}
			}
		}
	}
}

// operations gives the arguments of a call that are called again after an error.
func (c *checker) operations(call ssa.CallInstruction) []ssa.Value {
	callee := streamflow.Callee(call)
	args := streamflow.Args(call)
	var out []ssa.Value
	if callee == nil {
		return nil
	}
	if r, ok := model.RetryOf(callee); ok {
		if r.Op < len(args) {
			out = append(out, args[r.Op])
		}
		return out
	}
	if f := c.fact(callee); f != nil {
		for _, i := range f.Repeats {
			if i < len(args) {
				out = append(out, args[i])
			}
		}
		return out
	}
	if body := c.flow.Body(call); body != nil {
		for i, p := range body.Params {
			if i < len(args) && c.repeatsParam(body, p) {
				out = append(out, args[i])
			}
		}
	}
	return out
}

// functions gives the functions of the package that a function value can be.
func (c *checker) functions(v ssa.Value) []*ssa.Function {
	switch x := v.(type) {
	case *ssa.Function:
		return []*ssa.Function{x}
	case *ssa.MakeClosure:
		fn := x.Fn.(*ssa.Function)
		if fn.Synthetic != "" && len(fn.Blocks) > 0 { // a bound method
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					if call, ok := in.(ssa.CallInstruction); ok {
						if body := c.flow.Body(call); body != nil {
							return []*ssa.Function{body}
						}
					}
				}
			}
		}
		return []*ssa.Function{fn}
	case *ssa.ChangeType:
		return c.functions(x.X)
	case *ssa.UnOp:
		var out []*ssa.Function
		for _, p := range c.flow.Puts(c.flow.Location(x.X)) {
			if p.Val != nil && len(out) < 4 {
				if _, ok := p.Val.(*ssa.UnOp); !ok {
					out = append(out, c.functions(p.Val)...)
				}
			}
		}
		return out
	}
	return nil
}

// outsideOp reports whether the target of an emission outlives one run of the
// operation.
func (c *checker) outsideOp(op *ssa.Function, e *emission) bool {
	switch t := e.target.(type) {
	case nil:
		return true
	case *ssa.Global, *ssa.FreeVar:
		return true
	case *ssa.Parameter:
		return t.Parent() != op || op.Signature.Recv() != nil && streamflow.ParamIndex(t) == 0
	case *ssa.Const, *ssa.Function, *ssa.Builtin, *ssa.MakeClosure:
		return false
	default:
		in, ok := t.(ssa.Instruction)
		return ok && in.Parent() != op
	}
}

// stops reports whether the operation tells the library not to go on, once data
// has gone out.
func (c *checker) stops(lib ssa.CallInstruction, op *ssa.Function, e *emission) bool {
	// sethvargo/go-retry goes on only after errors that are marked.
	needs, has := false, false
	if fn := streamflow.Callee(lib); fn != nil && fn.Pkg() != nil {
		needs = model.Path(fn.Pkg().Path()) == "github.com/sethvargo/go-retry"
	}
	for _, g := range c.reachOf(op).fns {
		for _, call := range c.flow.Calls(g) {
			if g == op && call != e.at && !c.flow.Reaches(e.at, call) {
				continue
			}
			switch name := streamflow.CalleeName(call); name {
			case "github.com/cenkalti/backoff.Permanent", "github.com/avast/retry-go.Unrecoverable":
				return true
			case "github.com/sethvargo/go-retry.RetryableError":
				has = true
			}
		}
	}
	return needs && !has
}

// second reports a second request under the error of the first, to the same
// target: a middleware that calls the next one twice, a fallback to another model.
func (c *checker) second(fn *ssa.Function) {
	ops := c.op(fn)
	for i := range ops {
		one, ok := ops[i].at.(ssa.CallInstruction)
		if !ok || !c.openedAt(fn, &ops[i], one) || !c.callFails(one, &ops[i]) {
			continue
		}
		k := streamflow.ErrorResult(one.Common().Signature())
		if k < 0 {
			continue
		}
		alias := c.aliases(fn, streamflow.Result(one, k))
		for j := range ops {
			two, ok := ops[j].at.(ssa.CallInstruction)
			if !ok || one == two || c.flow.SameLoop(one, two) || !c.openedAt(fn, &ops[j], two) ||
				!c.flow.Reaches(one, two) || ops[i].target != ops[j].target || ops[i].place != ops[j].place || !c.underError(two, alias) {
				continue
			}
			a := &attempt{fn: fn, first: one, again: two, e: &ops[i], turn: onError}
			if in, ok := ops[i].target.(ssa.Instruction); ok && in.Parent() == fn && c.flow.Reaches(one, in) {
				continue
			}
			if !c.mended(a) {
				c.report(two, &ops[i], "sends the request again")
			}
		}
	}
}
