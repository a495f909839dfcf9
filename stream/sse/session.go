package sse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// session is one stream of a client, over all its connections.
type session struct {
	*Client
	ctx     context.Context
	request RequestFunc
	yield   func(Event, error) bool
	log     *slog.Logger
	dedup   *dedup

	method   string // of the caller's own request
	lastID   string // by the standard, over all connections
	retry    time.Duration
	hasRetry bool
	last     Event // the last one delivered, where somebody may ask for it
	exact    bool  // lastID names the last event delivered, heartbeats aside

	tailID    string // of the last event delivered that had an ID of its own
	replaying bool   // this connection repeats what came before tailID

	attempts int   // in all
	failures int   // attempts in a row without a new event
	misses   int   // attempts in a row that count against MaxAttempts
	emitted  int64 // events delivered
	dropped  int64 // events not delivered again
	bytes    int64 // of bodies
}

func newSession(c *Client, ctx context.Context, request RequestFunc, yield func(Event, error) bool) *session {
	s := &session{Client: c, ctx: ctx, request: request, yield: yield, log: c.Logger}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if size := or(c.DedupWindow, DefaultDedupWindow); size > 0 {
		s.dedup = newDedup(size)
	}
	return s
}

// Two ways in which an attempt ends that are not errors.
var (
	errOver = errors.New("sse: the stream is over")
	errLeft = errors.New("sse: the caller has left the loop")
)

// errClosed is why a feed has to be opened again. It is not io.EOF: a caller
// that sees it in the error at the end must not take that for an end.
var errClosed = errors.New("sse: server closed the connection")

// broken marks an error after which another attempt may help.
type broken struct {
	err  error
	wait time.Duration // at least, before the next attempt
}

func (b *broken) Error() string { return b.err.Error() }

func (s *session) run() {
	for {
		err := s.attempt()
		var b *broken
		if s.ctx.Err() != nil && err != errOver && err != errLeft {
			err = s.canceled()
		} else if errors.As(err, &b) {
			if err = s.again(b); err == nil {
				continue
			}
		}
		s.end(err)
		return
	}
}

func (s *session) canceled() error {
	err, cause := s.ctx.Err(), context.Cause(s.ctx)
	if errors.Is(cause, err) {
		return fmt.Errorf("sse: stopped after %d events: %w", s.emitted, cause)
	}
	return fmt.Errorf("sse: stopped after %d events: %w: %w", s.emitted, err, cause)
}

func (s *session) end(err error) {
	attrs := append(s.attrs(), slog.Int64("duplicates", s.dropped), slog.Int64("bytes", s.bytes), slog.String("terminal", s.Terminal.name))
	switch err {
	case errOver:
		s.log.LogAttrs(s.ctx, slog.LevelInfo, "event stream complete", attrs...)
	case errLeft:
		s.log.LogAttrs(s.ctx, slog.LevelInfo, "event stream left by its reader", attrs...)
	default:
		level := slog.LevelError
		if s.ctx.Err() != nil {
			level = slog.LevelInfo
		}
		s.log.LogAttrs(s.ctx, level, "event stream failed", append(attrs, slog.Any("err", err))...)
		s.yield(Event{}, err)
	}
}

func (s *session) attrs() []slog.Attr {
	return []slog.Attr{
		slog.Int("attempt", s.attempts), slog.Int64("events", s.emitted), slog.String("last_event_id", s.lastID),
	}
}

// again decides whether there is another attempt after one that broke, and
// waits for its time. It returns the error that ends the stream otherwise.
func (s *session) again(b *broken) error {
	s.failures++
	s.misses++
	if s.emitted > 0 {
		if reason := s.Resume.refuses(s.method, s.lastID, s.exact, s.Terminal.endless); reason != "" {
			return &ResumeError{Emitted: s.emitted, LastEventID: s.lastID, Reason: reason, Err: b.err}
		}
	}
	if most := or(s.MaxAttempts, DefaultMaxAttempts); most > 0 && s.misses >= most {
		return &RetryError{Attempts: s.misses, Emitted: s.emitted, LastEventID: s.lastID, Err: b.err}
	}
	wait := max(s.wait(), b.wait)
	s.log.LogAttrs(s.ctx, slog.LevelWarn, "event stream broken, trying again",
		append(s.attrs(), slog.Int("failures", s.failures), slog.Duration("wait", wait), slog.Any("err", b.err))...)
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-s.ctx.Done():
		return s.canceled()
	}
}

func (s *session) wait() time.Duration {
	retry := min(s.retry, or(s.MaxWait, DefaultMaxWait))
	if s.hasRetry && s.failures == 1 {
		// What the server asked for, and a little that keeps all its clients
		// from coming back at once.
		return retry + rand.N(retry/10+1)
	}
	backoff := s.Backoff
	if backoff == nil {
		backoff = Exponential(defaultBackoff, defaultBackoffCap)
	}
	return max(backoff(s.failures), retry)
}

// newRequest makes the request of an attempt.
func (s *session) newRequest(ctx context.Context) (*http.Request, error) {
	var req *http.Request
	var err error
	if s.emitted > 0 && s.Resume.mode == resumeWith {
		req, err = s.Resume.f(ctx, Position{LastEventID: s.lastID, Events: s.emitted, Last: s.last.Clone()})
	} else {
		req, err = s.request(ctx)
		if err == nil && req != nil {
			s.method = req.Method
		}
	}
	if err == nil && req == nil {
		err = errors.New("the request function returned no request")
	}
	if err != nil {
		err = fmt.Errorf("sse: cannot make request: %w", err)
		if s.emitted > 0 {
			err = &ResumeError{Emitted: s.emitted, LastEventID: s.lastID, Reason: "no request to resume with", Err: err}
		}
		return nil, err
	}
	if req.Context().Value(contextKey{}) != s {
		// The watchdog works through the context, whatever the function did.
		req = req.WithContext(ctx)
	}
	if req.Header == nil {
		req.Header = make(http.Header)
	}
	for k, v := range s.Header {
		req.Header[http.CanonicalHeaderKey(k)] = append([]string(nil), v...)
	}
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", "text/event-stream")
	}
	if req.Header.Get("Cache-Control") == "" {
		req.Header.Set("Cache-Control", "no-cache")
	}
	own := req.Header.Get("Last-Event-ID")
	switch {
	case own != "" && s.attempts == 1:
		s.lastID = own // the caller's start, until the stream sets its own
	case own != "" && s.emitted > 0 && s.Resume.mode == resumeWith:
	case s.lastID == "" || !fitsHeader(s.lastID):
		req.Header.Del("Last-Event-ID")
	default:
		req.Header.Set("Last-Event-ID", s.lastID)
	}
	return req, nil
}

// contextKey is how a request shows that its context comes from the one that
// its function was given.
type contextKey struct{}

// attempt makes one connection and delivers what comes over it. It always
// returns an error: errOver, errLeft, a *broken, or one that ends the stream.
func (s *session) attempt() error {
	if s.ctx.Err() != nil {
		return s.canceled()
	}
	s.attempts++
	ctx, cancel := context.WithCancelCause(context.WithValue(s.ctx, contextKey{}, s))
	defer cancel(nil)
	req, err := s.newRequest(ctx)
	if err != nil {
		return err
	}
	s.log.LogAttrs(s.ctx, slog.LevelDebug, "event stream request", append(s.attrs(), slog.String("method", req.Method))...)

	dog := newWatchdog(cancel, s.eventIdle(), s.ByteIdle)
	client := s.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	dog.wait()
	resp, err := client.Do(req)
	dog.pause()
	if err != nil {
		if idle := idleCause(ctx); idle != nil {
			return &broken{err: idle}
		}
		if errors.Is(err, io.EOF) {
			// The transport's word for a server that hung up without an answer
			// must not pass for the end of a stream.
			err = &url.Error{Op: req.Method, URL: req.URL.Redacted(), Err: io.ErrUnexpectedEOF}
		}
		return &broken{err: &ConnectError{err}}
	}
	defer resp.Body.Close()
	if err := s.judge(resp, cancel); err != nil {
		return err
	}
	if s.Terminal.endless {
		s.misses = 0
	}
	s.log.LogAttrs(s.ctx, slog.LevelDebug, "event stream open", s.attrs()...)

	opts := append(append([]Option(nil), s.Decoder...), WithLastEventID(s.lastID))
	d := NewDecoder(&watched{resp.Body, dog}, opts...)
	err = s.read(d, dog)
	s.bytes += d.total
	if err == errOver {
		discard(resp.Body, cancel)
		return err
	}
	if idle := idleCause(ctx); idle != nil && isBroken(err) {
		err = &broken{err: idle}
	}
	return err
}

func isBroken(err error) bool {
	var b *broken
	return errors.As(err, &b)
}

// idleCause returns the error of the watchdog, if that is what ended ctx.
func idleCause(ctx context.Context) error {
	var idle *IdleError
	if errors.As(context.Cause(ctx), &idle) {
		return idle
	}
	return nil
}

// read delivers the events of one connection.
func (s *session) read(d *Decoder, dog *watchdog) error {
	s.replaying = false
	onWire := s.lastID // the last ID that this connection has set
	for {
		if s.ctx.Err() != nil { // the buffer may hold thousands of events that nobody wants now
			return s.canceled()
		}
		dog.wait()
		ev, err := d.Next()
		dog.pause()
		before := s.lastID
		if id := d.LastEventID(); id != onWire {
			onWire, s.lastID = id, id
		}
		if ms, ok := d.Retry(); ok {
			s.retry, s.hasRetry = ms, true
		}
		if err != nil {
			return s.classify(d, err)
		}
		over := s.Terminal.ends(ev)
		repeat := false
		if !over { // an event that ends the stream cannot have come before
			if repeat, err = s.repeats(ev, d); err != nil {
				return err
			}
		}
		if repeat {
			s.lastID = before // to hear something again is no progress
			s.dropped++
			s.log.LogAttrs(s.ctx, slog.LevelDebug, "event stream repeats an event, dropped", s.attrs()...)
			continue
		}
		if over && s.Terminal.marker {
			return errOver
		}
		if err := s.deliver(ev, over, d, dog); err != nil {
			return err
		}
	}
}

// repeats reports whether an event was delivered before.
func (s *session) repeats(ev Event, d *Decoder) (bool, error) {
	known, same := s.dedup.known(ev)
	switch {
	case known && !same && !s.DropByIDAlone:
		return false, &ConflictError{ID: ev.ID, Event: d.Count(), Offset: d.InputOffset()}
	case known:
		s.replaying = ev.ID != s.tailID && s.attempts > 1
		return true, nil
	case ev.HasID:
		s.replaying = false
		return false, nil
	}
	// An event without an ID, on a new connection, between two that were
	// delivered on an old one, was delivered there too.
	return s.replaying, nil
}

func (s *session) deliver(ev Event, over bool, d *Decoder, dog *watchdog) error {
	failed := !over && s.Terminal.fails(ev)
	ev.Data = append(make([]byte, 0, len(ev.Data)), ev.Data...)
	s.dedup.add(ev)
	if ev.HasID {
		s.tailID = ev.ID
	}
	if s.Heartbeat == nil || !s.Heartbeat(ev) {
		dog.gotEvent()
		s.exact = ev.HasID
		s.failures, s.misses = 0, 0
	}
	s.emitted++
	if failed || s.Resume.mode == resumeWith {
		s.last = ev.Clone() // the caller may do with its own what it likes
	}
	if !s.yield(ev, nil) {
		return errLeft
	}
	switch {
	case over:
		return errOver
	case failed:
		return &EventError{Event: s.last, Number: d.Count(), Offset: d.InputOffset()}
	}
	return nil
}

// classify says what the decoder's error means for the stream.
func (s *session) classify(d *Decoder, err error) error {
	var cut *IncompleteError
	var failed *ReadError
	switch {
	case err == io.EOF && s.Terminal.endless:
		return &broken{err: errClosed}
	case err == io.EOF && s.ResumeAfterEOF:
		return &broken{err: s.Terminal.incomplete(d)}
	case err == io.EOF:
		return s.Terminal.incomplete(d)
	case errors.As(err, &cut), errors.As(err, &failed):
		return &broken{err: err}
	}
	return err
}

// judge says what a response is, if it is no event stream.
func (s *session) judge(resp *http.Response, cancel context.CancelCauseFunc) error {
	if resp.StatusCode == http.StatusNoContent && s.Terminal.endless {
		return errOver
	}
	contentType := resp.Header.Get("Content-Type")
	// Faulty parameters are no matter: the encoding is UTF-8 whatever they say.
	media, _, _ := strings.Cut(contentType, ";")
	if resp.StatusCode == http.StatusOK && (s.AnyContentType || strings.EqualFold(strings.TrimSpace(media), "text/event-stream")) {
		return nil
	}
	const most = 1 << 10
	t := time.AfterFunc(5*time.Second, func() { cancel(nil) })
	body, _ := io.ReadAll(io.LimitReader(resp.Body, most+4)) // as much as there is
	t.Stop()
	e := &ResponseError{
		Status: resp.StatusCode, ContentType: contentType, Header: resp.Header,
		RetryAfter: retryAfter(resp.Header, time.Now()), Excerpt: cutText(body, most),
	}
	if resp.StatusCode == http.StatusOK || resp.StatusCode == http.StatusNoContent || !s.retryStatus(resp.StatusCode) {
		return e
	}
	if e.RetryAfter > or(s.MaxWait, DefaultMaxWait) {
		return e
	}
	return &broken{err: e, wait: e.RetryAfter}
}
