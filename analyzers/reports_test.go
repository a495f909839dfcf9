package analyzers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/streamlint/streamlint/analyzers"
	"github.com/streamlint/streamlint/internal/driver"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// TestReports runs every check over the cases from public bug reports: a
// diagnostic stands on each line that wants one, and on no other.
func TestReports(t *testing.T) {
	dir, err := filepath.Abs("../testdata/reports")
	if err != nil {
		t.Fatal(err)
	}
	got := findings(t, dir)
	want := wanted(t, dir)
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("missed %s", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("unexpected %s", g)
		}
	}
	if len(want) == 0 {
		t.Error("no case wants anything")
	}
}

// findings runs the command on the module in dir and gives "file:line check" for
// each diagnostic.
func findings(t *testing.T, dir string) []string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := &driver.Command{
		Name:         "streamlint",
		Analyzers:    analyzers.All(),
		MayHoldFacts: streamflow.MayHoldFacts,
		Stdout:       &stdout,
		Stderr:       &stderr,
	}
	if status := c.Main(t.Context(), []string{"-C", dir, "-json", "./..."}); status != 0 {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	var out []string
	dec := json.NewDecoder(&stdout)
	for dec.More() {
		var byPackage map[string]map[string]json.RawMessage
		if err := dec.Decode(&byPackage); err != nil {
			t.Fatal(err)
		}
		for _, byCheck := range byPackage {
			for check, raw := range byCheck {
				var ds []struct{ Posn string }
				if err := json.Unmarshal(raw, &ds); err != nil {
					t.Fatalf("%s: %s", check, raw)
				}
				for _, d := range ds {
					parts := strings.Split(d.Posn, ":")
					file, err := filepath.Rel(dir, strings.Join(parts[:len(parts)-2], ":"))
					if err != nil {
						t.Fatal(err)
					}
					out = append(out, fmt.Sprintf("%s:%s %s", filepath.ToSlash(file), parts[len(parts)-2], check))
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

var wantComment = regexp.MustCompile(`// want ([a-z0-9 ]+?)\s*$`)

// wanted reads the want comments below dir for the checks that exist.
func wanted(t *testing.T, dir string) []string {
	t.Helper()
	exists := make(map[string]bool)
	for _, a := range analyzers.All() {
		exists[a.Name] = true
	}
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(src), "\n") {
			m := wantComment.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			for _, check := range strings.Fields(m[1]) {
				if exists[check] {
					out = append(out, filepath.ToSlash(rel)+":"+strconv.Itoa(i+1)+" "+check)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
