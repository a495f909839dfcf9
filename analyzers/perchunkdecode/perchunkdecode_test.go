package perchunkdecode_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/perchunkdecode"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), perchunkdecode.Analyzer, "a", "r006", "r007", "r008", "fragment", "parse", "chunk", "llm", "agent", "sdk", "funcvar")
}
