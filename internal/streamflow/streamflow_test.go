package streamflow_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/internal/streamflow"
)

// dump is an analyzer that reports the origins of what each decoder gets.
var dump = &analysis.Analyzer{
	Name:     "dump",
	Doc:      "dump the origins of decoded data",
	Requires: []*analysis.Analyzer{streamflow.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		flow := streamflow.Of(pass)
		for _, d := range flow.Decodes() {
			var kinds []string
			for _, o := range flow.Trace(d.Data) {
				k := o.Kind.String()
				if o.Joined() {
					k += " joined"
				}
				if o.Carried {
					k += " carried"
				}
				kinds = append(kinds, k)
			}
			end := [...]string{"open", "unsure", "terminal"}[flow.Ending(d.Call)]
			pass.Reportf(d.Pos(), "%s; %s", strings.Join(kinds, ", "), end)
		}
		return nil, nil
	},
}

func TestTrace(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), dump, "trace")
}

// TestHostile runs over code that is legal and strange.
func TestHostile(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), dump, "hostile")
}

// TestHuge runs over a function of 50,000 lines.
func TestHuge(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a large function")
	}
	dir := t.TempDir()
	pkg := filepath.Join(dir, "src", "huge")
	if err := os.MkdirAll(pkg, 0o777); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("package huge\n\nimport \"encoding/json\"\n\nfunc Huge(data []byte, n int) (v map[string]any, err error) {\n")
	for i := range 12_500 {
		fmt.Fprintf(&b, "\tif n == %d {\n\t\tdata = data[1:]\n\t\tn++\n\t}\n", i)
	}
	b.WriteString("\terr = json.Unmarshal(data, &v)\n\treturn v, err\n}\n")
	if err := os.WriteFile(filepath.Join(pkg, "huge.go"), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, dir, streamflow.Analyzer, "huge")
}

func TestAddFlags(t *testing.T) {
	a := &analysis.Analyzer{Name: "x"}
	streamflow.AddFlags(a)
	for _, name := range []string{"decoders", "fragments", "frames"} {
		f := a.Flags.Lookup(name)
		if f == nil {
			t.Fatalf("no flag %s", name)
		}
		if err := f.Value.Set("nodots"); err == nil {
			t.Errorf("-%s=nodots: no error", name)
		}
	}
	var _ flag.Value = a.Flags.Lookup("frames").Value
}
