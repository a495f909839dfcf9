package driver

import (
	"go/token"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/internal/sarif"
)

// baseID names the root of the repository, by the name that code hosts know.
const baseID = "%SRCROOT%"

func (d *document) writeSARIF(w io.Writer) error {
	run := sarif.Run{
		Tool: sarif.Tool{Driver: sarif.Component{
			Name:           d.tool.name,
			Version:        d.tool.version,
			InformationURI: d.tool.url,
		}},
		Invocations:        []sarif.Invocation{{Successful: len(d.problems) == 0}},
		OriginalURIBaseIDs: map[string]sarif.ArtifactLocation{baseID: {URI: sarif.FileURI(strings.TrimSuffix(filepath.ToSlash(d.root), "/") + "/")}},
		ColumnKind:         sarif.UTF16,
	}
	if v, ok := strings.CutPrefix(d.tool.version, "v"); ok {
		run.Tool.Driver.SemanticVersion = v
	}
	for _, p := range d.problems {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications,
			sarif.Notification{Level: sarif.Error, Message: sarif.Text{Text: p}})
	}
	index := make(map[string]int)
	for i, a := range d.analyzers {
		index[a.Name] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule(a))
	}
	for _, f := range d.findings {
		run.Results = append(run.Results, d.result(&f, index[f.Analyzer]))
	}
	return sarif.Write(w, run)
}

// rule describes a check by its page.
func rule(a *analysis.Analyzer) sarif.Rule {
	r := sarif.Rule{
		ID:               a.Name,
		ShortDescription: &sarif.Text{Text: summary(a)},
		FullDescription:  &sarif.Text{Text: summary(a)},
		HelpURI:          a.URL,
		Configuration:    &sarif.Configuration{Level: sarif.Warning},
		Properties:       &sarif.Properties{Tags: []string{"correctness", "streams"}, Precision: "high"},
	}
	page := summary(a) + "\n"
	if _, rest, ok := strings.Cut(strings.TrimSpace(a.Doc), "\n"); ok {
		page = rest
		first, _, _ := strings.Cut(strings.TrimSpace(rest), "\n\n")
		r.FullDescription.Text = strings.Join(strings.Fields(plain(first)), " ")
	}
	r.Help = &sarif.Text{Text: render(page), Markdown: absoluteLinks(strings.TrimSpace(page)+"\n", a.URL)}
	return r
}

var linkTarget = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// absoluteLinks makes the links of a page, which are relative to where it lies,
// point to the same place from anywhere. Code is no text with links.
func absoluteLinks(page, from string) string {
	base, err := url.Parse(from)
	if err != nil || from == "" {
		return page
	}
	lines := strings.SplitAfter(page, "\n")
	fenced := false
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced || strings.HasPrefix(line, "\t") {
			continue
		}
		lines[i] = linkTarget.ReplaceAllStringFunc(line, func(link string) string {
			target := linkTarget.FindStringSubmatch(link)[1]
			if u, err := base.Parse(target); err == nil {
				return "](" + u.String() + ")"
			}
			return link
		})
	}
	return strings.Join(lines, "")
}

func (d *document) result(f *Finding, rule int) sarif.Result {
	here := sarif.Location{Physical: d.place(f.Pos, f.End)}
	if f.Function != "" {
		// Declarations are named with what they are in front, "var v".
		kind, name := "function", f.Function
		if tok, rest, ok := strings.Cut(f.Function, " "); ok {
			name, kind = rest, "variable"
			if tok == "type" {
				kind = "type"
			}
		}
		here.Logical = []sarif.LogicalLocation{{Name: name, FullyQualifiedName: f.Package + "." + name, Kind: kind}}
	}
	r := sarif.Result{
		RuleID:       f.Analyzer,
		RuleIndex:    rule,
		Level:        sarif.Warning,
		Message:      sarif.Text{Text: linkless(f.text())},
		Locations:    []sarif.Location{here},
		Fingerprints: map[string]string{FingerprintName: f.Fingerprint},
	}
	for i, rel := range f.Related {
		r.Related = append(r.Related, sarif.Location{
			ID:       &i,
			Physical: d.place(rel.Pos, rel.End),
			Message:  &sarif.Text{Text: linkless(rel.Message)},
		})
	}
	if flow := d.flow(f); len(flow) > 1 {
		r.CodeFlows = []sarif.CodeFlow{{ThreadFlows: []sarif.ThreadFlow{{Locations: flow}}}}
	}
	for _, fix := range f.Fixes {
		if s, ok := d.fix(&fix); ok {
			r.Fixes = append(r.Fixes, s)
		}
	}
	return r
}

// place is a range of a file. What is not known of it is left out.
func (d *document) place(pos, end token.Position) *sarif.PhysicalLocation {
	p := &sarif.PhysicalLocation{Artifact: d.artifact(pos.Filename)}
	if pos.Line < 1 {
		return p
	}
	src := d.src.file(pos.Filename)
	r := sarif.Region{StartLine: pos.Line}
	if pos.Column > 0 {
		r.StartColumn = src.utf16Column(pos.Line, pos.Column)
		behind := end.Line > pos.Line || end.Line == pos.Line && end.Column > pos.Column
		if end.Filename == pos.Filename && behind && end.Column > 0 {
			r.EndLine = end.Line
			r.EndColumn = src.utf16Column(end.Line, end.Column)
		}
	}
	p.Region = &r
	return p
}

func (d *document) artifact(file string) sarif.ArtifactLocation {
	name, inside := d.name(file)
	if inside {
		return sarif.ArtifactLocation{URI: sarif.FileURI(name), URIBaseID: baseID}
	}
	return sarif.ArtifactLocation{URI: sarif.FileURI(name)}
}

// flow is the way of the value: the places that explain the finding, in the order
// in which the check tells them, and the finding. Places below it in its file come
// after it: they tell what happens then.
func (d *document) flow(f *Finding) []sarif.ThreadFlowLocation {
	step := func(pos, end token.Position, message string) sarif.ThreadFlowLocation {
		return sarif.ThreadFlowLocation{Location: sarif.Location{
			Physical: d.place(pos, end),
			Message:  &sarif.Text{Text: linkless(message)},
		}}
	}
	var before, after []sarif.ThreadFlowLocation
	for _, r := range f.Related {
		s := step(r.Pos, r.End, r.Message)
		if r.Pos.Filename == f.Pos.Filename && r.Pos.Offset > f.Pos.Offset {
			after = append(after, s)
		} else {
			before = append(before, s)
		}
	}
	return slices.Concat(before, []sarif.ThreadFlowLocation{step(f.Pos, f.End, f.text())}, after)
}

// fix gives a fix of files that are still as they were when they were checked.
func (d *document) fix(fix *Fix) (sarif.Fix, bool) {
	s := sarif.Fix{Description: sarif.Text{Text: linkless(fix.Message)}}
	file := ""
	for _, e := range fix.Edits {
		src := d.src.file(e.File)
		if len(src.text) != e.size {
			return s, false
		}
		if e.File != file {
			file = e.File
			s.Changes = append(s.Changes, sarif.ArtifactChange{Artifact: d.artifact(file)})
		}
		var r sarif.Region
		r.StartLine, r.StartColumn = src.position(e.Start)
		r.EndLine, r.EndColumn = src.position(e.End)
		r.StartColumn = src.utf16Column(r.StartLine, r.StartColumn)
		r.EndColumn = src.utf16Column(r.EndLine, r.EndColumn)
		rep := sarif.Replacement{Deleted: r}
		if e.New != "" {
			rep.Inserted = &sarif.ArtifactContent{Text: e.New}
		}
		change := &s.Changes[len(s.Changes)-1]
		change.Replacements = append(change.Replacements, rep)
	}
	return s, len(s.Changes) > 0
}

var embeddedLink = regexp.MustCompile(`\[([^\]\\]*)\]\(`)

// linkless keeps code such as f[T](x) from being taken for a link in a message
// (3.11.6).
func linkless(message string) string {
	return embeddedLink.ReplaceAllString(message, `\[$1\](`)
}
