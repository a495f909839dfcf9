package streamtimeout

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// streamUse is a place where something is read as a stream.
type streamUse struct {
	at    ssa.CallInstruction // the call that takes the next piece, or opens the stream
	words string
	// top is the outermost function that both opens the stream and has it read.
	top *ssa.Function
	// pieces are the calls that take pieces, where they are in sight.
	pieces []ssa.CallInstruction
}

func (u *streamUse) pos() token.Pos { return u.at.Pos() }

// streamed tells where what a call opens is read as a stream; nil where it is not,
// or where nobody can tell.
func (c *checker) streamed(open ssa.CallInstruction) *streamUse {
	if u, ok := c.uses[open]; ok {
		return u
	}
	c.uses[open] = nil
	kind := c.opens(open)
	if kind == nothing || kind == rows {
		return nil
	}
	res := streamflow.Result(open, 0)
	var steps []step
	if res != nil {
		w := c.reader(&steps)
		w.mark(res, open.Parent())
		w.run()
	}
	u := c.judge(open, steps, kind)
	if u == nil && kind == endless {
		u = &streamUse{at: open, words: streamflow.CallWords(open), top: open.Parent()}
	}
	c.uses[open] = u
	return u
}

// step is a call that takes the next piece of a stream, or a function of another
// package that is known to read one.
type step struct {
	call  ssa.CallInstruction
	top   *ssa.Function
	known bool
	held  bool // the reader was found in a field: it lives on between calls
}

// reader makes a walk that follows a reader, and what it is wrapped in, to the
// calls that read it.
func (c *checker) reader(steps *[]step) *walk {
	w := c.walk()
	w.holds = func(t types.Type) bool {
		return !plain(t) && !isContext(t) && model.TypeName(t) != "net/http.Request" && model.TypeName(t) != "net/http.Client"
	}
	w.part = func(owner ssa.Value, f *types.Var) bool {
		switch model.TypeName(owner.Type()) {
		case "net/http.Response":
			return f.Name() == "Body"
		}
		return f.Pkg() != c.pass.Pkg && has(f.Type(), "Read")
	}
	w.foreign = func(v ssa.Value, call ssa.CallInstruction, i int) {
		callee := streamflow.Callee(call)
		if callee == nil {
			return
		}
		name := model.FuncName(callee)
		if c.readsStream(callee, name, i) {
			*steps = append(*steps, step{call: call, top: w.top[v], known: true})
			return
		}
		sig := callee.Signature()
		if sig.Recv() != nil && i == 0 {
			if takes(call, name) {
				*steps = append(*steps, step{call: call, top: w.top[v], held: inField(v)})
			} else if has(v.Type(), "Read") || model.TypeName(v.Type()) == "k8s.io/apimachinery/pkg/watch.Interface" {
				return
			} else if name == "(net/http.Response).Body" {
				w.results(call, w.top[v])
			}
			return
		}
		if bounded(name) {
			return
		}
		// A wrapper: what it gives reads what it was given.
		if has(v.Type(), "Read") || model.TypeName(v.Type()) == "net/http.Response" {
			w.results(call, w.top[v])
			// An event source that calls back or yields.
			for _, s := range model.LookupSources(name) {
				if s.State == model.Frame && s.Out == model.Result {
					*steps = append(*steps, step{call: call, top: w.top[v], known: true})
				}
			}
		}
	}
	return w
}

// readsStream reports whether a function of another package is known to read its
// argument i as a stream.
func (c *checker) readsStream(callee *types.Func, name string, i int) bool {
	if streams.has(name, i) {
		return true
	}
	f := c.fact(callee)
	return f != nil && contains(f.Reads, i)
}

// takes reports whether a method call takes the next piece out of its receiver.
func takes(call ssa.CallInstruction, name string) bool {
	if strings.HasPrefix(name, "(encoding/csv.") || strings.HasPrefix(name, "(archive/") || strings.HasPrefix(name, "(mime/") {
		return false // documents
	}
	if streamflow.IsRead(call) {
		return true
	}
	for _, s := range model.LookupSources(name) {
		if s.State == model.Chunk || s.State == model.Frame || s.State == model.Fragment {
			return true
		}
	}
	switch streamflow.Callee(call).Name() {
	case "Recv", "Next", "Scan", "Decode", "ReadEvent", "Receive", "RecvMsg", "ReadRune", "ReadByte", "ResultChan", "Current", "Event", "Events":
		return true
	}
	return false
}

// bounded reports whether a function reads what it is given to its end as one
// value, or no further than a limit.
func bounded(name string) bool {
	switch name {
	case "io.LimitReader", "net/http.MaxBytesReader", "encoding/csv.NewReader", "archive/tar.NewReader", "archive/zip.NewReader", "mime/multipart.NewReader":
		return true
	}
	return false
}

// inField reports whether a value comes out of a field of the package's own.
func inField(v ssa.Value) bool {
	if u, ok := v.(*ssa.UnOp); ok {
		v = u.X
	}
	fa, ok := v.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	_, ok = base(fa.X).(*ssa.Parameter)
	return ok
}

// judge decides whether the steps read a stream.
func (c *checker) judge(open ssa.CallInstruction, steps []step, kind opening) *streamUse {
	var pieces []ssa.CallInstruction
	for _, s := range steps {
		pieces = append(pieces, s.call)
	}
	for _, s := range steps {
		if s.known || c.isStream(open, s, kind) {
			return &streamUse{at: s.call, words: streamflow.CallWords(s.call), top: s.top, pieces: pieces}
		}
	}
	return nil
}

// isStream reports whether a step belongs to a loop that hands on what it takes,
// or that reads a protocol of streams.
func (c *checker) isStream(open ssa.CallInstruction, s step, kind opening) bool {
	fn := s.call.Parent()
	loop := c.repeats(s.call, open)
	switch {
	case kind == endless:
		return loop
	case loop && c.handsOn(s.call):
		return true
	case kind == listing:
		return false
	case loop && (c.protocol(fn, 1) || open != nil && c.protocol(open.Parent(), 0) || s.top != nil && c.protocol(s.top, 0)):
		return true
	case !loop && s.held && open != nil && open.Parent() != fn && pulls(fn) && c.protocol(fn, 1):
		// One piece a call, for a caller that pulls.
		return true
	}
	return false
}

// pulls reports whether a method gives its caller one piece a call.
func pulls(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil {
		return false
	}
	obj, ok := fn.Object().(*types.Func)
	return ok && obj.Name() != "Read" && fn.Signature.Results().Len() > 0
}

// repeats reports whether a step runs again without the stream being opened again.
func (c *checker) repeats(s, open ssa.CallInstruction) bool {
	if !c.flow.InLoop(s) {
		return false
	}
	if open != nil && open.Parent() == s.Parent() {
		if open.Block() == s.Block() {
			return false // one turn opens and reads once
		}
		return c.flow.Bypasses(s, s, open)
	}
	return true
}

// protocol reports whether a function, or one that it calls in the package, knows
// the words of server-sent events.
func (c *checker) protocol(fn *ssa.Function, depth int) bool {
	if fn == nil {
		return false
	}
	for p := fn; p != nil; p = p.Parent() {
		if c.speaks(p) {
			return true
		}
	}
	if depth > 0 {
		for _, call := range c.flow.Calls(fn) {
			for _, g := range c.flow.Callees(call) {
				if c.speaks(g) {
					return true
				}
			}
		}
	}
	return false
}

// speaks reports whether a function names a part of an event stream.
func (c *checker) speaks(fn *ssa.Function) bool {
	if is, ok := c.protos[fn]; ok {
		return is
	}
	is := false
	said := make(map[string]bool)
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, op := range in.Operands(nil) {
				k, ok := (*op).(*ssa.Const)
				if !ok || k.Value == nil || k.Value.Kind() != constant.String {
					if cv, isConv := (*op).(*ssa.Convert); isConv { // []byte("data:")
						k, ok = cv.X.(*ssa.Const)
						if !ok || k.Value == nil || k.Value.Kind() != constant.String {
							continue
						}
					} else {
						continue
					}
				}
				said[constant.StringVal(k.Value)] = true
			}
		}
	}
	for s := range said {
		is = is || eventWord(s)
	}
	// Lines that are cut at the colon: the field's name stands alone.
	is = is || said["data"] && (said[":"] || said["event"])
	c.protos[fn] = is
	return is
}

func eventWord(s string) bool {
	switch strings.TrimSpace(s) {
	case "data:", "event:", "[DONE]", "data: [DONE]":
		return true
	}
	return strings.HasPrefix(s, "text/event-stream")
}

// handsOn reports whether what a step takes leaves the function while the loop
// goes on: it is sent on a channel, given to a callback, yielded, or flushed.
func (c *checker) handsOn(s ssa.CallInstruction) bool {
	h := &handing{c: c, step: s, seen: make(map[ssa.Value]bool), fns: make(map[*ssa.Function]bool)}
	call := s.Common()
	sig := call.Signature()
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		if streamflow.IsError(t) || streamflow.IsRead(s) {
			continue
		}
		if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsString == 0 {
			continue
		}
		h.mark(streamflow.Result(s, i))
	}
	args := streamflow.Args(s)
	for _, a := range args[min(1, len(args)):] {
		h.mark(a)
		h.mark(base(a))
	}
	h.run()
	return h.found
}

// handing follows a piece to where it leaves.
type handing struct {
	c     *checker
	step  ssa.CallInstruction
	seen  map[ssa.Value]bool
	work  []ssa.Value
	fns   map[*ssa.Function]bool
	found bool
	depth int
}

func (h *handing) mark(v ssa.Value) {
	if v == nil || h.seen[v] || len(h.seen) > 600 {
		return
	}
	switch v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin, *ssa.Global:
		return
	}
	t := v.Type()
	if streamflow.IsError(t) || isContext(t) {
		return
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsString == 0 {
		return
	}
	h.seen[v] = true
	h.work = append(h.work, v)
}

func (h *handing) run() {
	for len(h.work) > 0 && !h.found {
		v := h.work[len(h.work)-1]
		h.work = h.work[:len(h.work)-1]
		if v.Referrers() == nil {
			continue
		}
		for _, in := range *v.Referrers() {
			h.use(v, in)
		}
	}
}

// inside reports whether an instruction runs once for each piece.
func (h *handing) inside(in ssa.Instruction) bool {
	if in.Parent() != h.step.Parent() {
		return true // in what the loop calls
	}
	return h.c.flow.SameLoop(h.step, in)
}

func (h *handing) use(v ssa.Value, in ssa.Instruction) {
	if in.Parent() == h.step.Parent() && !h.c.flow.SameLoop(h.step, in) {
		return
	}
	switch x := in.(type) {
	case *ssa.Send:
		if x.X == v {
			h.found = true
		}
	case *ssa.Select:
		for _, st := range x.States {
			if st.Dir == types.SendOnly && st.Send == v {
				h.found = true
			}
		}
	case *ssa.Store:
		if x.Val == v {
			if a, ok := base(x.Addr).(*ssa.Alloc); ok {
				h.mark(a)
			}
		}
	case *ssa.MapUpdate:
		if a, ok := base(x.Map).(*ssa.MakeMap); ok && x.Value == v {
			h.mark(a)
		}
	case ssa.CallInstruction:
		h.call(v, x)
	case *ssa.Range:
		for _, ref := range *x.Referrers() {
			if n, ok := ref.(*ssa.Next); ok {
				h.use(v, n)
			}
		}
	case *ssa.MakeClosure:
		fn := x.Fn.(*ssa.Function)
		for i, b := range x.Bindings {
			if b == v && i < len(fn.FreeVars) {
				h.mark(fn.FreeVars[i])
			}
		}
	default:
		if t, ok := in.(ssa.Value); ok {
			if _, tuple := t.Type().(*types.Tuple); !tuple {
				h.mark(t)
			} else {
				for _, ref := range *t.Referrers() {
					if e, ok := ref.(*ssa.Extract); ok {
						h.mark(e)
					}
				}
			}
		}
	}
}

func (h *handing) call(v ssa.Value, call ssa.CallInstruction) {
	common := call.Common()
	if common.Value == v && !common.IsInvoke() {
		return
	}
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			h.mark(call.Value())
		case "copy":
			if len(common.Args) == 2 && common.Args[1] == v {
				h.mark(base(common.Args[0]))
			}
		}
		return
	}
	callees := h.c.flow.Callees(call)
	if !common.IsInvoke() && common.StaticCallee() == nil && len(callees) == 0 {
		h.found = true // a callback of the caller's
		return
	}
	if flushes(h.c, call) {
		h.found = true
		return
	}
	sig := common.Signature()
	for i := range sig.Results().Len() {
		h.mark(streamflow.Result(call, i))
	}
	for i, a := range streamflow.Args(call) {
		if a == v {
			for _, fn := range callees {
				if i < len(fn.Params) && len(h.fns) < 12 {
					h.fns[fn] = true
					h.mark(fn.Params[i])
				}
			}
			continue
		}
		// What is filled from the piece: json.Unmarshal(line, &event).
		if al, ok := base(a).(*ssa.Alloc); ok && len(callees) == 0 {
			if _, ptr := base(a).Type().Underlying().(*types.Pointer); ptr {
				h.mark(al)
			}
		}
	}
}

// flushes reports whether a call writes a piece to somebody who waits for it: the
// writer's function flushes in the same loop.
func flushes(c *checker, call ssa.CallInstruction) bool {
	name := streamflow.CalleeName(call)
	fn := streamflow.Callee(call)
	if fn == nil || fn.Name() != "Write" && fn.Name() != "WriteString" && !strings.HasPrefix(name, "fmt.Fprint") && fn.Name() != "SSEvent" {
		return false
	}
	for _, other := range c.flow.Calls(call.Parent()) {
		switch streamflow.CalleeName(other) {
		case "(net/http.Flusher).Flush", "(net/http.ResponseController).Flush", "(github.com/gin-gonic/gin.ResponseWriter).Flush":
			if c.flow.SameLoop(call, other) {
				return true
			}
		}
	}
	return false
}

func contains(list []int, i int) bool {
	for _, x := range list {
		if x == i {
			return true
		}
	}
	return false
}
