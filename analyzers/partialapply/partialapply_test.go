package partialapply_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/partialapply"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), partialapply.Analyzer, "a", "lines", "orm", "store", "plan", "use", "tools", "wire", "r032")
}

func TestFlags(t *testing.T) {
	for _, f := range []struct{ name, value string }{
		{"effects", "(*flags.queue).Publish:2"},
		{"messages", "flags.consume, flags.handle"},
	} {
		if err := partialapply.Analyzer.Flags.Set(f.name, f.value); err != nil {
			t.Fatal(err)
		}
	}
	analysistest.Run(t, analysistest.TestData(), partialapply.Analyzer, "flags")
	for _, bad := range []string{"noname", "pkg.F:x", "pkg.F:-1"} {
		if err := partialapply.Analyzer.Flags.Set("effects", bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if got := partialapply.Analyzer.Flags.Lookup("effects").Value.String(); got != "(flags.queue).Publish:2" {
		t.Errorf("effects = %s", got)
	}
}
