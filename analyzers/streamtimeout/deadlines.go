package streamtimeout

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// deadlines reports a read deadline that is set once, before the loop that reads
// the connection.
func (c *checker) deadlines() {
	for _, fn := range c.flow.Functions() {
		calls := c.flow.Calls(fn)
		for _, call := range calls {
			if !setsDeadline(call) {
				continue
			}
			args := streamflow.Args(call)
			if len(args) != 2 {
				continue
			}
			d, ok := c.fromNow(args[1])
			if !ok || d > clientMax {
				continue
			}
			if u := c.readOn(fn, call); u != nil {
				c.r.Report(report.Finding{
					Pos: call.Pos(),
					Message: fmt.Sprintf("the deadline is set once, %s ahead, and the loop that reads the stream (%s, %s) never moves it: it ends then, however much still comes; set it again before each read",
						words(d), u.words, c.where(u.pos(), call.Pos())),
					Related: related(u.pos(), "the stream is read here"),
				})
			}
		}
	}
}

// setsDeadline reports whether a call sets when reads of its receiver fail.
func setsDeadline(call ssa.CallInstruction) bool {
	fn := streamflow.Callee(call)
	if fn == nil || fn.Signature().Recv() == nil {
		return false
	}
	if _, ok := call.(*ssa.Call); !ok {
		return false
	}
	switch fn.Name() {
	case "SetDeadline", "SetReadDeadline":
		return fn.Signature().Params().Len() == 1 && fn.Signature().Params().At(0).Type().String() == "time.Time"
	}
	return false
}

// readOn finds the loop that reads the connection after the deadline was set, if
// nothing in the package moves the deadline again.
func (c *checker) readOn(fn *ssa.Function, set ssa.CallInstruction) *streamUse {
	conn := streamflow.Args(set)[0]
	same := c.names(conn)
	var steps []step
	w := c.reader(&steps)
	moved := false
	foreign := w.foreign
	w.foreign = func(v ssa.Value, call ssa.CallInstruction, i int) {
		callee := streamflow.Callee(call)
		if callee != nil && i == 0 {
			switch callee.Name() {
			case "SetDeadline", "SetReadDeadline":
				moved = moved || call != set && !before(c, call, set)
				return
			case "SetPongHandler", "SetPingHandler":
				// The handler may move it; one that does names the connection.
				moved = true
				return
			}
		}
		foreign(v, call, i)
	}
	w.enter = func(v ssa.Value, call ssa.CallInstruction, i int) bool {
		if call.Parent() == fn && !c.flow.Reaches(set, call) {
			return false
		}
		return true
	}
	for _, v := range same {
		w.mark(v, fn)
	}
	w.run()
	if moved {
		return nil
	}
	for _, s := range steps {
		in := ssa.Instruction(s.call)
		if s.call.Parent() == fn {
			if !c.flow.Reaches(set, in) || c.flow.SameLoop(set, in) {
				continue
			}
		}
		if !s.known && c.flow.InLoop(in) && (c.handsOn(s.call) || c.protocol(s.call.Parent(), 1)) {
			return &streamUse{at: s.call, words: streamflow.CallWords(s.call)}
		}
	}
	return nil
}

// before reports whether a deadline is set only before another takes its place.
func before(c *checker, first, second ssa.CallInstruction) bool {
	return first.Parent() == second.Parent() && c.flow.Reaches(first, second) && !c.flow.Reaches(second, first)
}

// names gives the values by which a function knows a connection.
func (c *checker) names(conn ssa.Value) []ssa.Value {
	// A method of an embedded field: (*net.TCPConn).Read is net.conn's.
	for {
		fa, ok := conn.(*ssa.FieldAddr)
		if !ok || fieldOf(fa.X, fa.Field) == nil || fieldOf(fa.X, fa.Field).Pkg() == c.pass.Pkg {
			break
		}
		conn = fa.X
	}
	out := []ssa.Value{conn}
	if u, ok := conn.(*ssa.UnOp); ok {
		switch a := u.X.(type) {
		case *ssa.FieldAddr:
			if f := fieldOf(a.X, a.Field); f != nil && f.Pkg() == c.pass.Pkg {
				out = append(out, c.reads[f]...)
			}
		default:
			out = append(out, a)
		}
	}
	// An interface made of it, and what it was made of.
	for depth := 0; depth < 5; depth++ {
		switch x := out[len(out)-1].(type) {
		case *ssa.ChangeInterface:
			out = append(out, x.X)
			continue
		case *ssa.MakeInterface:
			out = append(out, x.X)
			continue
		}
		break
	}
	return out
}
