// Package callindex defines an Analyzer that reports fragments of parallel tool
// calls that land in the wrong call. The check's page, docs/checks/callindex.md,
// says what it reports and what it leaves alone.
package callindex

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// Analyzer reports fragments of tool calls that are joined by anything but the index
// the protocol sends with each.
var Analyzer = &analysis.Analyzer{
	Name:     "callindex",
	Doc:      docs.Check("callindex"),
	URL:      report.URL("callindex"),
	Requires: []*analysis.Analyzer{streamflow.Analyzer},
	Run:      report.Safe(run),
}

var opts *report.Options

func init() {
	opts = report.AddFlags(Analyzer)
	streamflow.AddFlags(Analyzer)
}

func run(pass *analysis.Pass) (any, error) {
	flow := streamflow.Of(pass)
	r := report.New(pass, opts)
	if flow.Empty() {
		return nil, nil
	}
	for _, fn := range flow.Functions() {
		c := &checker{flow: flow, r: r, fn: fn}
		if !c.handlesCalls() {
			continue
		}
		c.firstOnly()
		c.joins()
		c.nameless()
		c.unnumbered()
	}
	return nil, nil
}

// checker looks at one function.
type checker struct {
	flow *streamflow.Flow
	r    *report.Reporter
	fn   *ssa.Function
	said map[any]bool
}

// handlesCalls reports whether the function touches the arguments of a tool call at
// all: most do not, and cost one walk.
func (c *checker) handlesCalls() bool {
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			switch v := in.(type) {
			case *ssa.FieldAddr:
				if isArgs(v.X.Type(), v.Field) {
					return true
				}
			case *ssa.Field:
				if isArgs(v.X.Type(), v.Field) {
					return true
				}
			case *ssa.IndexAddr:
				if _, ok := argsPath(v.Type()); ok {
					return true
				}
			}
		}
	}
	return false
}

// firstOnly finds the first call of a delta's list taken for all of them.
func (c *checker) firstOnly() {
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			ia, ok := in.(*ssa.IndexAddr)
			if !ok || !isConstInt(ia.Index, 0) || !isSlice(ia.X.Type()) {
				continue
			}
			path, ok := argsPath(ia.Type())
			if !ok || !takesArgs(ia, 0) {
				continue
			}
			list := c.flow.Location(ia.X)
			if c.said[list] || c.counted(list) || c.goesThrough(list) {
				continue
			}
			at, ok := c.fragment(ia, ia, path, true)
			if !ok {
				continue
			}
			if c.said == nil {
				c.said = make(map[any]bool)
			}
			c.said[list] = true
			c.r.Report(report.Finding{
				Pos:     position(ia, c.fn),
				Message: "only the first tool call of this delta is looked at: fragments of parallel calls beside it are lost, or land in the wrong call; go through all of them and join each by its index",
				Related: related(at, "the delta"),
			})
		}
	}
}

// position gives where an element is taken; the instruction may have no position of
// its own.
func position(v ssa.Value, fn *ssa.Function) token.Pos {
	if p := v.Pos(); p.IsValid() {
		return p
	}
	if refs := v.Referrers(); refs != nil {
		for _, ref := range *refs {
			if p := ref.Pos(); p.IsValid() {
				return p
			}
		}
	}
	return fn.Pos()
}

func related(pos token.Pos, text string) []analysis.RelatedInformation {
	if !pos.IsValid() {
		return nil
	}
	return []analysis.RelatedInformation{{Pos: pos, Message: text}}
}

// counted reports whether the function asks if the list holds more than one call.
func (c *checker) counted(list any) bool {
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			cond, ok := in.(*ssa.BinOp)
			if !ok {
				continue
			}
			for _, p := range [][2]ssa.Value{{cond.X, cond.Y}, {cond.Y, cond.X}} {
				call, ok := p[0].(*ssa.Call)
				if !ok || !isBuiltin(call, "len") || c.flow.Location(call.Call.Args[0]) != list {
					continue
				}
				switch cond.Op {
				case token.EQL, token.NEQ, token.GTR, token.LEQ:
					if isConstInt(p[1], 1) {
						return true
					}
				case token.LSS, token.GEQ:
					if isConstInt(p[1], 2) {
						return true
					}
				}
			}
		}
	}
	return false
}

// goesThrough reports whether the function also goes through the whole list.
func (c *checker) goesThrough(list any) bool {
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.IndexAddr:
				if _, fixed := x.Index.(*ssa.Const); !fixed && c.flow.Location(x.X) == list {
					return true
				}
			case ssa.CallInstruction:
				// The list itself is handed on.
				if b, ok := x.Common().Value.(*ssa.Builtin); ok && b.Name() != "append" {
					continue
				}
				for _, arg := range x.Common().Args {
					if isSlice(arg.Type()) && c.flow.Location(arg) == list {
						if _, ok := argsPath(elem(arg.Type())); ok {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// fragment reports whether the part of v that path leads to is a fragment that was
// joined with nothing yet, with the place it arises at. With near it must arise in
// this function or in one that calls it: the engine tells fields apart and not
// objects, so what is stored in a field elsewhere can be that of another message.
func (c *checker) fragment(use ssa.Instruction, v ssa.Value, path streamflow.Path, near bool) (token.Pos, bool) {
	at, found := token.NoPos, false
	for _, a := range c.flow.Arrivals(use, v, path) {
		if a.Joined() {
			return token.NoPos, false
		}
		if a.Kind != streamflow.Fragment || found {
			continue
		}
		if near && !c.near(&a) {
			continue
		}
		at, found = a.Pos, true
	}
	return at, found
}

// near reports whether an origin lies in the function of the use, or in one that leads
// to it by calls alone. A use that is called by none of those got the data through a
// field, and perhaps of another object.
func (c *checker) near(a *streamflow.Arrival) bool {
	if a.Instr == nil {
		return false
	}
	for i, u := range a.Uses {
		if i > 0 && !slices.ContainsFunc(c.flow.Callers(a.Uses[i-1].Parent()), func(s streamflow.Site) bool { return s.Call == u }) {
			return false
		}
		if u.Parent() == a.Instr.Parent() {
			return true
		}
	}
	return false
}
