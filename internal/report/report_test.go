package report

import (
	"slices"
	"testing"
)

func TestParseIgnore(t *testing.T) {
	for _, tt := range []struct {
		text   string
		checks []string
		reason string
		ok     bool
	}{
		{"//streamlint:ignore a the peer sends whole documents", []string{"a"}, "the peer sends whole documents", true},
		{"//streamlint:ignore a,b shown only", []string{"a", "b"}, "shown only", true},
		{"//streamlint:ignore\ta\tshown only", []string{"a"}, "shown only", true},
		{"//streamlint:ignore a", []string{"a"}, "", true},
		{"//streamlint:ignore a // want `x`", []string{"a"}, "", true},
		{"//streamlint:ignore // a reason", []string{""}, "", true},
		{"//streamlint:ignore", []string{""}, "", true},
		{"//streamlint:ignored a b", nil, "", false},
		{"// streamlint:ignore a b", nil, "", false},
	} {
		d, ok := ParseIgnore(tt.text)
		if ok != tt.ok || !slices.Equal(d.Checks, tt.checks) || d.Reason != tt.reason {
			t.Errorf("ParseIgnore(%q) = %q, %v", tt.text, d, ok)
		}
	}
}
