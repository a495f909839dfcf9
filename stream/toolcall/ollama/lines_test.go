package ollama

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func read(r io.Reader, max int) (lines []string, err error) {
	for f, e := range Lines(r, max) {
		if e != nil {
			return lines, e
		}
		lines = append(lines, string(f.Data))
	}
	return lines, nil
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for in, want := range map[string][]string{
		"":                     nil,
		"a\nb\n":               {"a\n", "b\n"},
		"a\r\n\n \nb":          {"a\r\n", "b"},
		long + "\n" + long[1:]: {long + "\n", long[1:]},
	} {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(in), "bytes": iotest.OneByteReader(strings.NewReader(in)), "data with EOF": iotest.DataErrReader(strings.NewReader(in)),
		} {
			got, err := read(r, 0)
			if err != nil || strings.Join(got, "|") != strings.Join(want, "|") {
				t.Errorf("%s %.20q: %.40q, %v", name, in, got, err)
			}
		}
	}
	var tooLong *LineTooLongError
	if got, err := read(strings.NewReader("ab\n\n"+long+"\n"), 10); !errors.As(err, &tooLong) || *tooLong != (LineTooLongError{Line: 3, Offset: 4, Limit: 10}) || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
	// Half a line before a broken connection is never given.
	boom := errors.New("boom")
	got, err := read(io.MultiReader(strings.NewReader("a\n{\"do"), iotest.ErrReader(boom)), 0)
	if err != boom || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
	for range Lines(strings.NewReader("a\nb\n"), 0) {
		break
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\r\n\n c"), 3)
	f.Fuzz(func(t *testing.T, b []byte, max int) {
		whole, err1 := read(bytes.NewReader(b), max)
		split, err2 := read(iotest.OneByteReader(bytes.NewReader(b)), max)
		if strings.Join(whole, "|") != strings.Join(split, "|") || (err1 == nil) != (err2 == nil) {
			t.Fatalf("%q %v, byte by byte %q %v", whole, err1, split, err2)
		}
	})
}
