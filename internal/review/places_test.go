package review

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// TestPlaces holds the places to the comments in testdata: each is there with its
// verdict and kind, and the functions named no... have none.
func TestPlaces(t *testing.T) {
	shown := *places
	shown.Run = func(pass *analysis.Pass) (any, error) {
		p := *pass
		p.Report = func(d analysis.Diagnostic) {
			if d.Category == function || d.Category == file {
				return
			}
			d.Message = d.Category + ": " + d.Message
			pass.Report(d)
		}
		return findPlaces(&p)
	}
	analysistest.Run(t, analysistest.TestData(), &shown, "a")
}

func TestPagesOfKinds(t *testing.T) {
	for k, check := range pageOf {
		if check == "" {
			t.Errorf("%s has no page", k)
		}
	}
	if got := header.url(); got != reviewURL+"#header-check" {
		t.Error(got)
	}
}
