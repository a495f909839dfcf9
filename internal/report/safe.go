package report

import (
	"os"

	"golang.org/x/tools/go/analysis"
)

// Safe makes a Run function that takes no build down with it: a package that trips
// a check is one in which the check finds nothing more. STREAMLINT_DEBUG in the
// environment lets the panic through, for tests and for whoever works on the check.
func Safe(run func(*analysis.Pass) (any, error)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (result any, err error) {
		defer func() {
			if debugPanics {
				return
			}
			if recover() != nil {
				result, err = nil, nil
			}
		}()
		return run(pass)
	}
}

var debugPanics = os.Getenv("STREAMLINT_DEBUG") != ""
