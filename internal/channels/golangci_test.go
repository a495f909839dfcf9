package channels

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// golangci gives a copy of the sample with the configuration, and GCL in its
// environment: a golangci-lint with the plugin, made by scripts/test-golangci.sh.
func golangci(t *testing.T, config string) shell {
	t.Helper()
	file := os.Getenv("STREAMLINT_GOLANGCI")
	if file == "" {
		t.Skip("STREAMLINT_GOLANGCI names no golangci-lint with the plugin: scripts/test-golangci.sh makes one")
	}
	s := sampleApp(t, "GCL="+file, "GOLANGCI_LINT_CACHE="+t.TempDir())
	if err := os.WriteFile(filepath.Join(s.dir, ".golangci.yml"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	return s
}

// issue is a finding in golangci-lint's JSON.
type issue struct {
	FromLinter, Text string
	Pos              struct {
		Filename string
		Line     int
	}
}

// lint runs golangci-lint and gives what it found. A status other than that of a run
// with or without findings ends the test.
func lint(t *testing.T, s shell, flags string) []issue {
	t.Helper()
	out := s.run(t, `"$GCL" run --output.json.path=stdout --show-stats=false --max-same-issues=0 --max-issues-per-linter=0 `+flags+" ./...")
	if out.status > 1 {
		t.Fatalf("golangci-lint: status %d\n%s%s", out.status, out.stdout, out.stderr)
	}
	var report struct{ Issues []issue }
	line, _, _ := strings.Cut(out.stdout, "\n")
	if err := json.Unmarshal([]byte(line), &report); err != nil {
		t.Fatalf("%v\n%s%s", err, out.stdout, out.stderr)
	}
	if (len(report.Issues) > 0) != (out.status == 1) {
		t.Errorf("status %d with %d issues", out.status, len(report.Issues))
	}
	return report.Issues
}

// asFindings gives issues in the form of findings: of the linter of all checks the
// text begins with the check, of the others the linter is the check.
func asFindings(issues []issue) []string {
	var out []string
	for _, i := range issues {
		check := i.FromLinter
		if check == "streamlint" {
			check, _, _ = strings.Cut(i.Text, ": ")
		}
		out = append(out, fmt.Sprintf("%s:%d %s", filepath.ToSlash(i.Pos.Filename), i.Pos.Line, check))
	}
	slices.Sort(out)
	return out
}

// example gives the block of a page that begins with the line.
func example(t *testing.T, page, first string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs/integrations", page))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n"+first+"\n")
	if !ok {
		t.Fatalf("%s has no block that begins with %q", page, first)
	}
	block, _, _ := strings.Cut(rest, "\n```")
	return first + "\n" + block + "\n"
}

const gclPage = "golangci-lint.md"

func TestGolangciWhole(t *testing.T) {
	s := golangci(t, example(t, gclPage, "# .golangci.yml: one linter for all checks"))
	issues := lint(t, s, "")
	same(t, "linter streamlint", asFindings(issues), want)
	for _, i := range issues {
		if strings.Contains(i.Text, "related information") {
			t.Errorf("a related place is a finding of its own: %+v", i)
		}
		if strings.Count(i.Text, ": ") > 0 && strings.HasPrefix(strings.SplitN(i.Text, ": ", 2)[1], strings.SplitN(i.Text, ": ", 2)[0]+": ") {
			t.Errorf("the check's name is there twice: %s", i.Text)
		}
		if i.Pos.Filename == "agent/agent.go" && i.Pos.Line == 70 && !strings.Contains(i.Text, "(decoded here: line 65)") {
			t.Errorf("the related place is not in the text: %s", i.Text)
		}
	}
	again := lint(t, s, "")
	same(t, "from golangci-lint's cache", asFindings(again), want)
	// The same as the other forms print.
	s.env = append(s.env, "T="+build(t))
	same(t, "by itself", findings(s.must(t, 1, `"$T" ./...`).stderr), want)
	same(t, "go vet", findings(s.must(t, 1, `go vet -vettool="$T" ./...`).stderr), want)
}

func TestGolangciOneLinterACheck(t *testing.T) {
	s := golangci(t, example(t, gclPage, "# .golangci.yml: one linter a check"))
	issues := lint(t, s, "")
	same(t, "linters of one check", asFindings(issues), without(want, func(f string) bool {
		return !strings.HasSuffix(f, " perchunkdecode") && !strings.HasSuffix(f, " silentdefault")
	}))
	sarif := filepath.Join(t.TempDir(), "out.sarif")
	lint(t, s, "--output.sarif.path="+sarif)
	data, err := os.ReadFile(sarif)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{`"ruleId":"perchunkdecode"`, `"ruleId":"silentdefault"`} {
		if !strings.Contains(string(data), rule) {
			t.Errorf("no %s in the SARIF report", rule)
		}
	}
}

func custom(linters ...string) string {
	var b strings.Builder
	b.WriteString("version: \"2\"\nlinters:\n  default: none\n  enable: [nolintlint")
	for _, l := range linters {
		name, _, _ := strings.Cut(l, "\n")
		b.WriteString(", " + name)
	}
	b.WriteString("]\n  settings:\n    nolintlint: {require-specific: true, require-explanation: true}\n    custom:\n")
	for _, l := range linters {
		name, settings, _ := strings.Cut(l, "\n")
		fmt.Fprintf(&b, "      %s:\n        type: module\n", name)
		if settings != "" {
			fmt.Fprintf(&b, "        settings: %s\n", settings)
		}
	}
	return b.String()
}

// Settings reach the checks, and wrong ones end the run with a message.
func TestGolangciSettings(t *testing.T) {
	s := golangci(t, custom("streamlint\n{perchunkdecode: {tests: true}, lossyutf8: false, blindretry: false, silentdefault: false}"))
	got := without(asFindings(lint(t, s, "")), func(f string) bool {
		return !strings.HasPrefix(f, "agent/") && !strings.HasSuffix(f, " silentdefault")
	})
	same(t, "settings", got, []string{
		"agent/agent.go:34 perchunkdecode",
		"agent/agent.go:51 perchunkdecode",
		"agent/agent.go:70 perchunkdecode",
		"agent/agent_test.go:19 perchunkdecode",
	})
	for settings, text := range map[string]string{
		"streamlint\n{tresholds: true}":                  `"tresholds" is neither a check`,
		"streamlint\n{perchunkdecode: {test: true}}":     `has no setting "test"`,
		"streamlint\n{decoders: Parse}":                  `"Parse" is no full name`,
		"silentdefault\n{all: often}":                    "silentdefault.all",
		"silentdefault\n{all: true}|streamlint\n{}":      "with different settings",
		"silentdefault\n{tests: true}|perchunkdecode\n5": "want a map of settings",
	} {
		s := golangci(t, custom(strings.Split(settings, "|")...))
		out := s.run(t, `"$GCL" run ./...`)
		if out.status < 2 || !strings.Contains(out.stderr+out.stdout, text) {
			t.Errorf("%s\nstatus %d, want a message with %s:\n%s%s", settings, out.status, text, out.stdout, out.stderr)
		}
	}
}

// Directives by the linter's name are golangci-lint's, those by the other name are
// ours, and nolintlint calls none of them unused.
func TestGolangciNolint(t *testing.T) {
	for _, linter := range []string{"streamlint", "silentdefault"} {
		s := golangci(t, custom(linter))
		for _, i := range lint(t, s, "") {
			if i.Pos.Filename == "quiet/quiet.go" && i.Pos.Line != 30 {
				t.Errorf("%s: %+v", linter, i)
			}
		}
	}
	// One that silences nothing is told.
	s := golangci(t, custom("streamlint"))
	file := filepath.Join(s.dir, "quiet/idle.go")
	if err := os.WriteFile(file, []byte("package quiet\n\nvar idle int //nolint:streamlint // nothing here\n\nvar _ = idle\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	told := slices.ContainsFunc(lint(t, s, ""), func(i issue) bool {
		return i.FromLinter == "nolintlint" && i.Pos.Filename == "quiet/idle.go" && strings.Contains(i.Text, "unused")
	})
	if !told {
		t.Error("nolintlint does not tell of a directive without an effect")
	}
}

func TestGolangciFix(t *testing.T) {
	s := golangci(t, custom("streamlint"))
	lint(t, s, "--fix")
	if text := read(t, s.dir, "agent/agent.go"); !strings.Contains(text, "if err := json.Unmarshal(data, &s); err != nil {") {
		t.Error("--fix changed nothing")
	}
	s.must(t, 0, "go build ./...")
	for _, f := range asFindings(lint(t, s, "")) {
		if strings.HasPrefix(f, "agent/agent.go:22 ") {
			t.Errorf("--fix left %s", f)
		}
	}
}
