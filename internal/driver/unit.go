package driver

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"runtime/debug"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// unit is one package under analysis.
type unit struct {
	r       *run
	p       *listed
	view    *view
	files   []*ast.File
	pkg     *types.Package
	info    *types.Info
	facts   map[factKey]analysis.Fact // exported by this package's own passes
	direct  map[*types.Package]bool   // imports, built on demand
	actions map[*analysis.Analyzer]*action
	fixable map[*token.File]access
}

type action struct {
	result      any
	err         error
	diagnostics []analysis.Diagnostic
}

// load parses and type-checks a package from source.
func (r *run) load(p *listed) (*unit, error) {
	u := &unit{
		r:       r,
		p:       p,
		view:    r.universe.viewFor(p),
		facts:   make(map[factKey]analysis.Fact),
		actions: make(map[*analysis.Analyzer]*action),
		fixable: make(map[*token.File]access),
	}
	for _, name := range p.goFiles() {
		f, err := parser.ParseFile(r.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if f != nil {
			u.files = append(u.files, f)
		}
		if err != nil {
			u.drop()
			return nil, firstError(p, err)
		}
	}
	if len(u.files) == 0 {
		return nil, fmt.Errorf("%s: no Go files to check", p.path())
	}
	u.info = &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Scopes:       make(map[ast.Node]*types.Scope),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
	var importErr error
	conf := types.Config{
		Importer: importFunc(func(path string) (*types.Package, error) {
			pkg, err := u.view.load(p.importID(path))
			if err != nil && importErr == nil {
				importErr = err
			}
			return pkg, err
		}),
		Sizes:     r.sizes,
		GoVersion: p.goVersion(),
	}
	pkg, err := conf.Check(p.path(), r.fset, u.files, u.info)
	if err != nil {
		u.drop()
		if importErr != nil {
			return nil, importErr
		}
		return nil, firstError(p, err)
	}
	u.pkg = pkg
	return u, nil
}

type importFunc func(path string) (*types.Package, error)

func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }

// firstError reduces the errors of a package to a line that says where the
// first one is.
func firstError(p *listed, err error) error {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		err = list[0]
	}
	return fmt.Errorf("# %s\n%w", p.path(), err)
}

// drop releases what the shared file set holds of the package.
func (u *unit) drop() {
	for _, f := range u.files {
		if tf := u.r.fset.File(f.FileStart); tf != nil {
			u.r.fset.RemoveFile(tf)
		}
	}
}

// access tells what a fix may do to a file.
func (u *unit) access(tf *token.File) access {
	if acc, ok := u.fixable[tf]; ok {
		return acc
	}
	acc := readOnly // not a file of this package
	for _, f := range u.files {
		if u.r.fset.File(f.FileStart) != tf {
			continue
		}
		switch {
		case usesCgo(f):
			acc = rewritten
		case u.p.Module != nil && u.p.Module.Main && !ast.IsGenerated(f):
			acc = writable
		}
	}
	u.fixable[tf] = acc
	return acc
}

// run executes an analyzer on the unit after those it requires.
func (u *unit) run(a *analysis.Analyzer) *action {
	if act := u.actions[a]; act != nil {
		return act
	}
	act := new(action)
	u.actions[a] = act
	results := make(map[*analysis.Analyzer]any, len(a.Requires))
	for _, req := range a.Requires {
		ra := u.run(req)
		if ra.err != nil {
			act.err = fmt.Errorf("%s, which it requires, failed: %w", req.Name, ra.err)
			return act
		}
		results[req] = ra.result
	}
	pass := u.pass(a, act, results)
	act.result, act.err = runPass(pass)
	if act.err == nil && a.ResultType != nil {
		if got := reflect.TypeOf(act.result); got != a.ResultType {
			act.err = fmt.Errorf("result is a %v, not the promised %v", got, a.ResultType)
		}
	}
	// Whoever runs later must not report through this pass.
	pass.Report = func(d analysis.Diagnostic) { panic(a.Name + ": report after the pass ended") }
	return act
}

// runPass turns a panic into an error, so that one package an analyzer cannot
// cope with does not hide the findings in all others.
func runPass(pass *analysis.Pass) (result any, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("internal error, please report it: %v\n%s", v, debug.Stack())
		}
	}()
	return pass.Analyzer.Run(pass)
}

func (u *unit) pass(a *analysis.Analyzer, act *action, results map[*analysis.Analyzer]any) *analysis.Pass {
	own := func(fact analysis.Fact) {
		if !slices.ContainsFunc(a.FactTypes, func(f analysis.Fact) bool { return reflect.TypeOf(f) == reflect.TypeOf(fact) }) {
			panic(fmt.Sprintf("%s exports a fact of type %T that it does not declare", a.Name, fact))
		}
	}
	pass := &analysis.Pass{
		Analyzer:     a,
		Fset:         u.r.fset,
		Files:        u.files,
		OtherFiles:   u.p.otherFiles(),
		IgnoredFiles: u.p.ignoredFiles(),
		Pkg:          u.pkg,
		TypesInfo:    u.info,
		TypesSizes:   u.r.sizes,
		ResultOf:     results,
		Module:       u.p.module(),
		Report:       func(d analysis.Diagnostic) { act.diagnostics = append(act.diagnostics, d) },
		ExportObjectFact: func(obj types.Object, fact analysis.Fact) {
			if obj == nil || obj.Pkg() != u.pkg {
				panic(fmt.Sprintf("%s exports a fact about %v, which is not of package %s", a.Name, obj, u.pkg.Path()))
			}
			own(fact)
			u.facts[factKey{obj, reflect.TypeOf(fact)}] = fact
		},
		ExportPackageFact: func(fact analysis.Fact) {
			own(fact)
			u.facts[factKey{nil, reflect.TypeOf(fact)}] = fact
		},
		ImportObjectFact:  u.importObjectFact,
		ImportPackageFact: u.importPackageFact,
		AllObjectFacts:    func() []analysis.ObjectFact { return u.allObjectFacts(a) },
		AllPackageFacts:   func() []analysis.PackageFact { return u.allPackageFacts(a) },
	}
	pass.ReadFile = func(name string) ([]byte, error) {
		known := slices.Contains(pass.OtherFiles, name) || slices.Contains(pass.IgnoredFiles, name) ||
			slices.ContainsFunc(u.files, func(f *ast.File) bool { return u.r.fset.File(f.FileStart).Name() == name })
		if !known {
			return nil, fmt.Errorf("%s is not a file of package %s", name, u.pkg.Path())
		}
		return os.ReadFile(name)
	}
	return pass
}

// imported tells whether pkg is imported by the unit's own files.
func (u *unit) imported(pkg *types.Package) bool {
	if u.direct == nil {
		u.direct = make(map[*types.Package]bool)
		for _, p := range u.pkg.Imports() {
			u.direct[p] = true
		}
	}
	return u.direct[pkg]
}

func (u *unit) bound(pkg *types.Package) *boundFacts {
	b, err := u.r.factsOf(u.view.id(pkg)).bound(pkg)
	if err != nil {
		u.r.problem("%v", err)
		return &boundFacts{}
	}
	return b
}

func (u *unit) importObjectFact(obj types.Object, ptr analysis.Fact) bool {
	if obj == nil {
		panic("ImportObjectFact of no object")
	}
	key := factKey{obj, reflect.TypeOf(ptr)}
	pkg := obj.Pkg()
	var fact analysis.Fact
	switch {
	case pkg == nil:
		return false
	case pkg == u.pkg:
		fact = u.facts[key]
	case !u.imported(pkg) && packageLevelValue(obj):
		// go vet hands on facts about types, methods and fields of packages
		// imported indirectly, but not about these.
		return false
	default:
		fact = u.bound(pkg).found[key]
	}
	if fact == nil {
		return false
	}
	copyFact(ptr, fact)
	return true
}

// packageLevelValue reports whether obj is a function, variable or constant
// declared at package level.
func packageLevelValue(obj types.Object) bool {
	_, isType := obj.(*types.TypeName)
	return !isType && obj.Parent() == obj.Pkg().Scope()
}

func (u *unit) importPackageFact(pkg *types.Package, ptr analysis.Fact) bool {
	if pkg == nil {
		panic("ImportPackageFact of no package")
	}
	key := factKey{nil, reflect.TypeOf(ptr)}
	var fact analysis.Fact
	switch {
	case pkg == u.pkg:
		fact = u.facts[key]
	case u.imported(pkg):
		fact = u.bound(pkg).found[key]
	}
	if fact == nil {
		return false
	}
	copyFact(ptr, fact)
	return true
}
