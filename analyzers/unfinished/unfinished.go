// Package unfinished defines an Analyzer that reports streams whose end is taken
// for success although nothing showed that it was the end. The check's page,
// docs/checks/unfinished.md, says what it reports and what it leaves alone.
package unfinished

import (
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// Analyzer reports ends of streams that pass for success unseen.
var Analyzer = &analysis.Analyzer{
	Name:      "unfinished",
	Doc:       docs.Check("unfinished"),
	URL:       report.URL("unfinished"),
	Requires:  []*analysis.Analyzer{streamflow.Analyzer},
	FactTypes: []analysis.Fact{new(markerFact)},
	Run:       report.Safe(run),
}

var (
	opts *report.Options
	// scannererr leaves the plain case of a missing Err to the pass of go vet.
	scannererr bool
	files      bool
)

func init() {
	opts = report.AddFlags(Analyzer)
	Analyzer.Flags.BoolVar(&scannererr, "scannererr", false, "leave the plain local case of a missing Scanner.Err to go vet's scannererr (Go 1.27 and later)")
	Analyzer.Flags.BoolVar(&files, "files", false, "report readers of files and the standard input too")
	streamflow.AddFlags(Analyzer)
}

type checker struct {
	pass *analysis.Pass
	flow *streamflow.Flow
	io   *streamflow.IO
	r    *report.Reporter
	// spoken are the functions with a report already: one defect, one report.
	spoken  map[*ssa.Function]bool
	markers map[*types.Func]*markerFact
	values  map[*ssa.Function]bool // functions used as values, made when first needed
}

func run(pass *analysis.Pass) (any, error) {
	r := report.New(pass, opts)
	flow := streamflow.Of(pass)
	c := &checker{pass: pass, flow: flow, io: flow.IO(), r: r,
		spoken: make(map[*ssa.Function]bool), markers: make(map[*types.Func]*markerFact)}
	c.exportMarkers()
	if flow.Empty() {
		return nil, nil
	}
	c.scanners()
	c.iterators()
	c.mores()
	c.receives()
	c.yields()
	c.pipes()
	c.ends()
	c.tools()
	return nil, nil
}

// speak reports a finding in a function, once.
func (c *checker) speak(fn *ssa.Function, f report.Finding) {
	if c.spoken[fn] {
		return
	}
	c.spoken[fn] = true
	c.r.Report(f)
}

func topLevel(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}
