package byteslice_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/byteslice"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), byteslice.Analyzer, "a", "nope", "r017")
}

func TestFix(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), byteslice.Analyzer, "fix", "fixone")
}

// TestFixed runs the check on what its own fixes have made of a file: it compiles,
// and nothing is left to say but where no fix was offered.
func TestFixed(t *testing.T) {
	for _, name := range []string{"fix", "fixone"} {
		golden, err := os.ReadFile(filepath.Join(analysistest.TestData(), "src", name, name+".go.golden"))
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(string(golden)) {
			code, _, want := strings.Cut(line, "// want")
			if want && !strings.Contains(code, "[:most]") {
				line = code + "\n"
			}
			lines = append(lines, line)
		}
		dir := t.TempDir()
		src := filepath.Join(dir, "src", name)
		if err := os.MkdirAll(src, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(src, name+".go"), []byte(strings.Join(lines, "")), 0o666); err != nil {
			t.Fatal(err)
		}
		analysistest.Run(t, dir, byteslice.Analyzer, name)
	}
}

func TestAll(t *testing.T) {
	set(t, "all", "true", "false")
	analysistest.Run(t, analysistest.TestData(), byteslice.Analyzer, "wide")
}

func TestPlain(t *testing.T) {
	set(t, "plain", "plainflag.Ticket,plainflag.order.Ticket, plainflag.render", "")
	analysistest.Run(t, analysistest.TestData(), byteslice.Analyzer, "plainflag")
}

func TestPlainNeedsFullName(t *testing.T) {
	if err := byteslice.Analyzer.Flags.Set("plain", "Ticket"); err == nil {
		t.Error("a bare name is accepted")
	}
}

func set(t *testing.T, name, value, old string) {
	t.Helper()
	if err := byteslice.Analyzer.Flags.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := byteslice.Analyzer.Flags.Set(name, old); err != nil {
			t.Error(err)
		}
	})
}
