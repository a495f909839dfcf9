package partialapply

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

const (
	maxDepth  = 4    // how deep an item is followed into calls, and out of them
	maxValues = 1500 // how many values one item is followed through
)

// follower finds the effects that an item reaches before the next one arrives. It
// leaves an item alone that is put into a slice or a map: that is how a plan is
// collected.
type follower struct {
	c    *checker
	rcv  *receiver
	work []reached
	seen map[reachedKey]bool
	hits []*hit
	out  int // how often it went out to a caller
}

type reached struct {
	v ssa.Value
	f *frame
	// pure says that the value is still the item as it arrived, or several joined.
	pure bool
	// chosen says that the value was picked out of a map by the item: a tool by its
	// name.
	chosen bool
}

type reachedKey struct {
	v            ssa.Value
	pure, chosen bool
}

// follow gives the effects that the items of a receiver reach.
func (c *checker) follow(rcv *receiver) []*hit {
	w := &follower{c: c, rcv: rcv, seen: make(map[reachedKey]bool)}
	root := &frame{fn: rcv.fn, anchor: rcv.at}
	for _, v := range rcv.item {
		w.add(reached{v: v, f: root, pure: true})
	}
	for len(w.work) > 0 {
		r := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		if r.v.Referrers() == nil {
			continue
		}
		for _, in := range *r.v.Referrers() {
			w.use(r, in)
		}
	}
	return w.hits
}

func (w *follower) add(r reached) {
	if r.v == nil || len(w.seen) > maxValues {
		return
	}
	// A Range has a type of SSA's own, which go/types does not know.
	if _, ok := r.v.(*ssa.Range); !ok && !carries(r.v.Type()) {
		return
	}
	if _, ok := r.v.(*ssa.Const); ok {
		return
	}
	k := reachedKey{r.v, r.pure, r.chosen}
	if w.seen[k] || w.seen[reachedKey{r.v, true, r.chosen}] {
		return
	}
	w.seen[k] = true
	w.work = append(w.work, r)
}

// carries reports whether a value of type t can hold an item, or what was made of it.
func carries(t types.Type) bool {
	if streamflow.IsError(t) || model.TypeName(t) == "context.Context" {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return !ok || b.Kind() != types.Bool
}

// inside reports whether an instruction runs for each item.
func (w *follower) inside(f *frame, in ssa.Instruction) bool {
	if f.anchor == nil {
		return true
	}
	if !w.c.flow.InLoop(f.anchor) {
		return w.c.flow.Reaches(f.anchor, in) // one item a call
	}
	return w.c.flow.SameLoop(f.anchor, in)
}

func (w *follower) use(r reached, in ssa.Instruction) {
	if in.Parent() != r.f.fn || !w.inside(r.f, in) && !isReturn(in) {
		return
	}
	next := r
	switch x := in.(type) {
	case *ssa.Store:
		if x.Val == r.v {
			w.stored(r, x.Addr)
		}
	case *ssa.UnOp:
		if x.Op == token.MUL {
			next.v = x
			w.add(next)
		}
	case *ssa.BinOp:
		if x.Op == token.ADD {
			next.v = x
			next.chosen = false
			w.add(next)
		}
	case *ssa.Lookup:
		next.v = x
		next.chosen = next.chosen || x.Index == r.v && isMap(x.X.Type())
		next.pure = next.pure && x.X == r.v
		w.add(next)
	case *ssa.Field, *ssa.FieldAddr, *ssa.Index, *ssa.IndexAddr, *ssa.Slice, *ssa.Convert, *ssa.ChangeType, *ssa.MultiConvert,
		*ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert, *ssa.Extract, *ssa.Phi, *ssa.Range, *ssa.Next, *ssa.SliceToArrayPointer:
		next.v = x.(ssa.Value)
		w.add(next)
	case *ssa.MakeClosure:
		w.captured(r, x)
	case *ssa.Send:
		if x.X == r.v {
			w.sent(r, x)
		}
	case *ssa.Return:
		w.returned(r, x)
	case ssa.CallInstruction:
		w.call(r, x)
	}
}

func isReturn(in ssa.Instruction) bool { _, ok := in.(*ssa.Return); return ok }

func isMap(t types.Type) bool { _, ok := t.Underlying().(*types.Map); return ok }

// stored follows an item into a local variable.
func (w *follower) stored(r reached, addr ssa.Value) {
	r.v = root(addr)
	switch r.v.(type) {
	case *ssa.Alloc, *ssa.Call, *ssa.Extract:
		w.add(r)
	}
}

// root gives the variable that an address lies in.
func root(addr ssa.Value) ssa.Value {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		case *ssa.MakeInterface:
			addr = x.X
		case *ssa.ChangeType:
			addr = x.X
		case *ssa.ChangeInterface:
			addr = x.X
		default:
			return addr
		}
	}
}

// captured follows an item into a closure that is made for it.
func (w *follower) captured(r reached, mc *ssa.MakeClosure) {
	fn, ok := mc.Fn.(*ssa.Function)
	if !ok || r.f.depth >= maxDepth {
		return
	}
	for i, b := range mc.Bindings {
		if b == r.v && i < len(fn.FreeVars) {
			w.add(reached{fn.FreeVars[i], w.into(r.f, fn, mc), r.pure, r.chosen})
		}
	}
}

func (w *follower) into(f *frame, fn *ssa.Function, at ssa.Instruction) *frame {
	return &frame{fn: fn, at: at, up: f, depth: f.depth + 1}
}

// sent follows an item through a channel to where it is taken out in a loop.
func (w *follower) sent(r reached, send *ssa.Send) {
	if w.out >= maxDepth {
		return
	}
	w.out++
	l := w.c.flow.Location(send.Chan)
	for _, fn := range w.c.flow.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				recv, ok := in.(*ssa.UnOp)
				if !ok || recv.Op != token.ARROW || w.c.flow.Location(recv.X) != l {
					continue
				}
				w.add(reached{recv, &frame{fn: fn, anchor: recv, depth: r.f.depth + 1}, r.pure, r.chosen})
			}
		}
	}
}

// returned follows an item out of the function that received it, to callers that ask
// for the next one in a loop; or back from a helper that it was handed to.
func (w *follower) returned(r reached, ret *ssa.Return) {
	for i, res := range ret.Results {
		if res != r.v {
			continue
		}
		if up := r.f.up; up != nil {
			if call, ok := r.f.at.(ssa.CallInstruction); ok {
				w.add(reached{streamflow.Result(call, i), up, r.pure, r.chosen})
			}
			continue
		}
		// What is inside a loop is given out as it is, what was collected is not.
		if r.f.anchor != nil && w.c.flow.InLoop(r.f.anchor) && !w.fresh(r, ret) {
			continue
		}
		w.offer(func(f *itemFact) { f.addResult(i) }, r.f.fn)
		if w.out >= maxDepth {
			continue
		}
		w.out++
		for _, s := range w.c.flow.Callers(r.f.fn) {
			w.add(reached{streamflow.Result(s.Call, i), &frame{fn: s.Call.Parent(), anchor: s.Call}, r.pure, r.chosen})
		}
	}
}

// fresh reports whether a return gives the item that has just arrived: it stands
// behind the receiving call with no way round by the end of the loop.
func (w *follower) fresh(r reached, ret *ssa.Return) bool {
	switch x := r.v.(type) {
	case *ssa.Phi:
		return false
	case *ssa.Alloc:
		return false
	case ssa.Instruction:
		return w.c.flow.SameLoop(r.f.anchor, x)
	}
	return false
}

// offer notes for importers that a function of the package brings items.
func (w *follower) offer(add func(*itemFact), fn *ssa.Function) {
	if w.rcv.shape == toolCalls {
		return
	}
	obj, ok := fn.Object().(*types.Func)
	if ok && obj.Exported() {
		f := w.c.items[obj]
		if f == nil {
			reader, ok := w.c.readerOf(fn, w.rcv)
			if !ok {
				return
			}
			f = &itemFact{Shape: w.rcv.shape, From: w.rcv.from, Reader: reader}
			w.c.items[obj] = f
		}
		add(f)
	}
}

func (w *follower) call(r reached, call ssa.CallInstruction) {
	com := call.Common()
	if b, ok := com.Value.(*ssa.Builtin); ok {
		w.builtin(r, call, b.Name())
		return
	}
	if com.Value == r.v && r.chosen && w.rcv.shape == toolCalls && len(com.Args) > 0 {
		w.hit(r, call, model.Effect{Kind: model.ToolEffect, Verb: "run"}, "", false)
		return
	}
	name := streamflow.CalleeName(call)
	if userMessages.has(name) {
		return
	}
	if e, pos, ok := effectOf(call, r.v); ok {
		w.hit(r, call, e, "", e.Text && r.pure && len(e.Args) > 0 && pos == e.Args[0])
		return
	}
	if fact := w.c.applies(call); fact != nil {
		for _, a := range fact.Applies {
			if args := streamflow.Args(call); a.Param < len(args) && args[a.Param] == r.v {
				w.hit(r, call, model.Effect{Kind: a.Kind, Verb: a.Verb}, a.Via, a.Script && r.pure)
				return
			}
		}
	}
	targets := w.c.targets(call)
	for _, t := range targets {
		for i, a := range t.args {
			if a == r.v && i < len(t.fn.Params) && r.f.depth < maxDepth {
				w.add(reached{t.fn.Params[i], w.into(r.f, t.fn, call), r.pure, false})
			}
		}
	}
	if p, ok := com.Value.(*ssa.Parameter); ok && !com.IsInvoke() {
		w.yielded(r, call, p)
	} else if fv, ok := com.Value.(*ssa.FreeVar); ok {
		if p, ok := w.c.flow.Binding(fv).(*ssa.Parameter); ok {
			w.yielded(r, call, p)
		}
	}
	if len(targets) == 0 {
		w.foreign(r, call, name)
	}
}

// yielded notes that an item is handed to a function parameter.
func (w *follower) yielded(r reached, call ssa.CallInstruction, p *ssa.Parameter) {
	for j, a := range call.Common().Args {
		if a != r.v {
			continue
		}
		w.handed(p, j, 0)
	}
}

// handed notes that a function parameter is called with an item as argument j, also
// where a function hands its own parameter on to one that does.
func (w *follower) handed(p *ssa.Parameter, j, depth int) {
	fn := p.Parent()
	if fn.Parent() != nil {
		if i, ok := returnedBy(fn); ok && streamflow.ParamIndex(p) == 0 {
			w.offer(func(f *itemFact) { f.addYield(i, j) }, fn.Parent())
		}
		return
	}
	k := streamflow.ParamIndex(p)
	w.offer(func(f *itemFact) { f.addCallback(k, j) }, fn)
	if depth >= maxDepth {
		return
	}
	for _, s := range w.c.flow.Callers(fn) {
		if k >= len(s.Args) {
			continue
		}
		outer, ok := s.Args[k].(*ssa.Parameter)
		if !ok || w.rcv.reader == nil {
			continue
		}
		// What the caller gives it to read.
		inner := *w
		rcv := *w.rcv
		if g := given(rcv.reader, fn); g != nil && streamflow.ParamIndex(g) < len(s.Args) {
			rcv.reader = s.Args[streamflow.ParamIndex(g)]
			rcv.from = w.c.io.Source(rcv.reader).Words
		}
		inner.rcv = &rcv
		inner.handed(outer, j, depth+1)
	}
}

// returnedBy gives the position at which the enclosing function returns a closure.
func returnedBy(fn *ssa.Function) (int, bool) {
	for _, b := range fn.Parent().Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for i, res := range ret.Results {
			if ct, ok := res.(*ssa.ChangeType); ok {
				res = ct.X
			}
			if mc, ok := res.(*ssa.MakeClosure); ok && mc.Fn == fn {
				return i, true
			}
		}
	}
	return 0, false
}

func (w *follower) builtin(r reached, call ssa.CallInstruction, name string) {
	args := call.Common().Args
	switch {
	case name == "append" && streamflow.IsText(args[0].Type()):
		// Bytes joined with bytes.
		r.v = call.Value()
		w.add(r)
	case name == "append" && len(args) == 2 && args[0] != r.v && emptied(args[0]):
		r.v = call.Value()
		w.add(r)
	case name == "copy" && args[1] == r.v:
		w.stored(r, args[0])
	}
}

// emptied reports whether a slice is made anew for each item: append([]any{}, x).
func emptied(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Const:
		return x.Value == nil
	case *ssa.Slice:
		a, ok := x.X.(*ssa.Alloc)
		return ok && a.Heap
	}
	return false
}

// foreign follows an item through a function out of sight: into its results, and into
// what it fills.
func (w *follower) foreign(r reached, call ssa.CallInstruction, name string) {
	args := streamflow.Args(call)
	if wr, ok := model.LookupWrite(name); ok && wr.Arg < len(args) && args[wr.Arg] == r.v {
		w.stored(r, args[wr.To])
		return
	}
	_, pass := model.LookupPass(name)
	pass = pass || name == "(strings.Builder).String" || name == "(bytes.Buffer).String" || name == "(bytes.Buffer).Bytes"
	next := r
	next.pure = r.pure && pass
	next.chosen = false
	if d, ok := model.LookupDecoder(name); ok && d.Into >= 0 && d.Into < len(args) && d.Data < len(args) && args[d.Data] == r.v {
		next.pure = r.pure // a field of a decoded line is as it arrived
		w.stored(next, args[d.Into])
		return
	}
	v := call.Value()
	if v == nil {
		return
	}
	next.v = v
	if tuple, ok := v.Type().(*types.Tuple); ok {
		for i := range tuple.Len() {
			if carries(tuple.At(i).Type()) {
				next.v = streamflow.Result(call, i)
				w.add(next)
			}
		}
		return
	}
	w.add(next)
}

func (w *follower) hit(r reached, call ssa.CallInstruction, e model.Effect, via string, script bool) {
	if !w.c.repeated(r.f) {
		return
	}
	for _, h := range w.hits {
		if h.call == call {
			h.script = h.script || script
			return
		}
	}
	w.hits = append(w.hits, &hit{call: call, effect: e, frame: r.f, via: via, script: script})
}
