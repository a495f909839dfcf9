package sse_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/streamlint/streamlint/stream/sse"
	"github.com/streamlint/streamlint/stream/streamtest"
)

// exampleServer is a fault server outside a test.
func exampleServer(replies ...streamtest.Reply) *streamtest.Server {
	return streamtest.Serve(exampleTB{}, replies...)
}

type exampleTB struct{ testing.TB }

func (exampleTB) Helper()                           {}
func (exampleTB) Cleanup(func())                    {}
func (exampleTB) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func ExampleDecoder_Next() {
	body := strings.NewReader("event: add\ndata: 73857293\n\n: keep-alive\n\nid: 7\ndata: two\ndata: lines\n\ndata: cut")
	d := sse.NewDecoder(body)
	for {
		ev, err := d.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Printf("%s %q %q\n", ev.Type, ev.Data, ev.ID)
	}
	// Output:
	// add "73857293" ""
	// message "two\nlines" "7"
	// sse: stream ended at byte 79 inside event 3, which starts at byte 70
}

func ExampleDecoder_Events() {
	for ev, err := range sse.NewDecoder(strings.NewReader("data: a\n\ndata: b\n\n")).Events() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(ev.Text())
	}
	// Output:
	// a
	// b
}

// A dropped connection is resumed behind the last event, a repeated event is
// dropped, and the loop ends without an error only because [DONE] came.
func ExampleClient_Stream() {
	s := exampleServer(
		streamtest.Stream(streamtest.Send([]byte("retry: 1\n\nid: 1\ndata: {\"delta\":\"café \"}\n\nid: 2\ndata: {\"del")), streamtest.Cut()),
		streamtest.Stream(streamtest.Send([]byte("id: 1\ndata: {\"delta\":\"café \"}\n\nid: 2\ndata: {\"delta\":\"done\"}\n\ndata: [DONE]\n\n"))),
	)
	defer s.Close()

	c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone, EventIdle: time.Minute}
	for ev, err := range c.Stream(context.Background(), sse.Get(s.URL)) {
		if err != nil {
			fmt.Println("not complete:", err)
			return
		}
		var v struct{ Delta string }
		if err := json.Unmarshal(ev.Data, &v); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(v.Delta)
	}
	fmt.Println()
	// Output:
	// café done
}

// A POST is not sent again once a part of its answer was used.
func ExampleClient_Stream_post() {
	s := exampleServer(streamtest.Stream(streamtest.Send([]byte("data: {\"delta\":\"Once upon\"}\n\n")), streamtest.Cut()))
	defer s.Close()

	c := &sse.Client{HTTP: s.Client(), Terminal: sse.OpenAIDone}
	request := sse.Post(s.URL, "application/json", []byte(`{"prompt":"a story","stream":true}`))
	for ev, err := range c.Stream(context.Background(), request) {
		var broke *sse.ResumeError
		switch {
		case errors.As(err, &broke):
			fmt.Println("events so far:", broke.Emitted)
			fmt.Println("incomplete:", errors.Is(err, sse.ErrIncomplete))
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Println(ev.Text())
		}
	}
	// Output:
	// {"delta":"Once upon"}
	// events so far: 1
	// incomplete: true
}

// A protocol that continues a POST with a GET behind a sequence number.
func ExampleResumeWith() {
	s := exampleServer(
		streamtest.Stream(streamtest.Send([]byte("retry: 1\nevent: response.created\ndata: {\"sequence_number\":0}\n\n")), streamtest.Cut()),
		streamtest.Stream(streamtest.Send([]byte("event: response.completed\ndata: {\"sequence_number\":1}\n\n"))),
	)
	defer s.Close()

	c := &sse.Client{HTTP: s.Client(), Terminal: sse.ResponsesFinished}
	c.Resume = sse.ResumeWith(func(ctx context.Context, at sse.Position) (*http.Request, error) {
		var v struct {
			Sequence int `json:"sequence_number"`
		}
		if err := json.Unmarshal(at.Last.Data, &v); err != nil {
			return nil, err
		}
		return sse.Get(fmt.Sprintf("%s/responses/r1?starting_after=%d", s.URL, v.Sequence))(ctx)
	})
	for ev, err := range c.Stream(context.Background(), sse.Post(s.URL+"/responses", "application/json", nil)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(ev.Type)
	}
	for _, r := range s.Requests() {
		fmt.Println(r.Method, r.Path)
	}
	// Output:
	// response.created
	// response.completed
	// POST /responses
	// GET /responses/r1?starting_after=0
}

// The terminal rule for a body that something else has opened.
func ExampleTerminal_Events() {
	body := strings.NewReader("event: message_start\ndata: {}\n\n") // and no message_stop
	for ev, err := range sse.AnthropicMessageStop.Events(sse.NewDecoder(body)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(ev.Type)
	}
	// Output:
	// message_start
	// sse: stream ended at byte 31, before event 2, without message_stop
}

func ExampleUntil() {
	rule := sse.Until("a status event", func(ev sse.Event) bool { return ev.Type == "status" })
	d := sse.NewDecoder(strings.NewReader("data: 1\n\nevent: status\ndata: ok\n\ndata: never read\n\n"))
	for ev, err := range rule.Events(d) {
		fmt.Println(ev.Type, ev.Text(), err)
	}
	// Output:
	// message 1 <nil>
	// status ok <nil>
}

func ExampleEvent_AppendTo() {
	ev := sse.Event{Type: "progress", Data: []byte("half\nway"), ID: "12", HasID: true}
	wire, err := ev.AppendTo(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(wire)
	// Output:
	// id: 12
	// event: progress
	// data: half
	// data: way
}
