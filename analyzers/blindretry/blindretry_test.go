package blindretry_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/blindretry"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), blindretry.Analyzer, "r020", "r021", "loops", "mended", "libs", "cross", "sdk", "positions")
}
