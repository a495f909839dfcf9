package textstream

import "unicode/utf8"

// Truncate returns the longest prefix of s that is at most n bytes long and does
// not end inside a character. It looks at no more than four bytes and does not
// allocate. Bytes of s that are invalid anyway are cut anywhere; n below zero
// counts as zero.
func Truncate[T ~string | ~[]byte](s T, n int) T {
	if n < 0 {
		n = 0
	}
	if n >= len(s) {
		return s
	}
	if start, _, ok := straddles(s, n); ok {
		n = start
	}
	return s[:n]
}

// Tail returns the longest suffix of s that is at most n bytes long and does not
// start inside a character; otherwise it is as [Truncate].
func Tail[T ~string | ~[]byte](s T, n int) T {
	if n < 0 {
		n = 0
	}
	if n >= len(s) {
		return s
	}
	at := len(s) - n
	if _, end, ok := straddles(s, at); ok {
		at = end
	}
	return s[at:]
}

// straddles reports whether a cut before s[at] would divide a character, and
// where that character starts and ends.
func straddles[T ~string | ~[]byte](s T, at int) (start, end int, ok bool) {
	if at == 0 || at == len(s) || utf8.RuneStart(s[at]) {
		return 0, 0, false
	}
	for start = at - 1; start >= 0 && at-start < utf8.UTFMax; start-- {
		if !utf8.RuneStart(s[start]) {
			continue
		}
		var window [utf8.UTFMax]byte
		size, kind := classify(window[:copy(window[:], s[start:])])
		return start, start + size, kind == valid && start+size > at
	}
	return 0, 0, false
}
