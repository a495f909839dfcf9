package sse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestErrors checks what each error says and where, whole and byte by byte,
// and that it is final.
func TestErrors(t *testing.T) {
	reset := errors.New("connection reset")
	limit := func(n int) []Option { return []Option{WithMaxEventSize(n)} }
	tests := []struct {
		name   string
		stream string
		opts   []Option
		end    error // what the reader ends with; nil is io.EOF
		events int
		want   error
	}{
		{name: "between events", stream: "data: a\n\n", events: 1, want: io.EOF},
		{name: "after a comment", stream: "data: a\n\n: c", events: 1, want: io.EOF},
		{name: "after blank lines", stream: "data: a\n\n\r\n\n", events: 1, want: io.EOF},
		{name: "after retry", stream: "data: a\n\nretry: 5\n", events: 1, want: io.EOF},
		{name: "after an ignored field", stream: "data: a\n\nfoo: bar\n", events: 1, want: io.EOF},
		{name: "inside data", stream: "data: a\n\ndata: b", events: 1, want: &IncompleteError{Event: 2, Offset: 9, End: 16}},
		{name: "before the blank line", stream: "data: a\r\n\r\ndata: b\r\n", events: 1, want: &IncompleteError{Event: 2, Offset: 11, End: 20}},
		{name: "after an id", stream: "data: a\n\nid: 7\n", events: 1, want: &IncompleteError{Event: 2, Offset: 9, End: 15}},
		{name: "after an event type", stream: "event: x\n", want: &IncompleteError{Event: 1, Offset: 0, End: 9}},
		{name: "inside a field name", stream: "data: a\n\n\nda", events: 1, want: &IncompleteError{Event: 2, Offset: 10, End: 12}},
		{name: "inside a line that no field starts", stream: `{"error":{"message":"` + strings.Repeat("x", 5000), want: &IncompleteError{Event: 1, Offset: 0, End: 5021}},
		{name: "behind a byte order mark", stream: "\uFEFFdata: a", want: &IncompleteError{Event: 1, Offset: 3, End: 10}},
		{name: "inside data, as browsers do", stream: "data: a\n\ndata: b", opts: []Option{WithBrowserEOF()}, events: 1, want: io.EOF},
		{name: "read error between events", stream: "data: a\n\n", end: reset, events: 1, want: &ReadError{Event: 2, Offset: 9, Err: reset}},
		{name: "read error inside an event", stream: "data: a\n\ndata: b\n", end: reset, events: 1, want: &ReadError{Event: 2, Offset: 17, Err: reset}},
		{name: "read error at once", end: reset, want: &ReadError{Event: 1, Offset: 0, Err: reset}},

		{name: "as long as may be", stream: "data: 1234567\n\n", opts: limit(8), events: 1, want: io.EOF},
		{name: "one byte too long", stream: "data: a\n\n\ndata: 12345678\n\n", opts: limit(8), events: 1, want: &TooLongError{Event: 2, Offset: 10, Limit: 8}},
		{name: "too long in sum", stream: "id: 123\ndata: 1\ndata: 1\n\n", opts: limit(7), want: &TooLongError{Event: 1, Limit: 7}},
		{name: "too long in empty lines", stream: strings.Repeat("data\n", 9) + "\n", opts: limit(8), want: &TooLongError{Event: 1, Limit: 8}},
		{name: "too long before its end", stream: "data: 123456789", opts: limit(8), want: &TooLongError{Event: 1, Limit: 8}},
		{name: "too long before a read error", stream: "data: 123456789", opts: limit(8), end: reset, want: &TooLongError{Event: 1, Limit: 8}},
		{name: "too long a type", stream: "event: 123456789\n\n", opts: limit(8), want: &TooLongError{Event: 1, Limit: 8}},
		{name: "too long an id", stream: "id: 123456789\n\n", opts: limit(8), want: &TooLongError{Event: 1, Limit: 8}},
		{name: "the limit is for each event", stream: strings.Repeat("data: 1234567\n\n", 100), opts: limit(8), events: 100, want: io.EOF},
		{name: "comments do not count", stream: ":" + strings.Repeat("c", 99) + "\ndata: 1\n\n", opts: limit(8), events: 1, want: io.EOF},
		{name: "ignored fields do not count", stream: "datax: " + strings.Repeat("c", 99) + "\ndata: 1\n\n", opts: limit(8), events: 1, want: io.EOF},
		{name: "a name that goes on is not the field", stream: "data" + strings.Repeat("a", 99) + "\ndata: 1\n\n", opts: limit(8), events: 1, want: io.EOF},
		{name: "comments count where they are asked for", stream: "data: a\n\n:123456789\n", opts: append(limit(8), WithOnComment(func([]byte) {})), events: 1,
			want: &TooLongError{Event: 2, Offset: 9, Limit: 8, Comment: true}},
		{name: "a limit below 1 is the default", stream: "data: 1234567\n\n", opts: limit(-1), events: 1, want: io.EOF},

		{name: "invalid data", stream: "data: a\n\ndata: é\xE6\x97\n\n", opts: []Option{WithUTF8(UTF8Reject)}, events: 1, want: &UTF8Error{Event: 2, Offset: 9, Field: "data", Index: 2}},
		{name: "invalid type", stream: "event: \xFF\ndata: a\n\n", opts: []Option{WithUTF8(UTF8Reject)}, want: &UTF8Error{Event: 1, Field: "event"}},
		{name: "invalid id", stream: "id: \xFF\ndata: a\n\n", opts: []Option{WithUTF8(UTF8Reject)}, want: &UTF8Error{Event: 1, Field: "id"}},
		{name: "a character over two lines is none", stream: "data: \xC3\ndata: \xA9\n\n", opts: []Option{WithUTF8(UTF8Reject)}, want: &UTF8Error{Event: 1, Field: "data"}},
		{name: "U+FFFD itself is valid", stream: "data: \uFFFD\n\n", opts: []Option{WithUTF8(UTF8Reject)}, events: 1, want: io.EOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			end := tt.end
			if end == nil {
				end = io.EOF
			}
			for _, cuts := range [][]byte{nil, {1}, {7, 0, 2}} {
				d := NewDecoder(&cutReader{b: []byte(tt.stream), cuts: cuts, err: end}, tt.opts...)
				res, _ := readAll(d)
				_, err := d.Next()
				if len(res.events) != tt.events {
					t.Errorf("reads of %v: %d events, want %d", cuts, len(res.events), tt.events)
				}
				if fmt.Sprintf("%T %+v", err, err) != fmt.Sprintf("%T %+v", tt.want, tt.want) {
					t.Errorf("reads of %v: error %v (%T), want %v", cuts, err, err, tt.want)
				}
				var want *IncompleteError
				if cut := errors.As(tt.want, &want); errors.Is(err, io.ErrUnexpectedEOF) != cut || errors.Is(err, ErrIncomplete) != cut {
					t.Errorf("error %v is incomplete: %v, want %v", err, !cut, cut)
				}
				if tt.end != nil && errors.As(tt.want, new(*ReadError)) && !errors.Is(err, tt.end) {
					t.Errorf("error %v hides its cause", err)
				}
			}
		})
	}
}

func TestNoProgress(t *testing.T) {
	_, err := NewDecoder(&cutReader{b: []byte("data: a"), cuts: []byte{0, 0}, err: io.EOF}).Next()
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("some empty reads: %v", err)
	}
	_, err = NewDecoder(readerFunc(func([]byte) (int, error) { return 0, nil })).Next()
	var e *ReadError
	if !errors.As(err, &e) || !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("only empty reads: %v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestNotHeldBack checks that an event is returned once its last byte was read,
// though the reader then blocks: after a CR too, where an LF may follow.
func TestNotHeldBack(t *testing.T) {
	for _, stream := range []string{"data: a\n\n", "data: a\r\r", "data: a\r\n\r", "data: a\r\n\r\n", "\uFEFFdata: a\n\n"} {
		for _, r := range []io.Reader{strings.NewReader(stream), iotest.OneByteReader(strings.NewReader(stream))} {
			left := len(stream)
			d := NewDecoder(readerFunc(func(p []byte) (int, error) {
				if left == 0 {
					panic(fmt.Sprintf("%q: read beyond the event", stream))
				}
				n, err := r.Read(p)
				left -= n
				return n, err
			}))
			if ev, err := d.Next(); err != nil || string(ev.Data) != "a" {
				t.Errorf("%q: %q, %v", stream, ev.Data, err)
			}
			if got := int(d.InputOffset()); got != len(stream)-left {
				t.Errorf("%q: offset %d, want %d", stream, got, len(stream)-left)
			}
		}
	}
}

// TestNoAllocation checks the promise of Next, for streams of each shape.
func TestNoAllocation(t *testing.T) {
	shapes := map[string]string{
		"one line":   "data: {\"x\":1}\n\n",
		"crlf":       "data: {\"x\":1}\r\n\r\n",
		"named":      "event: content_block_delta\ndata: {\"x\":1}\n\nevent: ping\ndata: {}\n\n",
		"many lines": "data: a\ndata: b\ndata\n\n",
		"comments":   ": keep-alive\n\ndata: a\n\n",
		"same id":    "id: 7\ndata: a\n\n",
		"retry":      "retry: 100\ndata: a\n\n",
		"invalid":    "data: \xFF\n\n",
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			const n = 5000
			raw := []byte(strings.Repeat(shape, n+2000))
			d := NewDecoder(&sizedReader{raw, 1400}, WithUTF8(UTF8Replace))
			next := func() {
				if _, err := d.Next(); err != nil {
					t.Fatal(err)
				}
			}
			for range 1000 { // the buffer grows to its size
				next()
			}
			if a := testing.AllocsPerRun(n, next); a != 0 {
				t.Errorf("%v allocations an event", a)
			}
		})
	}
	t.Run("ids", func(t *testing.T) {
		var b strings.Builder
		const n = 20000
		for i := range n {
			fmt.Fprintf(&b, "id: event-%d\ndata: a\n\n", i)
		}
		d := NewDecoder(&sizedReader{[]byte(b.String()), 1400})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		kept := make([]string, 0, n)
		for {
			ev, err := d.Next()
			if err != nil {
				break
			}
			kept = append(kept, ev.ID)
		}
		runtime.ReadMemStats(&after)
		if per := float64(after.Mallocs-before.Mallocs) / n; per > 0.05 {
			t.Errorf("%v allocations an event", per)
		}
		for i, id := range kept {
			if id != fmt.Sprintf("event-%d", i) {
				t.Fatalf("id %d became %q", i, id)
			}
		}
	})
}

// TestDataValid checks whose the data is: the pull form's until the next call,
// the range form's for good; and that appending to it harms nothing.
func TestDataValid(t *testing.T) {
	raw := strings.Repeat("data: aaaa\n\ndata: bbbb\ndata: cccc\n\n", 500)
	want := []string{"aaaa", "bbbb\ncccc"}
	d := NewDecoder(&sizedReader{[]byte(raw), 50})
	for i := range 1000 {
		ev, err := d.Next()
		if err != nil || string(ev.Data) != want[i%2] {
			t.Fatalf("event %d: %q, %v", i, ev.Data, err)
		}
		_ = append(ev.Data, "XXXXXXXXXXXXXXXXXXXX"...)
		clear(ev.Data)
	}
	var kept []Event
	for ev, err := range NewDecoder(&sizedReader{[]byte(raw), 50}).Events() {
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, ev)
	}
	for i, ev := range kept {
		if string(ev.Data) != want[i%2] {
			t.Fatalf("kept event %d became %q", i, ev.Data)
		}
	}
	ev := Event{Type: "t", Data: []byte("x"), ID: "i", HasID: true}
	clone := ev.Clone()
	ev.Data[0] = 'y'
	if string(clone.Data) != "x" || clone.ID != "i" || !clone.HasID || clone.Type != "t" {
		t.Errorf("clone %+v", clone)
	}
}

// TestMemory checks that what only has to be skipped takes no memory, that the
// buffer stays in proportion to the longest event, and that it is given back.
func TestMemory(t *testing.T) {
	small := strings.Repeat("data: small event\n\n", 20000)
	tests := []struct {
		name   string
		stream string
		most   int
	}{
		{"long comment", ":" + strings.Repeat("c", 8<<20) + "\n" + small, maxBuffer},
		{"long unknown field", "comment: " + strings.Repeat("c", 8<<20) + "\n" + small, maxBuffer},
		{"long unknown line in an event", "data: a\nx" + strings.Repeat("c", 8<<20) + "\n\n" + small, maxBuffer},
		{"many comments in an event", "data: a\n" + strings.Repeat(": ccccccccccccccc\n", 1<<19) + "\n" + small, maxBuffer},
		{"long event", "data: " + strings.Repeat("d", 8<<20) + "\n\n", 32 << 20},
		{"long event of short lines", strings.Repeat("data: ddddddddd\n", 1<<19) + "\n", 32 << 20},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := NewDecoder(&sizedReader{[]byte(tt.stream), 19 * 50})
			for {
				_, err := d.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if len(d.buf) > tt.most {
					t.Fatalf("buffer of %d bytes", len(d.buf))
				}
			}
		})
	}
	t.Run("idle", func(t *testing.T) {
		d := NewDecoder(&sizedReader{[]byte(strings.Repeat("data: a\n\n", 1000)), 9})
		for range 1000 {
			if _, err := d.Next(); err != nil || len(d.buf) > minBuffer {
				t.Fatalf("buffer of %d bytes, %v", len(d.buf), err)
			}
		}
	})
	t.Run("given back", func(t *testing.T) {
		d := NewDecoder(&sizedReader{[]byte("data: " + strings.Repeat("d", 8<<20) + "\n\n" + small), 19})
		n := 0
		for _, err := d.Next(); err == nil; _, err = d.Next() {
			n++
		}
		if n != 20001 || len(d.buf) > maxBuffer {
			t.Errorf("buffer of %d bytes after %d events", len(d.buf), n)
		}
	})
	t.Run("type names", func(t *testing.T) {
		var b strings.Builder
		for i := range 10000 {
			fmt.Fprintf(&b, "event: %d\ndata: a\n\n", i)
		}
		d := NewDecoder(strings.NewReader(b.String()))
		for i := 0; ; i++ {
			ev, err := d.Next()
			if err != nil {
				break
			}
			if ev.Type != fmt.Sprint(i) {
				t.Fatalf("event %d has type %q", i, ev.Type)
			}
		}
		if len(d.types) > maxTypes {
			t.Errorf("%d type names are kept", len(d.types))
		}
	})
}

func TestComments(t *testing.T) {
	var got []string
	d := NewDecoder(&sizedReader{[]byte(": a\ndata: x\n:b\r\n:\n\n:: c\n"), 2}, WithOnComment(func(c []byte) { got = append(got, string(c)) }))
	if ev, err := d.Next(); err != nil || string(ev.Data) != "x" {
		t.Errorf("%q, %v", ev.Data, err)
	}
	if _, err := d.Next(); err != io.EOF {
		t.Error(err)
	}
	if want := []string{" a", "b", "", ": c"}; !slices.Equal(got, want) {
		t.Errorf("comments %q, want %q", got, want)
	}
}

func TestReset(t *testing.T) {
	d := NewDecoder(strings.NewReader("retry: 1\nid: 1\ndata: a\n\ndata: cut"), WithMaxEventSize(100))
	for range 3 {
		d.Next()
	}
	d.Reset(strings.NewReader("\uFEFFdata: b\n\n"))
	ev, err := d.Next()
	if err != nil || string(ev.Data) != "b" || ev.ID != "" || d.Count() != 1 || d.InputOffset() != 12 {
		t.Errorf("%+v, %v, %d events to offset %d", ev, err, d.Count(), d.InputOffset())
	}
	if _, ok := d.Retry(); ok {
		t.Error("the reconnection time is still set")
	}
	d.Reset(strings.NewReader("data: " + strings.Repeat("x", 200)))
	if _, err := d.Next(); !errors.As(err, new(*TooLongError)) {
		t.Errorf("the limit is gone: %v", err)
	}
}

func TestLastEventIDOption(t *testing.T) {
	d := NewDecoder(strings.NewReader("data: a\n\nid\ndata: b\n\n"), WithLastEventID("5"))
	var got []string
	for ev, err := range d.Events() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(ev.ID, ev.HasID))
	}
	if want := []string{"5false", "true"}; !slices.Equal(got, want) {
		t.Errorf("ids %q, want %q", got, want)
	}
}

func TestAppendTo(t *testing.T) {
	tests := []struct {
		ev   Event
		want string
	}{
		{Event{Type: "message", Data: []byte("a\nb\n")}, "data: a\ndata: b\ndata: \n\n"},
		{Event{Type: "x", Data: []byte(" a"), ID: "1", HasID: true}, "id: 1\nevent: x\ndata:  a\n\n"},
		{Event{ID: "1"}, "data: \n\n"},
		{Event{HasID: true}, "id: \ndata: \n\n"},
		{Event{Type: "a\nb"}, ""},
		{Event{Type: "a\rb"}, ""},
		{Event{ID: "a\n", HasID: true}, ""},
		{Event{ID: "a\x00", HasID: true}, ""},
		{Event{Data: []byte("a\rb")}, ""},
	}
	for _, tt := range tests {
		got, err := tt.ev.AppendTo([]byte("> "))
		if string(got) != "> "+tt.want || (err == nil) != (tt.want != "") || err != nil && !errors.Is(err, ErrUnencodable) {
			t.Errorf("%+v: %q, %v, want %q", tt.ev, got, err, tt.want)
		}
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"café":             "café",
		"caf\xC3":          "caf\uFFFD",
		"\xF0\x9F\x91":     "\uFFFD",
		"\xF0\x9F\x91a":    "\uFFFDa",
		"\xF0\x9F\xC3\xA9": "\uFFFDé",
		"\xF5\x80":         "\uFFFD\uFFFD",
		"\xF4\x90\x80":     "\uFFFD\uFFFD\uFFFD",
		"\xE0\x80":         "\uFFFD\uFFFD",
		"\x80\x80":         "\uFFFD\uFFFD",
	} {
		if got := (Event{Data: []byte(in)}).Text(); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
		if !bytes.Equal(appendValid(nil, []byte(in)), []byte(want)) {
			t.Errorf("appendValid(%q)", in)
		}
	}
}
