package report_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/internal/report"
)

// check makes a check that reports every call of a function called bad.
func check(name string) *analysis.Analyzer {
	a := &analysis.Analyzer{Name: name, Doc: name + ": report calls of bad", URL: report.URL(name)}
	opts := report.AddFlags(a)
	a.Run = func(pass *analysis.Pass) (any, error) {
		r := report.New(pass, opts)
		for _, f := range pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "bad" {
						r.Report(report.Finding{Pos: call.Pos(), Message: "call of bad"})
					}
				}
				return true
			})
		}
		return nil, nil
	}
	return a
}

func TestSilence(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), check("one"), "silence", "wholefile")
}

func TestUnused(t *testing.T) {
	one, two := check("one"), check("two")
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), report.Unused([]*analysis.Analyzer{one, two}, true), "unused")
}

// A directive is judged by the checks that ran, and those that looked at its file.
func TestUnusedByWhatRan(t *testing.T) {
	for _, c := range []struct {
		name  string
		tests bool
		every bool
		dir   string
		want  []string
	}{
		{"another system adds files", true, true, "otheros", nil},
		{"a generator beside the package adds none", true, true, "generator", []string{"one"}},
		{"a check that did not run", true, false, "notrun", nil},
		{"tests left out", false, true, "intests", nil},
		{"tests looked at", true, true, "intests", []string{"one"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := check("one")
			if c.tests {
				if err := one.Flags.Set("tests", "true"); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			a := report.Unused([]*analysis.Analyzer{one}, c.every)
			// The package's own wants are none: what is found is compared here.
			for _, r := range analysistest.Run(nothing{t}, analysistest.TestData(), a, c.dir) {
				for _, d := range r.Diagnostics {
					_, of, _ := strings.Cut(d.Message, "silences nothing of ")
					name, _, _ := strings.Cut(of, ";")
					got = append(got, name)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("unused: %q, want %q", got, c.want)
			}
		})
	}
}

// nothing lets analysistest's comparison with want comments pass: each case here
// has its own.
type nothing struct{ t *testing.T }

func (n nothing) Errorf(format string, args ...any) {
	if !strings.Contains(format, "unexpected") {
		n.t.Errorf(format, args...)
	}
}
