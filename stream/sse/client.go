package sse

import (
	"bytes"
	"context"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"
)

// What a zero field of [Client] stands for.
const (
	DefaultMaxAttempts = 8
	DefaultEventIdle   = 10 * time.Minute
	DefaultMaxWait     = time.Hour
	DefaultDedupWindow = 1024

	defaultBackoff    = time.Second
	defaultBackoffCap = 30 * time.Second
)

// RequestFunc makes the request of one attempt. It is called again for each, so
// that a body is there to be sent again. The request must be made with the
// given context.
type RequestFunc func(ctx context.Context) (*http.Request, error)

// Get returns a RequestFunc for GET requests.
func Get(url string) RequestFunc {
	return func(ctx context.Context) (*http.Request, error) {
		return http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	}
}

// Post returns a RequestFunc for POST requests with a body.
func Post(url, contentType string, body []byte) RequestFunc {
	return func(ctx context.Context) (*http.Request, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", contentType)
		return req, nil
	}
}

// Client opens event streams and keeps them going. Only Terminal is required.
// A Client may be used for many streams at a time, if its functions may be
// called by several goroutines; its fields must not change while it is used.
type Client struct {
	// Terminal says which event ends the stream. Without a rule no request is
	// sent; a feed that never ends is [Endless].
	Terminal Terminal

	// HTTP sends the requests; nil means http.DefaultClient. Its Timeout must
	// be 0, for it would cut long streams however well they run: EventIdle and
	// ByteIdle are what watches over a stream.
	HTTP *http.Client

	// Header is added to every request.
	Header http.Header

	// Resume says how to go on when a connection breaks after an event was
	// delivered.
	Resume Resume

	// ResumeAfterEOF resumes a stream, as far as Resume allows, also when the
	// server has closed it between two events and without an error. Some
	// protocols do so on purpose (MCP); otherwise it means that the stream is
	// incomplete and that asking again is no help. It makes no difference with
	// [Endless].
	ResumeAfterEOF bool

	// EventIdle is the longest time to wait for an event, counted from when the
	// request is sent, and not counted while the caller handles an event.
	// Comments, repeated events, and events that Heartbeat accepts do not reset
	// it. 0 means [DefaultEventIdle], or no limit with [Endless]; below 0 is no
	// limit.
	EventIdle time.Duration

	// ByteIdle is the longest time to wait for any byte, comments included. 0 or
	// less is no limit.
	ByteIdle time.Duration

	// Heartbeat says which events are only there to keep the connection busy.
	// They are delivered, but do not reset EventIdle and are no obstacle to
	// resuming.
	Heartbeat func(Event) bool

	// MaxAttempts is how many attempts in a row may fail: bring no new event,
	// or with [Endless], no event stream. 0 means [DefaultMaxAttempts], below 0
	// is no limit, 1 never tries again.
	MaxAttempts int

	// Backoff is how long to wait after a number of attempts in a row (from 1)
	// that brought no new event; the default is [Exponential] from 1 to 30
	// seconds. A reconnection time set by the server is waited for instead
	// after the first, and at least after the others. Retry-After is the least
	// in any case.
	Backoff func(failures int) time.Duration

	// MaxWait is how long the server may make the client wait. A longer
	// reconnection time is cut to it, and a longer Retry-After ends the stream.
	// 0 means [DefaultMaxWait].
	MaxWait time.Duration

	// RetryStatus says which statuses are worth another attempt; the default is
	// 429 and all from 500 on. Status 204 always ends the stream.
	RetryStatus func(status int) bool

	// DedupWindow is for how many events with an ID of their own the client
	// remembers that they were delivered, and drops them when they come again.
	// 0 means [DefaultDedupWindow], below 0 switches this off.
	DedupWindow int

	// DropByIDAlone drops an event whose ID was delivered also when its type or
	// data differ. Otherwise that is a [*ConflictError].
	DropByIDAlone bool

	// AnyContentType accepts responses that are not text/event-stream.
	AnyContentType bool

	// Decoder has options for the decoder of each connection.
	Decoder []Option

	// Logger gets a record for each request, connection, dropped event and
	// reconnect, and for the end of the stream. No header and no URL is in
	// them, and no data but what an error quotes. nil means none.
	Logger *slog.Logger
}

// Stream returns the events of the stream that the request opens, over as many
// connections as it takes. No request is sent before the caller ranges over it,
// and it can be ranged over once. Every event owns its data.
//
// The sequence ends without an error only when the terminal event came (or with
// [Endless], on status 204). An error is the last element, beside a zero Event:
//
//   - [*ConfigError]: no request was sent
//   - [*ResponseError]: the server's answer is no event stream
//   - [*IncompleteError]: the stream ended before its terminal event
//   - [*ResumeError]: it broke, and could not be resumed without repeating
//   - [*RetryError]: it broke, and too many attempts to go on failed
//   - [*EventError]: the server reported a failure as an event
//   - [*ConflictError]: the server used an ID twice
//   - [*TooLongError], [*UTF8Error]: from the decoder
//   - the context's error and cause
//   - what the request function returned, if it made no request
//
// errors.Is(err, [ErrIncomplete]) tells that what was delivered is not all.
// Leaving the loop closes the connection; nothing goes on running.
func (c *Client) Stream(ctx context.Context, request RequestFunc) iter.Seq2[Event, error] {
	var used atomic.Bool
	return func(yield func(Event, error) bool) {
		if used.Swap(true) {
			// A second range would send the request again: the blind retry
			// that this package is there to prevent.
			yield(Event{}, &ConfigError{"a stream can be ranged over once"})
			return
		}
		if err := c.check(request); err != nil {
			yield(Event{}, err)
			return
		}
		s := newSession(c, ctx, request, yield)
		s.run()
	}
}

func (c *Client) check(request RequestFunc) error {
	switch {
	case request == nil:
		return &ConfigError{"the request function is nil"}
	case !c.Terminal.valid():
		return &ConfigError{"Client.Terminal is missing; say Endless if no event ends the stream"}
	case c.HTTP != nil && c.HTTP.Timeout > 0:
		return &ConfigError{"Client.HTTP has a Timeout, which cuts long streams; use EventIdle and ByteIdle"}
	case c.Resume.mode == resumeWith && c.Resume.f == nil:
		return &ConfigError{"ResumeWith was given no function"}
	}
	return nil
}

func (c *Client) eventIdle() time.Duration {
	switch {
	case c.EventIdle != 0:
		return max(c.EventIdle, 0)
	case c.Terminal.endless:
		return 0
	}
	return DefaultEventIdle
}

func (c *Client) retryStatus(status int) bool {
	if c.RetryStatus != nil {
		return c.RetryStatus(status)
	}
	return status == http.StatusTooManyRequests || status >= 500
}

func or[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}

// discard reads what is left of a body that is as good as over, so that its
// connection can be used again, but neither much nor for long.
func discard(body io.Reader, cancel context.CancelCauseFunc) {
	t := time.AfterFunc(50*time.Millisecond, func() { cancel(nil) })
	defer t.Stop()
	io.CopyN(io.Discard, body, 16<<10)
}
