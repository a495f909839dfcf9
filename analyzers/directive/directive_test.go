package directive_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/directive"
)

func TestDirective(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), directive.Analyzer, "d", "tagged")
}
