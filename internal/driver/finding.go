package driver

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"net/url"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Finding is a diagnostic that outlives its package's syntax: positions are
// resolved, with absolute file names.
type Finding struct {
	Package  string // package path
	Analyzer string
	Category string
	URL      string
	Pos, End token.Position // End is Pos where the analyzer gave none
	Message  string
	Related  []Related
	Fixes    []Fix

	Function    string // the declaration around it; see enclosing
	Fingerprint string // what tells it from others; set once it is asked for
}

// Related is a second place that explains a finding.
type Related struct {
	Pos, End token.Position
	Message  string
}

// Fix is a change that removes the cause of a finding.
type Fix struct {
	Message string
	Edits   []Edit // sorted, not overlapping
}

// Edit replaces the bytes [Start, End) of a file.
type Edit struct {
	File       string
	Start, End int
	New        string

	size   int  // of the file when it was checked
	locked bool // the file is generated or not of the main module
}

// access says what may be done to a file.
type access int

const (
	writable  access = iota
	readOnly         // generated, or not of the main module: fixes are shown, not made
	rewritten        // made by cgo: its offsets are not those of the user's file
)

var errRewritten = errors.New("the file is not what the user wrote")

// newFinding resolves a diagnostic. A fix that makes no sense is dropped and
// told as an error, as it is the analyzer's mistake, not the user's.
func newFinding(fset *token.FileSet, path string, a *analysis.Analyzer, d analysis.Diagnostic, access func(*token.File) access) (Finding, error) {
	f := Finding{
		Package:  path,
		Analyzer: a.Name,
		Category: d.Category,
		Pos:      fset.Position(d.Pos),
		End:      fset.Position(cmp.Or(d.End, d.Pos)),
		Message:  d.Message,
	}
	for _, r := range d.Related {
		f.Related = append(f.Related, Related{
			Pos:     fset.Position(r.Pos),
			End:     fset.Position(cmp.Or(r.End, r.Pos)),
			Message: r.Message,
		})
	}
	var firstErr error
	if u, err := diagnosticURL(a, d); err != nil {
		firstErr = err
	} else {
		f.URL = u
	}
	for _, s := range d.SuggestedFixes {
		fix, err := newFix(fset, s, access)
		if err != nil {
			if err == errRewritten {
				continue
			}
			firstErr = cmp.Or(firstErr, fmt.Errorf("%s: %s suggests an unusable fix (%s): %w", f.Pos, a.Name, s.Message, err))
			continue
		}
		f.Fixes = append(f.Fixes, fix)
	}
	return f, firstErr
}

func newFix(fset *token.FileSet, s analysis.SuggestedFix, access func(*token.File) access) (Fix, error) {
	fix := Fix{Message: s.Message}
	for _, e := range s.TextEdits {
		file := fset.File(e.Pos)
		if file == nil {
			return fix, fmt.Errorf("an edit has no position")
		}
		if access(file) == rewritten {
			return fix, errRewritten
		}
		end := cmp.Or(e.End, e.Pos)
		if end < e.Pos || int(end) > file.Base()+file.Size() {
			return fix, fmt.Errorf("an edit of %s ends before it starts or in another file", file.Name())
		}
		fix.Edits = append(fix.Edits, Edit{
			File:   file.Name(),
			Start:  file.Offset(e.Pos),
			End:    file.Offset(end),
			New:    string(e.NewText),
			size:   file.Size(),
			locked: access(file) != writable,
		})
	}
	slices.SortStableFunc(fix.Edits, compareEdits)
	for i := 1; i < len(fix.Edits); i++ {
		if a, b := fix.Edits[i-1], fix.Edits[i]; a.File == b.File && b.Start < a.End {
			return fix, fmt.Errorf("edits of %s overlap", a.File)
		}
	}
	return fix, nil
}

func compareEdits(a, b Edit) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Start, b.Start),
		cmp.Compare(a.End, b.End),
	)
}

// diagnosticURL follows the rule of analysis.Diagnostic.URL: relative to the
// analyzer's, and "#category" when the diagnostic names none.
func diagnosticURL(a *analysis.Analyzer, d analysis.Diagnostic) (string, error) {
	if d.URL == "" && d.Category == "" {
		return a.URL, nil
	}
	ref := d.URL
	if ref == "" {
		ref = "#" + d.Category
	}
	base, err := url.Parse(a.URL)
	if err != nil {
		return "", fmt.Errorf("analyzer %s: %w", a.Name, err)
	}
	u, err := base.Parse(ref)
	if err != nil {
		return "", fmt.Errorf("analyzer %s: %w", a.Name, err)
	}
	return u.String(), nil
}

// sortFindings orders findings by place and drops exact repetitions, which
// come from files that belong to several packages.
func sortFindings(fs []Finding) []Finding {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Analyzer, b.Analyzer),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.CompactFunc(fs, func(a, b Finding) bool {
		return a.Pos == b.Pos && a.Analyzer == b.Analyzer && a.Message == b.Message
	})
}
