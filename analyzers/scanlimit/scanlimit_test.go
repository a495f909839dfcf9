package scanlimit_test

import (
	"bytes"
	"go/format"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/scanlimit"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), scanlimit.Analyzer, "a", "r001")
}

func TestFiles(t *testing.T) {
	set(t, "files", "true", "false")
	analysistest.Run(t, analysistest.TestData(), scanlimit.Analyzer, "files")
}

func TestFloor(t *testing.T) {
	set(t, "min", "1048576", "65536")
	analysistest.Run(t, analysistest.TestData(), scanlimit.Analyzer, "floor")
}

func set(t *testing.T, name, value, back string) {
	t.Helper()
	if err := scanlimit.Analyzer.Flags.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = scanlimit.Analyzer.Flags.Set(name, back) })
}

// TestFix applies the fixes, and runs the check on what comes out: it is silent,
// but for the one place that has no fix.
func TestFix(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), scanlimit.Analyzer, "fix")
	golden, err := os.ReadFile(filepath.Join(analysistest.TestData(), "src", "fix", "fix.go.golden"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := format.Source(golden); err != nil || string(out) != string(golden) {
		t.Errorf("the golden file is not formatted: %v", err)
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "src", "fixed"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "src", "fixed", "fixed.go"), unwanted(golden), 0o644); err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, dir, scanlimit.Analyzer, "fixed")
}

// unwanted drops the want comments, but for the one of the literal.
func unwanted(src []byte) []byte {
	var out []byte
	for _, line := range bytes.SplitAfter(src, []byte("\n")) {
		if i := bytes.Index(line, []byte(" // want")); i >= 0 && !bytes.Contains(line, []byte("&reader")) {
			line = append(bytes.Clone(line[:i]), '\n')
		}
		out = append(out, line...)
	}
	return out
}
