package strictjson

import (
	"unicode/utf16"
	"unicode/utf8"
)

// appendSurrogate writes a lone surrogate in the three-byte form that UTF-8
// would have for it (WTF-8), so that its partner in the next fragment can be
// found again.
func appendSurrogate(dst []byte, r rune) []byte {
	return append(dst, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}

func surrogate(b []byte) (rune, bool) {
	if len(b) < 3 || b[0] != 0xED || b[1] < 0xA0 || b[1] > 0xBF || b[2] < 0x80 || b[2] > 0xBF {
		return 0, false
	}
	return 0xD000 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F), true
}

// EndsHigh tells whether b ends with the first half of a surrogate pair.
func EndsHigh(b []byte) bool {
	if len(b) < 3 {
		return false
	}
	r, ok := surrogate(b[len(b)-3:])
	return ok && r < 0xDC00
}

// Join appends a fragment and makes one character of a surrogate pair that was
// cut between the two. A half without its partner stays as it is, which is
// invalid UTF-8.
func Join(dst, frag []byte) []byte {
	if len(frag) >= 3 && frag[0] == 0xED && EndsHigh(dst) {
		hi, _ := surrogate(dst[len(dst)-3:])
		if lo, ok := surrogate(frag); ok {
			if r := utf16.DecodeRune(hi, lo); r != utf8.RuneError {
				dst = utf8.AppendRune(dst[:len(dst)-3], r)
				frag = frag[3:]
			}
		}
	}
	return append(dst, frag...)
}

// Pair makes one character of every pair of half surrogates that lie side by
// side. It gives b itself if there is none.
func Pair(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if EndsHigh(out) {
			if _, ok := surrogate(b[i:]); ok {
				out = Join(out, b[i:i+3])
				i += 2
				continue
			}
		}
		out = append(out, b[i])
	}
	return out
}
