package sse

import (
	"strings"
	"unicode/utf8"
)

// invalidRun returns how many bytes at the start of b one U+FFFD stands for,
// given that b does not start with a whole character. It is the length of the
// longest prefix that some character could start with, at least 1: the rule of
// the WHATWG Encoding standard (UTF-8 decoder), which package unicode/utf8 does
// not follow (it counts every byte) and neither does strings.ToValidUTF8 (it
// makes one of neighbours).
func invalidRun[T string | []byte](b T) int {
	var n int                        // bytes that have to follow the lead byte
	lo, hi := byte(0x80), byte(0xBF) // what the second byte may be
	switch c := b[0]; {
	case 0xC2 <= c && c <= 0xDF:
		n = 1
	case 0xE0 <= c && c <= 0xEF:
		n = 2
		switch c {
		case 0xE0:
			lo = 0xA0
		case 0xED:
			hi = 0x9F
		}
	case 0xF0 <= c && c <= 0xF4:
		n = 3
		switch c {
		case 0xF0:
			lo = 0x90
		case 0xF4:
			hi = 0x8F
		}
	default:
		return 1
	}
	i := 1
	for ; i <= n && i < len(b) && lo <= b[i] && b[i] <= hi; i++ {
		lo, hi = 0x80, 0xBF
	}
	return i
}

// appendValid appends b to dst with U+FFFD for what is not UTF-8.
func appendValid(dst, b []byte) []byte {
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf {
			dst = append(dst, b[0])
			b = b[1:]
			continue
		}
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size <= 1 {
			dst = append(dst, "\uFFFD"...)
			b = b[invalidRun(b):]
			continue
		}
		dst = append(dst, b[:size]...)
		b = b[size:]
	}
	return dst
}

func toValid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(appendValid(make([]byte, 0, len(b)+8), b))
}

// cutText returns at most n bytes of b as valid text, cut between characters.
func cutText(b []byte, n int) string {
	s := toValid(b)
	if len(s) <= n {
		return strings.TrimSpace(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.TrimSpace(s[:n])
}
