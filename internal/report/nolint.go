package report

import (
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
)

// linters maps an analyzer to the linter as which a driver runs it.
var linters sync.Map // *analysis.Analyzer -> string

// LeaveNolint leaves to the driver those //nolint directives that it reads itself: bare
// ones, "all", and those that name the linter as which it runs the analyzer. A driver
// that also tells of directives without an effect has to see what they silence.
// Directives by other names are honoured still, as the driver does not know them.
func LeaveNolint(a *analysis.Analyzer, linter string) { linters.Store(a, linter) }

// left reports whether a //nolint directive for these names is the driver's business.
func left(a *analysis.Analyzer, names []string) bool {
	linter, ok := linters.Load(a)
	return ok && (slices.Contains(names, All) || slices.Contains(names, linter.(string)))
}
