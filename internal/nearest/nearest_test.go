package nearest

import "testing"

func TestName(t *testing.T) {
	names := []string{"blindretry", "lossyutf8", "silentdefault", "format", "fix", "tags", "test"}
	for _, c := range []struct{ name, want string }{
		{"slientdefault", "silentdefault"}, // two letters swapped
		{"silentdefaults", "silentdefault"},
		{"lossyutf", "lossyutf8"},
		{"formt", "format"},
		{"fxi", "fix"},
		{"tset", "test"},
		{"x", ""},
		{"partialapply", ""},
		{"", ""},
		{"blindretry", ""}, // it exists
	} {
		if got := Name(c.name, names); got != c.want {
			t.Errorf("Name(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "acb", 1}, {"abc", "abd", 1}, {"kitten", "sitting", 3}, {"é", "e", 1},
	} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
