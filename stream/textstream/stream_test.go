package textstream

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// wholeText fails the test when a write splits a character.
type wholeText struct {
	t *testing.T
	bytes.Buffer
}

func (w *wholeText) Write(p []byte) (int, error) {
	if !utf8.Valid(p) {
		w.t.Errorf("a write of %q splits a character", p)
	}
	return w.Buffer.Write(p)
}

func TestWriterEverySplit(t *testing.T) {
	for _, s := range samples {
		for _, p := range []Policy{Strict, Replace} {
			want := decode(p, []byte(s.in))
			for i := range len(s.in) + 1 {
				sink := &wholeText{t: t}
				w := NewWriter(sink, p)
				var err error
				var n int
				for _, part := range []string{s.in[:i], s.in[i:]} {
					if n, err = w.Write([]byte(part)); err != nil {
						break
					}
					if n != len(part) {
						t.Fatalf("%s: wrote %d of %d without error", s.name, n, len(part))
					}
				}
				if cerr := w.Close(); err == nil {
					err = cerr
				} else if cerr != err {
					t.Fatalf("%s: Close after %v: %v", s.name, err, cerr)
				}
				if got := outcomeText(sink.String(), err); got.text != want.text || got.err != want.err {
					t.Fatalf("%s, %v, cut at %d: %+v, want %+v", s.name, p, i, got, want)
				}
				if w.Replaced() != want.replaced {
					t.Fatalf("%s: replaced %d, want %d", s.name, w.Replaced(), want.replaced)
				}
			}
		}
	}
}

func outcomeText(text string, err error) outcome {
	o := outcome{text: text}
	if err != nil {
		o.err = err.Error()
	}
	return o
}

// limited takes n bytes in all, then fails (or, silent, just takes less).
type limited struct {
	n      int
	silent bool
}

var errFull = errors.New("full")

func (l *limited) Write(p []byte) (int, error) {
	n := min(l.n, len(p))
	l.n -= n
	if n < len(p) && !l.silent {
		return n, errFull
	}
	return n, nil
}

func TestWriterBelowFails(t *testing.T) {
	for _, tt := range []struct {
		name   string
		below  limited
		writes []string
		n      int
		err    error
	}{
		{"at once", limited{n: 0}, []string{"abc"}, 0, errFull},
		{"in the middle", limited{n: 2}, []string{"abc"}, 2, errFull},
		{"after a carry", limited{n: 3}, []string{"\xC3", "\xA9abc"}, 2, errFull},
		{"inside the carry", limited{n: 1}, []string{"\xE2\x82", "\xAC"}, 0, errFull},
		{"replaced", limited{n: 4}, []string{"a\xFFbc"}, 0, errFull},
		{"short without error", limited{n: 1, silent: true}, []string{"abc"}, 1, io.ErrShortWrite},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := NewWriter(&tt.below, Replace)
			var n int
			var err error
			for _, s := range tt.writes {
				n, err = w.Write([]byte(s))
			}
			if n != tt.n || !errors.Is(err, tt.err) {
				t.Errorf("%d, %v; want %d, %v", n, err, tt.n, tt.err)
			}
			if n, again := w.Write([]byte("x")); n != 0 || again != err {
				t.Errorf("after the error: %d, %v", n, again)
			}
			if again := w.Close(); again != err {
				t.Errorf("Close: %v", again)
			}
		})
	}
}

func TestWriterInvalidCount(t *testing.T) {
	w := NewWriter(io.Discard, Strict)
	if n, err := w.Write([]byte("abc\xFFd")); n != 3 || err == nil {
		t.Errorf("%d, %v; want 3 and an error", n, err)
	}
	w = NewWriter(io.Discard, Strict)
	w.Write([]byte("abc\xE2"))
	if n, err := w.Write([]byte("d")); n != 0 || err == nil {
		t.Errorf("%d, %v; want 0 and an error", n, err)
	}
}

func TestReader(t *testing.T) {
	wraps := map[string]func(io.Reader) io.Reader{
		"whole":    func(r io.Reader) io.Reader { return r },
		"one byte": iotest.OneByteReader,
		"half":     iotest.HalfReader,
		"data+err": iotest.DataErrReader,
	}
	for _, s := range samples {
		for _, p := range []Policy{Strict, Replace} {
			want := decode(p, []byte(s.in))
			for name, wrap := range wraps {
				for _, size := range []int{1, 2, 3, 4, 5, 512} {
					r := NewReader(wrap(strings.NewReader(s.in)), p)
					var got []byte
					var err error
					buf := make([]byte, size)
					for err == nil {
						var n int
						n, err = r.Read(buf)
						if size >= utf8.UTFMax && !utf8.Valid(buf[:n]) {
							t.Fatalf("%s, %s: a read of %q splits a character", s.name, name, buf[:n])
						}
						got = append(got, buf[:n]...)
					}
					if err == io.EOF {
						err = nil
					}
					if o := outcomeText(string(got), err); o.text != want.text || o.err != want.err {
						t.Fatalf("%s, %v, %s, buffer %d: %+v, want %+v", s.name, p, name, size, o, want)
					}
					if r.Replaced() != want.replaced {
						t.Fatalf("%s: replaced %d, want %d", s.name, r.Replaced(), want.replaced)
					}
				}
			}
		}
	}
}

func TestReaderKeepsContract(t *testing.T) {
	text := strings.Repeat("naïve café 😀 ", 9000) // more than one fill
	if err := iotest.TestReader(NewReader(iotest.HalfReader(strings.NewReader(text)), Strict), []byte(text)); err != nil {
		t.Error(err)
	}
}

func TestReaderErrors(t *testing.T) {
	broken := errors.New("connection reset")
	r := NewReader(io.MultiReader(strings.NewReader("caf\xC3"), iotest.ErrReader(broken)), Replace)
	got, err := io.ReadAll(r)
	if string(got) != "caf" || !errors.Is(err, broken) {
		t.Errorf("%q, %v: a read error is no end, nothing may be replaced for it", got, err)
	}
	r = NewReader(emptyReader{}, Strict)
	if _, err := r.Read(make([]byte, 8)); err != io.ErrNoProgress {
		t.Errorf("a reader that gives nothing: %v", err)
	}
	if n, err := NewReader(strings.NewReader("x"), Strict).Read(nil); n != 0 || err != nil {
		t.Errorf("empty buffer: %d, %v", n, err)
	}
}

type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, nil }

func FuzzReaderWriter(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s.in), uint8(3))
	}
	f.Fuzz(func(t *testing.T, in []byte, size uint8) {
		step := int(size)%9 + 1
		want := decode(Replace, in)
		var sink bytes.Buffer
		w := NewWriter(&sink, Replace)
		for rest := in; len(rest) > 0; {
			n := min(step, len(rest))
			if _, err := w.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil || sink.String() != want.text {
			t.Fatalf("writer: %q, %v; want %q", sink.String(), err, want.text)
		}
		r := NewReader(iotest.OneByteReader(bytes.NewReader(in)), Replace)
		var got []byte
		buf := make([]byte, step)
		for {
			n, err := r.Read(buf)
			got = append(got, buf[:n]...)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if string(got) != want.text {
			t.Fatalf("reader: %q, want %q", got, want.text)
		}
	})
}

func BenchmarkReader(b *testing.B) {
	in := strings.Repeat("naïve café 😀 und Straße ", 40000)
	buf := make([]byte, 32<<10)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(strings.NewReader(in), Strict)
		if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, r, buf); err != nil {
			b.Fatal(err)
		}
	}
}

func TestWriterAfterClose(t *testing.T) {
	for _, p := range []Policy{Strict, Replace} {
		var sink strings.Builder
		w := NewWriter(&sink, p)
		w.Write([]byte("ab"))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if n, err := w.Write([]byte("\xc3")); n != 0 || err == nil {
			t.Errorf("%v: took %d bytes, error %v", p, n, err)
		}
		if err := w.Close(); err != nil || sink.String() != "ab" {
			t.Errorf("%v: %q, error %v", p, sink.String(), err)
		}
	}
}
