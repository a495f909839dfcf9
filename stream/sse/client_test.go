package sse_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/streamlint/streamlint/stream/sse"
	"github.com/streamlint/streamlint/stream/streamtest"
)

// bubble runs f in a synctest bubble: with a clock that waits for nothing, and
// a check that nothing is left running.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

// collect reads a stream to its end.
func collect(seq iter.Seq2[sse.Event, error]) (data []string, err error) {
	for ev, e := range seq {
		if err != nil {
			return data, fmt.Errorf("something came after the error %w", err)
		}
		if e != nil {
			err = e
			continue
		}
		data = append(data, string(ev.Data))
	}
	return data, err
}

func ids(reqs []streamtest.Request) []string {
	var out []string
	for _, r := range reqs {
		out = append(out, r.LastEventID)
	}
	return out
}

func send(s string) streamtest.Step { return streamtest.Send([]byte(s)) }

// cut is a stream that breaks after s.
func cut(s string) streamtest.Reply { return streamtest.Stream(send(s), streamtest.Cut()) }

func whole(s string) streamtest.Reply { return streamtest.Stream(send(s)) }

// asError checks that err is a T and returns it.
func asError[T error](t *testing.T, err error) T {
	t.Helper()
	var e T
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T), want a %T", err, err, e)
	}
	return e
}

const (
	one  = "id: 1\ndata: one\n\n"
	two  = "id: 2\ndata: two\n\n"
	tri  = "id: 3\ndata: three\n\n"
	done = "data: [DONE]\n\n"
)

// TestStream is what a client owes for what a server may do.
func TestStream(t *testing.T) {
	openAI := func() *sse.Client { return &sse.Client{Terminal: sse.OpenAIDone} }
	endless := func() *sse.Client { return &sse.Client{Terminal: sse.Endless} }
	with := func(c *sse.Client, f func(*sse.Client)) *sse.Client { f(c); return c }
	incomplete := func(t *testing.T, err error) {
		t.Helper()
		if !errors.Is(err, sse.ErrIncomplete) {
			t.Errorf("error %v is not ErrIncomplete", err)
		}
	}
	tests := []struct {
		name    string
		client  *sse.Client
		post    bool
		replies []streamtest.Reply
		want    []string
		ids     []string // Last-Event-ID of each request
		err     func(t *testing.T, err error)
	}{
		{name: "whole", client: openAI(), replies: []streamtest.Reply{whole(one + two + done)},
			want: []string{"one", "two"}, ids: []string{""}},
		{name: "done, then the server stalls", client: openAI(), replies: []streamtest.Reply{streamtest.Stream(send(one+done), streamtest.Stall())},
			want: []string{"one"}, ids: []string{""}},
		{name: "what follows the end is not read", client: openAI(), replies: []streamtest.Reply{whole(one + done + two)},
			want: []string{"one"}, ids: []string{""}},
		{name: "byte by byte", client: openAI(), replies: []streamtest.Reply{streamtest.Stream(streamtest.Send(streamtest.SplitBytes([]byte(one + two + done))...))},
			want: []string{"one", "two"}, ids: []string{""}},

		{name: "clean end without the end marker", client: openAI(), replies: []streamtest.Reply{whole(one + two)},
			want: []string{"one", "two"}, ids: []string{""}, err: func(t *testing.T, err error) {
				incomplete(t, err)
				e := asError[*sse.IncompleteError](t, err)
				if want := (sse.IncompleteError{Event: 3, Offset: 34, End: 34, Want: "data: [DONE]"}); *e != want {
					t.Errorf("error %+v, want %+v", *e, want)
				}
				if !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Error("does not match io.ErrUnexpectedEOF")
				}
			}},
		{name: "close-delimited body cut between events", client: openAI(),
			replies: []streamtest.Reply{{Steps: []streamtest.Step{send(one), streamtest.Cut()}, CloseDelimited: true}},
			want:    []string{"one"}, ids: []string{""}, err: incomplete},
		{name: "clean end, told to resume", client: with(openAI(), func(c *sse.Client) { c.ResumeAfterEOF = true }),
			replies: []streamtest.Reply{whole(one), whole(two + done)}, want: []string{"one", "two"}, ids: []string{"", "1"}},
		{name: "done without its blank line", client: openAI(), post: true, replies: []streamtest.Reply{whole("data: x\n\ndata: [DONE]\n")},
			want: []string{"x"}, ids: []string{""}, err: func(t *testing.T, err error) {
				incomplete(t, err)
				asError[*sse.IncompleteError](t, err)
			}},

		{name: "cut between events", client: openAI(), replies: []streamtest.Reply{cut(one), whole(two + done)},
			want: []string{"one", "two"}, ids: []string{"", "1"}},
		{name: "cut inside an event", client: openAI(), replies: []streamtest.Reply{cut(one + two[:12]), whole(two + done)},
			want: []string{"one", "two"}, ids: []string{"", "1"}},
		{name: "close-delimited body cut inside an event", client: openAI(),
			replies: []streamtest.Reply{{Steps: []streamtest.Step{send(one + two[:12]), streamtest.Cut()}, CloseDelimited: true}, whole(two + done)},
			want:    []string{"one", "two"}, ids: []string{"", "1"}},
		{name: "reset", client: openAI(), replies: []streamtest.Reply{streamtest.Stream(send(one), streamtest.Reset()), whole(two + done)},
			want: []string{"one", "two"}, ids: []string{"", "1"}},
		{name: "cut before any event", client: openAI(), post: true, replies: []streamtest.Reply{cut(""), cut("id: 1\n"), whole(one + done)},
			want: []string{"one"}, ids: []string{"", "", ""}},
		{name: "progress resets the count of failures", client: with(openAI(), func(c *sse.Client) { c.MaxAttempts = 2 }),
			replies: []streamtest.Reply{cut(one), cut(two), cut(tri), whole(done)}, want: []string{"one", "two", "three"}, ids: []string{"", "1", "2", "3"}},

		{name: "id sent twice", client: openAI(), replies: []streamtest.Reply{whole(one + one + two + done)},
			want: []string{"one", "two"}, ids: []string{""}},
		{name: "all replayed", client: openAI(), replies: []streamtest.Reply{cut(one + two), whole(one + two + tri + done)},
			want: []string{"one", "two", "three"}, ids: []string{"", "2"}},
		{name: "a replay is no progress", client: openAI(), replies: []streamtest.Reply{cut(one + two), cut(one), whole(tri + done)},
			want: []string{"one", "two", "three"}, ids: []string{"", "2", "2"}},
		{name: "later events without an id are not repeats", client: openAI(), replies: []streamtest.Reply{whole(one + "data: a\n\ndata: a\n\n" + done)},
			want: []string{"one", "a", "a"}, ids: []string{""}},
		{name: "replay with an event without id in it", client: with(openAI(), func(c *sse.Client) { c.Resume = sse.ResumeByID }),
			replies: []streamtest.Reply{cut(one + "data: a\n\n" + two), whole(one + "data: a\n\n" + two + "data: b\n\n" + done)},
			want:    []string{"one", "a", "two", "b"}, ids: []string{"", "2"}},
		{name: "an id reset is not a repeat", client: openAI(), replies: []streamtest.Reply{whole("id\ndata: a\n\nid\ndata: b\n\n" + done)},
			want: []string{"a", "b"}, ids: []string{""}},
		{name: "no dedup", client: with(openAI(), func(c *sse.Client) { c.DedupWindow = -1 }), replies: []streamtest.Reply{whole(one + one + done)},
			want: []string{"one", "one"}, ids: []string{""}},
		{name: "dedup forgets beyond its window", client: with(openAI(), func(c *sse.Client) { c.DedupWindow = 2 }), replies: []streamtest.Reply{whole(one + two + tri + two + one + done)},
			want: []string{"one", "two", "three", "one"}, ids: []string{""}},
		{name: "id with other content", client: openAI(), replies: []streamtest.Reply{whole(one + "id: 1\ndata: other\n\n" + done)},
			want: []string{"one"}, ids: []string{""}, err: func(t *testing.T, err error) {
				incomplete(t, err)
				e := asError[*sse.ConflictError](t, err)
				if e.ID != "1" || e.Event != 2 || e.Offset != 36 {
					t.Errorf("error %+v", *e)
				}
			}},
		{name: "another stream under the same ids", client: openAI(), replies: []streamtest.Reply{cut(one + two), whole("id: 1\ndata: new\n\n")},
			want: []string{"one", "two"}, ids: []string{"", "2"}, err: func(t *testing.T, err error) { asError[*sse.ConflictError](t, err) }},
		{name: "id with other content, dropped by id alone", client: with(openAI(), func(c *sse.Client) { c.DropByIDAlone = true }),
			replies: []streamtest.Reply{whole(one + "id: 1\ndata: other\n\n" + two + done)}, want: []string{"one", "two"}, ids: []string{""}},
		{name: "end marker with a used id", client: openAI(), replies: []streamtest.Reply{whole(one + "id: 1\n" + done)},
			want: []string{"one"}, ids: []string{""}},

		{name: "POST broken after an event", client: openAI(), post: true, replies: []streamtest.Reply{cut(one)},
			want: []string{"one"}, ids: []string{""}, err: func(t *testing.T, err error) {
				incomplete(t, err)
				e := asError[*sse.ResumeError](t, err)
				if e.Emitted != 1 || e.LastEventID != "1" || !strings.Contains(e.Reason, "POST") {
					t.Errorf("error %+v", *e)
				}
				if r := asError[*sse.ReadError](t, err); r.Event != 2 || r.Offset != 17 || !errors.Is(r, io.ErrUnexpectedEOF) {
					t.Errorf("cause %+v", *r)
				}
			}},
		{name: "POST broken after an event, told to resume by id", client: with(openAI(), func(c *sse.Client) { c.Resume = sse.ResumeByID }),
			post: true, replies: []streamtest.Reply{cut(one), whole(two + done)}, want: []string{"one", "two"}, ids: []string{"", "1"}},
		{name: "POST refused before any event", client: openAI(), post: true, replies: []streamtest.Reply{streamtest.Refuse(503, 0, ""), whole(one + done)},
			want: []string{"one"}, ids: []string{"", ""}},
		{name: "GET without ids broken after an event", client: openAI(), replies: []streamtest.Reply{cut("data: a\n\n")},
			want: []string{"a"}, ids: []string{""}, err: func(t *testing.T, err error) { asError[*sse.ResumeError](t, err) }},
		{name: "GET broken after an event behind the last id", client: openAI(), replies: []streamtest.Reply{cut(one + "data: a\n\n")},
			want: []string{"one", "a"}, ids: []string{""}, err: func(t *testing.T, err error) { asError[*sse.ResumeError](t, err) }},
		{name: "GET broken after a heartbeat behind the last id", replies: []streamtest.Reply{cut(one + "event: ping\ndata: \n\n"), whole(two + done)},
			client: with(openAI(), func(c *sse.Client) { c.Heartbeat = func(ev sse.Event) bool { return ev.Type == "ping" } }),
			want:   []string{"one", "", "two"}, ids: []string{"", "1"}},
		{name: "told never to resume", client: with(openAI(), func(c *sse.Client) { c.Resume = sse.ResumeNever }), replies: []streamtest.Reply{cut(one)},
			want: []string{"one"}, ids: []string{""}, err: func(t *testing.T, err error) { asError[*sse.ResumeError](t, err) }},
		{name: "id that no header can carry", client: openAI(), replies: []streamtest.Reply{cut("id: \x01\ndata: a\n\n")},
			want: []string{"a"}, ids: []string{""}, err: func(t *testing.T, err error) { asError[*sse.ResumeError](t, err) }},

		{name: "feed goes on after a clean end", client: endless(), replies: []streamtest.Reply{whole(one), whole(two), {Status: 204}},
			want: []string{"one", "two"}, ids: []string{"", "1", "2"}},
		{name: "feed without ids goes on", client: endless(), replies: []streamtest.Reply{cut("data: a\n\n"), whole("data: b\n\n"), {Status: 204}},
			want: []string{"a", "b"}, ids: []string{"", "", ""}},
		{name: "feed by POST does not go on", client: endless(), post: true, replies: []streamtest.Reply{whole(one)},
			want: []string{"one"}, ids: []string{""}, err: incomplete},
		{name: "id reset drops the header", client: endless(), replies: []streamtest.Reply{cut(one + "id\ndata: a\n\n"), {Status: 204}},
			want: []string{"one", "a"}, ids: []string{"", ""}},
		{name: "id without data moves the position", client: endless(), replies: []streamtest.Reply{cut(one + "id: 9\n\n"), {Status: 204}},
			want: []string{"one"}, ids: []string{"", "9"}},
		{name: "quiet feed may reconnect for ever", client: with(endless(), func(c *sse.Client) { c.MaxAttempts = 2 }),
			replies: append(slices.Repeat([]streamtest.Reply{whole(":\n\n")}, 20), streamtest.Reply{Status: 204}),
			ids:     slices.Repeat([]string{""}, 21)},

		{name: "204 before the end", client: openAI(), replies: []streamtest.Reply{cut(one), {Status: 204}},
			want: []string{"one"}, ids: []string{"", "1"}, err: func(t *testing.T, err error) {
				incomplete(t, err)
				if e := asError[*sse.ResponseError](t, err); e.Status != 204 {
					t.Errorf("error %+v", *e)
				}
			}},
		{name: "4xx", client: openAI(), replies: []streamtest.Reply{streamtest.Refuse(401, 0, "no such key\n")}, ids: []string{""},
			err: func(t *testing.T, err error) {
				e := asError[*sse.ResponseError](t, err)
				if e.Status != 401 || e.Excerpt != "no such key" || e.Error() != "sse: server answered 401 Unauthorized: no such key" {
					t.Errorf("error %v, %+v", e, *e)
				}
			}},
		{name: "4xx with a long body", client: openAI(), replies: []streamtest.Reply{streamtest.Refuse(400, 0, "a"+strings.Repeat("é", 5000))}, ids: []string{""},
			err: func(t *testing.T, err error) {
				e := asError[*sse.ResponseError](t, err)
				if e.Excerpt != "a"+strings.Repeat("é", 511) {
					t.Errorf("excerpt of %d bytes ends in %q", len(e.Excerpt), e.Excerpt[len(e.Excerpt)-4:])
				}
			}},
		{name: "another content type", client: openAI(), replies: []streamtest.Reply{whole("<html>").With("Content-Type", "text/html")}, ids: []string{""},
			err: func(t *testing.T, err error) {
				if e := asError[*sse.ResponseError](t, err); e.Status != 200 || e.ContentType != "text/html" || e.Excerpt != "<html>" {
					t.Errorf("error %+v", *e)
				}
			}},
		{name: "content type with parameters", client: openAI(), replies: []streamtest.Reply{whole(one+done).With("Content-Type", "Text/Event-Stream; charset=utf-8")},
			want: []string{"one"}, ids: []string{""}},
		{name: "content type with faulty parameters", client: openAI(), replies: []streamtest.Reply{whole(one+done).With("Content-Type", "text/event-stream; charset; charset=utf-8; charset=utf-8")},
			want: []string{"one"}, ids: []string{""}},
		{name: "any content type", client: with(openAI(), func(c *sse.Client) { c.AnyContentType = true }), replies: []streamtest.Reply{whole(one+done).With("Content-Type", "text/plain")},
			want: []string{"one"}, ids: []string{""}},
		{name: "201", client: openAI(), replies: []streamtest.Reply{{Status: 201}}, ids: []string{""},
			err: func(t *testing.T, err error) { asError[*sse.ResponseError](t, err) }},
		{name: "5xx on a reconnect", client: openAI(), replies: []streamtest.Reply{cut(one), streamtest.Refuse(500, 0, "x"), streamtest.Refuse(502, 0, "x"), whole(two + done)},
			want: []string{"one", "two"}, ids: []string{"", "1", "1", "1"}},
		{name: "5xx without end", client: with(openAI(), func(c *sse.Client) { c.MaxAttempts = 3 }),
			replies: []streamtest.Reply{cut(one), streamtest.Refuse(500, 0, "x"), streamtest.Refuse(500, 0, "last")},
			want:    []string{"one"}, ids: []string{"", "1", "1"}, err: func(t *testing.T, err error) {
				incomplete(t, err)
				e := asError[*sse.RetryError](t, err)
				if e.Attempts != 3 || e.Emitted != 1 || e.LastEventID != "1" {
					t.Errorf("error %+v", *e)
				}
				if r := asError[*sse.ResponseError](t, err); r.Excerpt != "last" {
					t.Errorf("cause %+v", *r)
				}
			}},
		{name: "one attempt", client: with(openAI(), func(c *sse.Client) { c.MaxAttempts = 1 }), replies: []streamtest.Reply{streamtest.Refuse(503, 0, "")}, ids: []string{""},
			err: func(t *testing.T, err error) {
				asError[*sse.RetryError](t, err)
				if errors.Is(err, sse.ErrIncomplete) {
					t.Error("a stream that never began is called incomplete")
				}
			}},
		{name: "own rule for statuses", client: with(openAI(), func(c *sse.Client) { c.RetryStatus = func(s int) bool { return s == 404 } }),
			replies: []streamtest.Reply{streamtest.Refuse(404, 0, ""), streamtest.Refuse(500, 0, "")}, ids: []string{"", ""},
			err: func(t *testing.T, err error) {
				if e := asError[*sse.ResponseError](t, err); e.Status != 500 {
					t.Errorf("error %+v", *e)
				}
			}},

		{name: "too long an event", client: with(openAI(), func(c *sse.Client) { c.Decoder = []sse.Option{sse.WithMaxEventSize(8)} }),
			replies: []streamtest.Reply{whole(one + "data: 123456789\n\n")}, want: []string{"one"}, ids: []string{""},
			err: func(t *testing.T, err error) {
				if e := asError[*sse.TooLongError](t, err); *e != (sse.TooLongError{Event: 2, Offset: 17, Limit: 8}) {
					t.Errorf("error %+v", *e)
				}
			}},
		{name: "failure event", client: openAI(), replies: []streamtest.Reply{whole(one + `data: {"error":{"message":"overloaded"}}` + "\n\n" + done)},
			want: []string{"one", `{"error":{"message":"overloaded"}}`}, ids: []string{""}, err: func(t *testing.T, err error) {
				incomplete(t, err)
				if e := asError[*sse.EventError](t, err); !strings.Contains(e.Error(), "overloaded") || e.Number != 2 || e.Offset != int64(len(one)+len(`data: {"error":{"message":"overloaded"}}`)+2) {
					t.Errorf("error %v", e)
				}
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := streamtest.ServePipe(t, tt.replies...)
				c := tt.client
				c.HTTP = s.Client()
				request := sse.Get(s.URL + "/feed")
				if tt.post {
					request = sse.Post(s.URL+"/chat", "application/json", []byte(`{"q":1}`))
				}
				got, err := collect(c.Stream(t.Context(), request))
				if !slices.Equal(got, tt.want) {
					t.Errorf("events %q, want %q", got, tt.want)
				}
				if tt.err == nil {
					if err != nil {
						t.Errorf("error %v", err)
					}
				} else {
					tt.err(t, err)
				}
				reqs := s.Requests()
				if got := ids(reqs); !slices.Equal(got, tt.ids) {
					t.Errorf("Last-Event-ID of the requests %q, want %q", got, tt.ids)
				}
				for i, r := range reqs[:min(len(reqs), len(tt.ids))] {
					_, set := r.Header["Last-Event-Id"]
					if set != (tt.ids[i] != "") || r.Header.Get("Accept") != "text/event-stream" || r.Header.Get("Cache-Control") != "no-cache" {
						t.Errorf("header of request %d: %v", i, r.Header)
					}
					if tt.post && string(r.Body) != `{"q":1}` {
						t.Errorf("body of request %d: %q", i, r.Body)
					}
				}
				synctest.Wait()
				if n := s.Active(); n != 0 {
					t.Errorf("%d connections are left", n)
				}
			})
		})
	}
}

// TestCafe is the incident: a character split between reads, an event repeated,
// the end marker required, the text whole and once.
func TestCafe(t *testing.T) {
	raw := streamtest.RepeatID(streamtest.Transcript("dropped-socket"), "1")
	text := func(seq iter.Seq2[sse.Event, error]) (string, error) {
		var b strings.Builder
		for ev, err := range seq {
			if err != nil {
				return b.String(), err
			}
			var v struct{ Delta string }
			if err := json.Unmarshal(ev.Data, &v); err != nil {
				return b.String(), err
			}
			b.WriteString(v.Delta)
		}
		return b.String(), nil
	}
	const want = "café naïve done"
	for at := range len(raw) + 1 {
		bubble(t, func(t *testing.T) {
			// Every split, then every cut: with ids the client goes on, at
			// whatever byte the connection broke.
			s := streamtest.ServePipeFunc(t, func(n int, r *streamtest.Request) streamtest.Reply {
				switch {
				case r.Path == "/split":
					return streamtest.Stream(streamtest.Spread(50*time.Millisecond, streamtest.SplitAt(raw, at)...))
				case n == 1:
					return streamtest.Stream(streamtest.Send(raw[:at]), streamtest.Cut())
				}
				return streamtest.Stream(streamtest.Send(streamtest.After(raw, r.LastEventID)))
			})
			c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone}
			for _, path := range []string{"/split", "/cut"} {
				if got, err := text(c.Stream(t.Context(), sse.Get(s.URL+path))); got != want || err != nil {
					t.Fatalf("%s at %d: %q, %v", path, at, got, err)
				}
			}
		})
	}
}

// TestEveryCutOfEveryProtocol checks that no cut of a whole answer passes for
// an answer, and that no cut event reaches the caller.
func TestEveryCutOfEveryProtocol(t *testing.T) {
	rules := map[string]sse.Terminal{
		"openai-chat": sse.OpenAIDone, "openai-responses": sse.ResponsesFinished, "anthropic-messages": sse.AnthropicMessageStop,
	}
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			raw := streamtest.Transcript(name)
			all, err := collect(rule.Events(sse.NewDecoder(bytes.NewReader(raw))))
			if err != nil || len(all) == 0 {
				t.Fatalf("%d events, %v", len(all), err)
			}
			streamtest.EveryCut(t, raw, func(cut []byte) error {
				got, err := collect(rule.Events(sse.NewDecoder(bytes.NewReader(cut))))
				if !slices.Equal(got, all[:len(got)]) {
					t.Errorf("cut at %d gave %q", len(cut), got)
				}
				if err != nil && !errors.Is(err, sse.ErrIncomplete) {
					t.Errorf("cut at %d: error %v is not ErrIncomplete", len(cut), err)
				}
				return err
			})
			streamtest.EverySplit(t, raw, func(p streamtest.Parts) ([]string, error) {
				return collect(rule.Events(sse.NewDecoder(p.Reader())))
			})

			// The same over real HTTP, for one cut in each event.
			for off, b := 0, streamtest.Blocks(raw); len(b) > 0; b = b[1:] {
				n := off + len(b[0])/2
				off += len(b[0])
				s := streamtest.Serve(t, streamtest.Stream(streamtest.Send(raw[:n]), streamtest.Cut()))
				c := &sse.Client{HTTP: s.Client(), Terminal: rule, MaxAttempts: 1}
				got, err := collect(c.Stream(t.Context(), sse.Post(s.URL, "application/json", nil)))
				s.Close()
				if err == nil || len(got) > 0 && !errors.Is(err, sse.ErrIncomplete) || !slices.Equal(got, all[:len(got)]) {
					t.Errorf("cut at %d: %q, %v", n, got, err)
				}
			}
		})
	}
}
