// Package blindretry defines an Analyzer that reports requests whose stream was
// handed on in part and that are sent again from the start. The check's page,
// docs/checks/blindretry.md, says what it reports and what it leaves alone.
package blindretry

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// Analyzer reports calls that open a stream again after its data went out, with
// neither a resume position, nor deduplication, nor a reset of what went out.
var Analyzer = &analysis.Analyzer{
	Name:      "blindretry",
	Doc:       docs.Check("blindretry"),
	URL:       report.URL("blindretry"),
	Requires:  []*analysis.Analyzer{streamflow.Analyzer},
	FactTypes: []analysis.Fact{new(opFact)},
	Run:       report.Safe(run),
}

var opts *report.Options

func init() {
	opts = report.AddFlags(Analyzer)
	streamflow.AddFlags(Analyzer)
}

func run(pass *analysis.Pass) (_ any, err error) {
	r := report.New(pass, opts)
	flow := streamflow.Of(pass)
	if flow.Empty() {
		return nil, nil
	}
	c := &checker{pass: pass, flow: flow, r: r,
		ops: make(map[*ssa.Function][]emission), busy: make(map[*ssa.Function]bool),
		reached: make(map[*ssa.Function]*reach), loads: make(map[any][]ssa.Value),
		starts: make(map[*ssa.Function]*start), given: make(map[*ssa.Function][]int)}
	c.index()
	for _, fn := range flow.Functions() {
		c.loops(fn)
		c.inPlace(fn)
		c.recursion(fn)
		c.libraries(fn)
		c.second(fn)
		c.positions(fn)
		c.reopened(fn)
	}
	c.hooks()
	c.exportFacts()
	return nil, nil
}

// checker looks at one package.
type checker struct {
	pass    *analysis.Pass
	flow    *streamflow.Flow
	r       *report.Reporter
	ops     map[*ssa.Function][]emission
	busy    map[*ssa.Function]bool
	reached map[*ssa.Function]*reach
	loads   map[any][]ssa.Value // reads of fields, by location
	starts  map[*ssa.Function]*start
	given   map[*ssa.Function][]int
}

// index notes where fields are read.
func (c *checker) index() {
	for _, fn := range c.flow.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch x := in.(type) {
				case *ssa.FieldAddr:
					l := c.flow.Location(x)
					c.loads[l] = append(c.loads[l], x)
				case *ssa.Field:
					l := c.flow.Location(x)
					c.loads[l] = append(c.loads[l], x)
				}
			}
		}
	}
}

// start holds the calls of one function from which streams come.
type start struct {
	opens []opening
	hands []emission // streaming callbacks handed to somebody else
}

type opening struct {
	call    ssa.CallInstruction
	endless bool
}

// startsIn gives the calls of a function that open streams.
func (c *checker) startsIn(fn *ssa.Function) *start {
	if s := c.starts[fn]; s != nil {
		return s
	}
	s := new(start)
	c.starts[fn] = s
	for _, call := range c.flow.Calls(fn) {
		if _, started := call.(*ssa.Go); started {
			continue
		}
		if ok, endless := c.opens(call); ok {
			s.opens = append(s.opens, opening{call, endless})
		}
		s.hands = append(s.hands, c.handsCallback(call)...)
	}
	return s
}

func (c *checker) report(again ssa.Instruction, e *emission, how string) {
	what := "what it has received"
	if e.what != "" {
		what = "what it has received (to " + e.what + ")"
	}
	related := []analysis.RelatedInformation{}
	if e.in != nil && e.in.Pos().IsValid() {
		related = append(related, analysis.RelatedInformation{Pos: e.in.Pos(), Message: "handed on here"})
	}
	if e.open != nil && e.open.Pos().IsValid() && e.open != again {
		related = append(related, analysis.RelatedInformation{Pos: e.open.Pos(), Message: "opened here"})
	}
	line := ""
	if e.in != nil && e.in.Pos().IsValid() && e.in != again {
		line = fmt.Sprintf(", line %d", c.r.Line(e.in.Pos()))
	}
	name := "the request"
	if call, ok := again.(ssa.CallInstruction); ok {
		name = streamflow.CallWords(call)
	}
	c.r.Report(report.Finding{
		Pos: again.Pos(),
		Message: fmt.Sprintf("%s %s although an attempt may have handed on %s%s: the consumer gets it twice or loses what came between; resume after the last event, drop events already seen, retry only before the first one, or tell the consumer to start over",
			name, how, what, line),
		Related: related,
	})
}
