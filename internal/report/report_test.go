package report

import "testing"

func TestParseIgnore(t *testing.T) {
	for _, tt := range []struct {
		text, checks, reason string
		ok                   bool
	}{
		{"//streamlint:ignore a the peer sends whole documents", "a", "the peer sends whole documents", true},
		{"//streamlint:ignore a,b shown only", "a", "shown only", true},
		{"//streamlint:ignore a", "a", "", true},
		{"//streamlint:ignore a // want `x`", "a", "", true},
		{"//streamlint:ignored a b", "", "", false},
		{"// streamlint:ignore a b", "", "", false},
	} {
		d, ok := ParseIgnore(tt.text)
		if ok != tt.ok || ok && (d.Checks[0] != tt.checks || d.Reason != tt.reason) {
			t.Errorf("ParseIgnore(%q) = %+v, %v", tt.text, d, ok)
		}
	}
}

func TestParseNolint(t *testing.T) {
	for text, want := range map[string]bool{
		"//nolint":                         true,
		"//nolint // reason":               true,
		"//nolint:errcheck":                false,
		"//nolint:errcheck,silentdefault":  true,
		"//nolint:streamlint // read once": true,
		"//nolint:all":                     true,
		"//nolintlint":                     false,
		"// nolint:streamlint":             false,
	} {
		if got := parseNolint(text, "silentdefault"); got != want {
			t.Errorf("parseNolint(%q) = %v, want %v", text, got, want)
		}
	}
}
