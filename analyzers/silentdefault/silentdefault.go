// Package silentdefault defines an Analyzer that reports decode errors that are
// dropped while an empty, default, stale or half-filled value goes on as if it had
// been decoded. The check's page, docs/checks/silentdefault.md, says what it
// reports and what it leaves alone.
package silentdefault

import (
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// Analyzer reports decode errors that nobody hears of.
var Analyzer = &analysis.Analyzer{
	Name:      "silentdefault",
	Doc:       docs.Check("silentdefault"),
	URL:       report.URL("silentdefault"),
	Requires:  []*analysis.Analyzer{streamflow.Analyzer},
	Run:       report.Safe(run),
	FactTypes: []analysis.Fact{new(parses)},
}

var (
	opts *report.Options
	all  bool
)

func init() {
	opts = report.AddFlags(Analyzer)
	streamflow.AddFlags(Analyzer)
	Analyzer.Flags.BoolVar(&all, "all", false, "report every dropped decode error, not only those of streams, messages and tool calls")
}

// checker looks at one package.
type checker struct {
	pass *analysis.Pass
	flow *streamflow.Flow
	// subjects are the decodes of the package and the calls of functions that
	// decode one of their parameters and can fail.
	subjects []*subject
	byCall   map[ssa.CallInstruction]*subject
	prints   map[*ssa.Function]verdict
	inside   map[*ssa.Function][]*subject
}

// subject is one call whose error the check follows.
type subject struct {
	call ssa.CallInstruction
	fn   *ssa.Function
	name string // json.Unmarshal, parseArgs
	data ssa.Value
	path streamflow.Path
	into ssa.Value // what is filled, or the result; nil where the program drops it
	err  ssa.Value // nil where the program drops it
	// valid says that err is the bool of json.Valid.
	valid bool
	// helper says that the call is a function's that decodes a parameter.
	helper bool
	// result says that into is a result of the call.
	result bool
}

func run(pass *analysis.Pass) (any, error) {
	r := report.New(pass, opts)
	flow := streamflow.Of(pass)
	if flow.Empty() {
		return nil, nil
	}
	c := &checker{
		pass: pass, flow: flow,
		byCall: make(map[ssa.CallInstruction]*subject),
		prints: make(map[*ssa.Function]verdict),
		inside: make(map[*ssa.Function][]*subject),
	}
	c.collect()
	for _, s := range c.subjects {
		if f, ok := c.check(s); ok {
			r.Report(f)
		}
	}
	return nil, nil
}

// check follows the error of one decode and says what is wrong with its way.
func (c *checker) check(s *subject) (report.Finding, bool) {
	var none report.Finding
	if s.err != nil && referred(s.err) && !s.valid && !streamflow.IsError(s.err.Type()) {
		return none, false // a verdict of another kind
	}
	if fallbackMethod(s.fn) || c.onlyPrints(s.fn, 0) {
		return none, false
	}
	t := c.target(s)
	if t == nil {
		return none, false
	}
	if errorShaped(t.typ) {
		return none, false // the body of an error is looked into as far as it goes
	}
	w := c.walk(s, t)
	if w.silent() {
		return none, false
	}
	events := w.ranked()
	if s.valid && (len(events) == 0 || events[0].kind == skipped) {
		events, t, w = c.unlessValid(s)
	}
	if len(events) == 0 {
		return none, false
	}
	sc := c.scope(s)
	if sc.own {
		return none, false
	}
	for _, ev := range events {
		if all || sc.allows(ev, s, w) {
			return c.finding(s, t, w, ev, sc), true
		}
	}
	return none, false
}

// unlessValid looks at what is decoded only if the text is valid, and passed on in
// any case.
func (c *checker) unlessValid(s *subject) ([]*event, *target, *walk) {
	for _, d := range c.inside[s.fn] {
		if d.valid || d.call == s.call || !same(d.data, s.data, 0) {
			continue
		}
		t := c.target(d)
		if t == nil || t.cell == nil {
			continue
		}
		w := c.walk(s, t)
		if !w.dropped && !w.silent() && w.guards(d.call) {
			if events := w.ranked(); len(events) > 0 && events[0].kind == used {
				return events[:1], t, w
			}
		}
	}
	return nil, nil, nil
}

// referred reports whether anything in the program looks at v.
func referred(v ssa.Value) bool {
	if v == nil || v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		if _, ok := ref.(*ssa.DebugRef); !ok {
			return true
		}
	}
	return false
}

// fallbackMethod reports whether fn is a method by which a type decodes itself:
// trying one shape after the other is its work.
func fallbackMethod(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	sig := fn.Signature
	if sig.Recv() == nil || sig.Results().Len() != 1 || !streamflow.IsError(sig.Results().At(0).Type()) || sig.Params().Len() == 0 {
		return false
	}
	switch fn.Name() {
	case "UnmarshalJSON", "UnmarshalText", "UnmarshalBinary", "UnmarshalBSON", "UnmarshalMsgpack", "UnmarshalCBOR", "GobDecode":
		return streamflow.IsText(sig.Params().At(0).Type())
	case "UnmarshalYAML", "UnmarshalXML", "UnmarshalJSONFrom", "UnmarshalTOML", "Scan":
		return sig.Params().Len() <= 2
	}
	return false
}

var errorInterface = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// isErrorType reports whether t, or a pointer to it, is an error.
func isErrorType(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Interface); ok {
		return streamflow.IsError(t) || types.Implements(t, errorInterface)
	}
	if types.Implements(t, errorInterface) {
		return true
	}
	if _, ok := t.Underlying().(*types.Pointer); ok {
		return false
	}
	return types.Implements(types.NewPointer(t), errorInterface)
}
