package review

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// requests judges the calls that open a stream: whether the answer is looked at
// before it is read as one.
func (c *collector) requests() {
	c.each(func(_ *ssa.Function, in ssa.Instruction) {
		switch x := in.(type) {
		case ssa.CallInstruction:
			if o, ok := model.LookupOpen(streamflow.CalleeName(x)); ok && !o.Unary {
				c.request(x)
			}
			c.headerRead(x)
		case *ssa.FieldAddr:
			v, t := fieldOf(x)
			if v != nil && model.FieldName(t, v) == "net/http.Response.StatusCode" && c.ofStream(x.X) {
				c.right(x, header, "the status is looked at before the body is read as a stream")
			}
		}
	})
}

func (c *collector) request(call ssa.CallInstruction) {
	name := c.called(call)
	resp := streamflow.Result(call, 0)
	if i := streamflow.ErrorResult(call.Common().Signature()); i > 0 && dropped(call, i) {
		c.open(call, opening, fmt.Sprintf("the error of %s is dropped", name))
		return
	}
	if resp == nil || model.TypeName(resp.Type()) != "net/http.Response" {
		c.right(call, opening, name+" opens a stream")
		return
	}
	if !c.opens[call] {
		return // the answer is read as a whole
	}
	if c.statusSeen(resp, 3) {
		c.right(call, header, fmt.Sprintf("the answer of %s is read as a stream after a look at its status", name))
		return
	}
	c.open(call, header, fmt.Sprintf("the answer of %s is read as a stream and its status is not looked at here: an error page would be taken for one", name))
}

// statusSeen reports whether the status or the content type of a response is read
// in a function that has it, or in one of the package that it is given to.
func (c *collector) statusSeen(v ssa.Value, depth int) bool {
	if v == nil || v.Referrers() == nil || depth < 0 {
		return false
	}
	for _, ref := range *v.Referrers() {
		switch x := ref.(type) {
		case *ssa.FieldAddr:
			if f, t := fieldOf(x); f != nil {
				switch model.FieldName(t, f) {
				case "net/http.Response.StatusCode", "net/http.Response.Status":
					return true
				}
			}
		case *ssa.Store:
			if a, ok := x.Addr.(*ssa.Alloc); ok && x.Val == v {
				for _, use := range *a.Referrers() {
					if load, ok := use.(*ssa.UnOp); ok && c.statusSeen(load, depth-1) {
						return true
					}
				}
			}
		case *ssa.Phi:
			if c.statusSeen(x, depth-1) {
				return true
			}
		case *ssa.Return:
			for _, s := range c.flow.Callers(x.Parent()) {
				for i, r := range x.Results {
					if r == v && c.statusSeen(streamflow.Result(s.Call, i), depth-1) {
						return true
					}
				}
			}
		case ssa.CallInstruction:
			for _, callee := range c.flow.Callees(x) {
				for i, a := range streamflow.Args(x) {
					if a == v && i < len(callee.Params) && c.statusSeen(callee.Params[i], depth-1) {
						return true
					}
				}
			}
		}
	}
	return false
}

// ofStream reports whether a response is one whose body is read as a stream.
func (c *collector) ofStream(resp ssa.Value) bool {
	w := &walk{c: c, seen: make(map[ssa.Value]bool)}
	w.value(resp, 0)
	for call := range w.opens {
		if c.opens[call] {
			return true
		}
	}
	return false
}

// headerRead judges reads of a content type.
func (c *collector) headerRead(call ssa.CallInstruction) {
	if streamflow.CalleeName(call) != "(net/http.Header).Get" {
		return
	}
	args := streamflow.Args(call)
	load, ok := args[0].(*ssa.UnOp)
	if !ok || !strings.EqualFold(streamflow.ConstText(args[1]), "Content-Type") {
		return
	}
	v, t := fieldOf(load.X)
	if v == nil || model.FieldName(t, v) != "net/http.Response.Header" {
		return
	}
	if owner, _, ok := streamflow.FieldAt(load.X); ok && c.ofStream(owner) {
		c.right(call, header, "the content type is looked at before the body is read as a stream")
	}
}

// timeouts notes the times that somebody chose for a stream: that they are right,
// only a test with a slow sender can show.
func (c *collector) timeouts() {
	clients := c.streamClients()
	web := false
	for call := range c.opens {
		web = web || strings.Contains(streamflow.CalleeName(call), "net/http.")
	}
	c.packageClients(clients)
	c.each(func(fn *ssa.Function, in ssa.Instruction) {
		switch x := in.(type) {
		case *ssa.Store:
			v, t := fieldOf(x.Addr)
			if v == nil || zero(x.Val) {
				return
			}
			owner, _, _ := streamflow.FieldAt(x.Addr)
			switch model.FieldName(t, v) {
			case "net/http.Client.Timeout":
				if clients[owner] {
					c.open(x, timeout, clientTimeout(constantOf(x.Val)))
				}
			case "net/http.Transport.ResponseHeaderTimeout":
				if web {
					c.right(x, timeout, "ResponseHeaderTimeout bounds the wait for an answer and leaves the stream its time")
				}
			case "net/http.Server.WriteTimeout", "net/http.Server.ReadTimeout":
				if c.serves {
					c.open(x, timeout, fmt.Sprintf("%s%s holds for every answer, the streamed ones too", v.Name(), chosen(x.Val)))
				}
			}
		case ssa.CallInstruction:
			c.timer(fn, x)
		}
	})
}

// packageClients judges the clients that package variables are made with, which no
// function of the package's own does.
func (c *collector) packageClients(clients map[ssa.Value]bool) {
	vars := make(map[types.Object]bool)
	for v := range clients {
		if g, ok := v.(*ssa.Global); ok {
			vars[g.Object()] = true
		}
	}
	for _, f := range c.pass.Files {
		for _, d := range f.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range decl.Specs {
				vs, ok := spec.(*ast.ValueSpec)
				if !ok || len(vs.Names) != len(vs.Values) {
					continue
				}
				for i, name := range vs.Names {
					if vars[c.pass.TypesInfo.Defs[name]] {
						c.packageClient(vs.Values[i])
					}
				}
			}
		}
	}
}

func (c *collector) packageClient(value ast.Expr) {
	ast.Inspect(value, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || model.TypeName(c.pass.TypesInfo.TypeOf(lit)) != "net/http.Client" {
			return true
		}
		for _, elt := range lit.Elts {
			kv, ok := elt.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			key, ok := kv.Key.(*ast.Ident)
			if !ok || key.Name != "Timeout" {
				continue
			}
			k := c.pass.TypesInfo.Types[kv.Value].Value
			if k != nil && constant.Sign(k) == 0 {
				continue
			}
			c.place(kv.Pos(), kv.End(), unsettled, timeout, clientTimeout(k))
		}
		return true
	})
}

func clientTimeout(k constant.Value) string {
	return fmt.Sprintf("Client.Timeout%s ends the whole answer of a client that streams, however well it flows", duration(k))
}

func (c *collector) timer(fn *ssa.Function, call ssa.CallInstruction) {
	args := streamflow.Args(call)
	switch name := streamflow.CalleeName(call); name {
	case "context.WithTimeout", "context.WithDeadline", "context.WithTimeoutCause", "context.WithDeadlineCause":
		if c.opensStream(outermost(fn), 4) || c.receives(fn) {
			c.open(call, timeout, fmt.Sprintf("a time%s for a stream from its first byte to its last: whether long answers fit, only a test with a slow sender tells", chosen(args[1])))
		}
	case "time.NewTimer", "time.After", "time.AfterFunc", "time.NewTicker", "(time.Timer).Reset":
		if !c.receives(fn) {
			return
		}
		d := args[0]
		if len(args) > 1 && name == "(time.Timer).Reset" {
			d = args[1]
		}
		if c.pause(fn, call) {
			c.open(call, retry, fmt.Sprintf("a pause%s before the request of a stream is sent again: no check can tell that nothing was handed on before; test with a stream that breaks in the middle", chosen(d)))
			return
		}
		c.open(call, timeout, fmt.Sprintf("a time%s chosen by hand beside a stream: test with a sender that pauses shorter and longer than it", chosen(d)))
	default:
		callee := streamflow.Callee(call)
		if callee == nil || callee.Signature().Recv() == nil || !c.receives(fn) {
			return
		}
		switch callee.Name() {
		case "SetReadDeadline", "SetDeadline", "SetWriteDeadline":
			how := "set once for all that follows"
			if c.flow.InLoop(call) {
				how = "renewed with each turn"
			}
			c.open(call, timeout, fmt.Sprintf("%s, %s: whether the time fits the sender's pauses, only a test tells", callee.Name(), how))
		}
	}
}

// pause reports whether control comes from a timer to the reads of a stream only
// through the request that opens it: it is no time for the stream then.
func (c *collector) pause(fn *ssa.Function, timer ssa.CallInstruction) bool {
	if !c.flow.InLoop(timer) {
		return false
	}
	var opens, reads []ssa.Instruction
	for _, call := range c.flow.Calls(fn) {
		if c.sends(call) && c.flow.SameLoop(call, timer) {
			opens = append(opens, call)
		}
	}
	for in := range c.reads {
		if in.Parent() == fn && c.flow.SameLoop(in, timer) {
			reads = append(reads, in)
		}
	}
	for _, open := range opens {
		between := true
		for _, read := range reads {
			between = between && read != open && timer.Block() != read.Block() && !c.flow.Bypasses(timer, read, open)
		}
		if between {
			return true
		}
	}
	return false
}

// receives reports whether a stream is read in a function or in a closure of the
// same one.
func (c *collector) receives(fn *ssa.Function) bool {
	if c.received[fn] {
		return true
	}
	top := outermost(fn)
	for f := range c.received {
		if outermost(f) == top {
			return true
		}
	}
	return false
}

// streamClients gives the variables that hold clients whose answers are streamed.
func (c *collector) streamClients() map[ssa.Value]bool {
	out := make(map[ssa.Value]bool)
	for call := range c.opens {
		if !strings.HasPrefix(streamflow.CalleeName(call), "(net/http.Client).") {
			continue
		}
		w := &walk{c: c, seen: out}
		w.value(streamflow.Args(call)[0], 0)
	}
	return out
}

func zero(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && (k.Value == nil || k.Value.Kind() == constant.Int && constant.Sign(k.Value) == 0)
}

// chosen writes a duration that is a constant.
func chosen(v ssa.Value) string { return duration(constantOf(v)) }

func constantOf(v ssa.Value) constant.Value {
	if k, ok := v.(*ssa.Const); ok {
		return k.Value
	}
	return nil
}

func duration(k constant.Value) string {
	if k == nil || k.Kind() != constant.Int {
		return ""
	}
	n, _ := constant.Int64Val(k)
	return " (" + time.Duration(n).String() + ")"
}

// opensStream reports whether a function opens a stream, itself or in what it
// calls in the package.
func (c *collector) opensStream(fn *ssa.Function, depth int) bool {
	if o := c.opener[fn]; o != 0 {
		return o > 0
	}
	c.opener[fn] = -1
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			found := c.opensHere(call)
			for _, callee := range c.flow.Callees(call) {
				found = found || depth > 0 && c.opensStream(callee, depth-1)
			}
			if found {
				c.opener[fn] = 1
				return true
			}
		}
	}
	for _, inner := range fn.AnonFuncs {
		if c.opensStream(inner, depth) {
			c.opener[fn] = 1
			return true
		}
	}
	return false
}

// opensHere reports whether a call sends a request whose answer is a stream.
func (c *collector) opensHere(call ssa.CallInstruction) bool {
	if c.opens[call] {
		return true
	}
	o, ok := model.LookupOpen(streamflow.CalleeName(call))
	if !ok || o.Unary {
		return false
	}
	res := streamflow.Result(call, 0)
	return res == nil || model.TypeName(res.Type()) != "net/http.Response"
}

// retries notes the places that may send the request of a stream again.
func (c *collector) retries() {
	c.each(func(fn *ssa.Function, in ssa.Instruction) {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			return
		}
		if r, ok := model.RetryOf(streamflow.Callee(call)); ok {
			if args := streamflow.Args(call); r.Op < len(args) && c.operation(args[r.Op]) {
				c.open(call, retry, fmt.Sprintf("%s sends the request of a stream again: no check can tell that nothing was handed on before; test with a stream that breaks in the middle", c.called(call)))
			}
			return
		}
		if !c.flow.InLoop(call) || !c.sends(call) || c.perItem(call) {
			return
		}
		if c.comesBack(call) {
			c.open(call, retry, fmt.Sprintf("%s is called again after an error, and opens a stream: no check can tell that nothing was handed on before; test with a stream that breaks in the middle", c.called(call)))
		}
	})
}

// operation reports whether a function value opens a stream.
func (c *collector) operation(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.MakeClosure:
		return c.opensStream(x.Fn.(*ssa.Function), 4)
	case *ssa.Function:
		return c.opensStream(x, 4)
	case *ssa.ChangeType:
		return c.operation(x.X)
	case *ssa.MakeInterface:
		return c.operation(x.X)
	}
	return false
}

func (c *collector) sends(call ssa.CallInstruction) bool {
	if c.opensHere(call) {
		return true
	}
	for _, callee := range c.flow.Callees(call) {
		if c.opensStream(callee, 3) {
			return true
		}
	}
	return false
}

// perItem reports whether a call in a loop gets what the loop goes over: another
// request each time.
func (c *collector) perItem(call ssa.CallInstruction) bool {
	seen := make(map[ssa.Value]bool)
	var item func(v ssa.Value, depth int) bool
	item = func(v ssa.Value, depth int) bool {
		if v == nil || seen[v] || depth > 8 {
			return false
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Next:
			return true
		case *ssa.IndexAddr:
			_, phi := x.Index.(*ssa.Phi)
			_, bin := x.Index.(*ssa.BinOp)
			return (phi || bin) && c.flow.SameLoop(x, call)
		case *ssa.Alloc:
			for _, ref := range *x.Referrers() {
				switch r := ref.(type) {
				case *ssa.Store:
					if r.Addr == x && c.flow.SameLoop(r, call) && item(r.Val, depth+1) {
						return true
					}
				case *ssa.FieldAddr:
					for _, use := range *r.Referrers() {
						if st, ok := use.(*ssa.Store); ok && st.Addr == r && item(st.Val, depth+1) {
							return true
						}
					}
				}
			}
			return false
		case ssa.Instruction:
			if _, ok := v.(*ssa.Phi); ok {
				return false
			}
			for _, op := range x.Operands(nil) {
				if *op != nil && item(*op, depth+1) {
					return true
				}
			}
		}
		return false
	}
	for _, arg := range streamflow.Args(call) {
		if item(arg, 0) {
			return true
		}
	}
	return false
}

// comesBack reports whether control can come back to a call after it failed.
func (c *collector) comesBack(call ssa.CallInstruction) bool {
	i := streamflow.ErrorResult(call.Common().Signature())
	if i < 0 {
		// A stream of an SDK's: that it could not be opened shows when it is read.
		return c.opensHere(call)
	}
	err := streamflow.Result(call, i)
	same := map[ssa.Value]bool{err: true}
	if err != nil && err.Referrers() != nil {
		for _, ref := range *err.Referrers() {
			switch x := ref.(type) {
			case *ssa.Phi:
				same[x] = true
			case *ssa.Store:
				if a, ok := x.Addr.(*ssa.Alloc); ok {
					for _, use := range *a.Referrers() {
						if load, ok := use.(*ssa.UnOp); ok {
							same[load] = true
						}
					}
				}
			}
		}
	}
	seen := make(map[*ssa.BasicBlock]bool)
	work := next(call.Block(), same)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if b == call.Block() {
			return true
		}
		work = append(work, next(b, same)...)
	}
	return false
}

// next gives the ways out of a block when the error is not nil.
func next(b *ssa.BasicBlock, errs map[ssa.Value]bool) []*ssa.BasicBlock {
	succs := append([]*ssa.BasicBlock(nil), b.Succs...)
	ifi, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return succs
	}
	cmp, ok := ifi.Cond.(*ssa.BinOp)
	if !ok || !errs[cmp.X] && !errs[cmp.Y] {
		return succs
	}
	k, ok := cmp.Y.(*ssa.Const)
	if !ok || k.Value != nil {
		return succs
	}
	switch cmp.Op {
	case token.NEQ:
		return succs[:1]
	case token.EQL:
		return succs[1:]
	}
	return succs
}

// writes judges how the package sends messages of its own: server-sent events,
// websocket messages.
func (c *collector) writes() {
	c.each(func(_ *ssa.Function, in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		args := streamflow.Args(call)
		switch name := streamflow.CalleeName(call); name {
		case "(net/http.Header).Set", "(net/http.Header).Add":
			if declaresEvents(call) {
				c.right(call, events, "the answer is declared as server-sent events")
			}
		case "(net/http.Flusher).Flush", "(net/http.ResponseController).Flush":
			if c.serves {
				c.right(call, events, "what was written is sent at once")
			}
		case "fmt.Fprintf":
			if eventFormat(streamflow.ConstText(args[1])) {
				c.event(call, args[2])
			}
		}
	})
}

// eventFormat reports whether a format writes data of an event.
func eventFormat(s string) bool {
	return strings.HasPrefix(s, "data:") || strings.Contains(s, "\ndata:")
}

// event judges a hand-made event by what goes into its data: a line break there
// ends it.
func (c *collector) event(call *ssa.Call, list ssa.Value) {
	s, ok := list.(*ssa.Slice)
	if !ok {
		c.right(call, events, "a fixed event")
		return
	}
	for _, ref := range *s.X.Referrers() {
		at, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *at.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok {
				continue
			}
			v := st.Val
			if mi, ok := v.(*ssa.MakeInterface); ok {
				v = mi.X
			}
			if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsNumeric != 0 {
				continue
			}
			if !c.oneLine(v) {
				c.open(call, events, "a text is put into an event's data as it is: a line break in it ends the data, and what follows is lost; test with a text of two lines")
				return
			}
		}
	}
	c.right(call, events, "the event's data is JSON that was encoded here: no line break can end it")
}

// oneLine reports whether a text is known to hold no line break: JSON that the
// program has encoded itself, a constant.
func (c *collector) oneLine(v ssa.Value) bool {
	origins := c.flow.Trace(v)
	for _, o := range origins {
		switch o.Kind {
		case streamflow.Own:
		case streamflow.Const:
			if strings.Contains(o.What, "\n") {
				return false
			}
		default:
			return false
		}
	}
	return len(origins) > 0
}

// servesEvents reports whether the package answers with server-sent events.
func (c *collector) servesEvents() bool {
	for _, name := range []string{"(net/http.Header).Set", "(net/http.Header).Add"} {
		for _, call := range c.io.Named(name) {
			if declaresEvents(call) {
				return true
			}
		}
	}
	return false
}

// declaresEvents reports whether a call that sets a header gives the content type
// of server-sent events.
func declaresEvents(call ssa.CallInstruction) bool {
	args := streamflow.Args(call)
	return strings.EqualFold(streamflow.ConstText(args[1]), "Content-Type") && strings.HasPrefix(streamflow.ConstText(args[2]), "text/event-stream")
}
