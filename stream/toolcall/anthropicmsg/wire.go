// Package anthropicmsg reads Anthropic Messages streams, and those of
// compatible servers, into [toolcall.Turn].
//
// Source: the streaming events of the Messages API (message_start,
// content_block_start, content_block_delta, content_block_stop, message_delta,
// message_stop, ping, error). The terminal marker is message_stop after a
// message_delta with a stop_reason; every tool block must have been closed.
// Blocks that the server runs itself (server_tool_use, mcp_tool_use) are no calls.
package anthropicmsg

import (
	"errors"
	"fmt"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/internal/framing"
)

// New gives a turn for one message stream. Feed it the data and event name of
// each SSE event.
func New(tools *toolcall.Set, opts ...toolcall.Option) *toolcall.Turn {
	return toolcall.NewTurn(&wire{blocks: map[int]string{}}, tools, opts...)
}

type wire struct {
	in     framing.Reader
	blocks map[int]string // the type of each block that was started
	reason string
}

// frame is one event's members that matter here.
type frame struct {
	typ     []byte
	index   int
	failed  bool
	block   block
	delta   delta
	started bool // has content_block
}

type block struct {
	typ, id, name []byte
	input         []byte
	text          []byte
}

type delta struct {
	typ      []byte
	partial  []byte
	text     []byte
	thinking []byte
	reason   []byte
}

func (w *wire) Frame(s *toolcall.Sink, event string, data []byte) {
	data, ok := w.in.Open(s, event, data)
	if !ok {
		return
	}
	c := &w.in.Cursor
	f := frame{index: toolcall.NoIndex}
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "type":
			f.typ = c.String()
		case "index":
			f.index = c.IntOr(f.index)
		case "error":
			f.failed = strictjson.Says(c.Skip())
		case "content_block":
			if !c.Null() {
				f.started = true
				f.block.read(c)
			}
		case "delta":
			if !c.Null() {
				f.delta.read(c)
			}
		default:
			c.Skip()
		}
	}
	typ := string(f.typ)
	if typ == "" {
		typ = event
	}
	if !w.in.Close(s, data, f.failed || typ == "error") {
		return
	}
	w.apply(s, typ, &f)
}

func (w *wire) apply(s *toolcall.Sink, typ string, f *frame) {
	switch typ {
	case "message_start":
		s.Touch(0)
	case "content_block_start", "content_block_delta", "content_block_stop":
		s.Touch(0)
		if f.index == toolcall.NoIndex {
			s.BadFrame(errors.New(typ + " without index"))
			return
		}
		switch typ {
		case "content_block_start":
			w.start(s, f)
		case "content_block_delta":
			w.delta(s, f)
		default:
			s.Close(0, f.index)
		}
	case "message_delta":
		// A later reason can only make things worse; that is the assembler's to
		// judge, and only once message_stop makes the first one count.
		if r := string(f.delta.reason); r != "" {
			if w.reason != "" && r != w.reason {
				s.Finish(0, w.reason)
				s.Finish(0, r)
			}
			w.reason = r
		}
	case "message_stop":
		s.Done()
		if w.reason == "" {
			s.Fail(toolcall.Truncated, errors.New("message_stop without a stop_reason"))
			return
		}
		s.Finish(0, w.reason)
	}
}

func (w *wire) start(s *toolcall.Sink, f *frame) {
	if !f.started {
		s.BadFrame(errors.New("content_block_start without content_block"))
		return
	}
	if s.OutOfRange(f.index) {
		return
	}
	w.blocks[f.index] = string(f.block.typ)
	if len(f.block.text) > 0 {
		s.Emit(toolcall.Text, 0, f.block.text)
	}
	if string(f.block.typ) != "tool_use" {
		return
	}
	d := toolcall.Delta{
		Index: f.index, ID: string(f.block.id), Name: string(f.block.name),
		Mode: toolcall.Seed, Block: true,
	}
	// The API opens a block with the placeholder {}; compatible servers put the
	// whole input there.
	if string(f.block.input) != "{}" {
		d.Args = f.block.input
	}
	s.Add(d)
}

func (w *wire) delta(s *toolcall.Sink, f *frame) {
	switch string(f.delta.typ) {
	case "text_delta":
		s.Emit(toolcall.Text, 0, f.delta.text)
	case "thinking_delta":
		s.Emit(toolcall.Reasoning, 0, f.delta.thinking)
	case "input_json_delta":
		switch typ, known := w.blocks[f.index]; {
		case typ == "tool_use", !known:
			s.Add(toolcall.Delta{Index: f.index, Args: f.delta.partial, Block: true})
		case typ == "text", typ == "thinking":
			s.Fail(toolcall.Conflict, fmt.Errorf("tool input for block %d of type %q", f.index, typ))
		}
	}
}

func (b *block) read(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "type":
			b.typ = c.String()
		case "id":
			b.id = c.String()
		case "name":
			b.name = c.String()
		case "input":
			b.input = c.Text()
		case "text":
			b.text = c.String()
		default:
			c.Skip()
		}
	}
}

func (d *delta) read(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "type":
			d.typ = c.String()
		case "partial_json":
			d.partial = c.Text()
		case "text":
			d.text = c.String()
		case "thinking":
			d.thinking = c.String()
		case "stop_reason":
			d.reason = c.String()
		default:
			c.Skip()
		}
	}
}
