package driver

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/internal/sarif"
)

// sample is a document about a file with a line that is not ASCII.
func sample(t *testing.T) *document {
	t.Helper()
	root := t.TempDir()
	file := filepath.Join(root, "a,b:c%.go")
	const src = "package p\n\nvar x = \"😀\" + read() + decode()\nvar y = used(x)\n"
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	at := func(text string) (token.Position, token.Position) {
		i := strings.Index(src, text)
		pos := func(offset int) token.Position {
			before := src[:offset]
			return token.Position{Filename: file, Offset: offset, Line: strings.Count(before, "\n") + 1, Column: offset - strings.LastIndex(before, "\n")}
		}
		return pos(i), pos(i + len(text))
	}
	f := Finding{Package: "m/p", Analyzer: "toy", Message: "toy: gets f[T](x), 100%\nand\rmore", URL: "https://example.test/toy", Function: "var x"}
	f.Pos, f.End = at("decode()")
	for _, text := range []string{"used(x)", "read()"} {
		pos, end := at(text)
		f.Related = append(f.Related, Related{pos, end, text + " here"})
	}
	far := Related{Pos: token.Position{Filename: "/elsewhere/z.go", Line: 7}, Message: "made here"}
	far.End = far.Pos
	f.Related = append(f.Related, far)
	start := strings.Index(src, "decode()")
	f.Fixes = []Fix{
		{Message: "Decode at once", Edits: []Edit{{File: file, Start: start, End: start + 6, New: "all", size: len(src)}, {File: file, Start: len(src), End: len(src), New: "// end\n", size: len(src)}}},
		{Message: "Take it away", Edits: []Edit{{File: file, Start: start - 3, End: start + 8, size: len(src)}}},
		{Message: "Of another time", Edits: []Edit{{File: file, Start: 0, End: 1, size: 3}}},
	}
	d := &document{
		tool:      toolInfo{"toolname", "v1.2.3", "https://example.test"},
		analyzers: []*analysis.Analyzer{{Name: "other", Doc: "other: b"}, {Name: "toy", URL: "https://example.test/docs/toy.md", Doc: "toy: report toys\n\nToys are [bad](../why.md#x).\nVery.\n\n## Bad\n\n```go\nf[T](../x)\n```\n"}},
		findings:  []Finding{f},
		root:      root,
		src:       newSources(),
	}
	fingerprint(d.findings, d.src)
	return d
}

func TestSARIF(t *testing.T) {
	d := sample(t)
	d.problems = []string{"m/q: not checked"}
	var buf bytes.Buffer
	if err := d.write(&buf, formatSARIF); err != nil {
		t.Fatal(err)
	}
	var log sarif.Log
	if err := json.Unmarshal(buf.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if run.Invocations[0].Successful || run.Invocations[0].Notifications[0].Message.Text != "m/q: not checked" {
		t.Errorf("invocation: %+v", run.Invocations)
	}
	if c := run.Tool.Driver; c.Name != "toolname" || c.Version != "v1.2.3" || c.SemanticVersion != "1.2.3" || len(c.Rules) != 2 {
		t.Errorf("driver: %+v", c)
	}
	rule := run.Tool.Driver.Rules[1]
	if rule.ID != "toy" || rule.ShortDescription.Text != "report toys" || rule.FullDescription.Text != "Toys are bad. Very." ||
		rule.HelpURI != "https://example.test/docs/toy.md" || rule.Configuration.Level != sarif.Warning {
		t.Errorf("rule: %+v", rule)
	}
	if !strings.Contains(rule.Help.Markdown, "[bad](https://example.test/why.md#x)") || !strings.Contains(rule.Help.Markdown, "f[T](../x)") || strings.Contains(rule.Help.Text, "](") && !strings.Contains(rule.Help.Text, "f[T](../x)") {
		t.Errorf("help: %+v", rule.Help)
	}
	r := run.Results[0]
	if r.RuleID != "toy" || r.RuleIndex != 1 || r.Message.Text != "gets f\\[T\\](x), 100%\nand\rmore" {
		t.Errorf("result: %+v", r)
	}
	if len(r.Fingerprints[FingerprintName]) != 32 {
		t.Errorf("fingerprints: %v", r.Fingerprints)
	}
	here := r.Locations[0]
	if got, want := *here.Physical.Region, (sarif.Region{StartLine: 3, StartColumn: 25, EndLine: 3, EndColumn: 33}); got != want {
		t.Errorf("region %+v, want %+v", got, want)
	}
	if a := here.Physical.Artifact; a.URI != "./a,b:c%25.go" && a.URI != "a,b:c%25.go" || a.URIBaseID != baseID {
		t.Errorf("artifact: %+v", a)
	}
	if l := here.Logical[0]; l.FullyQualifiedName != "m/p.x" || l.Kind != "variable" {
		t.Errorf("logical location: %+v", l)
	}
	if far := r.Related[2]; *far.ID != 2 || far.Physical.Artifact.URI != "file:///elsewhere/z.go" || far.Physical.Artifact.URIBaseID != "" || *far.Physical.Region != (sarif.Region{StartLine: 7}) {
		t.Errorf("related: %+v", far.Physical)
	}
	var steps []string
	for _, l := range r.CodeFlows[0].ThreadFlows[0].Locations {
		steps = append(steps, l.Location.Message.Text)
	}
	if got, want := strings.Join(steps, " | "), "read() here | made here | gets f\\[T\\](x), 100%\nand\rmore | used(x) here"; got != want {
		t.Errorf("flow: %q, want %q", got, want)
	}
	if len(r.Fixes) != 2 {
		t.Fatalf("fixes: %+v", r.Fixes)
	}
	first, second := r.Fixes[0].Changes[0].Replacements, r.Fixes[1].Changes[0].Replacements
	if first[0].Deleted != (sarif.Region{StartLine: 3, StartColumn: 25, EndLine: 3, EndColumn: 31}) || first[0].Inserted.Text != "all" ||
		first[1].Deleted != (sarif.Region{StartLine: 5, StartColumn: 1, EndLine: 5, EndColumn: 1}) {
		t.Errorf("first fix: %+v", first)
	}
	if second[0].Inserted != nil || second[0].Deleted.StartColumn != 22 {
		t.Errorf("second fix: %+v", second)
	}
}

func TestGitHub(t *testing.T) {
	d := sample(t)
	var buf bytes.Buffer
	if err := d.write(&buf, formatGitHub); err != nil {
		t.Fatal(err)
	}
	want := "::error file=a%2Cb%3Ac%25.go,line=3,col=25,endLine=3,endColumn=33,title=toolname toy::" +
		"gets f[T](x), 100%25%0Aand%0Dmore%0Aa,b:c%25.go:4: used(x) here%0Aa,b:c%25.go:3: read() here%0A/elsewhere/z.go:7: made here%0Ahttps://example.test/toy\n"
	if buf.String() != want {
		t.Errorf("got  %q\nwant %q", buf.String(), want)
	}
}

// Columns are not taken for a range of several lines, and need not be known.
func TestGitHubPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Finding)
		want   string
	}{
		"several lines": {func(f *Finding) { f.End.Line = 4 }, "line=3,endLine=4,title"},
		"no end":        {func(f *Finding) { f.End = f.Pos }, "line=3,col=25,title"},
		"no column":     {func(f *Finding) { f.Pos.Column = 0; f.End = f.Pos }, "line=3,title"},
		"no line":       {func(f *Finding) { f.Pos.Line, f.Pos.Column = 0, 0; f.End = f.Pos }, "line=1,title"},
	} {
		d := sample(t)
		c.change(&d.findings[0])
		var buf bytes.Buffer
		if err := d.write(&buf, formatGitHub); err != nil || !strings.Contains(buf.String(), c.want) {
			t.Errorf("%s: %v, %s, want %s", name, err, buf.String(), c.want)
		}
	}
}

func TestCheckstyle(t *testing.T) {
	d := sample(t)
	d.findings = append(d.findings, d.findings[0], d.findings[0])
	d.findings[2].Pos = token.Position{Filename: filepath.Join(d.root, "b.go"), Line: 1}
	d.findings[2].Message = "toy: <a> & \"b\" \x00"
	var buf bytes.Buffer
	if err := d.write(&buf, formatCheckstyle); err != nil {
		t.Fatal(err)
	}
	var got checkstyle
	if err := xml.Unmarshal(buf.Bytes(), &got); err != nil {
		t.Fatalf("%v\n%s", err, buf.String())
	}
	if len(got.Files) != 2 || len(got.Files[0].Errors) != 2 || got.Files[1].Name != "b.go" {
		t.Errorf("%+v", got.Files)
	}
	if e := got.Files[1].Errors[0]; e.Message != "<a> & \"b\" \uFFFD" || e.Column != 0 || e.Source != "toolname.toy" {
		t.Errorf("%+v", e)
	}
	if strings.Contains(buf.String(), `column="0"`) {
		t.Error("a column that is not known is given")
	}
}

func TestGitLab(t *testing.T) {
	d := sample(t)
	d.findings[0].End.Line = 4
	var buf bytes.Buffer
	if err := d.write(&buf, formatGitLab); err != nil {
		t.Fatal(err)
	}
	var got []gitlabIssue
	if err := json.Unmarshal(buf.Bytes(), &got); err != nil || len(got) != 1 {
		t.Fatalf("%v\n%s", err, buf.String())
	}
	if i := got[0]; i.Location.Path != "a,b:c%.go" || i.Location.Lines.Begin != 3 || i.Location.Lines.End != 4 || len(i.Fingerprint) != 32 || i.Severity != "major" {
		t.Errorf("%+v", i)
	}
}

func TestRepositoryRoot(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := repositoryRoot(deep); got != deep {
		t.Skipf("the directory of temporary files is in a repository: %s", got)
	}
	if err := os.WriteFile(filepath.Join(root, ".git"), []byte("gitdir: elsewhere\n"), 0o600); err != nil { // as a worktree has it
		t.Fatal(err)
	}
	if got := repositoryRoot(deep); got != root {
		t.Errorf("root of %s is %s, want %s", deep, got, root)
	}
}
