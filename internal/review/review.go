// Package review sorts what a change does to stream code for whoever has to judge
// the change: what is recognised as right, what has a finding, and what no check
// can settle and a test must.
package review

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/internal/driver"
	"github.com/streamlint/streamlint/internal/gitdiff"
)

// Config says what to review.
type Config struct {
	Base         string   // revision to compare with, as gitdiff.Changes takes it
	Dir          string   // a directory in the work tree; "" is the current one
	Patterns     []string // packages in the go command's notation; none means all that changed
	Analyzers    []*analysis.Analyzer
	MayHoldFacts func(imports []string) bool
	BuildFlags   []string
	Tests        bool // review _test.go files too
}

// Class is what a review says of a piece of a change.
type Class string

// The classes, the worst first.
const (
	Revert Class = "revert" // a finding stands in it
	Test   Class = "test"   // stream code that no check can settle
	Trust  Class = "trust"  // recognised as right
)

var rank = map[Class]int{Revert: 0, Test: 1, Trust: 2}

// Lines is a range of lines, both counted in; Last is less than First for none.
type Lines struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

// Row is one piece of the change: a hunk, or the part of a hunk that lies in one
// function.
type Row struct {
	Class    Class    `json:"class"`
	File     string   `json:"file"`               // relative to the root of the repository, with slashes
	OldFile  string   `json:"old_file,omitempty"` // where it was renamed
	Status   string   `json:"status"`             // of the file: added, deleted, renamed, modified
	Function string   `json:"function,omitempty"`
	New      Lines    `json:"new"`     // in File
	Old      Lines    `json:"old"`     // in the base's file
	Reasons  []Reason `json:"reasons"` // the one that decides first
}

// Reason is what a row's class rests on.
type Reason struct {
	Class   Class  `json:"class"`
	Kind    string `json:"kind"`            // what the code does, or "finding"
	Check   string `json:"check,omitempty"` // the check that found it, for a finding
	Why     string `json:"why"`
	URL     string `json:"url"`
	Line    int    `json:"line"`              // in File, or in the base's file where Removed is set
	Removed bool   `json:"removed,omitempty"` // it is about code that the change took away
	// InBase says that the base has the same finding in the same function.
	InBase bool `json:"in_base,omitempty"`
	// Elsewhere is the place of a finding that the change causes outside its hunks.
	Elsewhere string `json:"elsewhere,omitempty"`
}

// Report is a review.
type Report struct {
	Base     string   `json:"base"` // hash of what the change was compared with
	Rows     []Row    `json:"rows"`
	Notes    []string `json:"notes"`    // what the review could not look at and need not fail for
	Problems []string `json:"problems"` // what could not be checked
}

// Count gives the number of rows of a class.
func (r *Report) Count(c Class) int {
	n := 0
	for _, row := range r.Rows {
		if row.Class == c {
			n++
		}
	}
	return n
}

// Run reviews the change. The error is about the review as a whole; packages that
// could not be checked are in the report's Problems.
func Run(ctx context.Context, cfg *Config) (*Report, error) {
	diff, err := gitdiff.Changes(ctx, cfg.Dir, cfg.Base)
	if err != nil {
		return nil, err
	}
	r := &review{cfg: cfg, diff: diff, out: &Report{Base: diff.Base, Rows: []Row{}, Notes: []string{}, Problems: []string{}}}
	if err := r.selectFiles(ctx); err != nil {
		return nil, err
	}
	if r.now, err = r.analyse(ctx, diff.Root, r.dirsNow()); err != nil {
		return nil, err
	}
	r.out.Problems = append(r.out.Problems, r.now.problems...)
	if err := r.analyseBase(ctx); err != nil {
		return nil, err
	}
	r.judge()
	slices.SortFunc(r.out.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(rank[a.Class], rank[b.Class]), cmp.Compare(a.File, b.File),
			cmp.Compare(a.New.First, b.New.First), cmp.Compare(a.Old.First, b.Old.First), cmp.Compare(a.Function, b.Function))
	})
	return r.out, nil
}

type review struct {
	cfg   *Config
	diff  *gitdiff.Diff
	files []*gitdiff.File // the changed Go files to look at
	now   *side
	base  *side // nil where nobody needs it or it could not be had
	out   *Report
}

// side is what the analysis tells of one version of the changed packages.
type side struct {
	findings  map[string][]found // by file, relative to the root
	places    map[string][]found
	functions map[string][]extent
	seen      map[string]bool // files that were looked at
	problems  []string
}

// found is a finding or a place.
type found struct {
	driver.Finding
	lines Lines
}

// extent is a function's declaration.
type extent struct {
	name  string
	lines Lines
}

func newSide() *side {
	return &side{findings: make(map[string][]found), places: make(map[string][]found), functions: make(map[string][]extent), seen: make(map[string]bool)}
}

func (s *side) empty() bool { return len(s.findings) == 0 && len(s.places) == 0 }

// functionAt names the function that a line lies in; "" outside all.
func (s *side) functionAt(file string, line int) string {
	for _, e := range s.functions[file] {
		if line >= e.lines.First && line <= e.lines.Last {
			return e.name
		}
	}
	return ""
}

// count gives the number of findings of a check in a function.
func (s *side) count(file, fn, check string) int {
	n := 0
	for _, f := range s.findings[file] {
		if f.Analyzer == check && s.functionAt(file, f.Pos.Line) == fn {
			n++
		}
	}
	return n
}

// selectFiles picks the changed Go files that a review looks at: no tests unless
// they are asked for, nothing that the go command passes over, and of the named
// packages only.
func (r *review) selectFiles(ctx context.Context) error {
	var within map[string]bool
	if len(r.cfg.Patterns) > 0 {
		dirs, err := listDirs(ctx, r.cfg)
		if err != nil {
			return err
		}
		within = make(map[string]bool)
		for _, dir := range dirs {
			if name, ok := r.diff.Name(filepath.Join(dir, "x")); ok {
				within[path.Dir(name)] = true
			}
		}
	}
	for i := range r.diff.Files {
		f := &r.diff.Files[i]
		name := cmp.Or(f.New, f.Old)
		if !strings.HasSuffix(name, ".go") || f.Submodule || passedOver(name) || !r.cfg.Tests && strings.HasSuffix(name, "_test.go") {
			continue
		}
		if within != nil && !within[path.Dir(name)] {
			continue
		}
		r.files = append(r.files, f)
	}
	return nil
}

// passedOver reports whether "./..." leaves a file out.
func passedOver(name string) bool {
	for _, elem := range strings.Split(name, "/") {
		if strings.HasPrefix(elem, "_") || strings.HasPrefix(elem, ".") {
			return true
		}
	}
	for _, elem := range strings.Split(path.Dir(name), "/") {
		if elem == "testdata" || elem == "vendor" {
			return true
		}
	}
	return false
}

func (r *review) dirsNow() []string {
	var dirs []string
	for _, f := range r.files {
		if f.New != "" {
			dirs = append(dirs, path.Dir(f.New))
		} else {
			dirs = append(dirs, path.Dir(f.Old)) // what is left of the package
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

func (r *review) dirsBase() []string {
	var dirs []string
	for _, f := range r.files {
		if f.Old != "" {
			dirs = append(dirs, path.Dir(f.Old))
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

func (r *review) notef(format string, args ...any) {
	r.out.Notes = append(r.out.Notes, fmt.Sprintf(format, args...))
}
