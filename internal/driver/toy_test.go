package driver_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/streamlint/streamlint/internal/driver"
)

// The test binary doubles as a small checker, toylint, built as streamlint is:
// a shared analyzer with facts, and checks that require it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"toylint": toyMain})
}

func toyMain() {
	c := &driver.Command{
		Name:         "toylint",
		Summary:      "toylint reports decoding, for the driver's tests.",
		Analyzers:    toyChecks,
		Fixable:      []string{"clumsy"},
		MayHoldFacts: toyMayHoldFacts,
		Subcommands:  []driver.Subcommand{{Name: "count", Summary: "count the arguments", Run: toyCount}},
		Stdout:       os.Stdout,
		Stderr:       os.Stderr,
	}
	if driver.IsVetCall(os.Args[1:]) {
		c.VetMain(os.Args[1:])
	}
	os.Exit(c.Main(context.Background(), os.Args[1:]))
}

// toyCount ends with the number of its arguments.
func toyCount(_ context.Context, args []string) int {
	if slices.Equal(args, []string{"-h"}) {
		fmt.Println("usage: toylint count [ARG...]")
		return 0
	}
	fmt.Println(len(args), "arguments")
	return len(args)
}

var toyChecks = []*analysis.Analyzer{decodes, clumsy, crash}

// toyMayHoldFacts is a rule as streamflow has one: only what imports a
// decoder, or something that is not of the standard library, can decode.
func toyMayHoldFacts(imports []string) bool {
	return slices.ContainsFunc(imports, func(path string) bool {
		first, _, _ := strings.Cut(path, "/")
		return path == "encoding/json" || strings.Contains(first, ".")
	})
}

// decodesFact is about a function that decodes JSON, itself or by calls.
type decodesFact struct{ Via string }

func (*decodesFact) AFact()           {}
func (f *decodesFact) String() string { return "decodes via " + f.Via }

// importsFact is about a package, with the JSON decoders it declares.
type importsFact struct{ Decoders []string }

func (*importsFact) AFact()           {}
func (f *importsFact) String() string { return fmt.Sprint(f.Decoders) }

var toyFlow = &analysis.Analyzer{
	Name:      "toyflow",
	Doc:       "toyflow: which functions decode JSON",
	Requires:  []*analysis.Analyzer{inspect.Analyzer},
	FactTypes: []analysis.Fact{(*decodesFact)(nil), (*importsFact)(nil)},
	Run:       runToyFlow,
}

func runToyFlow(pass *analysis.Pass) (any, error) {
	if p := pass.Pkg.Path(); !strings.Contains(p, ".") {
		return nil, nil // the standard library is known by heart
	}
	var decls []*ast.FuncDecl
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				decls = append(decls, fd)
			}
		}
	}
	var names []string
	for changed := true; changed; {
		changed = false
		for _, fd := range decls {
			fn, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func)
			if !ok || pass.ImportObjectFact(fn, new(decodesFact)) {
				continue
			}
			ast.Inspect(fd.Body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if via := decodedBy(pass, call); via != "" && !pass.ImportObjectFact(fn, new(decodesFact)) {
					pass.ExportObjectFact(fn, &decodesFact{via})
					names = append(names, fn.Name())
					changed = true
				}
				return true
			})
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		pass.ExportPackageFact(&importsFact{names})
	}
	return nil, nil
}

// decodedBy names the function a call decodes by.
func decodedBy(pass *analysis.Pass, call *ast.CallExpr) string {
	fn := typeutil.StaticCallee(pass.TypesInfo, call)
	if fn == nil {
		return ""
	}
	fn = fn.Origin()
	if fn.FullName() == "encoding/json.Unmarshal" {
		return fn.FullName()
	}
	if pass.ImportObjectFact(fn, new(decodesFact)) {
		return fn.FullName()
	}
	return ""
}

var decodes = &analysis.Analyzer{
	Name:     "decodes",
	Doc:      "decodes: report calls that decode\n\nIt tells each call of a function that decodes JSON:\n\n\tjson.Unmarshal(data, &v)\n\nin whatever package that happens.",
	URL:      "https://example.test/decodes",
	Requires: []*analysis.Analyzer{inspect.Analyzer, toyFlow},
	Run: func(pass *analysis.Pass) (any, error) {
		in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
		for n := range in.PreorderSeq((*ast.CallExpr)(nil)) {
			call := n.(*ast.CallExpr)
			via := decodedBy(pass, call)
			if via == "" || decodesTests(pass, call.Pos()) {
				continue
			}
			fn := typeutil.StaticCallee(pass.TypesInfo, call)
			var known importsFact
			if fn.Pkg() != pass.Pkg && pass.ImportPackageFact(fn.Pkg(), &known) {
				via += fmt.Sprint(" of ", known.Decoders)
			}
			pass.Report(analysis.Diagnostic{
				Pos: call.Pos(), End: call.End(), Category: "decode",
				Message: "decodes: call decodes by " + via,
				Related: []analysis.RelatedInformation{{Pos: call.Lparen, Message: "called here"}},
			})
		}
		return nil, nil
	},
}

var decodesInTests bool

func init() {
	decodes.Flags.BoolVar(&decodesInTests, "tests", false, "report in test files")
}

func decodesTests(pass *analysis.Pass, pos token.Pos) bool {
	return !decodesInTests && strings.HasSuffix(pass.Fset.Position(pos).Filename, "_test.go")
}

var clumsy = &analysis.Analyzer{
	Name:     "clumsy",
	Doc:      "clumsy: report x = x + y, with a fix",
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
		for n := range in.PreorderSeq((*ast.AssignStmt)(nil)) {
			as := n.(*ast.AssignStmt)
			if len(as.Lhs) != 1 || as.Tok != token.ASSIGN {
				continue
			}
			id, ok1 := as.Lhs[0].(*ast.Ident)
			sum, ok2 := as.Rhs[0].(*ast.BinaryExpr)
			if !ok1 || !ok2 || sum.Op != token.ADD {
				continue
			}
			if x, ok := sum.X.(*ast.Ident); !ok || x.Name != id.Name {
				continue
			}
			pass.Report(analysis.Diagnostic{
				Pos: as.Pos(), End: as.End(), Message: "clumsy: " + id.Name + " is added to the long way",
				SuggestedFixes: []analysis.SuggestedFix{{
					Message: "Use +=",
					TextEdits: []analysis.TextEdit{
						{Pos: as.TokPos, End: sum.Y.Pos(), NewText: []byte("+=")}, // gofmt puts the space back
					},
				}},
			})
		}
		return nil, nil
	},
}

// crash panics over a function called crash, as a check with a mistake would.
var crash = &analysis.Analyzer{
	Name: "crash",
	Doc:  "crash: panics over a function of that name",
	Run: func(pass *analysis.Pass) (any, error) {
		if obj := pass.Pkg.Scope().Lookup("crash"); obj != nil {
			panic("met " + obj.Name())
		}
		return nil, nil
	},
}
