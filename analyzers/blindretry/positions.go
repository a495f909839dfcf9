package blindretry

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// positions reports a request that begins at a kept position which is updated only
// when the stream has ended without an error: after a broken one the next request
// begins where the last one began, and all that came in between comes again.
func (c *checker) positions(fn *ssa.Function) {
	for _, open := range c.flow.Calls(fn) {
		if !c.givesStream(open) {
			continue
		}
		s := c.spread(fn, open)
		s.result(open)
		s.run()
		for _, read := range c.flow.Calls(fn) {
			if read == open || !c.flow.Reaches(open, read) || !c.consumes(s, read) {
				continue
			}
			at := c.lostPosition(fn, open, read)
			if at == nil {
				continue
			}
			c.r.Report(report.Finding{
				Pos: open.Pos(),
				Message: fmt.Sprintf("%s begins at a position that is kept only when the stream ended without an error (line %d): after a broken one all that was handed on comes again; keep the position reached on every way out of %s",
					streamflow.CallWords(open), c.r.Line(at.Pos()), streamflow.CallWords(read)),
				Related: []analysis.RelatedInformation{{Pos: read.Pos(), Message: "read here"}, {Pos: at.Pos(), Message: "position kept here"}},
			})
			break
		}
	}
}

// givesStream reports whether a call gives an open stream.
func (c *checker) givesStream(call ssa.CallInstruction) bool {
	if _, ok := call.(*ssa.Call); !ok {
		return false
	}
	if ok, _ := c.opens(call); ok {
		return true
	}
	for _, g := range c.flow.Callees(call) {
		if len(c.gives(g)) > 0 {
			return true
		}
	}
	return false
}

// consumes reports whether a call reads a stream to its end, piece by piece, in a
// function of the package.
func (c *checker) consumes(s *spread, read ssa.CallInstruction) bool {
	takes := false
	for _, arg := range streamflow.Args(read) {
		takes = takes || s.marked[arg]
	}
	if !takes || streamflow.ErrorResult(read.Common().Signature()) < 1 {
		return false
	}
	for _, g := range c.flow.Callees(read) {
		for _, h := range c.reachOf(g).fns {
			for _, st := range s.steps {
				if st.Parent() == h && c.flow.InLoop(st) {
					return true
				}
			}
		}
	}
	return false
}

// lostPosition gives the instruction that keeps the position a reading call gives
// back, if it keeps it in a place where the opening call's position comes from and
// only when the reading call gave no error.
func (c *checker) lostPosition(fn *ssa.Function, open, read ssa.CallInstruction) ssa.Instruction {
	sig := read.Common().Signature()
	alias := c.aliases(fn, streamflow.Result(read, streamflow.ErrorResult(sig)))
	for i := range sig.Results().Len() - 1 {
		if !isPosition(sig.Results().At(i).Type()) {
			continue
		}
		reached := c.aliases(fn, streamflow.Result(read, i))
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				var place ssa.Value
				switch x := in.(type) {
				case *ssa.MapUpdate:
					if reached[x.Value] {
						place = x.Map
					}
				case *ssa.Store:
					if _, ok := x.Addr.(*ssa.FieldAddr); ok && reached[x.Val] {
						place = x.Addr
					}
				}
				if place == nil || !c.onlyGood(in, alias) {
					continue
				}
				if f, ok := c.flow.Location(place).(*types.Var); ok && c.readBefore(fn, f, open) {
					return in
				}
			}
		}
	}
	return nil
}

// onlyGood reports whether an instruction runs only when the error is nil.
func (c *checker) onlyGood(in ssa.Instruction, alias map[ssa.Value]bool) bool {
	for _, g := range c.flow.Guards(in) {
		if holds, ok := nilTest(g.Cond, alias); ok && (g.Branch == streamflow.True && holds || g.Branch == streamflow.False && !holds) {
			return true
		}
	}
	return false
}

// readBefore reports whether a position is read out of a field before a call.
func (c *checker) readBefore(fn *ssa.Function, f *types.Var, call ssa.Instruction) bool {
	for _, v := range c.loads[any(f)] {
		if in, ok := v.(ssa.Instruction); ok && in.Parent() == fn && c.flow.Reaches(in, call) {
			return true
		}
	}
	return false
}
