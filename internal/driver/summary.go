package driver

import (
	"fmt"
	"slices"
	"strings"
)

// summaryLine says in one line what a run found and what it did not show.
func summaryLine(o *outcome) string {
	var line strings.Builder
	counts := make(map[string]int)
	var checks []string
	for _, f := range o.Findings {
		if counts[f.Analyzer] == 0 {
			checks = append(checks, f.Analyzer)
		}
		counts[f.Analyzer]++
	}
	slices.Sort(checks)
	if len(checks) == 0 {
		line.WriteString("no findings")
	} else {
		for i, check := range checks {
			checks[i] = fmt.Sprintf("%s %d", check, counts[check])
		}
		fmt.Fprintf(&line, "%s (%s)", plural(len(o.Findings), "finding"), strings.Join(checks, ", "))
	}
	fmt.Fprintf(&line, " in %s", plural(o.Packages, "package"))
	if o.fixed > 0 {
		fmt.Fprintf(&line, "; %s applied", plural2(o.fixed, "fix", "fixes"))
	}
	if o.known > 0 {
		fmt.Fprintf(&line, "; %d known by the baseline", o.known)
	}
	if o.unchanged > 0 {
		fmt.Fprintf(&line, "; %d on lines that did not change", o.unchanged)
	}
	return line.String()
}

func plural(n int, word string) string { return plural2(n, word, word+"s") }

func plural2(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
