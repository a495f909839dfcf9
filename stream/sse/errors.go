package sse

import (
	"errors"
	"fmt"
	"io"
)

// ErrIncomplete is what every error matches (errors.Is) that says: the stream
// ended and nothing showed that this was its end.
var ErrIncomplete = errors.New("sse: stream is incomplete")

// IncompleteError says that a stream ended inside an event, or (from a
// [Client]) before the event that its terminal rule waits for. It matches
// [ErrIncomplete] and [io.ErrUnexpectedEOF].
type IncompleteError struct {
	Event  int64  // ordinal of the missing or unfinished event in this connection, from 1
	Offset int64  // byte offset at which that event starts
	End    int64  // how many bytes the stream had
	Want   string // the terminal rule that was not met; empty when an event was cut
}

func (e *IncompleteError) Error() string {
	if e.Want != "" {
		return fmt.Sprintf("sse: stream ended at byte %d, before event %d, without %s", e.End, e.Event, e.Want)
	}
	return fmt.Sprintf("sse: stream ended at byte %d inside event %d, which starts at byte %d", e.End, e.Event, e.Offset)
}

// Is matches ErrIncomplete and io.ErrUnexpectedEOF.
func (e *IncompleteError) Is(target error) bool {
	return target == ErrIncomplete || target == io.ErrUnexpectedEOF
}

// TooLongError says that an event (or, where comments are asked for, a
// comment) is longer than the limit set with [WithMaxEventSize]. Nothing of it
// is delivered and the decoder reads no further.
type TooLongError struct {
	Event   int64 // ordinal of the event in this connection, from 1
	Offset  int64 // byte offset at which it starts
	Limit   int   // the limit, in bytes
	Comment bool  // the comment before or in that event is what was too long
}

func (e *TooLongError) Error() string {
	what := "event"
	if e.Comment {
		what = "comment at event"
	}
	return fmt.Sprintf("sse: %s %d, at byte %d, is longer than %d bytes", what, e.Event, e.Offset, e.Limit)
}

// UTF8Error says that an event holds invalid UTF-8 under [UTF8Reject].
type UTF8Error struct {
	Event  int64  // ordinal of the event in this connection, from 1
	Offset int64  // byte offset at which the event starts
	Field  string // "data", "event" or "id"
	Index  int    // byte index of the first invalid byte in the field's value
}

func (e *UTF8Error) Error() string {
	return fmt.Sprintf("sse: invalid UTF-8 in %s of event %d, at byte %d of the value (event starts at byte %d)", e.Field, e.Event, e.Index, e.Offset)
}

// ReadError says that reading the stream failed while event number Event was
// awaited or half read. Err is the reader's error.
type ReadError struct {
	Event  int64 // ordinal of the event that did not come, from 1
	Offset int64 // how many bytes had been read
	Err    error
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("sse: read failed at byte %d, in or before event %d: %v", e.Offset, e.Event, e.Err)
}

// Unwrap returns the reader's error.
func (e *ReadError) Unwrap() error { return e.Err }
