// Package converse reads Amazon Bedrock ConverseStream messages, decoded from
// the AWS event stream encoding, into [toolcall.Turn].
//
// Source: the ConverseStreamOutput union of the Bedrock Runtime API. The
// terminal marker is messageStop with its stopReason; every tool block must have
// been closed by contentBlockStop. Text blocks have no contentBlockStart.
package converse

import (
	"errors"
	"strings"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/internal/framing"
)

// New gives a turn for one ConverseStream call. Feed it either the union as
// JSON ({"contentBlockDelta":{…}}) with an empty event name, or a message's
// payload with its :event-type or :exception-type as the event name.
func New(tools *toolcall.Set, opts ...toolcall.Option) *toolcall.Turn {
	return toolcall.NewTurn(&wire{server: map[int]bool{}}, tools, opts...)
}

type wire struct {
	in     framing.Reader
	server map[int]bool // blocks of tools that the provider runs itself
}

func isException(name string) bool {
	return name == "error" || strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Error")
}

func isMember(name string) bool {
	switch name {
	case "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata":
		return true
	}
	return false
}

func (w *wire) Frame(s *toolcall.Sink, event string, data []byte) {
	if isException(event) {
		event = "error"
	}
	data, ok := w.in.Open(s, event, data)
	if !ok {
		return
	}
	c := &w.in.Cursor
	if isMember(event) && !wrapped(data, event) {
		m := member{name: event, index: toolcall.NoIndex}
		m.read(c)
		if w.in.Close(s, data, false) {
			w.apply(s, &m)
		}
		return
	}
	var members []member
	failed := false
	for c.Object(); c.Next(); {
		name := string(c.Key())
		switch {
		case isException(name):
			failed = strictjson.Says(c.Skip()) || failed
		case isMember(name) && c.Peek() == '{':
			m := member{name: name, index: toolcall.NoIndex}
			m.read(c)
			members = append(members, m)
		default:
			c.Skip()
		}
	}
	if !w.in.Close(s, data, failed) {
		return
	}
	for i := range members {
		w.apply(s, &members[i])
	}
}

// wrapped tells whether a payload with an event name holds the union's member
// once more.
func wrapped(data []byte, event string) bool {
	var c strictjson.Cursor
	c.Lone = true
	c.Reset(data)
	for c.Object(); c.Next(); {
		if string(c.Key()) == event {
			return true
		}
		c.Skip()
	}
	return false
}

// member is one message of the stream.
type member struct {
	name   string
	index  int
	reason []byte

	tool         bool // has toolUse
	id, toolName []byte
	typ          []byte
	input        []byte
	text         []byte
	thinking     []byte
}

func (w *wire) apply(s *toolcall.Sink, m *member) {
	s.Touch(0)
	block := strings.HasPrefix(m.name, "contentBlock")
	if block && m.index == toolcall.NoIndex {
		s.BadFrame(errors.New(m.name + " without contentBlockIndex"))
		return
	}
	switch m.name {
	case "contentBlockStart":
		if s.OutOfRange(m.index) {
			return
		}
		w.server[m.index] = len(m.typ) > 0 && string(m.typ) != "tool_use"
		if m.tool && !w.server[m.index] {
			s.Add(toolcall.Delta{
				Index: m.index, ID: string(m.id), Name: string(m.toolName),
				Args: m.input, Mode: toolcall.Seed, Block: true,
			})
		}
	case "contentBlockDelta":
		s.Emit(toolcall.Reasoning, 0, m.thinking)
		s.Emit(toolcall.Text, 0, m.text)
		if m.tool && !w.server[m.index] {
			s.Add(toolcall.Delta{Index: m.index, Args: m.input, Block: true})
		}
	case "contentBlockStop":
		s.Close(0, m.index)
	case "messageStop":
		if len(m.reason) == 0 {
			s.Fail(toolcall.Truncated, errors.New("messageStop without stopReason"))
			return
		}
		s.Finish(0, string(m.reason))
	case "metadata":
		s.Done() // the last message of a stream
	}
}

func (m *member) read(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "contentBlockIndex":
			m.index = c.IntOr(m.index)
		case "stopReason":
			m.reason = c.String()
		case "start", "delta":
			if c.Peek() == '{' {
				m.content(c)
			} else {
				c.Skip()
			}
		default:
			c.Skip()
		}
	}
}

func (m *member) content(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "text":
			m.text = c.String()
		case "reasoningContent":
			if c.Peek() != '{' {
				c.Skip()
				break
			}
			for c.Object(); c.Next(); {
				if string(c.Key()) == "text" && c.Peek() == '"' {
					m.thinking = c.String()
				} else {
					c.Skip()
				}
			}
		case "toolUse":
			if c.Null() {
				break
			}
			m.tool = true
			m.toolUse(c)
		default:
			c.Skip()
		}
	}
}

func (m *member) toolUse(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "toolUseId":
			m.id = c.String()
		case "name":
			m.toolName = c.String()
		case "type":
			m.typ = c.String()
		case "input":
			m.input = c.Text()
		default:
			c.Skip()
		}
	}
}
