// Package docs holds the pages of the checks, one Markdown file each. A page is
// the single source of what a check says of itself: on a code host, in
// `streamlint help NAME`, and in the analyzer's Doc.
package docs

import (
	"embed"
	"strings"
)

//go:embed checks/*.md
var pages embed.FS

// Checks gives the names of all checks that have a page, sorted.
func Checks() []string {
	entries, err := pages.ReadDir("checks")
	if err != nil {
		panic(err) // it is part of the program
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".md")
	}
	return names
}

// Check gives the page of a check in the form of an analysis.Analyzer's Doc:
// "NAME: summary" on the first line, a blank line, and the page's text. It
// panics for a check without a page, which a test of each analyzer would show.
func Check(name string) string {
	text, err := pages.ReadFile("checks/" + name + ".md")
	if err != nil {
		panic("streamlint: no page for the check " + name)
	}
	title, body, _ := strings.Cut(string(text), "\n")
	title = strings.TrimPrefix(title, "# ")
	if !strings.HasPrefix(title, name+": ") {
		panic("streamlint: the page of " + name + " must begin with \"# " + name + ": summary\"")
	}
	return title + "\n\n" + strings.TrimSpace(body) + "\n"
}
