package after

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/streamlint/streamlint/stream/envelope"
	"github.com/streamlint/streamlint/stream/sse"
	"github.com/streamlint/streamlint/stream/streamtest"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/openaichat"
)

var frames = [][]byte{
	[]byte(`{"choices":[{"index":0,"delta":{"content":"Let me check."}}]}`),
	[]byte(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"run_tests","arguments":"{\"path\":"}}]}}]}`),
	[]byte(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_2","function":{"name":"run_tests","arguments":""}}]}}]}`),
	[]byte(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"a\"}"}}]}}]}`),
	[]byte(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\"path\":\"b\"}"}}]}}]}`),
	[]byte(`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`),
}

func stream() []byte {
	var b bytes.Buffer
	for _, f := range frames {
		b.WriteString("data: " + string(f) + "\n\n")
	}
	return append(b.Bytes(), "data: [DONE]\n\n"...)
}

// TestRunCalls: a stream that is cut before its finish reason runs nothing.
func TestRunCalls(t *testing.T) {
	raw := stream()
	finish := bytes.Index(raw, []byte("data: [DONE]"))
	for n := range finish {
		if r, err := RunCalls(t.Context(), bytes.NewReader(raw[:n])); err == nil || r != nil {
			t.Fatalf("cut at %d: %v", n, r)
		}
	}
	streamtest.EverySplit(t, raw, func(p streamtest.Parts) ([]toolcall.Result, error) {
		r, err := RunCalls(t.Context(), p.Reader())
		if len(r) != 2 || r[0].Content != "3 passed in a" || r[1].Content != "3 passed in b" {
			t.Errorf("%+v", r)
		}
		return r, err
	})
}

func TestCollect(t *testing.T) {
	calls, err := Collect(frames)
	if err != nil || len(calls) != 2 || calls[0].Raw() != `{"path":"a"}` || calls[1].Raw() != `{"path":"b"}` {
		t.Fatalf("%v %v", calls, err)
	}
	if path, err := runPath(calls[1]); path != "b" || err != nil {
		t.Errorf("%q %v", path, err)
	}
	if _, err := runPath(toolcall.Call{}); err == nil {
		t.Error("the zero call was taken")
	}
	if calls, err := Collect(frames[:5]); !errors.Is(err, toolcall.Truncated) || calls != nil {
		t.Errorf("%v %v", calls, err)
	}
}

func TestFetchReview(t *testing.T) {
	sealed := envelope.Seal([]byte(`{"verdict":"fail","blocked":["a.go"]}`))
	streamtest.EveryCut(t, sealed, func(cut []byte) error {
		s := streamtest.ServePipe(t, streamtest.Stream(streamtest.Send(cut)))
		defer s.Close()
		r, err := FetchReview(s.Client(), s.URL)
		if err == nil && (r.Verdict != "fail" || len(r.Blocked) != 1) {
			t.Errorf("%+v", r)
		}
		return err
	})
	streamtest.EveryCut(t, sealed, func(cut []byte) error {
		v, err := Verdict(bytes.NewReader(cut))
		if err == nil && v != "fail" {
			t.Errorf("%q", v)
		}
		return err
	})
}

func TestForward(t *testing.T) {
	streamtest.EverySplit(t, []byte("café 😀 done"), func(p streamtest.Parts) (string, error) {
		var out strings.Builder
		err := Forward(p.Reader(), &out)
		var text strings.Builder
		for line := range strings.Lines(out.String()) {
			text.WriteString(strings.TrimSuffix(strings.TrimPrefix(line, `{"text":"`), "\"}\n"))
		}
		if text.String() != "café 😀 done" {
			t.Errorf("%q", out.String())
		}
		return text.String(), err
	})
	if err := Forward(strings.NewReader("caf\xC3"), io.Discard); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
}

func TestAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer func(c *http.Client) { http.DefaultClient = c }(http.DefaultClient)
		s := streamtest.ServePipe(t,
			streamtest.Refuse(503, time.Minute, "starting"),
			streamtest.Stream(streamtest.Send([]byte("data: a\n\ndata: b")), streamtest.Cut()))
		http.DefaultClient = s.Client()
		var got []string
		err := Ask(t.Context(), s.URL, "hello", func(ev sse.Event) { got = append(got, ev.Text()) })
		var broke *sse.ResumeError
		if !errors.As(err, &broke) || len(got) != 1 || got[0] != "a" {
			t.Errorf("%q %v", got, err)
		}
	})
}

func TestAnswer(t *testing.T) {
	raw := []byte("data: half\n\ndata: whole\n\ndata: [DONE]\n\n")
	streamtest.EveryCut(t, raw, func(cut []byte) error {
		text, err := Answer(&http.Response{Body: io.NopCloser(bytes.NewReader(cut))})
		if err == nil && text != "halfwhole" {
			t.Errorf("%q", text)
		}
		return err
	})
}

func TestEvents(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	n := 0
	err := Events(&http.Response{Body: io.NopCloser(iotest.HalfReader(strings.NewReader("data: " + long + "\n\n")))}, func(data []byte) { n += len(data) })
	if n != len(long) || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	err = Events(&http.Response{Body: io.NopCloser(strings.NewReader("data: cut"))}, func([]byte) { t.Error("cut event delivered") })
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
}

// TestRead: five minutes of answer are fine, two minutes of silence are not.
func TestRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		event := []byte("id: 1\ndata: a\n\n")
		var steps []streamtest.Step
		for range 5 {
			steps = append(steps, streamtest.Send([]byte("data: a\n\n")), streamtest.Pause(time.Minute))
		}
		s := streamtest.ServePipe(t,
			streamtest.Stream(append(steps, streamtest.Send([]byte("data: [DONE]\n\n")))...),
			streamtest.Stream(streamtest.Send(event), streamtest.Beat(time.Second, []byte(": ping\n\n"))),
			streamtest.Stream(streamtest.Send([]byte("data: [DONE]\n\n"))))
		defer func(c *http.Client) { patient.HTTP = c }(patient.HTTP)
		patient.HTTP = s.Client()
		n := 0
		if err := Read(t.Context(), s.URL, func(sse.Event) { n++ }); err != nil || n != 5 {
			t.Errorf("%d events, %v", n, err)
		}
		start := time.Now()
		if err := Read(t.Context(), s.URL, func(sse.Event) {}); err != nil {
			t.Errorf("%v", err)
		}
		if silent := time.Since(start); silent < 2*time.Minute || silent > 3*time.Minute {
			t.Errorf("resumed after %v", silent)
		}
	})
}

func TestPreview(t *testing.T) {
	for n := range 90 {
		b, err := Preview(strings.Repeat("a", n) + "é…😀")
		if err != nil || bytes.Contains(b, []byte(`\ufffd`)) || bytes.Contains(b, []byte("\uFFFD")) {
			t.Errorf("%s %v", b, err)
		}
	}
}

func TestDeltas(t *testing.T) {
	var text string
	err := Deltas(bytes.NewReader(stream()), func(s string) { text += s })
	if text != "Let me check." || err != nil {
		t.Errorf("%q %v", text, err)
	}
	if err := Deltas(bytes.NewReader(bytes.TrimSuffix(stream(), []byte("data: [DONE]\n\n"))), func(string) {}); !errors.Is(err, sse.ErrIncomplete) {
		t.Errorf("%v", err)
	}
}

func TestShowCalls(t *testing.T) {
	turn := openTurn(t)
	n := 0
	showCalls(turn, func(name, raw string) {
		n++
		if name != "run_tests" || raw != `{"path":` {
			t.Errorf("%s %s", name, raw)
		}
	})
	if calls, err := turn.End(nil); n != 1 || err == nil || calls != nil {
		t.Errorf("%d previews, %v %v", n, calls, err)
	}
}

func openTurn(t *testing.T) *toolcall.Turn {
	turn := openaichat.New(tools)
	for _, f := range frames[:2] {
		if _, err := turn.Frame("", f); err != nil {
			t.Fatal(err)
		}
	}
	return turn
}
