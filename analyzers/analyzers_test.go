package analyzers_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/analyzers"
)

func TestAll(t *testing.T) {
	all := analyzers.All()
	if err := analysis.Validate(all); err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = a.Name
		if !strings.HasPrefix(a.Doc, a.Name+": ") {
			t.Errorf("%s: Doc does not begin with the name and a summary", a.Name)
		}
		if !strings.HasSuffix(a.URL, "/"+a.Name+".md") {
			t.Errorf("%s: URL %q is not the check's page", a.Name, a.URL)
		}
		for _, section := range []string{"## Bad", "## Good", "## What is not reported", "## Settings"} {
			if !strings.Contains(a.Doc, section) {
				t.Errorf("%s: the page has no section %q", a.Name, section)
			}
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("not in the order of their names: %v", names)
	}
}

// The table in the README is where a reader sees which checks there are.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	table := strings.ReplaceAll(string(readme), "`", "")
	all := analyzers.All()
	if rows := strings.Count(table, "](docs/checks/"); rows != len(all) {
		t.Errorf("%d rows for %d checks", rows, len(all))
	}
	for _, a := range all {
		summary, _, _ := strings.Cut(strings.TrimPrefix(a.Doc, a.Name+": "), "\n")
		if row := fmt.Sprintf("| [%s](docs/checks/%[1]s.md) | %s |\n", a.Name, summary); !strings.Contains(table, row) {
			t.Errorf("no row %q", row)
		}
	}
}
