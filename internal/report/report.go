// Package report is the one door through which the checks speak: it gives every
// diagnostic the same form, leaves generated files and silenced lines alone, and
// asks for the reason of a directive that has none.
package report

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// URL gives the page of a check.
func URL(check string) string {
	return "https://github.com/streamlint/streamlint/blob/main/docs/checks/" + check + ".md"
}

// Finding is what a check has found.
type Finding struct {
	Pos, End token.Pos // End may be NoPos
	// Message says what happens to the user's data and what to do, in one or two
	// lines, without the check's name in front: the reporter puts it there.
	Message string
	Related []analysis.RelatedInformation
	Fixes   []analysis.SuggestedFix
}

// Options are the flags that every check has.
type Options struct {
	Tests     bool // report in _test.go files too
	Generated bool // report in generated files too
}

// AddFlags gives an analyzer the flags tests and generated, kept in the Options
// that it returns.
func AddFlags(a *analysis.Analyzer) *Options {
	o := new(Options)
	a.Flags.BoolVar(&o.Tests, "tests", false, "report in _test.go files too")
	a.Flags.BoolVar(&o.Generated, "generated", false, "report in generated files too")
	return o
}

// Reporter reports the findings of one check in one package.
type Reporter struct {
	pass *analysis.Pass
	opts Options
	seen map[token.Pos]bool
	// files by name, made when the first finding is reported.
	files map[string]*file
}

type file struct {
	ast     *ast.File
	skip    bool // generated, or a test
	cgo     bool
	ignores map[int]bool // lines on which the check is silenced
	code    map[int]bool // lines on which something other than a comment stands; nil until asked for
}

// New makes the reporter of a check. Directives that name the check and give no
// reason are reported at once.
func New(pass *analysis.Pass, opts *Options) *Reporter {
	r := &Reporter{pass: pass, seen: make(map[token.Pos]bool)}
	if opts != nil {
		r.opts = *opts
	}
	for _, f := range pass.Files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				d, ok := ParseIgnore(c.Text)
				if !ok || !slices.Contains(d.Checks, pass.Analyzer.Name) || d.Reason != "" {
					continue
				}
				if r.skipped(f) {
					continue
				}
				r.emit(Finding{Pos: c.Pos(), End: c.End(),
					Message: "this ignore directive has no reason and silences nothing; write //streamlint:ignore " + pass.Analyzer.Name + " REASON"})
			}
		}
	}
	return r
}

// Ignore is a //streamlint:ignore directive.
type Ignore struct {
	Checks []string
	Reason string
}

// ParseIgnore reads a comment as //streamlint:ignore NAME[,NAME] reason.
func ParseIgnore(text string) (Ignore, bool) {
	rest, ok := strings.CutPrefix(text, "//streamlint:ignore")
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return Ignore{}, false
	}
	names, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	// A second comment on the line is no reason.
	reason, _, _ = strings.Cut(reason, "//")
	return Ignore{strings.Split(names, ","), strings.TrimSpace(reason)}, true
}

// parseNolint reads a comment as //nolint or //nolint:NAME[,NAME] and reports
// whether it silences the check: by its own name, or as part of streamlint.
func parseNolint(text, check string) bool {
	rest, ok := strings.CutPrefix(text, "//nolint")
	if !ok {
		return false
	}
	rest, _, _ = strings.Cut(rest, "//")
	list, ok := strings.CutPrefix(rest, ":")
	if !ok {
		return strings.TrimSpace(rest) == "" || rest[0] == ' '
	}
	list, _, _ = strings.Cut(strings.TrimSpace(list), " ")
	for _, name := range strings.Split(list, ",") {
		if name == check || name == "streamlint" || name == "all" {
			return true
		}
	}
	return false
}

// Report reports a finding, unless its line is silenced, its file is generated or
// a test, or the check has spoken of this place already.
func (r *Reporter) Report(f Finding) {
	if !f.Pos.IsValid() || r.seen[f.Pos] {
		return
	}
	r.seen[f.Pos] = true
	at := r.fileOf(f.Pos)
	if at == nil || at.skip {
		return
	}
	line := r.pass.Fset.PositionFor(f.Pos, false).Line
	if at.ignores[line] {
		return
	}
	if at.cgo {
		f.Fixes = nil // positions are those of the preprocessed file
	}
	r.emit(f)
}

func (r *Reporter) emit(f Finding) {
	name := r.pass.Analyzer.Name
	r.pass.Report(analysis.Diagnostic{
		Pos:            f.Pos,
		End:            f.End,
		Category:       name,
		URL:            URL(name),
		Message:        name + ": " + f.Message,
		Related:        f.Related,
		SuggestedFixes: f.Fixes,
	})
}

func (r *Reporter) skipped(f *ast.File) bool {
	if !r.opts.Generated && ast.IsGenerated(f) {
		return true
	}
	name := r.pass.Fset.File(f.FileStart).Name()
	return !r.opts.Tests && strings.HasSuffix(name, "_test.go")
}

func (r *Reporter) fileOf(pos token.Pos) *file {
	if r.files == nil {
		r.files = make(map[string]*file)
		for _, f := range r.pass.Files {
			x := &file{ast: f, skip: r.skipped(f), ignores: make(map[int]bool)}
			for _, imp := range f.Imports {
				x.cgo = x.cgo || imp.Path.Value == `"C"`
			}
			for _, group := range f.Comments {
				for _, c := range group.List {
					r.silence(x, c)
				}
			}
			r.files[r.pass.Fset.File(f.FileStart).Name()] = x
		}
	}
	tf := r.pass.Fset.File(pos)
	if tf == nil {
		return nil
	}
	return r.files[tf.Name()]
}

// silence notes the lines that a comment silences: its own, and the next one
// where the comment stands alone.
func (r *Reporter) silence(f *file, c *ast.Comment) {
	name := r.pass.Analyzer.Name
	d, ok := ParseIgnore(c.Text)
	switch {
	case ok && d.Reason != "" && (slices.Contains(d.Checks, name) || slices.Contains(d.Checks, "all")):
	case parseNolint(c.Text, name):
	default:
		return
	}
	line := r.pass.Fset.PositionFor(c.Pos(), false).Line
	f.ignores[line] = true
	if !r.hasCode(f, line) {
		f.ignores[line+1] = true
	}
}

// Line gives the line of a position in its file, for messages.
func (r *Reporter) Line(pos token.Pos) int {
	return r.pass.Fset.Position(pos).Line
}

// hasCode reports whether something other than a comment stands on a line: a node
// of the syntax begins or ends there.
func (r *Reporter) hasCode(f *file, line int) bool {
	if f.code == nil {
		f.code = make(map[int]bool)
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n.(type) {
			case nil, *ast.Comment, *ast.CommentGroup, *ast.File:
				return n != nil
			}
			f.code[r.pass.Fset.PositionFor(n.Pos(), false).Line] = true
			f.code[r.pass.Fset.PositionFor(n.End(), false).Line] = true
			return true
		})
	}
	return f.code[line]
}
