package schematest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/streamlint/streamlint/analyzers"
	"github.com/streamlint/streamlint/internal/driver"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/sarif"
	"github.com/streamlint/streamlint/internal/streamflow"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(sarif.Schema, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(sarif.Schema)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(s *jsonschema.Schema, log []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

// run gives the log of the command over packages.
func run(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	t.Chdir(dir)
	var stdout, stderr bytes.Buffer
	c := &driver.Command{
		Name:          "streamlint",
		URL:           "https://github.com/streamlint/streamlint",
		Analyzers:     analyzers.All(),
		MayHoldFacts:  streamflow.MayHoldFacts,
		UnusedIgnores: report.Unused,
		Stdout:        &stdout,
		Stderr:        &stderr,
	}
	c.Main(t.Context(), append([]string{"-format=sarif"}, args...))
	if stdout.Len() == 0 {
		t.Fatalf("no log: %s", stderr.String())
	}
	return stdout.Bytes()
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

const odd = `package p

import (
	"encoding/json"
	"io"
)

// ünï 😀
var first = func(r io.Reader) error { buf := make([]byte, 9); n, err := r.Read(buf); if err != nil { return err }; _ = "😀"; return json.Unmarshal(buf[:n], new(any)) }

func second(r io.Reader) (v any, err error) {
	buf := make([]byte, 9)
	for {
		n, err := r.Read(buf)
		if err != nil { return v, err }
//line made.y:7
		if err := json.Unmarshal(buf[:n], &v); err != nil { return nil, err }
	}
}

//streamlint:ignore lossyutf8 nothing here
func third() {}
`

// TestLogs validates logs of real runs: of many findings, of odd ones, of none, and
// of a run that could not check everything.
func TestLogs(t *testing.T) {
	s := schema(t)
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	write(t, scratch, map[string]string{
		"odd/go.mod":       "module example.test/odd\n\ngo 1.25\n",
		"odd/a/ö.go":       odd,
		"broken/go.mod":    "module example.test/broken\n\ngo 1.25\n",
		"broken/b/b.go":    "package b\n\nvar _ nothing\n",
		"broken/good/g.go": "package good\n",
	})
	for _, c := range []struct {
		name string
		dir  string
		args []string
		want string
	}{
		{"cases from reports", filepath.Join(root, "testdata", "reports"), []string{"./..."}, `"codeFlows"`},
		{"sample", filepath.Join(root, "testdata", "sample"), nil, `"deletedRegion"`},
		{"odd", filepath.Join(scratch, "odd"), []string{"-unused-ignores", "./..."}, `"ruleId": "unusedignore"`},
		{"none", filepath.Join(scratch, "broken"), []string{"./good"}, `"results": []`},
		{"broken", filepath.Join(scratch, "broken"), []string{"./..."}, `"executionSuccessful": false`},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := run(t, c.dir, c.args...)
			if !bytes.Contains(log, []byte(c.want)) {
				t.Errorf("no %s in the log", c.want)
			}
			if err := validate(s, log); err != nil {
				t.Errorf("%v", err)
			}
			for _, problem := range beyondSchema(t, log) {
				t.Error(problem)
			}
		})
	}
}

// beyondSchema checks what the standard and code hosts demand and a schema cannot
// say.
func beyondSchema(t *testing.T, text []byte) (problems []string) {
	t.Helper()
	var log sarif.Log
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	problem := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for _, run := range log.Runs {
		index := make(map[string]int)
		for i, r := range run.Tool.Driver.Rules {
			if _, again := index[r.ID]; again {
				problem("rule %s stands twice", r.ID)
			}
			index[r.ID] = i
			if r.HelpURI == "" || r.Help == nil || r.Help.Markdown == "" || r.Help.Text == "" {
				problem("rule %s has no help", r.ID)
			}
		}
		prints := make(map[string]bool)
		place := func(what string, p *sarif.PhysicalLocation) {
			base := run.OriginalURIBaseIDs[p.Artifact.URIBaseID].URI
			if strings.HasPrefix(p.Artifact.URI, "/") || strings.Contains(p.Artifact.URI, "..") ||
				p.Artifact.URIBaseID != "" && !strings.HasSuffix(base, "/") {
				problem("%s: URI %q with base %q", what, p.Artifact.URI, base)
			}
			if p.Region == nil || p.Region.EndLine > 0 && p.Region.EndLine < p.Region.StartLine ||
				p.Region.EndLine == p.Region.StartLine && p.Region.EndColumn < p.Region.StartColumn {
				problem("%s: region %+v", what, p.Region)
			}
		}
		for _, r := range run.Results {
			if i, ok := index[r.RuleID]; !ok || i != r.RuleIndex {
				problem("result of rule %s has index %d", r.RuleID, r.RuleIndex)
			}
			print := r.Fingerprints[driver.FingerprintName]
			if print == "" || prints[print] {
				problem("fingerprint %q stands twice or is none: %s", print, r.Message.Text)
			}
			prints[print] = true
			for _, l := range append(r.Locations, r.Related...) {
				place(r.RuleID, l.Physical)
			}
		}
	}
	return problems
}

// TestRefused shows that the schema refuses what it should: without it the test
// above could say nothing.
func TestRefused(t *testing.T) {
	s := schema(t)
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	log := string(run(t, filepath.Join(root, "testdata", "sample")))
	for name, change := range map[string][2]string{
		"level":       {`"level": "warning"`, `"level": "bad"`},
		"field":       {`"ruleId":`, `"rule":`},
		"line":        {`"startLine": `, `"startLine": -`},
		"column kind": {sarif.UTF16, "bytes"},
		"version":     {`"2.1.0"`, `"2.2.0"`},
		"URI":         {`"informationUri": "https`, `"informationUri": ":// `},
	} {
		if !strings.Contains(log, change[0]) {
			t.Errorf("%s: the log has no %s", name, change[0])
		}
		if validate(s, []byte(strings.ReplaceAll(log, change[0], change[1]))) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
