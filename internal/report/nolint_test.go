package report

import (
	"testing"

	"golang.org/x/tools/go/analysis"
)

// What golangci-lint silences itself is left to it, under either name of its linter.
func TestLeaveNolint(t *testing.T) {
	whole := &analysis.Analyzer{Name: "silentdefault"}
	LeaveNolint(whole, "streamlint")
	single := &analysis.Analyzer{Name: "silentdefault"}
	LeaveNolint(single, "silentdefault")
	free := &analysis.Analyzer{Name: "silentdefault"}
	for _, tt := range []struct {
		text                string
		whole, single, free bool // whether we silence
	}{
		{"//nolint", false, false, true},
		{"//nolint:all", false, false, true},
		{"//nolint:streamlint", false, true, true},
		{"//nolint:silentdefault", true, false, true},
		{"//nolint:silentdefault,streamlint // both", false, false, true},
		{"//nolint:errcheck", false, false, false},
		{"//streamlint:ignore silentdefault checked above", true, true, true},
		{"//streamlint:ignore all checked above", true, true, true},
	} {
		d := new(directive)
		if ig, ok := ParseIgnore(tt.text); ok {
			d.ignore, d.names = &ig, ig.Checks
		} else {
			d.names, _ = parseNolint(tt.text)
		}
		for a, want := range map[*analysis.Analyzer]bool{whole: tt.whole, single: tt.single, free: tt.free} {
			if got := d.applies(a); got != want {
				t.Errorf("%s: %v, want %v (%+v)", tt.text, got, want, tt)
			}
		}
	}
}
