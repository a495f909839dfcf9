// Package partialapply defines an Analyzer that reports effects which cannot be taken
// back and run item by item while the plan they belong to is still being received. The
// check's page, docs/checks/partialapply.md, says what it reports and what it leaves
// alone.
package partialapply

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// Analyzer reports effects that run before the end of the plan they belong to.
var Analyzer = &analysis.Analyzer{
	Name:      "partialapply",
	Doc:       docs.Check("partialapply"),
	URL:       report.URL("partialapply"),
	Requires:  []*analysis.Analyzer{streamflow.Analyzer},
	FactTypes: []analysis.Fact{new(applyFact), new(appliesFact), new(itemFact)},
	Run:       report.Safe(run),
}

var opts *report.Options

func init() {
	opts = report.AddFlags(Analyzer)
	Analyzer.Flags.Var(&userEffects, "effects", "comma-separated functions with an effect that cannot be taken back: pkg.Func or (pkg.Type).Method, with :N for the position of what is applied (counted from 0, receiver included; without it any argument)")
	Analyzer.Flags.Var(&userMessages, "messages", "comma-separated functions that receive, give or are given one message after the other, each a unit of its own: pkg.Func or (pkg.Type).Method")
	streamflow.AddFlags(Analyzer)
}

func run(pass *analysis.Pass) (any, error) {
	flow := streamflow.Of(pass)
	r := report.New(pass, opts)
	exportApplies(pass)
	if flow.Empty() {
		return nil, nil
	}
	c := &checker{pass: pass, flow: flow, io: flow.IO(), r: r,
		items: make(map[*types.Func]*itemFact), said: make(map[ssa.Instruction]bool), whole: make(map[fieldOf]bool)}
	c.plans()
	c.foreign()
	c.tools()
	c.exportItems()
	return nil, nil
}

type checker struct {
	pass  *analysis.Pass
	flow  *streamflow.Flow
	io    *streamflow.IO
	r     *report.Reporter
	items map[*types.Func]*itemFact
	said  map[ssa.Instruction]bool
	whole map[fieldOf]bool // answers of holdsCalls
	// values are the functions that calls of function values run, made when first asked.
	values map[ssa.CallInstruction][]target
}

// report speaks of the first effect that the items of a receiver reach.
func (c *checker) report(rcv *receiver, hits []*hit) {
	for fn := rcv.fn; fn != nil; fn = fn.Parent() {
		if obj, ok := fn.Object().(*types.Func); ok && userMessages.has(model.FuncName(obj)) {
			return
		}
	}
	var first *hit
	for _, h := range hits {
		if !rcv.counts(h) || c.harmless(h) || rcv.shape == toolCalls && c.flow.EndingAll(h.path()) == streamflow.Terminal {
			continue
		}
		if first == nil || h.call.Pos() < first.call.Pos() {
			first = h
		}
	}
	if first == nil || c.said[first.call] {
		return
	}
	c.said[first.call] = true
	line := c.r.Line(rcv.pos)
	var text string
	switch {
	case rcv.shape == toolCalls:
		text = fmt.Sprintf("this tool call is run (%s) while the answer that it belongs to is still being received (line %d): a stream that breaks off, or ends for another reason, leaves some of the calls done and the others never made; collect the calls and run them after a regular end", first.words(), line)
	case first.effect.Kind == model.SQLEffect:
		text = fmt.Sprintf("this statement is %s (%s) while the plan it belongs to is still being received from %s (line %d): a connection that breaks off leaves the first part applied and the rest missing; receive the whole plan first, or commit one transaction after its end", first.effect.Verb, first.words(), rcv.from, line)
	case first.effect.Kind == model.FileEffect:
		text = fmt.Sprintf("this item is %s (%s) while the plan it belongs to is still being received from %s (line %d): a connection that breaks off leaves the first part applied and the rest missing; receive the whole plan first, or work in a temporary directory that is renamed after its end", first.effect.Verb, first.words(), rcv.from, line)
	default:
		text = fmt.Sprintf("this item is %s (%s) while the plan it belongs to is still being received from %s (line %d): a connection that breaks off leaves the first part applied and the rest missing; receive the whole plan before the first effect", first.effect.Verb, first.words(), rcv.from, line)
	}
	related := []analysis.RelatedInformation{{Pos: rcv.pos, Message: "received here"}}
	if made := first.made(); made.IsValid() {
		related = append(related, analysis.RelatedInformation{Pos: made, Message: "called for each item here"})
	}
	c.r.Report(report.Finding{Pos: first.call.Pos(), Message: text, Related: related})
}
