package sse

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// DefaultType is the type of an event whose block has no event field, or an
// empty one (WHATWG HTML, section 9.2.6, "dispatch the event").
const DefaultType = "message"

// Event is one dispatched event: a whole block, up to and including the blank
// line that ends it. A block that was cut short never becomes an Event.
type Event struct {
	// Type is the value of the block's last event field, or [DefaultType].
	Type string

	// Data is the block's data lines joined with line feeds, as the server
	// sent the bytes. See [WithUTF8] for what happens to invalid UTF-8.
	//
	// Data that [Decoder.Next] returns lies in the decoder's own buffer and
	// is valid until the next call of Next. Data from a range form
	// ([Decoder.Events], [Client.Stream]) belongs to the caller.
	Data []byte

	// ID is the last event ID of the stream at this event. It persists: an
	// event without an id field of its own carries the one set before it.
	ID string

	// HasID says that this very block had an id field that counts. Only then
	// does ID name this event; de-duplication must look at nothing else.
	HasID bool
}

// Clone returns a copy of e that shares no memory with a decoder.
func (e Event) Clone() Event {
	e.Data = bytes.Clone(e.Data)
	e.ID = strings.Clone(e.ID)
	return e
}

// Text returns the data as the standard defines it, decoded from UTF-8 with
// U+FFFD for every maximal run of bytes that cannot be part of a character.
// It equals string(e.Data) when the data is valid UTF-8.
func (e Event) Text() string { return toValid(e.Data) }

// ErrUnencodable is wrapped by the errors of [Event.AppendTo].
var ErrUnencodable = errors.New("sse: event cannot be written as text/event-stream")

// AppendTo appends e in wire form to dst: an id field if e.HasID, an event
// field if the type is not [DefaultType], one data field a line, and the blank
// line. Decoding the result gives e back. What the format cannot carry (a line
// break in the type or ID, NUL in the ID, a carriage return in the data) is an
// error that wraps [ErrUnencodable], and dst comes back unchanged.
func (e Event) AppendTo(dst []byte) ([]byte, error) {
	switch {
	case strings.ContainsAny(e.Type, "\r\n"):
		return dst, fmt.Errorf("%w: line break in type %q", ErrUnencodable, e.Type)
	case e.HasID && strings.ContainsAny(e.ID, "\r\n\x00"):
		return dst, fmt.Errorf("%w: line break or NUL in id %q", ErrUnencodable, e.ID)
	case bytes.IndexByte(e.Data, '\r') >= 0:
		return dst, fmt.Errorf("%w: carriage return in data", ErrUnencodable)
	}
	if e.HasID {
		dst = append(append(append(dst, "id: "...), e.ID...), '\n')
	}
	if e.Type != "" && e.Type != DefaultType {
		dst = append(append(append(dst, "event: "...), e.Type...), '\n')
	}
	for line := range bytes.SplitSeq(e.Data, []byte{'\n'}) {
		dst = append(append(append(dst, "data: "...), line...), '\n')
	}
	return append(dst, '\n'), nil
}
