// Package openaichat reads OpenAI chat completion streams, and those of the many
// servers that imitate them, into [toolcall.Turn].
//
// Source: the "chat.completion.chunk" object of the OpenAI API reference. The
// terminal marker of a choice is its finish_reason; [DONE] ends the transport
// only. What real servers do otherwise, and what becomes of it, is in the tests:
// index missing, null, -1 or 0 for every call; id missing, late, repeated or
// empty; name repeated or cut in two; arguments null, missing or an object; all
// in one chunk; finish_reason empty or twice; error objects inside the stream;
// the legacy function_call.
package openaichat

import (
	"bytes"
	"errors"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/internal/framing"
)

// New gives a turn for one chat completion stream. Feed it the data and event
// name of each SSE event, [DONE] included.
func New(tools *toolcall.Set, opts ...toolcall.Option) *toolcall.Turn {
	return toolcall.NewTurn(&wire{}, tools, opts...)
}

type wire struct {
	in      framing.Reader
	entries []entry
	texts   []text
	forms   map[int]form // by choice
}

// form is which of the two ways to send calls a choice uses.
type form uint8

const (
	toolCalls form = 1 << iota
	functionCall
)

type entry struct {
	d        toolcall.Delta
	form     form
	isObject bool
}

type text struct {
	kind toolcall.EventKind
	b    []byte
}

var (
	isError = []byte(`"error"`)
	errBoth = errors.New("calls came both as tool_calls and as function_call")
)

func (w *wire) Frame(s *toolcall.Sink, event string, data []byte) {
	data, ok := w.in.Open(s, event, data)
	if !ok {
		return
	}
	c := &w.in.Cursor
	failed, object := false, false
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "choices":
			if !c.Null() {
				for c.Array(); c.Next(); {
					w.choice(s, c)
				}
			}
		case "error":
			failed = strictjson.Says(c.Skip()) || failed
		case "object", "type":
			object = bytes.Equal(c.Skip(), isError) || object
		default:
			c.Skip()
		}
	}
	w.in.Close(s, data, failed || object)
}

// choice reads one element of choices. Members come in any order, so news about
// calls waits until the index is known.
func (w *wire) choice(s *toolcall.Sink, c *strictjson.Cursor) {
	w.entries, w.texts = w.entries[:0], w.texts[:0]
	index := 0
	var finish []byte
	var failure []byte
	refused, hadDelta := false, false
	var message strictjson.Cursor
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "index":
			index = c.IntOr(index)
		case "finish_reason":
			finish = c.String()
		case "delta":
			if !c.Null() {
				hadDelta = true
				refused = w.delta(c) || refused
			}
		case "error":
			if raw := c.Skip(); strictjson.Says(raw) {
				failure = raw
			}
		case "message":
			// Some gateways end with a whole message in place of a delta.
			raw := c.Skip()
			if strictjson.Says(raw) {
				message.Lone = true
				message.Reset(raw)
			}
		default:
			c.Skip()
		}
	}
	if c.Err() != nil {
		return
	}
	if !hadDelta && message.Peek() == '{' {
		refused = w.delta(&message) || refused
		if message.Err() != nil {
			c.Fail("in message: " + message.Err().Error())
			return
		}
	}
	s.Touch(index)
	for _, t := range w.texts {
		s.Emit(t.kind, index, t.b)
	}
	for i, e := range w.entries {
		e.d.Choice = index
		unkeyed := e.d.Index == toolcall.NoIndex && e.d.ID == "" && e.d.Name != ""
		// The elements of one array are calls of their own, and an object is a
		// call's arguments whole.
		e.d.New = unkeyed && (i > 0 || e.isObject)
		s.Add(e.d)
		if w.forms == nil {
			w.forms = map[int]form{}
		}
		w.forms[index] |= e.form
	}
	if w.forms[index] == toolCalls|functionCall {
		// Some proxies send one call in both forms; run once or twice?
		s.Fail(toolcall.Conflict, errBoth)
	}
	if failure != nil {
		s.Upstream(failure)
	}
	if refused {
		s.Refused(index)
	}
	if len(finish) > 0 {
		s.Finish(index, string(finish))
	}
}

// delta reads the news of one choice and tells whether the model refused.
func (w *wire) delta(c *strictjson.Cursor) (refused bool) {
	thought := false
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "content":
			if c.Peek() == '[' {
				for c.Array(); c.Next(); {
					refused = w.part(c) || refused
				}
				break
			}
			w.text(toolcall.Text, c.String())
		case "reasoning_content", "reasoning":
			if p := c.Peek(); p != '"' || thought {
				c.Skip() // some servers send both, with one text
				break
			}
			b := c.String()
			thought = len(b) > 0
			w.text(toolcall.Reasoning, b)
		case "refusal":
			b := c.String()
			refused = len(b) > 0 || refused
			w.text(toolcall.Declined, b)
		case "tool_calls":
			if !c.Null() {
				for c.Array(); c.Next(); {
					w.call(c)
				}
			}
		case "function_call":
			if !c.Null() {
				e := entry{d: toolcall.Delta{Index: toolcall.NoIndex}, form: functionCall}
				e.function(c)
				w.entries = append(w.entries, e)
			}
		default:
			c.Skip()
		}
	}
	return refused
}

// part reads one element of content given as a list.
func (w *wire) part(c *strictjson.Cursor) (refused bool) {
	if c.Peek() != '{' {
		c.Skip()
		return false
	}
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "text":
			if c.Peek() != '"' {
				c.Skip()
				break
			}
			w.text(toolcall.Text, c.String())
		case "refusal":
			b := c.String()
			refused = len(b) > 0
			w.text(toolcall.Declined, b)
		default:
			c.Skip()
		}
	}
	return refused
}

func (w *wire) text(kind toolcall.EventKind, b []byte) {
	if len(b) > 0 {
		w.texts = append(w.texts, text{kind, b})
	}
}

// call reads one element of tool_calls.
func (w *wire) call(c *strictjson.Cursor) {
	e := entry{d: toolcall.Delta{Index: toolcall.NoIndex}, form: toolCalls}
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "index":
			e.d.Index = c.IntOr(e.d.Index)
		case "id":
			e.d.ID = string(c.String())
		case "function", "custom":
			if !c.Null() {
				e.function(c)
			}
		default:
			c.Skip()
		}
	}
	w.entries = append(w.entries, e)
}

// function reads the object with name and arguments. A custom tool's free text
// comes as input; it is checked like arguments, so only JSON objects pass.
func (e *entry) function(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "name":
			e.d.Name = string(c.String())
		case "arguments", "input":
			e.isObject = c.Peek() == '{'
			e.d.Args = c.Text()
		default:
			c.Skip()
		}
	}
}
