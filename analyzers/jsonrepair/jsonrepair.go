// Package jsonrepair defines an Analyzer that reports documents which are completed
// by guess and then decoded as if they were whole. The check's page,
// docs/checks/jsonrepair.md, says what it reports and what it leaves alone.
package jsonrepair

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// Analyzer reports decoders that get a text to which closers were appended, or which
// a repair function has made.
var Analyzer = &analysis.Analyzer{
	Name:      "jsonrepair",
	Doc:       docs.Check("jsonrepair"),
	URL:       report.URL("jsonrepair"),
	Requires:  []*analysis.Analyzer{streamflow.Analyzer},
	FactTypes: []analysis.Fact{new(repairFact)},
	Run:       report.Safe(run),
}

var opts *report.Options

func init() {
	opts = report.AddFlags(Analyzer)
	streamflow.AddFlags(Analyzer)
}

// repairFact says that a result of a function is its argument, completed by guess.
type repairFact struct{ Result int }

// AFact marks the type as a fact.
func (*repairFact) AFact() {}

func (f *repairFact) String() string { return fmt.Sprintf("repairs(%d)", f.Result) }

func run(pass *analysis.Pass) (any, error) {
	flow := streamflow.Of(pass)
	r := report.New(pass, opts)
	if flow.Empty() {
		return nil, nil
	}
	c := &checker{pass: pass, flow: flow, r: r, said: make(map[token.Pos]bool), quiet: make(map[token.Pos]bool), results: make(map[resultKey]*repair)}
	for _, d := range flow.Decodes() {
		c.decode(d)
	}
	for _, fn := range flow.Functions() {
		c.helper(fn)
	}
	return nil, nil
}

type checker struct {
	pass    *analysis.Pass
	flow    *streamflow.Flow
	r       *report.Reporter
	said    map[token.Pos]bool // repairs that were reported where they are decoded
	quiet   map[token.Pos]bool // repairs whose decode was found to be right
	results map[resultKey]*repair
}

// repair is a place where a text is completed.
type repair struct {
	at    ssa.Instruction
	pos   token.Pos
	what  string // for the message
	quote bool   // only a quote is added: perhaps more is, further on
	// text is what a function that completes it was given; nil where none does.
	text ssa.Value
}

func (c *checker) decode(d *streamflow.Decode) {
	if d.Bool || d.Data == nil || !d.Helper && !strings.Contains(strings.ToLower(d.Model.Func), "json") && !strings.Contains(d.Model.Func, "sonic") {
		return
	}
	rep := c.repaired(d.Data, 0, make(map[ssa.Value]bool))
	if rep == nil || c.said[rep.pos] {
		return
	}
	// What a helper elsewhere decodes may be anything: closers that are appended far
	// from it may be those of another format.
	if d.Helper && (rep.at == nil || rep.at.Parent() != d.Call.Parent()) {
		return
	}
	if c.chosen(d.Call) || rep.at != nil && rep.at.Parent() == d.Call.Parent() && c.chosen(rep.at) || c.preview(d, rep) {
		c.quiet[rep.pos] = true
		return
	}
	c.said[rep.pos] = true
	var related []analysis.RelatedInformation
	if rep.pos.IsValid() {
		related = append(related, analysis.RelatedInformation{Pos: rep.pos, Message: "completed here"})
	}
	c.r.Report(report.Finding{
		Pos: d.Call.Pos(),
		Message: fmt.Sprintf("%s decodes a text that was completed by guess (%s, line %d): a document that was cut off becomes a shorter valid one and passes for the whole; refuse what does not decode as it came",
			d.Name, rep.what, c.r.Line(rep.pos)),
		Related: related,
	})
}

// chosen reports whether an instruction stands under a switch for partial results:
// a bool that the function was given, so that the strict way is there too.
func (c *checker) chosen(in ssa.Instruction) bool {
	for _, g := range c.flow.Guards(in) {
		if g.Branch == streamflow.Either {
			continue
		}
		v := g.Cond
		for {
			if n, ok := v.(*ssa.UnOp); ok && n.Op == token.NOT {
				v = n.X
				continue
			}
			break
		}
		switch x := v.(type) {
		case *ssa.Parameter:
			return true
		case *ssa.UnOp:
			if _, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL {
				return true
			}
		case *ssa.Field:
			return true
		}
	}
	return false
}

// preview reports whether a decode serves to show what has arrived so far: it stands
// in the loop that receives the text, or in a function called there, and the text is
// decoded as it came as well, outside of the loop.
func (c *checker) preview(d *streamflow.Decode, rep *repair) bool {
	looped := c.flow.InLoop(d.Call)
	joins := make(map[ssa.Instruction]bool)
	arrivals := c.flow.Arrivals(d.Call, d.Data, d.Path)
	if rep.text != nil {
		arrivals = append(arrivals, c.flow.Arrivals(d.Call, rep.text, nil)...)
	}
	for _, a := range arrivals {
		if !a.Joined() {
			continue
		}
		for _, j := range a.Joins {
			joins[j] = true
		}
		looped = looped || slices.ContainsFunc(a.Uses, c.flow.InLoop) ||
			c.flow.Receiving(&a) && c.flow.EndingAll(a.Uses) == streamflow.Open
	}
	return looped && slices.ContainsFunc(c.flow.Decodes(), func(other *streamflow.Decode) bool {
		return other.Call != d.Call && !other.Bool && c.decodesAfter(other, d, joins) && c.repaired(other.Data, 0, make(map[ssa.Value]bool)) == nil
	})
}

// decodesAfter reports whether a decode takes the text that another one looks at
// while it arrives, and takes it later.
func (c *checker) decodesAfter(later, d *streamflow.Decode, joins map[ssa.Instruction]bool) bool {
	if later.Call.Parent() == d.Call.Parent() {
		// A strict decode that comes first is the one that failed: what is done then is
		// no preview.
		first := c.flow.Reaches(later.Call, d.Call) && !c.flow.Reaches(d.Call, later.Call)
		return !first && !c.flow.SameLoop(later.Call, d.Call)
	}
	return slices.ContainsFunc(c.flow.Arrivals(later.Call, later.Data, later.Path), func(a streamflow.Arrival) bool {
		return !slices.ContainsFunc(a.Uses, c.flow.InLoop) && slices.ContainsFunc(a.Joins, func(j ssa.Instruction) bool { return joins[j] })
	})
}

// helper exports the fact of a function that gives a completed text back, and
// reports it where nothing in its own package decodes that text.
func (c *checker) helper(fn *ssa.Function) {
	if fn.Parent() != nil {
		return
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return
	}
	for i := range fn.Signature.Results().Len() {
		if !streamflow.IsText(fn.Signature.Results().At(i).Type()) {
			continue
		}
		rep := c.result(fn, i, 0)
		if rep == nil {
			continue
		}
		if obj.Exported() && !rep.quote && mends(fn) {
			c.pass.ExportObjectFact(obj, &repairFact{i})
		}
		if c.said[rep.pos] || c.quiet[rep.pos] || rep.at == nil || rep.at.Parent() != fn || !balances(fn) || c.chosen(rep.at) {
			return
		}
		c.said[rep.pos] = true
		c.r.Report(report.Finding{
			Pos:     rep.pos,
			Message: "the missing closers of a document are appended here: one that was cut off becomes a shorter valid one, and whoever decodes it takes it for the whole; refuse what does not decode as it came",
		})
		return
	}
}
