package sse_test

import (
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/streamlint/streamlint/stream/sse"
)

// TestTerminal checks what ends a stream under each preset, what fails it, and
// that neither is taken from text inside an event.
func TestTerminal(t *testing.T) {
	const (
		ends  = "ends, delivered"
		marks = "ends, not delivered"
		fails = "fails"
		no    = "goes on"
	)
	tests := []struct {
		rule   sse.Terminal
		stream string
		want   string
	}{
		{sse.OpenAIDone, "data: [DONE]\n\n", marks},
		{sse.OpenAIDone, "data:[DONE] \n\n", marks},
		{sse.OpenAIDone, "data: [DONE]\ndata:\n\n", marks},
		{sse.OpenAIDone, "data: [done]\n\n", no},
		{sse.OpenAIDone, "data: {\"content\":\"[DONE]\"}\n\n", no},
		{sse.OpenAIDone, "data: \"[DONE]\"\n\n", no},
		{sse.OpenAIDone, "data: {\"error\":{\"message\":\"x\"}}\n\n", fails},
		{sse.OpenAIDone, "data: {\"error\":\"x\"}\n\n", fails},
		{sse.OpenAIDone, "event: error\ndata: x\n\n", fails},
		{sse.OpenAIDone, "data: {\"error\":null}\n\n", no},
		{sse.OpenAIDone, "data: {\"error\":\"\"}\n\n", no},
		{sse.OpenAIDone, "data: {\"error\":false}\n\n", no},
		{sse.OpenAIDone, "data: {\"delta\":{\"error\":\"x\"}}\n\n", no},
		{sse.OpenAIDone, "data: \"error\"\n\n", no},
		{sse.AnthropicMessageStop, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", ends},
		{sse.AnthropicMessageStop, "data: {\"type\":\"message_stop\"}\n\n", ends},
		{sse.AnthropicMessageStop, "event: message_stop\n\n", no},
		{sse.AnthropicMessageStop, "event: content_block_stop\ndata: {\"type\":\"content_block_stop\"}\n\n", no},
		{sse.AnthropicMessageStop, "event: content_block_delta\ndata: {\"delta\":{\"type\":\"message_stop\"}}\n\n", no},
		{sse.AnthropicMessageStop, "data: {\"type\":\"message_stop\"\n\n", no},
		{sse.AnthropicMessageStop, "data: [DONE]\n\n", no},
		{sse.AnthropicMessageStop, "event: error\ndata: {\"type\":\"error\"}\n\n", fails},
		{sse.AnthropicMessageStop, "data: {\"type\":\"error\"}\n\n", fails},
		{sse.ResponsesFinished, "event: response.completed\ndata: {}\n\n", ends},
		{sse.ResponsesFinished, "event: response.failed\ndata: {}\n\n", ends},
		{sse.ResponsesFinished, "data: {\"type\":\"response.incomplete\"}\n\n", ends},
		{sse.ResponsesFinished, "event: response.output_text.done\ndata: {}\n\n", no},
		{sse.ResponsesFinished, "data: {\"text\":\"response.completed\"}\n\n", no},
		{sse.ResponsesFinished, "event: error\ndata: {}\n\n", fails},
		{sse.Endless, "data: [DONE]\n\n", no},
	}
	for _, tt := range tests {
		t.Run(tt.rule.String()+"/"+tt.stream, func(t *testing.T) {
			got, err := collect(tt.rule.Events(sse.NewDecoder(strings.NewReader(tt.stream + "data: after\n\n"))))
			var is string
			var failed *sse.EventError
			switch n := len(got); {
			case errors.As(err, &failed) && n == 1 && errors.Is(err, sse.ErrIncomplete):
				is = fails
				if failed.Number != 1 || failed.Offset != int64(len(tt.stream)) || failed.Event.Text() != got[0] {
					t.Errorf("%+v", failed)
				}
			case err == nil && n == 0:
				is = marks
			case err == nil && n == 1 && got[0] != "after":
				is = ends
			case (err == nil) == (tt.rule.String() == "endless") && got[n-1] == "after":
				is = no
			}
			if is != tt.want {
				t.Errorf("%q, %v: %s, want %s", got, err, is, tt.want)
			}
		})
	}
	for range sse.OpenAIDone.Events(sse.NewDecoder(strings.NewReader("data: a\n\ndata: b\n\n"))) {
		break // nothing may be yielded after
	}
}

// TestErrorTexts checks that each error says what and where.
func TestErrorTexts(t *testing.T) {
	cause := errors.New("connection reset")
	secret := &url.Error{Op: "Get", URL: "https://api.example/?key=SECRET", Err: cause}
	tests := []struct {
		err  error
		want string
	}{
		{&sse.TooLongError{Event: 3, Offset: 70, Limit: 8}, "sse: event 3, at byte 70, is longer than 8 bytes"},
		{&sse.TooLongError{Event: 3, Offset: 70, Limit: 8, Comment: true}, "sse: comment at event 3, at byte 70, is longer than 8 bytes"},
		{&sse.UTF8Error{Event: 2, Offset: 9, Field: "data", Index: 4}, "sse: invalid UTF-8 in data of event 2, at byte 4 of the value (event starts at byte 9)"},
		{&sse.ReadError{Event: 2, Offset: 17, Err: cause}, "sse: read failed at byte 17, in or before event 2: connection reset"},
		{&sse.ConnectError{Err: secret}, "sse: no response: connection reset"},
		{&sse.ResponseError{Status: 429, RetryAfter: time.Minute, Excerpt: "slow down"}, "sse: server answered 429 Too Many Requests (retry after 1m0s): slow down"},
		{&sse.ResponseError{Status: 200, ContentType: "text/html"}, `sse: response is "text/html", not text/event-stream`},
		{&sse.ResponseError{Status: 204}, "sse: server has no more for this stream (status 204), and its end did not come"},
		{&sse.IdleError{After: time.Minute}, "sse: no event for 1m0s"},
		{&sse.IdleError{After: time.Minute, Bytes: true}, "sse: not a byte for 1m0s"},
		{&sse.ResumeError{Emitted: 2, Reason: "POST is not idempotent", Err: cause}, "sse: stream broke after 2 events and was not resumed (POST is not idempotent): connection reset"},
		{&sse.RetryError{Attempts: 8, Emitted: 2, Err: cause}, "sse: gave up after 8 attempts in a row (2 events delivered): connection reset"},
		{&sse.ConflictError{ID: "7", Event: 2, Offset: 40}, `sse: event 2 (before byte 40) has the ID "7" of a delivered event and other content`},
		{&sse.ConfigError{Problem: "no"}, "sse: no"},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%T: %q, want %q", tt.err, got, tt.want)
		}
		if u := errors.Unwrap(tt.err); u != nil && !errors.Is(tt.err, cause) {
			t.Errorf("%T hides its cause", tt.err)
		}
		if errors.Is(tt.err, io.EOF) {
			t.Errorf("%T passes for an end", tt.err)
		}
	}
}
