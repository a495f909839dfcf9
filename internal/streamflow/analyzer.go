// Package streamflow is the engine that all checks share: where stream data
// comes from in a package and what state it is in.
//
// Its Analyzer runs once a package. For a package that can hold neither a finding
// nor a fact it does nothing; otherwise it builds the package's SSA form, writes
// the facts that importing packages need, and gives the checks a *Flow to ask.
// The route is always the same: a check picks the calls it cares about
// ([Flow.Decodes], [Flow.Calls]), asks where an operand comes from
// ([Flow.Trace]), asks what stands between the arrival and the call
// ([Flow.Guards], [Flow.SameLoop]), and reports.
package streamflow

import (
	"fmt"
	"go/types"
	"maps"
	"os"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/ssa"
)

// Analyzer computes the stream flow of a package.
var Analyzer = &analysis.Analyzer{
	Name:       "streamflow",
	Doc:        "compute where stream data comes from and what state it is in\n\nThis analyzer reports nothing; the streamlint checks require it.",
	Run:        run,
	Requires:   []*analysis.Analyzer{inspect.Analyzer},
	ResultType: reflect.TypeFor[*Flow](),
	FactTypes:  []analysis.Fact{new(FuncFact), new(FieldFact), new(FuncVarFact)},
}

// Flow is what the engine knows about one package. Its zero-function form (see
// Empty) belongs to a package that cannot hold a finding.
type Flow struct {
	pass   *analysis.Pass
	config *Config
	ssaPkg *ssa.Package
	funcs  []*ssa.Function

	callers    map[*ssa.Function][]Site
	methods    map[string][]*ssa.Function
	callbacks  map[*ssa.Parameter]Origin // what foreign functions call our closures with
	closures   map[*ssa.Function][]*ssa.MakeClosure
	funcFields map[*types.Var][]ssa.Value // reads of fields that hold functions
	writes     map[any][]write
	passed     map[any][]passed
	control    map[*ssa.Function]*control
	decodes    []*Decode
	summaries  map[summaryKey][]Origin
	marks      marks
	named      map[*types.Var][]ssa.Value // where each field is read or addressed
	locations  map[ssa.Value]any
	invokes    map[invoked][]*ssa.Function
	locating   map[*ssa.Phi]bool
	parts      map[ssa.Value]bool
	fed        map[*types.TypeName]bool
	funcVars   map[*types.Var]*types.Func // package-level variables that hold one function all along
}

func run(pass *analysis.Pass) (result any, err error) {
	flow := &Flow{pass: pass, config: settings.config()}
	insp := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	if !flow.candidate(insp) {
		return flow, nil
	}
	// The SSA builder and the analysis over it must never take a user's build
	// down: a package that trips them is a package with no findings.
	defer func() {
		if r := recover(); r != nil {
			if debugPanics {
				panic(r)
			}
			*flow = Flow{pass: pass, config: flow.config}
			result, err = flow, nil // the checks ask for it
		}
	}()
	flow.build()
	flow.index()
	flow.exportFacts()
	return flow, nil
}

// debugPanics lets a panic through, so that tests and whoever works on the engine
// see it.
var debugPanics = os.Getenv("STREAMLINT_DEBUG") != ""

// Of gives the flow of the package that a check looks at, for that check alone:
// drivers run the checks of a package at the same time, and answers are kept as
// they are found.
func Of(pass *analysis.Pass) *Flow {
	flow, ok := pass.ResultOf[Analyzer].(*Flow)
	if !ok {
		panic(fmt.Sprintf("%s does not require streamflow.Analyzer", pass.Analyzer.Name))
	}
	return flow.fork()
}

// fork gives a flow with the same index and answers of its own. What is written
// after the index is made must be listed here.
func (f *Flow) fork() *Flow {
	fork := *f
	fork.summaries = maps.Clone(f.summaries)
	fork.locations = maps.Clone(f.locations)
	fork.invokes = maps.Clone(f.invokes)
	fork.parts = maps.Clone(f.parts)
	fork.control, fork.named, fork.locating, fork.fed = nil, nil, nil, nil
	return &fork
}

// Empty reports whether the package was left alone: there is nothing to check.
func (f *Flow) Empty() bool { return f.ssaPkg == nil }

// Functions gives the functions and closures written in the package, in source
// order.
func (f *Flow) Functions() []*ssa.Function { return f.funcs }

// Pass gives the engine's own pass: types, files and positions of the package.
func (f *Flow) Pass() *analysis.Pass { return f.pass }
