package donemarker_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/donemarker"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), donemarker.Analyzer, "a", "nope", "global", "r037")
}
