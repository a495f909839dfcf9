package partialapply_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/partialapply"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), partialapply.Analyzer, "a", "lines", "orm", "store", "plan", "use", "tools", "r032")
}
