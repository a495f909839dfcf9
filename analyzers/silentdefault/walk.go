package silentdefault

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/streamflow"
)

// eventKind says what happens on the way of a failed decode.
type eventKind uint8

const (
	skipped  eventKind = iota // the piece is left out: continue, or return with nothing said
	returned                  // an empty value is returned as if all were well
	used                      // the value is passed on
)

type event struct {
	kind eventKind
	at   ssa.Instruction
	// said says that something was told on the way: a log, a callback, a count.
	said bool
	// quietly says that all that was told is a log line below the usual level.
	quietly bool
	// replaced says that an empty value was put in the place of the decoded one.
	replaced bool
	// early says that nothing has looked at the error yet, though something will.
	early bool
	// again is the loop's next turn.
	again bool
}

// walk follows the control flow of a failed decode.
type walk struct {
	c *checker
	s *subject
	t *target

	errs    map[ssa.Value]bool // the error itself
	derived map[ssa.Value]bool // made from the error
	errOnly map[*ssa.BasicBlock]bool

	dropped bool // nothing looks at the error
	stored  bool // the error is kept for somebody to read
	rawKept bool // the undecoded text is kept
	events  []event
	// goesOn says that there is a way on, or out, that says nothing of a failure.
	goesOn bool
	// told says that the error branch speaks of the failure on one of its ways.
	told bool
	// others are the uses of what was decoded from the same text into something else.
	others map[ssa.Instruction]bool
	full   *target // as t, with what is put into variables on other ways too
}

func (c *checker) walk(s *subject, t *target) *walk {
	w := &walk{c: c, s: s, t: t,
		errs: make(map[ssa.Value]bool), derived: make(map[ssa.Value]bool), errOnly: make(map[*ssa.BasicBlock]bool)}
	w.dropped = !referred(s.err)
	if !w.dropped {
		w.follow(s.err)
		w.branches()
		for b := range w.errOnly {
			for _, in := range b.Instrs {
				if call, ok := in.(ssa.CallInstruction); ok && streamflow.IsPrint(call) && !quiet(call) && w.mentions(call) {
					w.told = true
				}
			}
		}
	}
	w.full = c.fullTarget(s, t)
	w.others = make(map[ssa.Instruction]bool)
	for _, d := range c.inside[s.fn] {
		if d != s && !d.valid && !s.valid && referred(d.err) && same(d.data, s.data, 0) {
			if o := c.target(d); o != nil && !o.out {
				for in := range c.fullTarget(d, o).uses {
					if !w.full.uses[in] {
						w.others[in] = true
					}
				}
			}
		}
	}
	if w.prefilledRaw() {
		w.rawKept = true
		return w
	}
	w.run()
	return w
}

// silent reports whether nothing is to be said whatever else happens.
func (w *walk) silent() bool { return w.stored || w.rawKept }

// ranked gives the events that may be reported, the worst first.
func (w *walk) ranked() []*event {
	var out []*event
	for i := range w.events {
		ev := &w.events[i]
		if ev.kind == used && (!w.goesOn || ev.early) {
			continue // every way out returns an error, or it is looked at later
		}
		if ev.kind != used && w.told {
			ev.said, ev.quietly = true, false
		}
		out = append(out, ev)
	}
	slices.SortStableFunc(out, func(a, b *event) int {
		switch {
		case a.kind != b.kind:
			return int(b.kind) - int(a.kind)
		case a.said != b.said && b.said:
			return -1
		case a.said != b.said:
			return 1
		}
		return 0
	})
	return out
}

// follow notes the values that are the error, or made from it.
func (w *walk) follow(err ssa.Value) {
	type item struct {
		v    ssa.Value
		self bool
	}
	work := []item{{err, true}}
	for len(work) > 0 {
		it := work[len(work)-1]
		work = work[:len(work)-1]
		set := w.derived
		if it.self {
			set = w.errs
		}
		if set[it.v] || it.v.Referrers() == nil {
			continue
		}
		set[it.v] = true
		for _, ref := range *it.v.Referrers() {
			switch x := ref.(type) {
			case *ssa.Phi:
				work = append(work, item{x, it.self})
			case *ssa.ChangeInterface:
				work = append(work, item{x, it.self})
			case *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Extract, *ssa.Convert, *ssa.ChangeType, *ssa.Slice, *ssa.Field:
				work = append(work, item{x.(ssa.Value), false})
			case *ssa.UnOp:
				if x.Op == token.NOT {
					work = append(work, item{x, it.self})
				} else if x.Op == token.MUL {
					work = append(work, item{x, it.self && streamflow.IsError(x.Type())})
				}
			case *ssa.BinOp:
				if x.Op == token.ADD {
					work = append(work, item{x, false})
				}
			case *ssa.Store:
				if x.Val != it.v {
					continue
				}
				if a, ok := root(x.Addr).(*ssa.Alloc); ok {
					if a == x.Addr && it.self {
						// A variable of its own: its reads are the error again, unless a
						// closure reads it too.
						for _, r := range *a.Referrers() {
							switch r := r.(type) {
							case *ssa.UnOp:
								if w.c.flow.Reaches(x, r) {
									work = append(work, item{r, true})
								}
							case *ssa.MakeClosure:
								w.stored = true
							}
						}
						continue
					}
					work = append(work, item{a, false})
				}
			case *ssa.Call:
				if isPure(x) || it.self && isErrorType(x.Type()) { // wrapped, here or by a helper
					work = append(work, item{x, false})
				}
			}
		}
	}
}

// branches notes the blocks that run only after the decode has failed.
func (w *walk) branches() {
	for _, b := range w.s.fn.Blocks {
		ifi, ok := last(b).(*ssa.If)
		if !ok {
			continue
		}
		t, f := w.failing(ifi.Cond)
		for i, on := range []bool{t, f} {
			s := b.Succs[i]
			if !on || t && f || len(s.Preds) != 1 {
				continue
			}
			for _, x := range w.s.fn.Blocks {
				if s.Dominates(x) {
					w.errOnly[x] = true
				}
			}
		}
	}
}

// failing says which outcomes of a condition can follow a failed decode, as far
// as the condition is about the error. An error that is one in particular (io.EOF,
// a type that errors.As finds) is known and so not lost.
func (w *walk) failing(cond ssa.Value) (onTrue, onFalse bool) {
	switch x := cond.(type) {
	case *ssa.UnOp:
		if x.Op == token.NOT {
			if w.s.valid && w.errs[x.X] {
				return true, false
			}
			t, f := w.failing(x.X)
			return f, t
		}
	case *ssa.BinOp:
		if x.Op != token.EQL && x.Op != token.NEQ {
			break
		}
		a, b := x.X, x.Y
		if isNil(a) {
			a, b = b, a
		}
		if w.errs[a] && !w.s.valid {
			// The error against nil or against one in particular: either way a failure
			// that nobody has named goes on where they differ.
			return x.Op == token.NEQ, x.Op == token.EQL
		}
		if w.errs[b] && !w.s.valid || w.derived[a] && !isNil(b) || w.derived[b] {
			return x.Op == token.NEQ, x.Op == token.EQL
		}
	case *ssa.Call:
		if isPure(x) {
			for _, a := range streamflow.Args(x) {
				if w.errs[a] || w.derived[a] {
					return false, true // errors.Is, errors.As, strings.Contains(err.Error(), ...)
				}
			}
		}
		for _, a := range streamflow.Args(x) {
			if w.errs[a] && len(streamflow.Args(x)) == 1 && !w.s.valid {
				return false, true // isClosed(err)
			}
		}
	case *ssa.Extract:
		if ta, ok := x.Tuple.(*ssa.TypeAssert); ok && x.Index == 1 && w.errs[ta.X] {
			return false, true
		}
		if call, ok := x.Tuple.(*ssa.Call); ok && x.Index > 0 && isBool(x.Type()) { // errors.AsType
			for _, a := range call.Call.Args {
				if w.errs[a] {
					return false, true
				}
			}
		}
	}
	if w.s.valid && w.errs[cond] {
		return false, true
	}
	return true, true
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// prefilledRaw reports whether the undecoded text is put into the target before the
// decode: the entry is good without it.
func (w *walk) prefilledRaw() bool {
	a, ok := w.t.root.(*ssa.Alloc)
	if !ok || w.s.valid {
		return false
	}
	for _, ref := range *a.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok || !referred(fa) {
			continue
		}
		for _, r := range *fa.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == fa && w.isRaw(st.Val) {
				return true
			}
		}
	}
	return false
}

func (w *walk) isRaw(v ssa.Value) bool {
	if _, ok := v.(*ssa.Const); ok {
		return false
	}
	return same(v, w.s.data, 0)
}

type place struct {
	b        *ssa.BasicBlock
	pred     *ssa.BasicBlock
	replaced bool
	said     bool
	quietly  bool
	raw      bool // valid only: the text itself, not yet replaced
	checked  bool // a condition has looked at the error
}

// run visits what control can reach once the decode has failed.
func (w *walk) run() {
	start := w.s.call.Block()
	seen := make(map[place]bool)
	var work []place
	step := func(p place, from int) {
		b := p.b
		for _, in := range b.Instrs[from:] {
			if !w.visit(in, &p) {
				return
			}
		}
		on := []bool{true, true}
		if ifi, ok := last(b).(*ssa.If); ok && len(w.errs) > 0 {
			on[0], on[1] = w.failing(ifi.Cond)
		}
		for i, s := range b.Succs {
			if i < 2 && !on[i] {
				continue
			}
			n := p
			n.b, n.pred = s, b
			n.checked = n.checked || on[0] != on[1]
			if w.enter(&n) && !seen[n] && len(seen) < 4000 {
				seen[n] = true
				work = append(work, n)
			}
		}
	}
	for i, in := range start.Instrs {
		if in == w.s.call.(ssa.Instruction) {
			step(place{b: start, raw: w.s.valid && w.t.cell == nil}, i+1)
			break
		}
	}
	for len(work) > 0 && !w.silent() {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		step(p, 0)
	}
}

// enter looks at the border of a block: the next turn of a loop, and the merges.
func (w *walk) enter(p *place) bool {
	home := w.s.call.Block()
	if p.b.Dominates(home) && (p.b == home || w.c.flow.SameLoop(p.b.Instrs[0], w.s.call)) {
		if w.carried(p) {
			w.stored = true // the last error is kept for after the loop
			return false
		}
		w.goesOn = true
		w.events = append(w.events, event{kind: skipped, at: last(p.pred), said: p.said, quietly: p.quietly, again: true})
		return false
	}
	k := edgeFrom(p)
	for _, in := range p.b.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		if k < 0 {
			continue
		}
		edge := phi.Edges[k]
		if w.t.links[phi] != nil {
			switch {
			case w.t.values[edge]:
				w.t.follow.value(phi)
			case !w.s.valid && w.isRaw(edge):
				w.rawKept = true
			}
		}
		if w.t.same[phi] {
			switch {
			case edge == w.t.root || w.isSame(edge):
			case isDefault(edge):
				p.replaced, p.raw = true, false
			default:
				return false // another value takes its place
			}
			continue
		}
		// A count or a flag that the error branch sets.
		if w.errOnly[p.pred] && !w.errOnly[p.b] && countOrFlag(phi, edge) {
			p.said, p.quietly = true, false
		}
	}
	return true
}

// edgeFrom gives the place of the block that control comes from among the others.
func edgeFrom(p *place) int {
	for i, q := range p.b.Preds {
		if q == p.pred {
			return i
		}
	}
	return -1
}

// carried reports whether the error goes into the next turn of the loop, and counts
// for as told a counter or flag that does.
func (w *walk) carried(p *place) bool {
	k := edgeFrom(p)
	if k < 0 {
		return false
	}
	for _, in := range p.b.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		edge := phi.Edges[k]
		if w.errs[edge] || w.derived[edge] {
			return true
		}
		if b, ok := edge.(*ssa.BinOp); ok && w.errOnly[b.Block()] || w.errOnly[p.pred] && edge != phi && countOrFlag(phi, edge) {
			p.said, p.quietly = true, false
		}
	}
	return false
}

func (w *walk) isSame(v ssa.Value) bool {
	phi, ok := v.(*ssa.Phi)
	return ok && w.t.same[phi]
}

func countOrFlag(phi *ssa.Phi, edge ssa.Value) bool {
	b, ok := phi.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsBoolean|types.IsInteger) == 0 {
		return false
	}
	switch edge.(type) {
	case *ssa.BinOp, *ssa.Const:
		for _, e := range phi.Edges {
			if e != edge && !(isConst(e) && isConst(edge) && e.(*ssa.Const).Value == edge.(*ssa.Const).Value) {
				return true
			}
		}
	}
	return false
}

func isConst(v ssa.Value) bool { _, ok := v.(*ssa.Const); return ok }

// visit looks at one instruction; false ends the way.
func (w *walk) visit(in ssa.Instruction, p *place) bool {
	only := w.errOnly[p.b]
	tell := func(quietly bool) {
		if !p.said || p.quietly {
			p.quietly = quietly
		}
		p.said = true
	}
	switch x := in.(type) {
	case *ssa.Alloc:
		if x == w.t.root && x != w.t.cell || x == w.t.cell {
			return false // a new variable: the next turn
		}
	case *ssa.Store:
		if c, ok := w.t.links[x]; ok {
			w.t.follow.into(c)
		}
		if w.isTarget(x.Addr) {
			if isDefault(x.Val) {
				p.replaced, p.raw = true, false
				return true
			}
			if !w.t.values[x.Val] {
				return false // another value takes its place
			}
		}
		if w.errs[x.Val] || w.derived[x.Val] {
			_, field := x.Addr.(*ssa.FieldAddr)
			if r, ok := root(x.Addr).(*ssa.Alloc); !ok || field && !w.errOnly[r.Block()] {
				w.stored = true
			}
		}
		if !w.isVarargs(x.Addr) && !w.local(x.Addr) {
			if w.isRaw(x.Val) {
				w.rawKept = true
				return false
			}
			if only {
				tell(false)
			}
		} else if w.isRaw(x.Val) && w.kept(x.Addr) {
			w.rawKept = true
			return false
		}
	case *ssa.MapUpdate:
		if c, ok := w.t.links[x]; ok {
			w.t.follow.into(c)
		}
		if w.isRaw(x.Value) || w.rawInside(x.Value) {
			w.rawKept = true
			return false
		}
		if (w.errs[x.Value] || w.derived[x.Value]) && !logFields(x.Map) {
			w.stored = true
			return false
		}
		if _, fresh := x.Map.(*ssa.MakeMap); only && !fresh && !w.t.values[x.Map] {
			tell(false)
		}
	case *ssa.Send:
		if only && !w.t.uses[in] {
			tell(false)
		} else if w.errs[x.X] || w.derived[x.X] {
			w.stored = true // value and error together
			return false
		}
	case *ssa.Select:
		for _, s := range x.States {
			if s.Dir == types.SendOnly && only && (s.Send == nil || !w.t.values[s.Send]) {
				tell(false)
			} else if s.Send != nil && (w.errs[s.Send] || w.derived[s.Send]) {
				w.stored = true
				return false
			}
		}
	case *ssa.Panic:
		return false
	case *ssa.Return:
		w.ret(x, p)
		return false
	case ssa.CallInstruction:
		if x == w.s.call {
			return false
		}
		if !w.call(x, p, only, tell) {
			return false
		}
	}
	together := false
	if call, ok := in.(ssa.CallInstruction); ok {
		together = w.mentions(call) // the value goes to whoever is told of the error
	}
	if w.t.uses[in] && !p.raw && !together {
		w.events = append(w.events, event{kind: used, at: in, said: p.said, quietly: p.quietly, replaced: p.replaced,
			early: !p.checked && len(w.errOnly) > 0})
	}
	if w.others[in] {
		w.told = true // another shape of the same text takes its place
	}
	return true
}

// call looks at a call on the way; false ends the way.
func (w *walk) call(call ssa.CallInstruction, p *place, only bool, tell func(bool)) bool {
	if b, ok := call.Common().Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			for _, a := range call.Common().Args[1:] {
				if w.errs[a] || w.derived[a] {
					w.stored = true
					return false
				}
			}
			for _, a := range call.Common().Args {
				if w.isRaw(a) {
					w.rawKept = true
					return false
				}
			}
			if only && !w.t.uses[call] {
				tell(false)
			}
		}
		return true
	}
	if d := w.c.byCall[call]; d != nil {
		if w.isRaw(d.data) || d.into != nil && w.isTarget(strip(d.into)) {
			if !d.valid {
				return false // tried again, another way
			}
		}
	}
	if fn := streamflow.Callee(call); fn != nil && fn.Signature().Results().Len() == 0 && (strings.HasPrefix(fn.Name(), "Fatal") || strings.HasPrefix(fn.Name(), "Panic")) {
		return false // ends the program, whoever's it is
	}
	if streamflow.IsPrint(call) {
		if only || w.mentions(call) {
			tell(quiet(call))
		}
		return true
	}
	if isPure(call) {
		return true
	}
	errArg, rawArg := w.mentions(call), false
	for _, a := range call.Common().Args {
		if w.isRaw(a) || w.rawInside(a) {
			rawArg = true
		}
	}
	switch {
	case rawArg:
		w.rawKept = true
		return false
	case only:
		if !w.t.uses[call] || errArg {
			tell(false)
		}
	case errArg:
		w.stored = true // value and error together, or the error to a handler
		return false
	}
	return true
}

// mentions reports whether the error is among a call's operands.
func (w *walk) mentions(call ssa.CallInstruction) bool {
	for _, a := range call.Common().Args {
		if !w.s.valid && (w.errs[a] || w.derived[a]) {
			return true
		}
	}
	return false
}

// rawInside reports whether the undecoded text lies in a struct, map or interface
// made on the spot.
func (w *walk) rawInside(v ssa.Value) bool {
	switch x := strip(v).(type) {
	case *ssa.UnOp:
		if a, ok := x.X.(*ssa.Alloc); ok {
			return w.holdsRaw(a)
		}
	case *ssa.Slice:
		if a, ok := x.X.(*ssa.Alloc); ok {
			return w.holdsRaw(a)
		}
	case *ssa.Alloc:
		return w.holdsRaw(x)
	}
	return false
}

func (w *walk) holdsRaw(a *ssa.Alloc) bool {
	if a == w.t.root {
		return false
	}
	for _, ref := range *a.Referrers() {
		var addr ssa.Value
		switch x := ref.(type) {
		case *ssa.FieldAddr:
			addr = x
		case *ssa.IndexAddr:
			addr = x
		default:
			continue
		}
		if !referred(addr) {
			continue
		}
		for _, r := range *addr.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == addr && (w.isRaw(strip(st.Val)) || w.isRaw(st.Val)) {
				return true
			}
		}
	}
	return false
}

// isTarget reports whether addr is the cell that the decoder fills, or the whole
// that the cell lies in.
func (w *walk) isTarget(addr ssa.Value) bool {
	if w.t.cell == nil {
		return false
	}
	if addr == w.t.cell || addr == w.t.root {
		return true
	}
	x, ok := addr.(*ssa.FieldAddr)
	y, ok2 := w.t.cell.(*ssa.FieldAddr)
	return ok && ok2 && x.Field == y.Field && x.X == y.X
}

func (w *walk) isVarargs(addr ssa.Value) bool {
	a, ok := root(addr).(*ssa.Alloc)
	return ok && a.Comment == "varargs"
}

// local reports whether an address lies in a variable of the function.
func (w *walk) local(addr ssa.Value) bool {
	a, ok := root(addr).(*ssa.Alloc)
	return ok && a.Parent() == w.s.fn
}

// kept reports whether what is stored there outlives the error branch: a field of
// a struct that is being built.
func (w *walk) kept(addr ssa.Value) bool {
	if w.isVarargs(addr) {
		return false
	}
	_, ok := addr.(*ssa.FieldAddr)
	return ok
}

// results gives the values that a return gives back. A function with deferred calls
// keeps its results in variables: what was stored there last is meant.
func results(ret *ssa.Return) []ssa.Value {
	out := make([]ssa.Value, len(ret.Results))
	for i, v := range ret.Results {
		out[i] = v
		u, ok := v.(*ssa.UnOp)
		if !ok || u.Op != token.MUL {
			continue
		}
		a, ok := u.X.(*ssa.Alloc)
		if !ok {
			continue
		}
		var last ssa.Value
		for _, in := range ret.Block().Instrs {
			switch x := in.(type) {
			case *ssa.Store:
				if x.Addr == a {
					last = x.Val
				}
			case *ssa.RunDefers:
				if last != nil {
					out[i] = last
				}
			}
		}
	}
	return out
}

// ret looks at a way out of the function.
func (w *walk) ret(ret *ssa.Return, p *place) {
	sig := w.s.fn.Signature
	ei := streamflow.ErrorResult(sig)
	res := results(ret)
	if len(res) != sig.Results().Len() {
		return
	}
	if ei >= 0 {
		switch e := res[ei]; {
		case isNil(e):
		case w.errs[e] || w.derived[e]:
			return
		case w.known(e, ret, true):
		case w.surelyError(e, ret):
			return
		default:
			w.goesOn = true // perhaps an error, perhaps none
			return
		}
	}
	values, hands, empties, kept := 0, false, false, false
	for i, v := range res {
		if i == ei {
			continue
		}
		t := sig.Results().At(i).Type()
		if isErrorType(t) {
			return // an error of its own kind
		}
		if w.errs[v] || w.derived[v] {
			return
		}
		if w.isRaw(v) || w.rawInside(v) {
			if !w.s.valid {
				w.rawKept = true
			}
			return
		}
		if isBool(t) && w.tells(i, v) {
			w.goesOn = true
			return // the bool says it
		}
		values++
		switch {
		case w.t.values[v]:
			if w.s.valid && !p.replaced {
				return
			}
			hands = true
		case w.successGives(i, v):
			if !isDefault(v) {
				kept = true
			} else if ei < 0 && nilTells(t) {
				kept = true
			} else {
				empties = true
			}
		}
	}
	w.goesOn = true
	ev := event{at: ret, said: p.said, quietly: p.quietly, replaced: p.replaced}
	switch {
	case hands || w.t.out && !w.s.valid && !p.raw:
		ev.kind = used
		if !hands && w.errOnly[p.b] {
			ev.kind = skipped // nothing filled, nothing said
		}
	case empties && !kept:
		ev.kind, ev.replaced = returned, true
	case kept:
		return
	default:
		ev.kind = skipped
		if w.s.valid {
			return
		}
	}
	w.events = append(w.events, ev)
}

// successGives reports whether another way out returns the decoded value there.
func (w *walk) successGives(i int, not ssa.Value) bool {
	for _, b := range w.s.fn.Blocks {
		ret, ok := last(b).(*ssa.Return)
		if !ok || i >= len(ret.Results) {
			continue
		}
		v := results(ret)[i]
		if v != not && (w.full.values[v] || w.s.valid && w.isRaw(v)) {
			return true
		}
	}
	return false
}

// tells reports whether a bool result differs where the decode has gone well.
func (w *walk) tells(i int, v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil {
		return true
	}
	for _, b := range w.s.fn.Blocks {
		if ret, ok := last(b).(*ssa.Return); ok && i < len(ret.Results) {
			k, ok := results(ret)[i].(*ssa.Const)
			if !ok || k.Value == nil || constant.BoolVal(k.Value) != constant.BoolVal(c.Value) {
				return true
			}
		}
	}
	return false
}

// known reports whether a condition around the return says that e is nil, or that
// it is not.
func (w *walk) known(e ssa.Value, at ssa.Instruction, isNilThere bool) bool {
	for _, g := range w.c.flow.Guards(at) {
		b, ok := g.Cond.(*ssa.BinOp)
		if !ok || b.X != e && b.Y != e || !isNil(b.X) && !isNil(b.Y) {
			continue
		}
		if (b.Op == token.NEQ && g.Branch == streamflow.False || b.Op == token.EQL && g.Branch == streamflow.True) == isNilThere && g.Branch != streamflow.Either {
			return true
		}
	}
	return false
}

// surelyError reports whether e is an error that was just made, or is known not to
// be nil.
func (w *walk) surelyError(e ssa.Value, at ssa.Instruction) bool {
	switch x := e.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.UnOp:
		_, global := x.X.(*ssa.Global)
		return global
	case *ssa.Call:
		switch streamflow.CalleeName(x) {
		case "fmt.Errorf", "errors.New", "errors.Join", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf", "google.golang.org/grpc/status.Error", "google.golang.org/grpc/status.Errorf":
			return true
		}
		fn := streamflow.Callee(x)
		if fn != nil && fn.Pkg() != nil {
			for _, a := range streamflow.Args(x) { // Wrap(err, ...)
				if streamflow.IsError(a.Type()) && w.known(a, at, false) {
					return true
				}
			}
		}
		// A helper of the package that always makes one.
		if body := w.c.flow.Body(x); body != nil {
			for _, b := range body.Blocks {
				if ret, ok := last(b).(*ssa.Return); ok && (len(ret.Results) == 0 || !madeError(results(ret)[len(ret.Results)-1])) {
					return false
				}
			}
			return true
		}
	}
	return w.known(e, at, false)
}

func madeError(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.Call:
		n := streamflow.CalleeName(x)
		return n == "fmt.Errorf" || n == "errors.New"
	}
	return false
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// nilTells reports whether nil is a way of a type to say that there is nothing.
func nilTells(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Signature, *types.Chan, *types.Interface:
		return true
	}
	return false
}

// guards reports whether an instruction runs only where the decode has gone well.
func (w *walk) guards(in ssa.Instruction) bool {
	for _, g := range w.c.flow.Guards(in) {
		t, f := w.failing(g.Cond)
		if t && !f && g.Branch == streamflow.False || f && !t && g.Branch == streamflow.True {
			return true
		}
	}
	return false
}
