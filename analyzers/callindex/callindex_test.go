package callindex_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/callindex"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), callindex.Analyzer, "a", "nope", "r029", "r030")
}
