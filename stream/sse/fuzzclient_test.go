package sse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// flaky is a server of events 1 to n. Every connection is cut after as many
// bytes as the next of cuts says, and starts again so many events too early as
// the one after it says; it is whole when they are used up.
type flaky struct {
	n        int
	cuts     []byte
	requests []string
}

func (f *flaky) RoundTrip(req *http.Request) (*http.Response, error) {
	id := req.Header.Get("Last-Event-ID")
	f.requests = append(f.requests, id)
	from := 0
	if id != "" {
		var err error
		if from, err = strconv.Atoi(id); err != nil || from < 1 || from > f.n {
			return nil, fmt.Errorf("Last-Event-ID is %q", id)
		}
	}
	limit := -1
	if len(f.cuts) >= 2 {
		limit = int(f.cuts[0])
		from = max(0, from-int(f.cuts[1]%4))
		f.cuts = f.cuts[2:]
	}
	var b bytes.Buffer
	for i := from + 1; i <= f.n; i++ {
		fmt.Fprintf(&b, "id: %d\nevent: e%d\ndata: é%d\n\n", i, i%3, i)
	}
	b.WriteString("data: [DONE]\n\n")
	var body io.Reader = &b
	if limit >= 0 && limit < b.Len() {
		body = io.MultiReader(bytes.NewReader(b.Bytes()[:limit]), errReader{errors.New("reset")})
	}
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(body), Request: req,
	}, nil
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

// FuzzClient checks that wherever connections are cut, and however much a
// server repeats, every event is delivered, once and in order.
func FuzzClient(f *testing.F) {
	f.Add(uint8(5), []byte{40, 0, 20, 1, 99, 3, 0, 0})
	f.Add(uint8(0), []byte{})
	f.Add(uint8(30), []byte{200, 2, 200, 3, 7, 1})
	f.Fuzz(func(t *testing.T, n uint8, cuts []byte) {
		if len(cuts) > 100 {
			cuts = cuts[:100]
		}
		server := &flaky{n: int(n), cuts: cuts}
		c := &Client{
			HTTP: &http.Client{Transport: server}, Terminal: OpenAIDone, MaxAttempts: -1,
			Backoff: func(int) time.Duration { return 0 },
		}
		var got, want []string
		for ev, err := range c.Stream(t.Context(), Get("http://fuzz.invalid")) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, ev.Type+" "+ev.ID+" "+string(ev.Data))
		}
		for i := 1; i <= int(n); i++ {
			want = append(want, fmt.Sprintf("e%d %d é%d", i%3, i, i))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %q\nwant %q\nrequests %q", got, want, server.requests)
		}
		if !slices.IsSortedFunc(server.requests, func(a, b string) int { return len(a) - len(b) }) {
			t.Fatalf("the position went back: %q", server.requests)
		}
	})
}

// FuzzRetryAfter checks that no header makes a wait that is negative or breaks.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "0", "120", "-1", "+5", "1.5", "99999999999999999999", "9223372036854775807", "Fri, 31 Dec 1999 23:59:59 GMT", "Fri Dec 31 23:59:59 9999"} {
		f.Add(s)
	}
	now := time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, v string) {
		d := retryAfter(http.Header{"Retry-After": {v}}, now)
		if d < 0 {
			t.Errorf("%q: %v", v, d)
		}
		digits := v != "" && strings.Trim(v, "0123456789") == ""
		if n, err := strconv.Atoi(v); digits && err == nil && n < 1<<30 && d != time.Duration(n)*time.Second {
			t.Errorf("%q: %v", v, d)
		}
		if digits && d == 0 && strings.Trim(v, "0") != "" {
			t.Errorf("%q: no wait", v)
		}
		if _, err := http.ParseTime(v); d > 0 && !digits && err != nil {
			t.Errorf("%q is no wait, but gives %v", v, d)
		}
	})
}

// FuzzTerminal checks that only the event's own marks end or fail a stream, not
// text that a model has written inside it.
func FuzzTerminal(f *testing.F) {
	for _, s := range []string{"", "[DONE]", "message_stop", `{"type":"message_stop"}`, `"type":"response.completed"`, `{"error":{}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		quoted := strconv.QuoteToASCII(text)
		data := fmt.Sprintf(`{"type":"x.delta","delta":%q,"error":null}`, quoted)
		for _, rule := range []Terminal{OpenAIDone, AnthropicMessageStop, ResponsesFinished} {
			ev := Event{Type: DefaultType, Data: []byte(data)}
			if rule.ends(ev) || rule.fails(ev) {
				t.Errorf("%s is ended by %s", rule, data)
			}
		}
	})
}
