package jsonrepair_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/jsonrepair"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), jsonrepair.Analyzer, "mender", "a", "nope", "r024")
}
