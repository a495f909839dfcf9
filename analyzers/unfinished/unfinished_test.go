package unfinished_test

import (
	"bytes"
	"go/format"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/unfinished"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), unfinished.Analyzer, "scan", "receive", "ends", "tools", "accumulator", "accumulated")
}

// TestScannererr leaves the plain case to go vet.
func TestScannererr(t *testing.T) {
	set(t, "scannererr")
	analysistest.Run(t, analysistest.TestData(), unfinished.Analyzer, "plain")
}

func TestFiles(t *testing.T) {
	set(t, "files")
	analysistest.Run(t, analysistest.TestData(), unfinished.Analyzer, "files")
}

func set(t *testing.T, name string) {
	t.Helper()
	if err := unfinished.Analyzer.Flags.Set(name, "true"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unfinished.Analyzer.Flags.Set(name, "false") })
}

// TestFix applies the fixes and runs the check on what comes out: only the loops
// without a fix are reported.
func TestFix(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), unfinished.Analyzer, "fix")
	golden, err := os.ReadFile(filepath.Join(analysistest.TestData(), "src", "fix", "fix.go.golden"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := format.Source(golden); err != nil || !bytes.Equal(out, golden) {
		t.Errorf("the golden file is not formatted: %v", err)
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "src", "fixed"), 0o755); err != nil {
		t.Fatal(err)
	}
	head, tail, ok := bytes.Cut(golden, []byte("// No error result"))
	if !ok {
		t.Fatal("the golden file has no part without fixes")
	}
	fixed := append(bytes.ReplaceAll(head, []byte(" // want `nobody asks`"), nil), "// No error result"...)
	if err := os.WriteFile(filepath.Join(dir, "src", "fixed", "fixed.go"), append(fixed, tail...), 0o644); err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, dir, unfinished.Analyzer, "fixed")
}

// TestReports holds the cases of public bug reports, and their repairs.
func TestReports(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), unfinished.Analyzer, "r003", "r004", "r005", "r026", "r028")
}
