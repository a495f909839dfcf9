// Package lossyutf8 defines an Analyzer that reports raw chunks of a stream which
// meet something that works on characters. The check's page,
// docs/checks/lossyutf8.md, says what it reports and what it leaves alone.
package lossyutf8

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// Analyzer reports chunks, whose ends may split a character, at the call that
// needs whole characters.
var Analyzer = &analysis.Analyzer{
	Name:      "lossyutf8",
	Doc:       docs.Check("lossyutf8"),
	URL:       report.URL("lossyutf8"),
	Requires:  []*analysis.Analyzer{streamflow.Analyzer},
	FactTypes: []analysis.Fact{new(sinkFact), new(cutFact)},
	Run:       report.Safe(run),
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
		plainFacts(pass)
		return nil, nil
	}
	c := &checker{pass: pass, flow: flow, r: r, keeps: make(map[*ssa.Function]bool), fed: make(map[string]feeding)}
	c.cutFields()
	var facts facts
	for _, fn := range flow.Functions() {
		for _, s := range c.sinks(fn) {
			c.check(s, &facts)
		}
	}
	c.exportFacts(&facts)
	return nil, nil
}

type checker struct {
	pass  *analysis.Pass
	flow  *streamflow.Flow
	r     *report.Reporter
	keeps map[*ssa.Function]bool
	fed   map[string]feeding
}

// sink is a place at which text has to be whole characters.
type sink struct {
	at   ssa.Instruction
	v    ssa.Value
	path streamflow.Path
	name string // what meets the text: json.Marshal
	how  string // what happens to half a character
	kind kind
}

type kind uint8

const (
	encode kind = iota // encoders, frames, proto fields: the text leaves
	chars              // functions that go character by character
	valid              // utf8.Valid: the text is judged
)

func (c *checker) check(s sink, fs *facts) {
	if s.kind == valid && c.cut(s) {
		c.report(s, token.NoPos, "text cut at a byte limit")
		return
	}
	for _, a := range c.flow.Arrivals(s.at, s.v, s.path) {
		switch a.Kind {
		case streamflow.Param:
			if len(s.path)+len(a.Path) == 0 && !a.Joined() && !c.looksAfter(s, &a) {
				fs.note(&a, s)
			}
		case streamflow.Chunk:
			if c.bad(s, &a) {
				c.report(s, a.Pos, "a chunk of "+a.What)
				return
			}
		}
	}
}

func (c *checker) bad(s sink, a *streamflow.Arrival) bool {
	if s.kind == valid && gathers(s.at.Parent()) {
		return false
	}
	if a.Carried || a.Joined() && !c.onlyDressed(a) {
		return false
	}
	if !c.streamed(s, a) || c.looksAfter(s, a) || c.cutOut(s.v, 0, make(map[ssa.Value]bool)) {
		return false
	}
	if p := writeParam(a); p != nil {
		if c.feedingOf(p.Parent()) != pieces {
			return false // fed with whole records, for all we know
		}
	}
	return true
}

func (c *checker) report(s sink, pos token.Pos, what string) {
	where := ""
	var related []analysis.RelatedInformation
	if pos.IsValid() {
		where = fmt.Sprintf(" (line %d)", c.r.Line(pos))
		related = append(related, analysis.RelatedInformation{Pos: pos, Message: "read here"})
	}
	at := s.at.Pos()
	if !at.IsValid() {
		at = s.v.Pos()
	}
	c.r.Report(report.Finding{
		Pos: at,
		Message: fmt.Sprintf("%s gets %s%s, which may end inside a character: %s; keep the unfinished bytes for the next piece, or send bytes (base64, a binary frame)",
			s.name, what, where, s.how),
		Related: related,
	})
}
