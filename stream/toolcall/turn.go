package toolcall

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
)

// EventKind tells texts apart.
type EventKind uint8

const (
	Text      EventKind = iota // the answer's text
	Reasoning                  // the model's thinking, where the wire shows it
	Declined                   // the text of a refusal
)

// Event is a piece of text to hand on while calls may still be open.
type Event struct {
	Kind   EventKind
	Choice int
	Text   string // valid UTF-8; a character cut between frames comes whole
}

// Wire reads the frames of one wire format into a [Sink]. The subpackages hold
// one for each format; their New is the usual way to a [Turn].
type Wire interface {
	// Frame reads one frame: the data of one SSE event and its event name (""
	// or "message" if it has none), one NDJSON line, or one decoded event-stream
	// message.
	// It keeps no part of data. What is wrong goes to the Sink.
	Frame(s *Sink, event string, data []byte)
}

// Ender is a [Wire] that holds something back until the end of the stream. End
// is called once, before the turn's calls are made.
type Ender interface {
	End(s *Sink)
}

// Sink is what a [Wire] writes to: an [Assembler], and the texts.
type Sink struct {
	*Assembler
	events []Event
	held   map[held][]byte // half characters at the end of a text
	done   bool
}

type held struct {
	kind   EventKind
	choice int
}

// Emit hands on a piece of text, which is UTF-8 as frames are. Half of a
// surrogate pair (in WTF-8) waits for the next piece of the same kind and
// choice; one that finds no partner becomes U+FFFD, as do invalid bytes.
func (s *Sink) Emit(kind EventKind, choice int, text []byte) {
	if len(text) == 0 {
		return
	}
	key := held{kind, choice}
	if h := s.held[key]; len(h) > 0 {
		text = strictjson.Join(h, text)
		delete(s.held, key)
	}
	if strictjson.EndsHigh(text) {
		n := len(text) - 3
		if s.held == nil {
			s.held = map[held][]byte{}
		}
		s.held[key] = append([]byte(nil), text[n:]...)
		text = text[:n]
	}
	if len(text) == 0 {
		return
	}
	t := string(text)
	if !utf8.ValidString(t) {
		t = toValid(text)
	}
	s.events = append(s.events, Event{Kind: kind, Choice: choice, Text: t})
}

// toValid puts one U+FFFD for each half surrogate that found no partner.
func toValid(b []byte) string {
	var out []byte
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 && len(b) >= 3 && b[0] == 0xED {
			n = 3
		}
		out = utf8.AppendRune(out, r)
		b = b[n:]
	}
	return string(out)
}

// Done notes the transport's end marker (such as [DONE] or message_stop).
func (s *Sink) Done() { s.done = true }

// BadFrame refuses the turn because a frame can't be read.
func (s *Sink) BadFrame(err error) {
	if s.err != nil {
		return
	}
	s.Fail(BadFrame, err)
	var je *strictjson.Error
	if errors.As(err, &je) {
		s.err.Offset = je.Offset
	}
}

// Upstream refuses the turn because of an error frame. data is what the frame
// says; up to 512 bytes of it go into the error.
func (s *Sink) Upstream(data []byte) {
	data = bytes.TrimSpace(data)
	if len(data) > 512 {
		data = data[:512]
	}
	s.Fail(Upstream, fmt.Errorf("the provider says %s", bytes.ToValidUTF8(data, []byte("\uFFFD"))))
}

// Turn reads the frames of one turn of a model: texts come out while calls are
// still open, calls come out whole at the end. It serves one goroutine.
type Turn struct {
	wire Wire
	sink Sink
}

// NewTurn joins a wire format and an assembler.
func NewTurn(w Wire, tools *Set, opts ...Option) *Turn {
	return &Turn{wire: w, sink: Sink{Assembler: New(tools, opts...)}}
}

// Frame reads one frame, the data of an SSE event and its event name for
// instance, and gives the texts it holds; they are valid until the next call.
// The error says that the turn can give no calls any more. It is then final, but
// Frame goes on handing out texts if the caller wants the rest of them; a frame
// that can't be read gives none.
func (t *Turn) Frame(event string, data []byte) ([]Event, error) {
	s := &t.sink
	s.events = s.events[:0]
	if s.sealed {
		return nil, errors.Join(s.Err(), errors.New("toolcall: frame after End"))
	}
	s.frame++
	failed := s.err != nil
	t.wire.Frame(s, event, data)
	if s.err != nil {
		if !failed && s.err.Kind == BadFrame {
			s.events = s.events[:0]
		}
		return s.events, s.err
	}
	return s.events, nil
}

// Done tells that the protocol's own end marker came: nothing of this turn can
// follow, and a reader need not wait for the connection to close. It says
// nothing about success.
func (t *Turn) Done() bool { return t.sink.done }

// End ends the turn and gives its calls, all of them or an *[Error]. err is how
// reading ended: nil or io.EOF for a clean end of the stream. Any other error
// refuses the turn unless its terminal marker had already come.
func (t *Turn) End(err error) ([]Call, error) {
	s := &t.sink
	if w, ok := t.wire.(Ender); ok && !s.sealed {
		w.End(s)
	}
	if !s.sealed && !s.done && err != nil && err != io.EOF {
		s.Abort(err)
	}
	return s.Calls()
}

// Err is the error that refused the turn so far, or nil.
func (t *Turn) Err() error { return t.sink.Err() }

// Previews is the state of the open calls, for a user interface.
func (t *Turn) Previews() []Preview { return t.sink.Previews() }

// Rejections answers the calls of a turn that [Turn.End] refused for a fault the
// model can mend; see [Assembler.Rejections].
func (t *Turn) Rejections() []Result { return t.sink.Rejections() }

// Frame is one frame of a stream, for [Turn.Run].
type Frame struct {
	Event string // the SSE event name, or ""
	Data  []byte
}

// Run reads a whole stream; the example shows how events of package stream/sse
// become frames. Each frame goes through [Turn.Frame], each text to
// emit (which may be nil), and the end of the sequence, or its error, through
// [Turn.End]. It stops at the protocol's end marker and at the first error.
func (t *Turn) Run(frames iter.Seq2[Frame, error], emit func(Event)) ([]Call, error) {
	for f, err := range frames {
		if err != nil {
			return t.End(err)
		}
		events, err := t.Frame(f.Event, f.Data)
		if emit != nil {
			for _, e := range events {
				emit(e)
			}
		}
		if err != nil || t.Done() {
			break
		}
	}
	return t.End(nil)
}
