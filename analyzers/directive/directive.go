// Package directive defines an Analyzer that reports comments for streamlint that
// do nothing, because of a name that does not exist or a reason that is not given.
// The check's page, docs/checks/directive.md, says what it reports.
//
// It is one check, and not a part of each: what is wrong with a directive is said
// once, whichever checks run.
package directive

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/nearest"
	"github.com/streamlint/streamlint/internal/report"
)

// Analyzer reports directives that do nothing.
var Analyzer = &analysis.Analyzer{
	Name: "directive",
	Doc:  docs.Check("directive"),
	URL:  report.URL("directive"),
	Run:  report.Safe(run),
}

var opts *report.Options

func init() { opts = report.AddFlags(Analyzer) }

const (
	prefix = "//streamlint:"
	ignore = "ignore"
)

// verbs are the directives there are; streamflow reads the other two.
var verbs = []string{ignore, "fragment", "frame"}

func run(pass *analysis.Pass) (any, error) {
	r := report.New(pass, opts)
	var names []string // known ones; made when a directive asks
	for _, f := range pass.Files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if !strings.Contains(c.Text, "streamlint:") {
					continue
				}
				if names == nil {
					names = append(docs.Checks(), report.UnusedName)
				}
				if message := judge(c, names); message != "" {
					r.Report(report.Finding{Pos: c.Pos(), End: c.End(), Message: message})
				}
			}
		}
	}
	return nil, nil
}

// judge says what is wrong with a comment, or nothing.
func judge(c *ast.Comment, names []string) string {
	rest, ok := strings.CutPrefix(c.Text, prefix)
	if !ok {
		return spaced(c.Text, names)
	}
	d, ok := report.ParseIgnore(c.Text)
	if !ok {
		verb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if slices.Contains(verbs, verb) {
			return ""
		}
		return fmt.Sprintf("there is no directive streamlint:%s, and this comment does nothing%s", verb, meant(verb, verbs))
	}
	if len(d.Checks) == 1 && d.Checks[0] == "" {
		return "this ignore directive names no check and silences nothing; write //streamlint:ignore CHECK REASON"
	}
	for i, name := range d.Checks {
		switch {
		case name == "" && i == len(d.Checks)-1 && d.Reason != "":
			return "the names in this ignore directive are parted by a space, and what follows it is taken for the reason; write them with commas only"
		case name == "":
			return "this ignore directive has an empty name among its checks; write them with one comma between"
		case name != report.All && !slices.Contains(names, name):
			return fmt.Sprintf("there is no check called %q, and this ignore directive silences nothing of it%s", name, meant(name, names))
		}
	}
	if d.Reason == "" {
		return "this ignore directive has no reason and silences nothing; write //streamlint:ignore " + strings.Join(d.Checks, ",") + " REASON"
	}
	return ""
}

// spaced recognises a directive with a space in front, which Go takes for text. So
// that text is not taken for a directive, a known check must follow.
func spaced(text string, names []string) string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(text, "//"), " "), "streamlint:"+ignore+" ")
	if !ok || !strings.HasPrefix(text, "// ") {
		return ""
	}
	list, _, _ := strings.Cut(rest, " ")
	for _, name := range strings.Split(list, ",") {
		if !slices.Contains(names, name) {
			return ""
		}
	}
	return "a directive has no space after the slashes: this comment is text and silences nothing; write " + prefix + ignore
}

func meant(name string, names []string) string {
	if n := nearest.Name(name, names); n != "" {
		return "; " + n + " is meant?"
	}
	return ""
}
