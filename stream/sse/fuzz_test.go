package sse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
)

// seedCases adds the streams of the cases that are short enough to mutate.
func seedCases(f *testing.F, add func([]byte)) {
	f.Helper()
	for _, c := range loadCases(f) {
		if len(c.Stream) <= 4<<10 {
			add(c.Stream)
		}
	}
}

func readAll(d *Decoder) (oracleResult, error) {
	var res oracleResult
	var err error
	for {
		var ev Event
		if ev, err = d.Next(); err != nil {
			break
		}
		res.events = append(res.events, ev.Clone())
	}
	if _, again := d.Next(); again != err {
		return res, fmt.Errorf("after %v Next returned %v", err, again)
	}
	res.lastID = d.LastEventID()
	res.retry, res.hasRetry = d.Retry()
	var inc *IncompleteError
	res.incomplete = errors.As(err, &inc)
	if err == io.EOF {
		err = nil
	}
	return res, err
}

// FuzzDecoder compares the decoder with the standard's own algorithm.
func FuzzDecoder(f *testing.F) {
	seedCases(f, func(b []byte) { f.Add(b) })
	f.Fuzz(func(t *testing.T, raw []byte) {
		want := oracle(string(raw))
		got, err := readAll(NewDecoder(bytes.NewReader(raw)))
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Fatalf("%q\ngot  %v\nwant %v", raw, got, want)
		}
		for i := range got.events {
			if text := got.events[i].Text(); text != oracleUTF8(string(got.events[i].Data)) {
				t.Fatalf("text %q of %q", text, got.events[i].Data)
			}
		}
		// Whatever is delivered can be written, and reading that gives the same,
		// but for IDs that blocks without data have set.
		var wire []byte
		var fresh []Event
		last := ""
		for _, ev := range got.events {
			if wire, err = ev.AppendTo(wire); err != nil {
				t.Fatal(err)
			}
			if ev.HasID {
				last = ev.ID
			}
			ev.ID = last
			fresh = append(fresh, ev)
		}
		back, err := readAll(NewDecoder(bytes.NewReader(wire)))
		if err != nil || !slices.EqualFunc(back.events, fresh, sameEvent) {
			t.Fatalf("wrote %q\nread %v, %v\nwant %v", wire, back, err, fresh)
		}
	})
}

func sameEvent(a, b Event) bool {
	return a.Type == b.Type && a.ID == b.ID && a.HasID == b.HasID && bytes.Equal(a.Data, b.Data)
}

// cutReader cuts a stream at places that the fuzzer chooses: byte i of cuts is
// the size of read i, and 0 a read of nothing.
type cutReader struct {
	b, cuts []byte
	i       int
	err     error
}

func (r *cutReader) Read(p []byte) (int, error) {
	if len(r.b) == 0 {
		return 0, r.err
	}
	n := len(r.b)
	if len(r.cuts) > 0 {
		n = int(r.cuts[r.i%len(r.cuts)])
		if r.i++; n == 0 && r.i%2 == 0 {
			n = 1
		}
	}
	n = copy(p, r.b[:min(n, len(r.b))])
	r.b = r.b[n:]
	if len(r.b) == 0 && r.i%3 == 0 {
		return n, r.err
	}
	return n, nil
}

// FuzzSplit checks that how a stream is cut into reads shows nowhere: neither
// in the events nor in the error, with every option.
func FuzzSplit(f *testing.F) {
	seedCases(f, func(b []byte) {
		f.Add(b, []byte{1}, uint16(0), false)
		f.Add(b, []byte{3, 0, 1, 7}, uint16(8), true)
	})
	f.Fuzz(func(t *testing.T, raw, cuts []byte, limit uint16, fail bool) {
		end := io.EOF
		if fail {
			end = errors.New("reset")
		}
		run := func(cuts []byte) string {
			var comments [][]byte
			opts := []Option{WithMaxEventSize(int(limit)), WithUTF8(UTF8Policy(limit % 3))}
			if limit%2 == 1 {
				opts = append(opts, WithOnComment(func(c []byte) { comments = append(comments, bytes.Clone(c)) }))
			}
			if limit%5 == 1 {
				opts = append(opts, WithBrowserEOF(), WithLastEventID("0"))
			}
			d := NewDecoder(&cutReader{b: raw, cuts: cuts, err: end}, opts...)
			res, err := readAll(d)
			return fmt.Sprintf("%v\n%q\n%T %v %d", res, comments, err, err, d.Count())
		}
		if whole, split := run(nil), run(cuts); whole != split {
			t.Fatalf("%q cut by %v\nwhole %s\nsplit %s", raw, cuts, whole, split)
		}
	})
}
