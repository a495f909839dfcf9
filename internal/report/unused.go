package report

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// UnusedName is the name of the analyzer that Unused makes.
const UnusedName = "unusedignore"

// Unused makes an analyzer that reports the //streamlint:ignore directives that
// silence nothing. It requires the checks it is given, so that all of them have
// spoken before it does, and judges a directive only by those; every says that
// these are all checks there are, without which a directive for "all" cannot be
// judged.
//
// Whether code is silent about something may hang on files of the package that are
// not part of this build: where there are such files, no directive is judged.
func Unused(checks []*analysis.Analyzer, every bool) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     UnusedName,
		Doc:      UnusedName + ": report ignore directives that silence nothing",
		URL:      URL("directive"),
		Requires: append([]*analysis.Analyzer{directivesAnalyzer}, checks...),
		Run: func(pass *analysis.Pass) (any, error) {
			if !otherBuilds(pass) {
				reportUnused(pass, checks, every)
			}
			return nil, nil
		},
	}
}

func reportUnused(pass *analysis.Pass, checks []*analysis.Analyzer, every bool) {
	ds := directivesOf(pass)
	for _, f := range pass.Files {
		// A check may have been asked to leave tests or generated files out.
		looked := make(map[string]bool)
		for _, a := range checks {
			if r := ds.ran[a.Name]; r != nil && !r.skipped(f) {
				looked[a.Name] = true
			}
		}
		for _, d := range ds.files[pass.Fset.File(f.FileStart).Name()] {
			if d.ignore == nil || d.ignore.Reason == "" || slices.Contains(d.names, UnusedName) {
				continue
			}
			var idle, rest []string
			for _, name := range d.names {
				switch {
				case name == All && every && len(looked) == len(checks) && len(d.used) == 0:
					idle = append(idle, name)
				case looked[name] && !d.used[name]:
					idle = append(idle, name)
				default:
					rest = append(rest, name)
				}
			}
			if len(idle) == 0 {
				continue
			}
			pass.Report(analysis.Diagnostic{
				Pos: d.pos, End: d.end, Category: UnusedName, URL: URL("directive"),
				Message:        fmt.Sprintf("%s: this directive silences nothing of %s; %s", UnusedName, strings.Join(idle, ", "), advice(rest)),
				SuggestedFixes: unusedFix(pass, f, d, rest),
			})
		}
	}
}

func advice(rest []string) string {
	if len(rest) == 0 {
		return "take it away"
	}
	return "leave only " + strings.Join(rest, ",")
}

// unusedFix takes the directive away, or the names that are idle.
func unusedFix(pass *analysis.Pass, f *ast.File, d *directive, rest []string) []analysis.SuggestedFix {
	tf := pass.Fset.File(d.pos)
	src, err := pass.ReadFile(tf.Name())
	if err != nil || len(src) != tf.Size() || fromCgo(f) {
		return nil
	}
	start, end := tf.Offset(d.pos), tf.Offset(d.end)
	edit := analysis.TextEdit{Pos: d.pos, End: d.end}
	if len(rest) > 0 {
		names := start + len(ignorePrefix)
		names += len(src[names:end]) - len(bytes.TrimLeft(src[names:end], " \t"))
		edit.Pos = tf.Pos(names)
		edit.End = tf.Pos(names + len(strings.Join(d.names, ",")))
		edit.NewText = []byte(strings.Join(rest, ","))
		return []analysis.SuggestedFix{{Message: "Leave only what is silenced", TextEdits: []analysis.TextEdit{edit}}}
	}
	for start > 0 && (src[start-1] == ' ' || src[start-1] == '\t') {
		start--
	}
	if start == 0 || src[start-1] == '\n' { // the whole line
		if end < len(src) && src[end] == '\r' {
			end++
		}
		if end < len(src) && src[end] == '\n' {
			end++
		}
	}
	edit.Pos, edit.End = tf.Pos(start), tf.Pos(end)
	return []analysis.SuggestedFix{{Message: "Take the directive away", TextEdits: []analysis.TextEdit{edit}}}
}

// otherBuilds reports whether the package has files that another system or other
// build tags would add to it. A file of another package in the directory, such as a
// generator, and one that no build ever takes are none.
func otherBuilds(pass *analysis.Pass) bool {
	return slices.ContainsFunc(pass.IgnoredFiles, func(name string) bool {
		if !strings.HasSuffix(name, ".go") || pass.ReadFile == nil {
			return strings.HasSuffix(name, ".go")
		}
		src, err := pass.ReadFile(name)
		if err != nil {
			return true // it cannot be told
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return false // not even a package clause
		}
		ours := strings.TrimSuffix(f.Name.Name, "_test") == strings.TrimSuffix(pass.Pkg.Name(), "_test")
		return ours && !ignoredAlways(f)
	})
}

// ignoredAlways recognises //go:build ignore, alone.
func ignoredAlways(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Package && constraint.IsGoBuild(c.Text) {
				x, err := constraint.Parse(c.Text)
				tag, ok := x.(*constraint.TagExpr)
				return err == nil && ok && tag.Tag == "ignore"
			}
		}
	}
	return false
}
