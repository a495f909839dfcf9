package blindretry

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// reopened reports a stream that is opened for a key while it is marked in a set
// and whose mark is taken away at the end, so that the next event for the key opens
// it again from the start.
func (c *checker) reopened(fn *ssa.Function) {
	var marks, unmarks []ssa.CallInstruction
	for _, call := range c.flow.Calls(fn) {
		switch streamflow.CalleeName(call) {
		case "(sync.Map).LoadOrStore":
			marks = append(marks, call)
		case "(sync.Map).Delete":
			if _, ok := call.(*ssa.Defer); ok {
				unmarks = append(unmarks, call)
			}
		}
	}
	for _, m := range marks {
		for _, u := range unmarks {
			if c.flow.Location(streamflow.Args(m)[0]) != c.flow.Location(streamflow.Args(u)[0]) || !c.perEvent(fn) {
				continue
			}
			for i := range c.op(fn) {
				e := &c.op(fn)[i]
				if e.unknown || e.target == nil || !c.outsideOp(fn, e) {
					continue
				}
				for _, open := range c.reachOf(fn).lift(e.open) {
					if open.Parent() != fn || open == e.at || !c.flow.Reaches(m, open) {
						continue
					}
					if c.mended(&attempt{fn: fn, first: e.at, again: open, e: e, turn: onError, marked: true}) {
						continue
					}
					name := "the stream"
					if call, ok := open.(ssa.CallInstruction); ok {
						name = streamflow.CallWords(call)
					}
					c.r.Report(report.Finding{
						Pos: open.Pos(),
						Message: fmt.Sprintf("%s opens the stream from the start again at the next event for the same key, as its mark is taken away at the end (line %d): what was handed on comes again; begin after the last position handed on, or keep the mark",
							name, c.r.Line(u.Pos())),
						Related: []analysis.RelatedInformation{{Pos: u.Pos(), Message: "mark taken away here"}, {Pos: e.in.Pos(), Message: "handed on here"}},
					})
				}
			}
		}
	}
}

// perEvent reports whether a function is run from a loop that receives events.
func (c *checker) perEvent(fn *ssa.Function) bool {
	if len(fn.Blocks) == 0 || len(fn.Blocks[0].Instrs) == 0 {
		return false
	}
	for _, at := range c.lifts(fn.Blocks[0].Instrs[0]) {
		if !c.flow.InLoop(at) {
			continue
		}
		for _, b := range at.Parent().Blocks {
			for _, in := range b.Instrs {
				if !c.flow.SameLoop(at, in) {
					continue
				}
				switch x := in.(type) {
				case *ssa.Select:
					return true
				case *ssa.UnOp:
					if x.Op == token.ARROW {
						return true
					}
				}
			}
		}
	}
	return false
}
