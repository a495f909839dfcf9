// Package perchunkdecode defines an Analyzer that reports whole-document decoders
// given a piece of a document. The check's page, docs/checks/perchunkdecode.md,
// says what it reports and what it leaves alone.
package perchunkdecode

import (
	"fmt"
	"go/token"

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
	Run:      report.Safe(run),
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
	if d.Bool && !finalises(flow, d) {
		return // json.Valid that decides nothing
	}
	arrivals := flow.Arrivals(d.Call, d.Data, d.Path)
	var bad []streamflow.Arrival
	for _, a := range arrivals {
		switch a.Kind {
		case streamflow.Const:
			continue // the variable's first value
		case streamflow.Chunk, streamflow.Fragment:
			if a.Carried || flow.RestKept(&a.Origin) {
				return // borders are looked after
			}
			if sized(flow, &a) {
				return // a read of as much as somebody knows to be there
			}
		case streamflow.Param, streamflow.Piece:
			// Something that arrives piece by piece, of which it is not known what the
			// pieces are: that it is joined and tried again and again tells.
			if a.Instr == nil || a.Carried || !a.Joined() || !untilItParses(flow, d) {
				return
			}
		default:
			return // whole, or unknown on some way
		}
		bad = append(bad, a)
	}
	for i := range bad {
		a := &bad[i]
		if flow.EndingAll(a.Uses) != streamflow.Open {
			continue // the end was shown, or perhaps shown
		}
		if a.Joined() && !flow.Receiving(a) {
			continue // after the loop
		}
		if read := loneRead(flow, d, a); read != nil {
			r.Report(readFinding(r, d, a, read))
			return
		}
		r.Report(finding(r, d, a))
		return
	}
}

// loneRead gives the one Read that another function takes for the whole message:
// it is the line to change then, and not the decode that trusts the function.
func loneRead(flow *streamflow.Flow, d *streamflow.Decode, a *streamflow.Arrival) ssa.Instruction {
	if a.Kind != streamflow.Chunk || a.Param != nil || a.Joined() || a.Instr == nil {
		return nil
	}
	call, ok := a.Instr.(ssa.CallInstruction)
	if !ok || a.Instr.Parent() == d.Call.Parent() || flow.InLoop(a.Instr) {
		return nil
	}
	for _, use := range a.Uses {
		if use.Parent() == a.Instr.Parent() {
			return nil // the reader calls the decoder: the data goes down, not up
		}
	}
	if streamflow.Callee(call) == nil || streamflow.Callee(call).Name() != "Read" {
		return nil
	}
	return a.Instr
}

func readFinding(r *report.Reporter, d *streamflow.Decode, a *streamflow.Arrival, read ssa.Instruction) report.Finding {
	return report.Finding{
		Pos: read.Pos(),
		Message: fmt.Sprintf("%s is called once and its chunk is decoded as a whole document by %s (line %d): a read may return any part of it; read to the end (io.ReadAll, io.ReadFull) or decode from the reader",
			a.What, d.Name, r.Line(d.Call.Pos())),
		Related: []analysis.RelatedInformation{{Pos: d.Call.Pos(), Message: "decoded here"}},
	}
}

// sized reports whether a chunk comes from a single Read, its error looked at, into
// a buffer whose length was computed: of a record whose size is known, for all that
// can be seen.
func sized(flow *streamflow.Flow, a *streamflow.Arrival) bool {
	call, ok := a.Instr.(*ssa.Call)
	if !ok || a.Kind != streamflow.Chunk || a.Joined() {
		return false
	}
	args := streamflow.Args(call)
	if len(args) != 2 {
		return false
	}
	buf, ok := args[1].(*ssa.MakeSlice)
	if !ok || flow.InLoop(call) && !flow.SameLoop(buf, call) {
		return false // one buffer for many reads
	}
	err := streamflow.Result(call, 1)
	return err != nil && err.Referrers() != nil && len(*err.Referrers()) > 0
}

// untilItParses reports whether a decode in a loop is tried again after it
// failed: its failure leads back to it.
func untilItParses(flow *streamflow.Flow, d *streamflow.Decode) bool {
	if d.Err == nil || !flow.InLoop(d.Call) {
		return false
	}
	for _, ref := range *d.Err.Referrers() {
		cond, ok := ref.(*ssa.BinOp)
		if !ok {
			if ifi, ok := ref.(*ssa.If); ok && d.Bool && again(flow, d, ifi.Block().Succs[1]) {
				return true
			}
			continue
		}
		for _, use := range *cond.Referrers() {
			ifi, ok := use.(*ssa.If)
			if !ok {
				continue
			}
			failed := ifi.Block().Succs[0]
			if cond.Op == token.EQL {
				failed = ifi.Block().Succs[1]
			}
			if again(flow, d, failed) {
				return true
			}
		}
	}
	return false
}

// again reports whether control comes from a block back to the decode.
func again(flow *streamflow.Flow, d *streamflow.Decode, from *ssa.BasicBlock) bool {
	return len(from.Instrs) > 0 && (from == d.Call.Block() || flow.Reaches(from.Instrs[0], d.Call))
}

// finalises reports whether the verdict of a validity check alone decides that
// a value is complete: nothing decodes the value under it, where the decoder
// would be the place to report.
func finalises(flow *streamflow.Flow, d *streamflow.Decode) bool {
	if d.Err == nil || !untilItParses(flow, d) {
		return false
	}
	for _, other := range flow.Decodes() {
		if other.Bool || other.Call.Parent() != d.Call.Parent() {
			continue
		}
		for _, g := range flow.Guards(other.Call) {
			if g.Cond == d.Err && g.Branch == streamflow.True {
				return false
			}
		}
	}
	return true
}

func finding(r *report.Reporter, d *streamflow.Decode, a *streamflow.Arrival) report.Finding {
	what, why := "a fragment", "it is a piece of a document, so decoding fails or gives half of it"
	switch {
	case a.Joined():
		what, why = "what has arrived so far", "it can parse and still be a part of the document"
	case a.Kind == streamflow.Chunk:
		what, why = "one chunk", "a read ends anywhere, so a document cut by its border fails or is lost"
	}
	verb := "decodes"
	if d.Bool {
		verb = "judges"
	}
	return report.Finding{
		Pos: d.Call.Pos(),
		Message: fmt.Sprintf("%s %s %s (%s, line %d): %s; join the pieces and decode once, when the end is shown",
			d.Name, verb, what, a.What, r.Line(a.Pos), why),
		Related: related(a),
	}
}

func related(a *streamflow.Arrival) []analysis.RelatedInformation {
	var out []analysis.RelatedInformation
	add := func(pos token.Pos, text string) {
		if pos.IsValid() {
			out = append(out, analysis.RelatedInformation{Pos: pos, Message: text})
		}
	}
	add(a.Pos, "read here")
	for _, j := range a.Joins {
		add(j.Pos(), "joined here")
	}
	for _, u := range a.Uses[1:] {
		add(u.Pos(), "called here")
	}
	return out
}
