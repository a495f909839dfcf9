package sse

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ConfigError says that a stream was asked for in a way that cannot be right.
// No request was sent.
type ConfigError struct{ Problem string }

func (e *ConfigError) Error() string { return "sse: " + e.Problem }

// ConnectError says that a request got no response. Its text leaves out the
// URL, which may hold a key; the cause has it.
type ConnectError struct{ Err error }

func (e *ConnectError) Error() string {
	err := e.Err
	var ue *url.Error
	if errors.As(err, &ue) {
		err = ue.Err
	}
	return fmt.Sprintf("sse: no response: %v", err)
}

// Unwrap returns what the HTTP client said.
func (e *ConnectError) Unwrap() error { return e.Err }

// ResponseError says that the response is no event stream.
type ResponseError struct {
	Status      int           // HTTP status
	ContentType string        // as sent
	RetryAfter  time.Duration // what the server asks to wait; 0 if it does not say
	Excerpt     string        // the start of the body, valid UTF-8, at most 1 KiB
	Header      http.Header   // of the response
}

func (e *ResponseError) Error() string {
	var b strings.Builder
	switch {
	case e.Status == http.StatusOK:
		fmt.Fprintf(&b, "sse: response is %q, not text/event-stream", e.ContentType)
	case e.Status == http.StatusNoContent:
		b.WriteString("sse: server has no more for this stream (status 204), and its end did not come")
	default:
		fmt.Fprintf(&b, "sse: server answered %d %s", e.Status, http.StatusText(e.Status))
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, " (retry after %v)", e.RetryAfter)
	}
	if e.Excerpt != "" {
		fmt.Fprintf(&b, ": %s", e.Excerpt)
	}
	return b.String()
}

// Is matches ErrIncomplete for status 204.
func (e *ResponseError) Is(target error) bool {
	return target == ErrIncomplete && e.Status == http.StatusNoContent
}

// IdleError says that a connection was given up because nothing came.
type IdleError struct {
	Bytes bool          // not even a comment came; else no event did
	After time.Duration // the limit
}

func (e *IdleError) Error() string {
	if e.Bytes {
		return fmt.Sprintf("sse: not a byte for %v", e.After)
	}
	return fmt.Sprintf("sse: no event for %v", e.After)
}

// Timeout reports true, as net.Error has it.
func (e *IdleError) Timeout() bool { return true }

// EventError says that the server reported a failure inside the stream. The
// event was delivered before. It matches [ErrIncomplete].
type EventError struct {
	Event  Event
	Number int64 // its ordinal in its connection, from 1
	Offset int64 // byte offset behind the event
}

func (e *EventError) Error() string {
	return fmt.Sprintf("sse: server reports a failure in event %d (before byte %d), of type %q: %s", e.Number, e.Offset, e.Event.Type, cutText(e.Event.Data, 512))
}

// Is matches ErrIncomplete.
func (e *EventError) Is(target error) bool { return target == ErrIncomplete }

// ResumeError says that a stream broke after events had been delivered, and
// that the request was not sent again since that could repeat them. It matches
// [ErrIncomplete].
type ResumeError struct {
	Emitted     int64  // events delivered
	LastEventID string // the position, if there is one
	Reason      string // why it was not resumed
	Err         error  // what broke it
}

func (e *ResumeError) Error() string {
	return fmt.Sprintf("sse: stream broke after %d events and was not resumed (%s): %v", e.Emitted, e.Reason, e.Err)
}

// Is matches ErrIncomplete.
func (e *ResumeError) Is(target error) bool { return target == ErrIncomplete }

// Unwrap returns what broke the stream.
func (e *ResumeError) Unwrap() error { return e.Err }

// RetryError says that a client gave up. It matches [ErrIncomplete] if events
// had been delivered.
type RetryError struct {
	Attempts    int    // that failed in a row
	Emitted     int64  // events delivered
	LastEventID string // where to go on, if known
	Err         error  // of the last attempt
}

func (e *RetryError) Error() string {
	return fmt.Sprintf("sse: gave up after %d attempts in a row (%d events delivered): %v", e.Attempts, e.Emitted, e.Err)
}

// Is matches ErrIncomplete once events were delivered.
func (e *RetryError) Is(target error) bool { return target == ErrIncomplete && e.Emitted > 0 }

// Unwrap returns the last attempt's error.
func (e *RetryError) Unwrap() error { return e.Err }

// ConflictError says that an event ID that was delivered came again with
// other content. Either the server does not use IDs to name events, or it
// started another stream instead of going on with this one; to drop the event,
// or to deliver it, could both falsify what the caller has. For a server whose
// IDs name no events set [Client.DedupWindow] below 0 and [Client.Resume] to
// [ResumeNever]. It matches [ErrIncomplete].
type ConflictError struct {
	ID     string
	Event  int64 // ordinal in its connection, from 1
	Offset int64 // byte offset behind the event
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("sse: event %d (before byte %d) has the ID %q of a delivered event and other content", e.Event, e.Offset, e.ID)
}

// Is matches ErrIncomplete.
func (e *ConflictError) Is(target error) bool { return target == ErrIncomplete }
