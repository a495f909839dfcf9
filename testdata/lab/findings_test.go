package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/findings.golden")

const golden = "testdata/findings.golden"

// wants lists the checks that must find something in the naive form of an incident.
// A check that the command does not have yet is passed over, with a line in the log.
var wants = map[string][]string{
	"mergegate/naive":     {"perchunkdecode", "silentdefault", "unfinished"},
	"patchgate/naive":     {"jsonrepair"},
	"parallelcalls/naive": {"perchunkdecode", "callindex", "unfinished"},
	"schemaapply/naive":   {"unfinished", "partialapply"},
	"sseclient/naive":     {"lossyutf8", "blindretry", "streamtimeout"},
}

// TestFindings runs the command over the lab. What it finds is in the golden file,
// all of it in naive forms and in the code that docs/companion.md shows as wrong.
func TestFindings(t *testing.T) {
	exe := build(t)
	found := findings(t, exe, ".", "./...")
	text := strings.Join(found, "\n") + "\n"
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("found\n%s\nwant\n%s\ngo test -run TestFindings -update rewrites %s", text, want, golden)
	}
	for _, f := range found {
		if dir := filepath.ToSlash(filepath.Dir(f)); !strings.HasSuffix(dir, "/naive") && dir != "companion/before" {
			t.Errorf("%s: this code is right", f)
		}
		if file, check, _ := strings.Cut(f, ": "); strings.HasPrefix(f, "companion/before/") && !strings.HasPrefix(file, "companion/before/"+check+".go:") {
			t.Errorf("%s: the page's example of one check has a fault of another", f)
		}
	}

	checks := checks(t, exe)
	expect := func(prefix, check string) {
		if !slices.Contains(checks, check) {
			t.Logf("%s: no check %s yet", prefix, check)
			return
		}
		if !slices.ContainsFunc(found, func(f string) bool {
			return strings.HasPrefix(f, prefix) && strings.HasSuffix(f, ": "+check)
		}) {
			t.Errorf("%s: nothing found by %s", prefix, check)
		}
	}
	for dir, names := range wants {
		for _, name := range names {
			expect(dir+"/", name)
		}
	}
	for _, section := range sections(t) {
		expect("companion/before/"+section.check+".go:", section.check)
	}
}

// pending are findings in stream/ that are known and not yet decided: either the code
// or the check has to change. An entry that is not found any more fails the test.
var pending = map[string]string{}

// TestCompanionIsSilent: nothing is found in the packages of stream/ themselves.
func TestCompanionIsSilent(t *testing.T) {
	exe := build(t)
	left := maps.Clone(pending)
	for _, module := range []string{"../..", "../../stream/toolcall/jsonschema"} {
		pattern := "./..."
		if module == "../.." {
			pattern = "./stream/..."
		}
		for _, f := range findings(t, exe, module, pattern) {
			file, rest, _ := strings.Cut(f, ":")
			_, check, _ := strings.Cut(rest, ": ")
			key := file + ": " + check
			if why, ok := pending[key]; ok {
				t.Logf("%s: pending: %s", f, why)
				delete(left, key)
				continue
			}
			t.Errorf("%s", f)
		}
	}
	for key := range left {
		t.Errorf("%s is not found any more: remove it from pending", key)
	}
}

// build builds the command.
func build(t *testing.T) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "streamlint")
	cmd := exec.Command("go", "build", "-o", exe, "./cmd/streamlint")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

// checks lists the checks that the command has.
func checks(t *testing.T, exe string) []string {
	t.Helper()
	out, err := exec.Command(exe, "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(out), "\nChecks:\n")
	if !ok {
		t.Fatalf("no list of checks in\n%s", out)
	}
	list, _, _ = strings.Cut(list, "\n\n")
	var names []string
	for line := range strings.Lines(list) {
		names = append(names, strings.Fields(line)[0])
	}
	return names
}

// findings gives "file:line: check" for all that the command finds, sorted, files
// relative to dir.
func findings(t *testing.T, exe, dir, pattern string) []string {
	t.Helper()
	cmd := exec.Command(exe, "-json", pattern)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) || stderr.Len() > 0 {
		t.Fatalf("%v\n%s%s", err, out, &stderr)
	}
	var tree map[string]map[string][]struct {
		Posn string `json:"posn"`
	}
	if err := json.Unmarshal(out, &tree); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	base, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		file, check string
		line        int
	}
	var places []place
	for _, byCheck := range tree {
		for check, list := range byCheck {
			for _, f := range list {
				rest, _, ok := cutLast(f.Posn) // :column
				file, line, ok2 := cutLast(rest)
				rel, err := filepath.Rel(base, file)
				p := place{file: filepath.ToSlash(rel), check: check}
				if _, serr := fmt.Sscan(line, &p.line); !ok || !ok2 || err != nil || serr != nil {
					t.Fatalf("%q is no position", f.Posn)
				}
				places = append(places, p)
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		if c := strings.Compare(a.file, b.file); c != 0 {
			return c
		}
		if a.line != b.line {
			return a.line - b.line
		}
		return strings.Compare(a.check, b.check)
	})
	var lines []string
	for _, p := range places {
		lines = append(lines, fmt.Sprintf("%s:%d: %s", p.file, p.line, p.check))
	}
	return lines
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}
