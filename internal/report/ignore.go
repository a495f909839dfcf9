package report

import "strings"

// ignorePrefix begins a directive that silences checks.
const ignorePrefix = "//streamlint:ignore"

// All stands for every check in a directive.
const All = "all"

// Ignore is a //streamlint:ignore directive.
type Ignore struct {
	Checks []string // names as written; never empty, but a name may be ""
	Reason string   // "" where none is given: then the directive silences nothing
}

// ParseIgnore reads a comment as //streamlint:ignore NAME[,NAME] reason.
func ParseIgnore(text string) (Ignore, bool) {
	rest, ok := strings.CutPrefix(text, ignorePrefix)
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return Ignore{}, false
	}
	// A second comment on the line is no reason.
	rest, _, _ = strings.Cut(rest, "//")
	rest = strings.TrimSpace(rest)
	names, reason := rest, ""
	if i := strings.IndexAny(rest, " \t"); i >= 0 {
		names, reason = rest[:i], strings.TrimSpace(rest[i:])
	}
	return Ignore{strings.Split(names, ","), reason}, true
}

// parseNolint reads a comment as golangci-lint reads //nolint and
// //nolint:NAME[,NAME], and gives what it silences: linters by name, or "all".
// What follows the names is no part of them.
func parseNolint(text string) ([]string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, "/ "), "nolint")
	if !ok || !strings.HasPrefix(text, "//") {
		return nil, false
	}
	list, named := strings.CutPrefix(rest, ":")
	if !named {
		if rest != "" && rest[0] != ' ' {
			return nil, false
		}
		return []string{All}, true
	}
	list, _, _ = strings.Cut(list, "//")
	var names []string
	for _, item := range strings.Split(list, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(item), " ")
		names = append(names, strings.ToLower(name))
	}
	return names, true
}
