package sse_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/streamlint/streamlint/stream/sse"
	"github.com/streamlint/streamlint/stream/streamtest"
)

// gaps are the times between requests.
func gaps(reqs []streamtest.Request) []time.Duration {
	var out []time.Duration
	for i := 1; i < len(reqs); i++ {
		out = append(out, reqs[i].At.Sub(reqs[i-1].At))
	}
	return out
}

// TestWaits checks how long a client waits before each further attempt: every
// wait within its bounds, by the bubble's clock.
func TestWaits(t *testing.T) {
	type span struct{ from, to time.Duration }
	ms := func(from, to int) span {
		return span{time.Duration(from) * time.Millisecond, time.Duration(to) * time.Millisecond}
	}
	refuse := func(n int) []streamtest.Reply {
		return slices.Repeat([]streamtest.Reply{streamtest.Refuse(503, 0, "")}, n)
	}
	tests := []struct {
		name    string
		client  sse.Client
		replies []streamtest.Reply
		want    []span
		err     bool
	}{
		{name: "backoff doubles up to its limit", replies: refuse(8), err: true,
			want: []span{ms(500, 1000), ms(1000, 2000), ms(2000, 4000), ms(4000, 8000), ms(8000, 16000), ms(15000, 30000), ms(15000, 30000)}},
		{name: "an hour's backoff", client: sse.Client{Backoff: sse.Exponential(time.Hour, time.Hour), MaxAttempts: 3}, replies: refuse(3), err: true,
			want: []span{ms(1800e3, 3600e3), ms(1800e3, 3600e3)}},
		{name: "retry is what is waited for", replies: []streamtest.Reply{cut("retry: 300\n\n" + one), whole(done)}, want: []span{ms(300, 331)}},
		{name: "retry of zero", replies: []streamtest.Reply{cut("retry: 0\n\n" + one), whole(done)}, want: []span{ms(0, 1)}},
		{name: "retry is the least for later attempts", replies: append([]streamtest.Reply{cut("retry: 3000\n\n" + one)}, append(refuse(2), whole(done))...),
			want: []span{ms(3000, 3301), ms(3000, 3000), ms(3000, 4000)}},
		{name: "retry is cut to the longest wait", client: sse.Client{MaxWait: time.Minute}, replies: []streamtest.Reply{cut("retry: 99999999999999999999\n\n" + one), whole(done)},
			want: []span{ms(60e3, 66.001e3)}},
		{name: "events start the backoff anew", replies: append(append(refuse(3), cut(one)), whole(done)),
			want: []span{ms(500, 1000), ms(1000, 2000), ms(2000, 4000), ms(500, 1000)}},
		{name: "Retry-After in seconds", replies: []streamtest.Reply{streamtest.Refuse(429, 90*time.Second, ""), whole(done)}, want: []span{ms(90e3, 90e3)}},
		{name: "Retry-After as a date", replies: []streamtest.Reply{streamtest.Refuse(503, 0, "").With("Retry-After", "Sat, 01 Jan 2000 00:10:00 GMT"), whole(done)},
			want: []span{ms(600e3, 600e3)}},
		{name: "Retry-After in the past", replies: []streamtest.Reply{streamtest.Refuse(503, 0, "").With("Retry-After", "Fri, 31 Dec 1999 00:00:00 GMT"), whole(done)},
			want: []span{ms(500, 1000)}},
		{name: "Retry-After that is none", replies: []streamtest.Reply{streamtest.Refuse(503, 0, "").With("Retry-After", "-5"), whole(done)}, want: []span{ms(500, 1000)}},
		{name: "Retry-After beyond the longest wait", replies: []streamtest.Reply{streamtest.Refuse(429, 2*time.Hour, "quota")}, err: true},
		{name: "Retry-After beyond any number", replies: []streamtest.Reply{streamtest.Refuse(429, 0, "").With("Retry-After", "99999999999999999999")}, err: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := streamtest.ServePipe(t, tt.replies...)
				c := tt.client
				c.HTTP, c.Terminal = s.Client(), sse.OpenAIDone
				_, err := collect(c.Stream(t.Context(), sse.Get(s.URL)))
				if (err != nil) != tt.err {
					t.Errorf("error %v", err)
				}
				got := gaps(s.Requests())
				if len(got) != len(tt.want) {
					t.Fatalf("waited %v, want %d waits", got, len(tt.want))
				}
				for i, w := range tt.want {
					if got[i] < w.from || got[i] > w.to {
						t.Errorf("wait %d is %v, want %v to %v", i+1, got[i], w.from, w.to)
					}
				}
			})
		})
	}
}

func TestExponential(t *testing.T) {
	tests := []struct {
		base, limit time.Duration
		failures    int
		want        time.Duration // before jitter
	}{
		{time.Second, 30 * time.Second, 1, time.Second},
		{time.Second, 30 * time.Second, 5, 16 * time.Second},
		{time.Second, 30 * time.Second, 6, 30 * time.Second},
		{time.Second, 30 * time.Second, 1 << 30, 30 * time.Second},
		{time.Minute, time.Second, 1, time.Second},
		{time.Second, 1<<63 - 1, 200, 1<<63 - 1},
		{0, time.Second, 3, 0},
		{-1, -1, 3, 0},
	}
	for _, tt := range tests {
		lo, hi := time.Duration(1<<63-1), time.Duration(-1)
		for range 200 {
			d := sse.Exponential(tt.base, tt.limit)(tt.failures)
			lo, hi = min(lo, d), max(hi, d)
		}
		if lo < tt.want/2 || hi > tt.want || tt.want > 100 && hi-lo < tt.want/8 {
			t.Errorf("%+v: between %v and %v", tt, lo, hi)
		}
	}
}

// TestIdle checks which silence ends a connection, and when.
func TestIdle(t *testing.T) {
	const minute = time.Minute
	beat := func(s string) streamtest.Step { return streamtest.Beat(10*time.Second, []byte(s)) }
	tests := []struct {
		name   string
		client sse.Client
		steps  []streamtest.Step
		slow   time.Duration // what the caller takes over each event
		bytes  bool
		after  time.Duration // from the request to the end; 0: not idle
	}{
		{name: "stall before any event", client: sse.Client{EventIdle: minute}, steps: []streamtest.Step{streamtest.Stall()}, after: minute},
		{name: "stall after an event", client: sse.Client{EventIdle: minute}, steps: []streamtest.Step{streamtest.Pause(40 * time.Second), send(one), streamtest.Stall()}, after: minute + 40*time.Second},
		{name: "comments do not count as events", client: sse.Client{EventIdle: minute, ByteIdle: 30 * time.Second}, steps: []streamtest.Step{send(one), beat(": ping\n\n")}, after: minute},
		{name: "comments do count as bytes", client: sse.Client{EventIdle: -1, ByteIdle: 30 * time.Second}, steps: []streamtest.Step{send(one), streamtest.Spread(20*time.Second, streamtest.SplitBytes([]byte(": ping\n\n"))...), streamtest.Stall()},
			bytes: true, after: 7*20*time.Second + 30*time.Second},
		{name: "half an event counts as bytes alone", client: sse.Client{EventIdle: minute}, steps: []streamtest.Step{streamtest.Spread(50*time.Second, streamtest.SplitAt([]byte(one), 8)...), send(two[:10]), beat("x")}, after: 50*time.Second + minute},
		{name: "no byte", client: sse.Client{ByteIdle: 30 * time.Second}, steps: []streamtest.Step{send(one), streamtest.Stall()}, bytes: true, after: 30 * time.Second},
		{name: "repeats do not count", client: sse.Client{EventIdle: minute}, steps: []streamtest.Step{send(one), beat(one)}, after: minute},
		{name: "heartbeat events do not count", client: sse.Client{EventIdle: minute, Heartbeat: func(ev sse.Event) bool { return ev.Type == "ping" }},
			steps: []streamtest.Step{send(one), beat("event: ping\ndata: {}\n\n")}, after: minute},
		{name: "the caller's time does not count", client: sse.Client{EventIdle: minute, ByteIdle: minute}, slow: time.Hour,
			steps: []streamtest.Step{send(one), streamtest.Pause(30 * time.Second), send(two), streamtest.Pause(30 * time.Second), send(tri), streamtest.Pause(50 * time.Second), send(done)}},
		{name: "many events longer than any limit", client: sse.Client{EventIdle: minute, ByteIdle: minute},
			steps: []streamtest.Step{streamtest.Spread(50*time.Second, slices.Repeat([][]byte{[]byte("data: x\n\n")}, 200)...), send(done)}},
		{name: "default", steps: []streamtest.Step{send(one), beat(":\n")}, after: sse.DefaultEventIdle},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := streamtest.ServePipe(t, streamtest.Stream(tt.steps...))
				c := tt.client
				c.HTTP, c.Terminal, c.Resume, c.MaxAttempts = s.Client(), sse.OpenAIDone, sse.ResumeNever, 1
				start := time.Now()
				var err error
				for _, e := range c.Stream(t.Context(), sse.Get(s.URL)) {
					err = e
					time.Sleep(tt.slow)
				}
				if tt.after == 0 {
					if err != nil {
						t.Errorf("error %v", err)
					}
					return
				}
				e := asError[*sse.IdleError](t, err)
				if e.Bytes != tt.bytes || !e.Timeout() {
					t.Errorf("error %+v", *e)
				}
				if d := time.Since(start); d != tt.after {
					t.Errorf("ended after %v, want %v", d, tt.after)
				}
			})
		})
	}

	t.Run("a feed may be silent for a week", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			s := streamtest.ServePipe(t, streamtest.Stream(streamtest.Pause(7*24*time.Hour), send(one)), streamtest.Reply{Status: 204})
			c := &sse.Client{HTTP: s.Client(), Terminal: sse.Endless}
			if got, err := collect(c.Stream(t.Context(), sse.Get(s.URL))); len(got) != 1 || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		})
	})
	t.Run("an idle connection is resumed", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			s := streamtest.ServePipe(t, streamtest.Stream(send(one), streamtest.Stall()), whole(two+done))
			c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone, EventIdle: minute}
			got, err := collect(c.Stream(t.Context(), sse.Get(s.URL)))
			if !slices.Equal(got, []string{"one", "two"}) || err != nil {
				t.Errorf("%q, %v", got, err)
			}
			if g := ids(s.Requests()); !slices.Equal(g, []string{"", "1"}) {
				t.Errorf("Last-Event-ID %q", g)
			}
		})
	})
}

// TestLeaving checks that whatever way a stream is left, it is left at once and
// nothing goes on: the bubble fails if a goroutine does.
func TestLeaving(t *testing.T) {
	cause := errors.New("user pressed stop")
	at := 5 * time.Second
	tests := []struct {
		name  string
		reply streamtest.Reply
		want  error
		leave func(cancel context.CancelCauseFunc) (stop bool) // on each event
		after time.Duration
	}{
		{"break", streamtest.Stream(send(one), streamtest.Stall()), nil, func(context.CancelCauseFunc) bool { return true }, 0},
		{"cancel in the loop", streamtest.Stream(send(one), streamtest.Stall()), cause, func(c context.CancelCauseFunc) bool { c(cause); return false }, 0},
		{"cancel with more in the buffer", streamtest.Stream(send(one+two+done), streamtest.Stall()), cause, func(c context.CancelCauseFunc) bool { c(cause); return false }, 0},
		{"cancel while idle", streamtest.Stream(send(one), streamtest.Stall()), cause, nil, at},
		{"cancel while nothing answers", streamtest.Stream(streamtest.Stall()), cause, nil, at},
		{"cancel while comments come", streamtest.Stream(streamtest.Beat(time.Millisecond*7, []byte(":\n"))), cause, nil, at},
		{"cancel while waiting to reconnect", streamtest.Refuse(503, time.Hour, ""), cause, nil, at},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := streamtest.ServePipe(t, tt.reply)
				c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone}
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				if tt.leave == nil {
					time.AfterFunc(at, func() { cancel(cause) })
				}
				start := time.Now()
				var err error
				for _, e := range c.Stream(ctx, sse.Post(s.URL, "text/plain", []byte("x"))) {
					err = e
					if e == nil && tt.leave != nil && tt.leave(cancel) {
						break
					}
				}
				if !errors.Is(err, tt.want) || tt.want != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("error %v, want the cause and the context's error", err)
				}
				if d := time.Since(start); d != tt.after {
					t.Errorf("took %v, want %v", d, tt.after)
				}
				synctest.Wait()
				if s.Active() != 0 {
					t.Error("the connection is still open")
				}
			})
		})
	}
	t.Run("before it begins", func(t *testing.T) {
		s := streamtest.Serve(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone}
		if _, err := collect(c.Stream(ctx, sse.Get(s.URL))); !errors.Is(err, context.Canceled) || len(s.Requests()) != 0 {
			t.Errorf("error %v, %d requests", err, len(s.Requests()))
		}
	})
	t.Run("deadline", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			s := streamtest.ServePipe(t, streamtest.Stream(streamtest.Stall()))
			ctx, cancel := context.WithTimeout(t.Context(), at)
			defer cancel()
			c := &sse.Client{HTTP: s.Client(), Terminal: sse.Endless}
			if _, err := collect(c.Stream(ctx, sse.Get(s.URL))); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v", err)
			}
		})
	})
}

func TestConfig(t *testing.T) {
	get := sse.Get("http://streamtest.invalid/")
	tests := []struct {
		name    string
		client  sse.Client
		request sse.RequestFunc
	}{
		{"no terminal rule", sse.Client{}, get},
		{"empty terminal rule", sse.Client{Terminal: sse.Until("x", nil)}, get},
		{"no request", sse.Client{Terminal: sse.Endless}, nil},
		{"total timeout", sse.Client{Terminal: sse.Endless, HTTP: &http.Client{Timeout: time.Second}}, get},
		{"resume with nothing", sse.Client{Terminal: sse.Endless, Resume: sse.ResumeWith(nil)}, get},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := collect(tt.client.Stream(t.Context(), tt.request))
			asError[*sse.ConfigError](t, err)
			if len(got) > 0 {
				t.Errorf("events %q", got)
			}
		})
	}
	t.Run("decoder without terminal rule", func(t *testing.T) {
		_, err := collect(sse.Terminal{}.Events(sse.NewDecoder(strings.NewReader(one))))
		asError[*sse.ConfigError](t, err)
	})
	t.Run("ranged over twice", func(t *testing.T) {
		s := streamtest.Serve(t, whole(one+done))
		c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone}
		seq := c.Stream(t.Context(), sse.Get(s.URL))
		if got, err := collect(seq); len(got) != 1 || err != nil {
			t.Errorf("first: %q, %v", got, err)
		}
		_, err := collect(seq)
		asError[*sse.ConfigError](t, err)
	})
	t.Run("request function that fails", func(t *testing.T) {
		broken := errors.New("no token")
		c := &sse.Client{Terminal: sse.OpenAIDone}
		for name, f := range map[string]sse.RequestFunc{
			"error": func(context.Context) (*http.Request, error) { return nil, broken },
			"nil":   func(context.Context) (*http.Request, error) { return nil, nil },
		} {
			if _, err := collect(c.Stream(t.Context(), f)); err == nil || name == "error" && !errors.Is(err, broken) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestResumeWith(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := streamtest.ServePipe(t,
			cut("data: {\"seq\":1}\n\ndata: {\"seq\":2}\n\n"),
			streamtest.Refuse(503, 0, ""),
			cut("data: {\"seq\":3}\n\n"),
			whole("data: {\"seq\":4}\n\n"+done))
		var at []sse.Position
		c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone, Header: http.Header{"x-key": {"k"}}}
		c.Resume = sse.ResumeWith(func(ctx context.Context, p sse.Position) (*http.Request, error) {
			at = append(at, p)
			var v struct{ Seq int }
			if err := json.Unmarshal(p.Last.Data, &v); err != nil {
				return nil, err
			}
			return sse.Get(fmt.Sprintf("%s/more?after=%d", s.URL, v.Seq))(ctx)
		})
		n := 0
		for ev, err := range c.Stream(t.Context(), sse.Post(s.URL+"/begin", "text/plain", nil)) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			if want := fmt.Sprintf(`{"seq":%d}`, n); string(ev.Data) != want {
				t.Errorf("event %q, want %q", ev.Data, want)
			}
			clear(ev.Data) // the caller's own to do with
		}
		var got []string
		for _, r := range s.Requests() {
			got = append(got, r.Method+" "+r.Path+" "+r.Header.Get("X-Key"))
		}
		if want := []string{"POST /begin k", "GET /more?after=2 k", "GET /more?after=2 k", "GET /more?after=3 k"}; !slices.Equal(got, want) {
			t.Errorf("requests %q, want %q", got, want)
		}
		if len(at) != 3 || at[0].Events != 2 || at[2].Events != 3 {
			t.Errorf("positions %+v", at)
		}
	})
	t.Run("with an ID of its own", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			s := streamtest.ServePipe(t, cut(one), whole(done))
			c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone}
			c.Resume = sse.ResumeWith(func(ctx context.Context, p sse.Position) (*http.Request, error) {
				req, err := sse.Get(s.URL)(ctx)
				if err == nil {
					req.Header.Set("Last-Event-ID", "run-"+p.LastEventID)
				}
				return req, err
			})
			if _, err := collect(c.Stream(t.Context(), sse.Get(s.URL))); err != nil {
				t.Error(err)
			}
			if got := ids(s.Requests()); !slices.Equal(got, []string{"", "run-1"}) {
				t.Errorf("Last-Event-ID %q", got)
			}
		})
	})
	t.Run("that refuses", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			s := streamtest.ServePipe(t, cut(one))
			expired := errors.New("run has expired")
			c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone}
			c.Resume = sse.ResumeWith(func(context.Context, sse.Position) (*http.Request, error) { return nil, expired })
			_, err := collect(c.Stream(t.Context(), sse.Get(s.URL)))
			asError[*sse.ResumeError](t, err)
			if !errors.Is(err, expired) {
				t.Errorf("error %v", err)
			}
		})
	})
}

// TestStart checks that a position from an earlier run is where a stream
// starts, and is not what it resumes from.
func TestStart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := streamtest.ServePipe(t, cut(""), cut("data: a\n\n"+two), whole(done))
		c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone}
		from1 := func(ctx context.Context) (*http.Request, error) {
			req, err := sse.Get(s.URL)(ctx)
			if err == nil {
				req.Header.Set("Last-Event-ID", "1")
			}
			return req, err
		}
		var idsSeen []string
		for ev, err := range c.Stream(t.Context(), from1) {
			if err != nil {
				t.Fatal(err)
			}
			idsSeen = append(idsSeen, ev.ID)
		}
		if got := ids(s.Requests()); !slices.Equal(got, []string{"1", "1", "2"}) || !slices.Equal(idsSeen, []string{"1", "2"}) {
			t.Errorf("requests from %q, events of %q", got, idsSeen)
		}
	})
}

// TestForeignContext checks that the watchdog works though the request function
// has taken another context.
func TestForeignContext(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := streamtest.ServePipe(t, streamtest.Stream(send(one), streamtest.Stall()))
		c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone, EventIdle: time.Minute, Resume: sse.ResumeNever}
		_, err := collect(c.Stream(t.Context(), func(context.Context) (*http.Request, error) { return sse.Get(s.URL)(context.Background()) }))
		asError[*sse.IdleError](t, err)
	})
}

// plainTransport is a transport as others write them: it ends with the context,
// but does not tell its cause.
type plainTransport struct{ body string }

func (p plainTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if p.body == "" {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	r, w := io.Pipe()
	go io.WriteString(w, p.body)
	context.AfterFunc(req.Context(), func() { w.CloseWithError(req.Context().Err()) })
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: r, Request: req}, nil
}

func TestOtherTransport(t *testing.T) {
	for _, body := range []string{"", one} {
		bubble(t, func(t *testing.T) {
			c := &sse.Client{HTTP: &http.Client{Transport: plainTransport{body}}, Terminal: sse.OpenAIDone, EventIdle: time.Minute, MaxAttempts: 1}
			_, err := collect(c.Stream(t.Context(), sse.Get("http://streamtest.invalid")))
			asError[*sse.IdleError](t, err)
			if errors.Is(err, context.Canceled) {
				t.Errorf("error %v looks like the caller's own", err)
			}
		})
	}
}

type failingTransport struct{ err error }

func (f failingTransport) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// TestNoErrorIsEOF checks that no error at the end of a stream matches io.EOF,
// which callers are used to taking for a good end.
func TestNoErrorIsEOF(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := &sse.Client{HTTP: &http.Client{Transport: failingTransport{io.EOF}}, Terminal: sse.OpenAIDone}
		_, err := collect(c.Stream(t.Context(), sse.Get("http://streamtest.invalid")))
		asError[*sse.ConnectError](t, err)
		if errors.Is(err, io.EOF) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("no answer: %v", err)
		}
		s := streamtest.ServePipe(t, whole(one))
		c = &sse.Client{HTTP: s.Client(), Terminal: sse.Endless}
		_, err = collect(c.Stream(t.Context(), sse.Post(s.URL, "text/plain", nil)))
		asError[*sse.ResumeError](t, err)
		if errors.Is(err, io.EOF) {
			t.Errorf("feed by POST: %v", err)
		}
	})
}

// TestStalledRefusal checks that the excerpt of a refusal is not waited for.
func TestStalledRefusal(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := streamtest.ServePipe(t, streamtest.Reply{Status: 404, Steps: []streamtest.Step{send("gone"), streamtest.Stall()}})
		c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone}
		start := time.Now()
		_, err := collect(c.Stream(t.Context(), sse.Get(s.URL)))
		if e := asError[*sse.ResponseError](t, err); e.Excerpt != "gone" {
			t.Errorf("error %+v", *e)
		}
		if d := time.Since(start); d != 5*time.Second {
			t.Errorf("took %v", d)
		}
	})
}

func TestConnectError(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := streamtest.ServePipe(t)
		s.Close()
		c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone}
		_, err := collect(c.Stream(t.Context(), sse.Get(s.URL+"/?key=SECRET")))
		if e := asError[*sse.RetryError](t, err); e.Attempts != sse.DefaultMaxAttempts {
			t.Errorf("error %+v", *e)
		}
		asError[*sse.ConnectError](t, err)
		if strings.Contains(err.Error(), "SECRET") {
			t.Errorf("error %v shows the key in the URL", err)
		}
	})
}

func TestLog(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := streamtest.ServePipe(t, cut(one), streamtest.Refuse(503, 0, "busy"), whole(one+two+done))
		var lines strings.Builder
		log := slog.New(slog.NewJSONHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Key == "wait" || a.Key == "err" {
				return slog.Attr{}
			}
			return a
		}}))
		c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone, Logger: log, Header: http.Header{"Authorization": {"Bearer SECRET"}}}
		if _, err := collect(c.Stream(t.Context(), sse.Get(s.URL+"/?key=SECRET"))); err != nil {
			t.Fatal(err)
		}
		const want = `
{"level":"DEBUG","msg":"event stream request","attempt":1,"events":0,"last_event_id":"","method":"GET"}
{"level":"DEBUG","msg":"event stream open","attempt":1,"events":0,"last_event_id":""}
{"level":"WARN","msg":"event stream broken, trying again","attempt":1,"events":1,"last_event_id":"1","failures":1}
{"level":"DEBUG","msg":"event stream request","attempt":2,"events":1,"last_event_id":"1","method":"GET"}
{"level":"WARN","msg":"event stream broken, trying again","attempt":2,"events":1,"last_event_id":"1","failures":2}
{"level":"DEBUG","msg":"event stream request","attempt":3,"events":1,"last_event_id":"1","method":"GET"}
{"level":"DEBUG","msg":"event stream open","attempt":3,"events":1,"last_event_id":"1"}
{"level":"DEBUG","msg":"event stream repeats an event, dropped","attempt":3,"events":1,"last_event_id":"1"}
{"level":"INFO","msg":"event stream complete","attempt":3,"events":2,"last_event_id":"2","duplicates":1,"bytes":65,"terminal":"data: [DONE]"}
`
		if got := "\n" + lines.String(); got != want {
			t.Errorf("log:%s\nwant:%s", got, want)
		}
	})
	t.Run("failure", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			s := streamtest.ServePipe(t, whole(one))
			var lines strings.Builder
			c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone, Logger: slog.New(slog.NewTextHandler(&lines, nil))}
			if _, err := collect(c.Stream(t.Context(), sse.Get(s.URL))); err == nil {
				t.Error("no error")
			}
			if got := lines.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `level=ERROR msg="event stream failed"`) || !strings.Contains(got, "without data: [DONE]") {
				t.Errorf("log %s", got)
			}
		})
	})
}

// TestManyStreams uses one client for many streams at a time, over real
// connections that break at different places.
func TestManyStreams(t *testing.T) {
	raw := streamtest.Transcript("dropped-socket")
	raw = []byte(strings.Replace(string(raw), "retry: 300", "retry: 1", 1))
	var mu sync.Mutex
	seen := map[string]int{}
	s := streamtest.ServeFunc(t, func(_ int, r *streamtest.Request) streamtest.Reply {
		mu.Lock()
		seen[r.Path]++
		n := seen[r.Path]
		mu.Unlock()
		rest := streamtest.After(raw, r.LastEventID)
		var at int
		fmt.Sscanf(r.Path, "/%d", &at)
		if n == 1 && at < len(rest) {
			return streamtest.Stream(streamtest.Send(rest[:at]), streamtest.Reset())
		}
		return streamtest.Stream(streamtest.Send(rest))
	})
	c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone, Backoff: sse.Exponential(time.Millisecond, time.Millisecond)}
	var wg sync.WaitGroup
	for at := range len(raw) {
		wg.Go(func() {
			got, err := collect(c.Stream(t.Context(), sse.Get(fmt.Sprintf("%s/%d", s.URL, at))))
			if err != nil || len(got) != 3 {
				t.Errorf("reset at %d: %q, %v", at, got, err)
			}
		})
	}
	wg.Wait()
}

// TestNoGoroutineLeft is TestLeaving over real connections, where no bubble
// counts.
func TestNoGoroutineLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	s := streamtest.ServeFunc(t, func(n int, _ *streamtest.Request) streamtest.Reply {
		switch n % 4 {
		case 0:
			return streamtest.Stream(send(one), streamtest.Stall())
		case 1:
			return streamtest.Stream(send(one), streamtest.Reset())
		case 2:
			return streamtest.Refuse(400, 0, "no")
		}
		return whole(one + done)
	})
	c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone, Resume: sse.ResumeNever, EventIdle: 50 * time.Millisecond, MaxAttempts: 1}
	for i := range 40 {
		for range c.Stream(t.Context(), sse.Get(s.URL)) {
			if i%2 == 0 {
				break
			}
		}
	}
	for wait := time.Now().Add(10 * time.Second); s.Active() > 0 && time.Now().Before(wait); {
		time.Sleep(time.Millisecond)
	}
	if n := s.Active(); n > 0 {
		t.Errorf("%d connections are left", n)
	}
	s.Close()
	for wait := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		n := runtime.NumGoroutine()
		if n <= before {
			return
		}
		if time.Now().After(wait) {
			t.Fatalf("%d goroutines before, %d after", before, n)
		}
	}
}

// TestConnectionIsUsedAgain checks that a finished stream gives its connection
// back, though the client stops reading at the end marker.
func TestConnectionIsUsedAgain(t *testing.T) {
	var conns atomic.Int32
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, one+done)
		w.(http.Flusher).Flush()
		time.Sleep(5 * time.Millisecond) // so that the end comes on its own
	}))
	srv.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			conns.Add(1)
		}
	}
	srv.Start()
	defer srv.Close()
	c := &sse.Client{HTTP: srv.Client(), Terminal: sse.OpenAIDone}
	for range 5 {
		if _, err := collect(c.Stream(t.Context(), sse.Get(srv.URL))); err != nil {
			t.Fatal(err)
		}
	}
	// One, unless the machine is so busy that an end comes too late to be waited
	// for; a client that does not wait needs one for each.
	if n := conns.Load(); n == 5 {
		t.Errorf("5 streams took %d connections", n)
	}
}
