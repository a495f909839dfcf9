package textstream

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// whatwg is the UTF-8 decoder of the WHATWG Encoding Standard, step by step and
// one byte at a time, with the error mode "replacement". It shares nothing with
// the code under test.
func whatwg(in []byte) (out []byte, replaced int64) {
	var point rune
	seen, needed := 0, 0
	lower, upper := byte(0x80), byte(0xBF)
	for i := 0; i < len(in); i++ {
		b := in[i]
		if needed == 0 {
			switch {
			case b <= 0x7F:
				out = append(out, b)
			case b >= 0xC2 && b <= 0xDF:
				needed, point = 1, rune(b&0x1F)
			case b >= 0xE0 && b <= 0xEF:
				if b == 0xE0 {
					lower = 0xA0
				}
				if b == 0xED {
					upper = 0x9F
				}
				needed, point = 2, rune(b&0xF)
			case b >= 0xF0 && b <= 0xF4:
				if b == 0xF0 {
					lower = 0x90
				}
				if b == 0xF4 {
					upper = 0x8F
				}
				needed, point = 3, rune(b&0x7)
			default:
				out = append(out, "\uFFFD"...)
				replaced++
			}
			continue
		}
		if b < lower || b > upper {
			point, needed, seen, lower, upper = 0, 0, 0, 0x80, 0xBF
			out = append(out, "\uFFFD"...)
			replaced++
			i-- // "prepend byte to stream"
			continue
		}
		lower, upper = 0x80, 0xBF
		point = point<<6 | rune(b&0x3F)
		seen++
		if seen == needed {
			out = utf8.AppendRune(out, point)
			point, needed, seen = 0, 0, 0
		}
	}
	if needed != 0 {
		out = append(out, "\uFFFD"...)
		replaced++
	}
	return out, replaced
}

// outcome is everything a caller can see of one decoded stream.
type outcome struct {
	text     string
	err      string
	offset   int64
	replaced int64
}

func decode(p Policy, chunks ...[]byte) outcome {
	d := Decoder{Policy: p}
	var out []byte
	var err error
	for _, c := range chunks {
		if out, err = d.Append(out, c); err != nil {
			break
		}
	}
	if err == nil {
		out, err = d.Flush(out)
	}
	o := outcome{text: string(out), offset: d.Offset(), replaced: d.Replaced()}
	if err != nil {
		o.err = err.Error()
	}
	return o
}

var samples = []struct {
	name, in, replace string
	strictText        string
	strictErr         string // "" is success
}{
	{"empty", "", "", "", ""},
	{"ascii", "plain", "plain", "plain", ""},
	{"two bytes", "café!", "café!", "café!", ""},
	{"three bytes", "a€b", "a€b", "a€b", ""},
	{"four bytes", "a😀b", "a😀b", "a😀b", ""},
	{"NUL", "a\x00b", "a\x00b", "a\x00b", ""},
	{"borders of every length", "\x7F\u0080\u07FF\u0800\uD7FF\uE000\uFFFF\U00010000\U0010FFFF",
		"\x7F\u0080\u07FF\u0800\uD7FF\uE000\uFFFF\U00010000\U0010FFFF",
		"\x7F\u0080\u07FF\u0800\uD7FF\uE000\uFFFF\U00010000\U0010FFFF", ""},
	{"byte order mark is kept", "\uFEFFx", "\uFEFFx", "\uFEFFx", ""},
	{"U+FFFD in the input is no error", "a\uFFFDb", "a\uFFFDb", "a\uFFFDb", ""},
	{"lone continuation", "a\x80b", "a\uFFFDb", "a", "textstream: invalid UTF-8 80 at byte 1"},
	{"two continuations", "\x80\xBF", "\uFFFD\uFFFD", "", "textstream: invalid UTF-8 80 at byte 0"},
	{"maximal subpart of two", "\xE2\x82A", "\uFFFDA", "", "textstream: invalid UTF-8 E2 82 at byte 0"},
	{"maximal subpart of three", "x\xF0\x9F\x98A", "x\uFFFDA", "x", "textstream: invalid UTF-8 F0 9F 98 at byte 1"},
	{"start after start", "\xE2\xE2\x82\xAC", "\uFFFD€", "", "textstream: invalid UTF-8 E2 at byte 0"},
	{"surrogate", "\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD", "", "textstream: invalid UTF-8 ED at byte 0"},
	{"overlong two", "\xC0\x80", "\uFFFD\uFFFD", "", "textstream: invalid UTF-8 C0 at byte 0"},
	{"overlong three", "\xE0\x80\x80", "\uFFFD\uFFFD\uFFFD", "", "textstream: invalid UTF-8 E0 at byte 0"},
	{"overlong four", "\xF0\x8F\xBF\xBF", "\uFFFD\uFFFD\uFFFD\uFFFD", "", "textstream: invalid UTF-8 F0 at byte 0"},
	{"above the last", "\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD", "", "textstream: invalid UTF-8 F4 at byte 0"},
	{"never used", "\xFE\xFF", "\uFFFD\uFFFD", "", "textstream: invalid UTF-8 FE at byte 0"},
	{"cut after one of two", "caf\xC3", "caf\uFFFD", "caf", "textstream: stream ended inside a character: C3 at byte 3"},
	{"cut after three of four", "\xF0\x9F\x98", "\uFFFD", "", "textstream: stream ended inside a character: F0 9F 98 at byte 0"},
	{"bad, then cut", "\xFFx\xE2\x82", "\uFFFDx\uFFFD", "", "textstream: invalid UTF-8 FF at byte 0"},
}

func TestDecoder(t *testing.T) {
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			in := []byte(s.in)
			got := decode(Replace, in)
			if got.text != s.replace || got.err != "" {
				t.Errorf("replace: %q, %q; want %q", got.text, got.err, s.replace)
			}
			if want, n := whatwg(in); string(want) != got.text || n != got.replaced {
				t.Errorf("replace: %q with %d replaced; the standard's steps give %q with %d", got.text, got.replaced, want, n)
			}
			if got.offset != int64(len(in)) {
				t.Errorf("replace: offset %d of %d", got.offset, len(in))
			}
			strict := decode(Strict, in)
			if strict.text != s.strictText || strict.err != s.strictErr {
				t.Errorf("strict: %q, %q; want %q, %q", strict.text, strict.err, s.strictText, s.strictErr)
			}
		})
	}
}

// TestDecoderEverySplit cuts each sample in two at every offset, in three at
// every pair of offsets, and into single bytes.
func TestDecoderEverySplit(t *testing.T) {
	for _, s := range samples {
		for _, p := range []Policy{Strict, Replace} {
			in := []byte(s.in)
			want := decode(p, in)
			for i := range len(in) + 1 {
				for j := i; j <= len(in); j++ {
					if got := decode(p, in[:i], in[i:j], in[j:]); got != want {
						t.Fatalf("%s, %v, cut at %d and %d: %+v, whole: %+v", s.name, p, i, j, got, want)
					}
				}
			}
			if got := decode(p, bytesOf(in)...); got != want {
				t.Fatalf("%s, %v, byte by byte: %+v, whole: %+v", s.name, p, got, want)
			}
		}
	}
}

// TestDecoderThreeBytes runs, for one first byte of each kind, every stream of
// three bytes against the standard's steps.
func TestDecoderThreeBytes(t *testing.T) {
	firsts := []byte{'a', 0x80, 0xC1, 0xC2, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF1, 0xF4, 0xF5}
	d := Decoder{Policy: Replace}
	var out []byte
	for _, a := range firsts {
		for b := range 256 {
			for c := range 256 {
				in := []byte{a, byte(b), byte(c)}
				d.Reset()
				out, _ = d.Append(out[:0], in)
				out, _ = d.Flush(out)
				if want, n := whatwg(in); !bytes.Equal(out, want) || d.Replaced() != n {
					t.Fatalf("% X: %q with %d replaced, want %q with %d", in, out, d.Replaced(), want, n)
				}
			}
		}
	}
}

func TestDecoderErrorsAreTypedAndStay(t *testing.T) {
	var d Decoder
	out, err := d.Append(nil, []byte("ok\xFFmore"))
	var invalid *InvalidError
	if !errors.As(err, &invalid) || invalid.Offset != 2 || !bytes.Equal(invalid.Bytes, []byte{0xFF}) {
		t.Fatalf("err = %v", err)
	}
	if string(out) != "ok" {
		t.Errorf("text before the invalid byte: %q", out)
	}
	if out, again := d.Append(out, []byte("later")); again != err || string(out) != "ok" {
		t.Errorf("after an error: %q, %v", out, again)
	}
	if _, again := d.Flush(nil); again != err {
		t.Errorf("Flush after an error: %v", again)
	}
	d.Reset()
	if out, err := d.Append(nil, []byte("x\xE2\x82")); string(out) != "x" || err != nil || d.Pending() != 2 {
		t.Fatalf("%q, %v, pending %d", out, err, d.Pending())
	}
	_, err = d.Flush(nil)
	var incomplete *IncompleteError
	if !errors.As(err, &incomplete) || !errors.Is(err, io.ErrUnexpectedEOF) || incomplete.Offset != 1 {
		t.Fatalf("err = %#v", err)
	}
	if _, again := d.Flush(nil); again != err {
		t.Errorf("second Flush: %v", again)
	}
}

func TestDecoderFlushTwiceReplacesOnce(t *testing.T) {
	d := Decoder{Policy: Replace}
	out, _ := d.Append(nil, []byte("\xC3"))
	out, _ = d.Flush(out)
	out, err := d.Flush(out)
	if string(out) != "\uFFFD" || err != nil || d.Replaced() != 1 {
		t.Errorf("%q, %v, %d", out, err, d.Replaced())
	}
}

func TestDecoderDoesNotAllocate(t *testing.T) {
	in := []byte(strings.Repeat("naïve café 😀 ", 50))
	d := Decoder{Policy: Replace}
	dst := make([]byte, 0, 4*len(in))
	got := testing.AllocsPerRun(100, func() {
		d.Reset()
		out := dst
		for rest := in; len(rest) > 0; {
			n := min(7, len(rest))
			out, _ = d.Append(out, rest[:n])
			rest = rest[n:]
		}
	})
	if got != 0 {
		t.Errorf("%v allocations a stream", got)
	}
}

func TestPolicyString(t *testing.T) {
	if s := Strict.String() + Replace.String() + Policy(9).String(); s != "strictreplacePolicy(9)" {
		t.Error(s)
	}
}

func bytesOf(in []byte) [][]byte {
	var out [][]byte
	for i := range in {
		out = append(out, in[i:i+1])
	}
	return out
}

func FuzzDecoderSplit(f *testing.F) {
	for i, s := range samples {
		f.Add([]byte(s.in), uint64(i)*0x9E3779B97F4A7C15)
	}
	f.Fuzz(func(t *testing.T, in []byte, cuts uint64) {
		var chunks [][]byte
		last := 0
		for i := range in {
			cuts ^= cuts << 13 // xorshift: a stream of cut decisions from one number
			cuts ^= cuts >> 7
			cuts ^= cuts << 17
			if cuts&3 == 0 {
				chunks = append(chunks, in[last:i])
				last = i
			}
		}
		chunks = append(chunks, in[last:])
		for _, p := range []Policy{Strict, Replace} {
			whole := decode(p, in)
			if got := decode(p, chunks...); got != whole {
				t.Fatalf("%v: %d chunks give %+v, whole gives %+v", p, len(chunks), got, whole)
			}
			if got := decode(p, bytesOf(in)...); got != whole {
				t.Fatalf("%v: single bytes give %+v, whole gives %+v", p, got, whole)
			}
			if !utf8.ValidString(whole.text) {
				t.Fatalf("%v: invalid text %q", p, whole.text)
			}
			if p == Strict && (whole.err == "") != utf8.Valid(in) {
				t.Fatalf("strict: error %q for % X", whole.err, in)
			}
			if p == Replace {
				want, n := whatwg(in)
				if whole.text != string(want) || whole.replaced != n {
					t.Fatalf("replace: %q with %d, want %q with %d", whole.text, whole.replaced, want, n)
				}
			}
		}
	})
}

func BenchmarkDecoder(b *testing.B) {
	for _, bm := range []struct{ name, unit string }{
		{"ascii", "all plain words here "},
		{"mixed", "naïve café 😀 und Straße "},
		{"invalid", "half \xE2\x82 broken \xFF "},
	} {
		in := []byte(strings.Repeat(bm.unit, (1<<20)/len(bm.unit)))
		b.Run(bm.name, func(b *testing.B) {
			d := Decoder{Policy: Replace}
			dst := make([]byte, 0, 64<<10)
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				for rest := in; len(rest) > 0; {
					n := min(4093, len(rest)) // a prime, so that cuts fall everywhere
					dst, _ = d.Append(dst[:0], rest[:n])
					rest = rest[n:]
				}
			}
		})
	}
}
