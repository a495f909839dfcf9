// Package analyzers lists the checks of streamlint.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/analyzers/blindretry"
	"github.com/streamlint/streamlint/analyzers/byteslice"
	"github.com/streamlint/streamlint/analyzers/callindex"
	"github.com/streamlint/streamlint/analyzers/directive"
	"github.com/streamlint/streamlint/analyzers/donemarker"
	"github.com/streamlint/streamlint/analyzers/jsonrepair"
	"github.com/streamlint/streamlint/analyzers/lossyutf8"
	"github.com/streamlint/streamlint/analyzers/partialapply"
	"github.com/streamlint/streamlint/analyzers/perchunkdecode"
	"github.com/streamlint/streamlint/analyzers/scanlimit"
	"github.com/streamlint/streamlint/analyzers/silentdefault"
	"github.com/streamlint/streamlint/analyzers/streamtimeout"
	"github.com/streamlint/streamlint/analyzers/unfinished"
)

// All gives every check, in the order of their names.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		blindretry.Analyzer,
		byteslice.Analyzer,
		callindex.Analyzer,
		directive.Analyzer,
		donemarker.Analyzer,
		jsonrepair.Analyzer,
		lossyutf8.Analyzer,
		partialapply.Analyzer,
		perchunkdecode.Analyzer,
		scanlimit.Analyzer,
		silentdefault.Analyzer,
		streamtimeout.Analyzer,
		unfinished.Analyzer,
	}
}
