package silentdefault_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/silentdefault"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), silentdefault.Analyzer, "a", "nope", "parse", "uses")
}

// TestReports holds the cases of public bug reports, and their repairs.
func TestReports(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), silentdefault.Analyzer, "r009", "r010", "r012")
}

func TestFix(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), silentdefault.Analyzer, "fix")
}

func TestAll(t *testing.T) {
	if err := silentdefault.Analyzer.Flags.Set("all", "true"); err != nil {
		t.Fatal(err)
	}
	defer silentdefault.Analyzer.Flags.Set("all", "false")
	analysistest.Run(t, analysistest.TestData(), silentdefault.Analyzer, "wide")
}
