package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/streamlint/streamlint/analyzers"
	"github.com/streamlint/streamlint/internal/driver/drivertest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"streamlint": main})
}

func TestScript(t *testing.T) { drivertest.Run(t, "testdata/script", "streamlint") }

// What a user sees first of a check is its line in the overview and its page.
func TestPages(t *testing.T) {
	for _, a := range analyzers.All() {
		if a.URL == "" {
			t.Errorf("%s has no URL", a.Name)
		}
		if len(a.Doc) < 200 {
			t.Errorf("%s: the page says no more than %q", a.Name, a.Doc)
		}
	}
}
