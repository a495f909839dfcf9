package sse

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
)

// Terminal is the rule that says which event ends a stream. That a connection
// was closed says nothing: it looks the same when half is missing. The zero
// Terminal is no rule and is refused.
type Terminal struct {
	name    string
	match   func(Event) bool
	fail    func(Event) bool
	marker  bool // the event carries nothing and is not delivered
	endless bool
}

var (
	// OpenAIDone is the rule of OpenAI-like chat completion streams: an event
	// whose data is [DONE], blanks around it aside. That event has nothing for
	// a JSON decoder and is not delivered. An event whose JSON has a top-level
	// "error" fails the stream.
	OpenAIDone = UntilMarker("data: [DONE]", func(ev Event) bool {
		return string(bytes.TrimSpace(ev.Data)) == "[DONE]"
	}).OrFail(func(ev Event) bool {
		return ev.Type == "error" || hasError(ev.Data)
	})

	// AnthropicMessageStop is the rule of the Anthropic Messages API: an event
	// of type message_stop, which is delivered. An error event fails the
	// stream.
	AnthropicMessageStop = Until("message_stop", func(ev Event) bool {
		return isKind(ev, "message_stop")
	}).OrFail(func(ev Event) bool { return isKind(ev, "error") })

	// ResponsesFinished is the rule of the OpenAI Responses API: an event of
	// type response.completed, response.failed or response.incomplete, which
	// is delivered; the last two are ends too, of another kind, and for the
	// caller to tell apart. An error event fails the stream.
	ResponsesFinished = Until("response.completed, response.failed or response.incomplete", func(ev Event) bool {
		switch name, _ := kind(ev); name {
		case "response.completed", "response.failed", "response.incomplete":
			return true
		}
		return false
	}).OrFail(func(ev Event) bool { return isKind(ev, "error") })

	// Endless says that no event ends the stream: a feed. The end of a
	// connection is a reason to connect again, and only the caller, an error
	// or status 204 ends it.
	Endless = Terminal{name: "endless", endless: true}
)

// Until returns the rule that a stream ends with the first event that f
// accepts, which is delivered. The name says in errors what was waited for.
func Until(name string, f func(Event) bool) Terminal { return Terminal{name: name, match: f} }

// UntilMarker is like [Until] for an event that only marks the end: it is not
// delivered.
func UntilMarker(name string, f func(Event) bool) Terminal {
	return Terminal{name: name, match: f, marker: true}
}

// OrFail returns the rule extended by events with which the server says that
// it has failed, inside a stream that began well. Such an event is delivered
// and the stream then ends with an [*EventError].
func (t Terminal) OrFail(f func(Event) bool) Terminal {
	t.fail = f
	return t
}

// String returns the name of the rule.
func (t Terminal) String() string { return t.name }

func (t Terminal) valid() bool { return t.match != nil || t.endless }

func (t Terminal) ends(ev Event) bool  { return t.match != nil && t.match(ev) }
func (t Terminal) fails(ev Event) bool { return t.fail != nil && t.fail(ev) }

// Events reads d up to the event that ends the stream by the rule, for a body
// that somebody else has opened. Every event owns its data. The last element is
// an error if the stream ended without that event ([*IncompleteError]), if the
// server reported a failure in it ([*EventError]), or if d failed. What follows
// the terminal event is not read.
func (t Terminal) Events(d *Decoder) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if !t.valid() {
			yield(Event{}, &ConfigError{"the terminal rule is missing; say Endless if no event ends the stream"})
			return
		}
		for {
			ev, err := d.Next()
			if err == io.EOF && t.endless {
				return
			}
			if err == io.EOF {
				err = t.incomplete(d)
			}
			if err != nil {
				yield(Event{}, err)
				return
			}
			over, failed := t.ends(ev), t.fails(ev)
			if over && t.marker {
				return
			}
			ev.Data = append(make([]byte, 0, len(ev.Data)), ev.Data...)
			if !yield(ev, nil) || over {
				return
			}
			if failed {
				yield(Event{}, &EventError{Event: ev, Number: d.Count(), Offset: d.InputOffset()})
				return
			}
		}
	}
}

func (t Terminal) incomplete(d *Decoder) *IncompleteError {
	return &IncompleteError{Event: d.count + 1, Offset: d.total, End: d.total, Want: t.name}
}

// kind is the type of an event of an API that names it both in the event field
// and in the JSON. Gateways are known to drop the event field. ok is false for data
// that is no event of these APIs.
func kind(ev Event) (name string, ok bool) {
	if ev.Type != DefaultType {
		return ev.Type, true
	}
	if !bytes.Contains(ev.Data, []byte(`"type"`)) {
		return "", false
	}
	var v struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(ev.Data, &v) != nil {
		return "", false // so it ends nothing
	}
	return v.Type, true
}

func isKind(ev Event, want string) bool {
	name, ok := kind(ev)
	return ok && name == want
}

// hasError reports whether data is a JSON object with an "error" that says
// something: some servers send null, false or "" with every chunk.
func hasError(data []byte) bool {
	if !bytes.Contains(data, []byte(`"error"`)) {
		return false
	}
	var v struct {
		Error json.RawMessage `json:"error"`
	}
	return json.Unmarshal(data, &v) == nil && strictjson.Says(v.Error)
}
