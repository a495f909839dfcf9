// Package perchunkdecode defines an Analyzer that reports whole-document decoders
// given a piece of a document. The check's page, docs/checks/perchunkdecode.md,
// says what it reports and what it leaves alone.
package perchunkdecode

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// Analyzer reports decoders of whole documents that get a chunk, a fragment, or
// something accumulated whose end was not shown.
var Analyzer = &analysis.Analyzer{
	Name:     "perchunkdecode",
	Doc:      docs.Check("perchunkdecode"),
	URL:      report.URL("perchunkdecode"),
	Requires: []*analysis.Analyzer{streamflow.Analyzer},
	Run:      run,
}

var opts *report.Options

func init() {
	opts = report.AddFlags(Analyzer)
	streamflow.AddFlags(Analyzer)
}

func run(pass *analysis.Pass) (any, error) {
	r := report.New(pass, opts)
	flow := streamflow.Of(pass)
	if flow.Empty() {
		return nil, nil
	}
	for _, d := range flow.Decodes() {
		check(flow, r, d)
	}
	return nil, nil
}

func check(flow *streamflow.Flow, r *report.Reporter, d *streamflow.Decode) {
	if d.Bool {
		return // json.Valid alone decides nothing
	}
	arrivals := flow.Arrivals(d.Call, d.Data, d.Path)
	var bad []streamflow.Arrival
	for _, a := range arrivals {
		switch a.Kind {
		case streamflow.Const:
			continue // the variable's first value
		case streamflow.Chunk, streamflow.Fragment:
			if a.Carried {
				return // borders are looked after
			}
			bad = append(bad, a)
		default:
			return // whole, or unknown on some way
		}
	}
	for i := range bad {
		a := &bad[i]
		if flow.EndingAll(a.Uses) != streamflow.Open {
			continue // the end was shown, or perhaps shown
		}
		if a.Joined() && !flow.Receiving(a) {
			continue // after the loop
		}
		r.Report(finding(r, d, a))
		return
	}
}

func finding(r *report.Reporter, d *streamflow.Decode, a *streamflow.Arrival) report.Finding {
	what := "a fragment"
	if a.Kind == streamflow.Chunk {
		what = "a chunk"
	}
	if a.Joined() {
		what = "accumulated data whose end was not shown"
	}
	return report.Finding{
		Pos: d.Call.Pos(),
		Message: fmt.Sprintf("%s decodes %s (%s, line %d): a document that continues in the next piece fails or is cut; join the pieces and decode once the end is shown",
			d.Name, what, a.What, r.Line(a.Pos)),
		Related: related(a),
	}
}

func related(a *streamflow.Arrival) []analysis.RelatedInformation {
	out := []analysis.RelatedInformation{{Pos: a.Pos, Message: "read here"}}
	for _, j := range a.Joins {
		out = append(out, analysis.RelatedInformation{Pos: j.Pos(), Message: "joined here"})
	}
	for _, u := range a.Uses[1:] {
		out = append(out, analysis.RelatedInformation{Pos: u.Pos(), Message: "called here"})
	}
	return out
}

var _ ssa.Instruction
