package textstream

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTruncateAndTail(t *testing.T) {
	for _, tt := range []struct {
		in         string
		n          int
		head, tail string
	}{
		{"", 0, "", ""},
		{"", 5, "", ""},
		{"abc", -1, "", ""},
		{"abc", 0, "", ""},
		{"abc", 2, "ab", "bc"},
		{"abc", 3, "abc", "abc"},
		{"abc", 9, "abc", "abc"},
		{"éé", 1, "", ""},
		{"éé", 2, "é", "é"},
		{"éé", 3, "é", "é"},
		{"a€b", 2, "a", "b"},
		{"a€b", 3, "a", "b"},
		{"a€b", 4, "a€", "€b"},
		{"x😀y", 4, "x", "y"},
		{"x😀y", 5, "x😀", "😀y"},
		// Invalid bytes are cut anywhere: backing up over them would throw
		// away more than the caller allowed for.
		{"\x80\x80\x80\x80\x80\x80", 3, "\x80\x80\x80", "\x80\x80\x80"},
		{"ab\xE2\x82", 3, "ab\xE2", "b\xE2\x82"},
		{"\xE2\x82xyz", 1, "\xE2", "z"},
	} {
		if got := Truncate(tt.in, tt.n); got != tt.head {
			t.Errorf("Truncate(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.head)
		}
		if got := string(Truncate([]byte(tt.in), tt.n)); got != tt.head {
			t.Errorf("Truncate([]byte(%q), %d) = %q, want %q", tt.in, tt.n, got, tt.head)
		}
		if got := Tail(tt.in, tt.n); got != tt.tail {
			t.Errorf("Tail(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.tail)
		}
	}
}

func FuzzTruncateTail(f *testing.F) {
	for _, s := range samples {
		f.Add(s.in, 2)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		head, tail := Truncate(s, n), Tail(s, n)
		limit := max(n, 0)
		if len(head) > limit || len(tail) > limit {
			t.Fatalf("%q and %q are longer than %d", head, tail, n)
		}
		if !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) {
			t.Fatalf("%q and %q are no prefix and suffix of %q", head, tail, s)
		}
		if utf8.ValidString(s) && (!utf8.ValidString(head) || !utf8.ValidString(tail)) {
			t.Fatalf("valid %q was cut to %q and %q", s, head, tail)
		}
		// Longest: fewer than four bytes may be given up.
		if want := min(limit, len(s)); want-len(head) >= utf8.UTFMax || want-len(tail) >= utf8.UTFMax {
			t.Fatalf("%q and %q are shorter than need be for %d", head, tail, n)
		}
	})
}

func BenchmarkTruncate(b *testing.B) {
	s := strings.Repeat("naïve café 😀 ", 1000)
	b.ReportAllocs()
	for b.Loop() {
		_ = Truncate(s, 256)
	}
}
