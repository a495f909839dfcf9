package analyzers_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/streamlint/streamlint/analyzers"
)

// A check that suggests fixes has golden files, and the other way about.
func TestFixable(t *testing.T) {
	golden, err := filepath.Glob("*/testdata/src/*/*.golden")
	if err != nil {
		t.Fatal(err)
	}
	var tested []string
	for _, name := range golden {
		check, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		tested = append(tested, check)
	}
	slices.Sort(tested)
	registered := func(name string) bool {
		for _, a := range analyzers.All() {
			if a.Name == name {
				return true
			}
		}
		return false
	}
	tested = slices.DeleteFunc(slices.Compact(tested), func(name string) bool { return !registered(name) })
	if got := analyzers.Fixable(); !slices.Equal(got, tested) {
		t.Errorf("Fixable is %q, and fixes are tested for %q", got, tested)
	}
}
