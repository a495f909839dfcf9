// Package driver checks Go packages with go/analysis analyzers in one process.
//
// It finds what the same analyzers find under go vet, for a fraction of the
// time: packages named on the command line are type-checked from source one
// after another, each against the compiler's export data of what it imports,
// and are forgotten as soon as they are analysed. Facts travel between them
// in encoded form, as they do between the processes go vet starts. Facts
// about packages that are not checked themselves, such as those of the module
// cache, are computed when an analyzer asks for one and the package could
// have any.
package driver

import (
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Config says what to check, and how.
type Config struct {
	Analyzers  []*analysis.Analyzer
	Dir        string   // where the go command runs; "" is the current directory
	Patterns   []string // packages in the go command's notation; none means "."
	BuildFlags []string // flags for the go command, such as -tags=x
	Tests      bool     // check test files too

	// MayHoldFacts reports whether a package that imports the given paths
	// could give rise to a fact. Nil means that every package could. Packages
	// of the standard library are never asked about: what is to be known of
	// them has to be built into the analyzers.
	MayHoldFacts func(imports []string) bool

	// Progress, when there is one, is told before each package how many are done,
	// and how many there are.
	Progress func(done, all int)
}

// Result is what a run found.
type Result struct {
	Findings []Finding       // sorted by place
	Problems []string        // what could not be checked and why, as text for the user
	Packages int             // checked, those with problems included
	Checked  map[string]bool // files, by absolute name, of which all there is to find was found
}

// Run lists, loads and checks the packages. The error is about the run as a
// whole; what concerns single packages is in the result's Problems.
func Run(ctx context.Context, cfg *Config) (*Result, error) {
	if err := analysis.Validate(cfg.Analyzers); err != nil {
		return nil, err
	}
	packages, err := list(ctx, cfg)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	r := &run{
		cfg:      cfg,
		fset:     fset,
		packages: packages,
		universe: newUniverse(fset, packages),
		facts:    factStore{packages: make(map[string]*packageFacts)},
		sizes:    types.SizesFor("gc", goarch()),
		result:   &Result{Checked: make(map[string]bool)},
	}
	for _, a := range closure(cfg.Analyzers) {
		for _, f := range a.FactTypes {
			gob.Register(f)
		}
	}
	for _, a := range cfg.Analyzers {
		if usesFacts(a) {
			r.factAnalyzers = append(r.factAnalyzers, a)
		}
	}
	r.factAnalyzers = factProducers(r.factAnalyzers)
	r.checkAll(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.result.Findings = sortFindings(r.result.Findings)
	return r.result, nil
}

func goarch() string { return cmp.Or(os.Getenv("GOARCH"), runtime.GOARCH) }

// closure returns the analyzers and all they require, requirements first.
func closure(analyzers []*analysis.Analyzer) []*analysis.Analyzer {
	var out []*analysis.Analyzer
	seen := make(map[*analysis.Analyzer]bool)
	var visit func([]*analysis.Analyzer)
	visit = func(as []*analysis.Analyzer) {
		for _, a := range as {
			if !seen[a] {
				seen[a] = true
				visit(a.Requires)
				out = append(out, a)
			}
		}
	}
	visit(analyzers)
	return out
}

func usesFacts(a *analysis.Analyzer) bool {
	return slices.ContainsFunc(closure([]*analysis.Analyzer{a}), func(a *analysis.Analyzer) bool { return len(a.FactTypes) > 0 })
}

// factProducers returns those of the analyzers, or of what they require, that
// export facts themselves.
func factProducers(analyzers []*analysis.Analyzer) []*analysis.Analyzer {
	return slices.DeleteFunc(closure(analyzers), func(a *analysis.Analyzer) bool { return len(a.FactTypes) == 0 })
}

// run is the state of one Run.
type run struct {
	cfg           *Config
	fset          *token.FileSet
	packages      *listing
	universe      *universe
	facts         factStore
	sizes         types.Sizes
	factAnalyzers []*analysis.Analyzer
	result        *Result
}

func (r *run) problem(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), "\n")
	if !slices.Contains(r.result.Problems, text) {
		r.result.Problems = append(r.result.Problems, text)
	}
}

func (r *run) checkAll(ctx context.Context) {
	if len(r.packages.roots) == 0 {
		if len(r.packages.empty) > 0 {
			r.problem("%s: no Go files but tests (-test checks them)", strings.Join(r.packages.empty, ", "))
		} else {
			r.problem("no packages to check")
		}
	}
	lastOfTest := make(map[string]int)
	for i, p := range r.packages.roots {
		lastOfTest[p.ForTest] = i
	}
	for i, p := range r.packages.roots {
		if ctx.Err() != nil {
			return
		}
		r.progress(i, len(r.packages.roots))
		r.checkRoot(p)
		if p.ForTest != "" && lastOfTest[p.ForTest] == i {
			r.universe.forget(p.ForTest)
		}
	}
}

func (r *run) progress(done, all int) {
	if r.cfg.Progress != nil {
		r.cfg.Progress(done, all)
	}
}

func (r *run) checkRoot(p *listed) {
	r.result.Packages++
	if p.Error != nil {
		r.problem("%s", p.Error.text(p))
		return
	}
	if len(p.DepsErrors) > 0 && p.Export == "" {
		for _, e := range p.DepsErrors {
			r.problem("%s", e.text(p))
		}
		r.problem("%s: not checked, as what it imports does not build", p.path())
		return
	}
	facts := new(packageFacts)
	r.facts.packages[p.ImportPath] = facts
	u, err := r.load(p)
	if err != nil {
		r.loadProblem(p, err)
		return
	}
	defer u.drop()
	whole := true
	for _, a := range r.cfg.Analyzers {
		act := u.run(a)
		if act.err != nil {
			r.problem("%s: %s: %v", p.path(), a.Name, act.err)
			whole = false
		}
		for _, d := range act.diagnostics {
			f, err := newFinding(r.fset, p.path(), a, d, u.access)
			if err != nil {
				r.problem("%v", err)
			}
			f.Function = enclosing(u.files, d.Pos)
			r.result.Findings = append(r.result.Findings, f)
		}
	}
	if whole {
		for _, f := range u.files {
			r.result.Checked[r.fset.Position(f.Package).Filename] = true
		}
	}
	data, err := encodeFacts(u.facts)
	if err != nil {
		r.problem("%s: %v", p.path(), err)
	}
	facts.data = data
}

// loadProblem tells why a package could not be checked.
func (r *run) loadProblem(p *listed, err error) {
	var notBuilt *notBuiltError
	if errors.As(err, &notBuilt) {
		err = fmt.Errorf("%s: not checked, as %w", p.path(), notBuilt)
	}
	r.problem("%v", err)
}

// text is the error as the go command prints it.
func (e *listedError) text(p *listed) string {
	text := strings.TrimSpace(e.Err)
	if e.Pos != "" {
		return e.Pos + ": " + text
	}
	if strings.HasPrefix(text, "#") || strings.Contains(text, p.path()) {
		return text
	}
	return p.path() + ": " + text
}

// factsOf returns the facts of a package, computing them when it is none of
// those that are checked and could have any. Prepare has done it for what an
// analyzer is likely to ask about.
func (r *run) factsOf(id string) *packageFacts {
	if f := r.facts.packages[id]; f != nil {
		return f
	}
	f := new(packageFacts)
	r.facts.packages[id] = f // also what stops a cycle, were there one
	p := r.packages.byID[id]
	if p == nil || p.Standard || p.Export == "" || len(r.factAnalyzers) == 0 {
		return f
	}
	if !r.mayHoldFacts(p) {
		return f
	}
	r.prepare(p)
	u, err := r.load(p)
	if err != nil {
		return f // it builds, so this is a file that went away: no facts, as with an unknown package
	}
	defer u.drop()
	for _, a := range r.factAnalyzers {
		if act := u.run(a); act.err != nil {
			r.problem("%s: %s: %v", p.path(), a.Name, act.err)
		}
	}
	data, err := encodeFacts(u.facts)
	if err != nil {
		r.problem("%s: %v", p.path(), err)
	}
	f.data = data
	return f
}

// mayHoldFacts reports whether a package that is not checked can have facts:
// by what it imports, or because what it imports has some that lead on to it.
func (r *run) mayHoldFacts(p *listed) bool {
	if r.cfg.MayHoldFacts == nil || r.cfg.MayHoldFacts(p.Imports) {
		return true
	}
	return slices.ContainsFunc(p.Imports, func(path string) bool {
		return len(r.factsOf(p.importID(path)).data) > 0
	})
}

// prepare computes the facts of what a package imports before the package is
// loaded: asked for later they would have to be computed while its syntax and
// types are in memory, and so on down a chain of packages.
func (r *run) prepare(p *listed) {
	for _, path := range p.Imports {
		r.factsOf(p.importID(path))
	}
}

// usesCgo reports whether the file was made by cgo from one that imports "C",
// or imports it itself.
func usesCgo(f *ast.File) bool {
	for _, spec := range f.Imports {
		if spec.Path.Value == `"C"` {
			return true
		}
	}
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "// Code generated by cmd/cgo") {
				return true
			}
		}
	}
	return false
}
