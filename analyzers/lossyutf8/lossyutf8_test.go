package lossyutf8_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/lossyutf8"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), lossyutf8.Analyzer, "r014", "r015", "sinks", "silent", "protos", "cross")
}
