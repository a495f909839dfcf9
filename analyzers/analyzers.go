// Package analyzers lists the checks of streamlint.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/analyzers/blindretry"
	"github.com/streamlint/streamlint/analyzers/lossyutf8"
	"github.com/streamlint/streamlint/analyzers/perchunkdecode"
	"github.com/streamlint/streamlint/analyzers/silentdefault"
)

// All gives every check, in the order of their names.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		blindretry.Analyzer,
		lossyutf8.Analyzer,
		perchunkdecode.Analyzer,
		silentdefault.Analyzer,
	}
}
