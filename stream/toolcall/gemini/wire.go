// Package gemini reads Gemini streamGenerateContent responses (the Gemini API
// and Vertex AI) into [toolcall.Turn].
//
// Source: GenerateContentResponse of the Gemini API reference, and "streaming
// function call arguments" of Vertex AI for partialArgs. The terminal marker of
// a candidate is its finishReason. Calls come whole, one functionCall part each,
// most often without an id, or as partialArgs that build the arguments up.
package gemini

import (
	"bytes"
	"errors"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/internal/framing"
)

// New gives a turn for one stream. Feed it the data of each SSE event (with
// alt=sse), or each element of the JSON array that the endpoint gives otherwise.
func New(tools *toolcall.Set, opts ...toolcall.Option) *toolcall.Turn {
	return toolcall.NewTurn(&wire{partial: map[int]*partialCall{}}, tools, opts...)
}

type wire struct {
	in      framing.Reader
	partial map[int]*partialCall // by candidate: the call that is being built up
	held    int                  // bytes of those
	parts   []part
	finish  map[int]string // by candidate: the reason so far
	order   []int          // candidates in order of their first reason
}

// part is one element of a content's parts.
type part struct {
	text    []byte
	thought bool
	call    bool
	id      []byte
	name    []byte
	args    []byte
	pieces  []piece
	more    bool // willContinue
}

func (w *wire) Frame(s *toolcall.Sink, event string, data []byte) {
	data, ok := w.in.Open(s, event, data)
	if !ok {
		return
	}
	c := &w.in.Cursor
	failed := false
	if c.Peek() == '[' { // errors come in an array without alt=sse
		for c.Array(); c.Next(); {
			failed = w.response(s, c) || failed
		}
	} else {
		failed = w.response(s, c)
	}
	w.in.Close(s, data, failed)
}

func (w *wire) response(s *toolcall.Sink, c *strictjson.Cursor) (failed bool) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "candidates":
			if c.Null() {
				break
			}
			for c.Array(); c.Next(); {
				w.candidate(s, c)
			}
		case "promptFeedback":
			w.feedback(s, c)
		case "error":
			failed = strictjson.Says(c.Skip()) || failed
		default:
			c.Skip()
		}
	}
	return failed
}

func (w *wire) feedback(s *toolcall.Sink, c *strictjson.Cursor) {
	if c.Peek() != '{' {
		c.Skip()
		return
	}
	for c.Object(); c.Next(); {
		if string(c.Key()) != "blockReason" {
			c.Skip()
			continue
		}
		if r := string(c.String()); r != "" && r != "BLOCK_REASON_UNSPECIFIED" && c.Err() == nil {
			s.Fail(toolcall.ContentFilter, errors.New("the prompt was blocked: "+r))
		}
	}
}

func (w *wire) candidate(s *toolcall.Sink, c *strictjson.Cursor) {
	w.parts = w.parts[:0]
	index := 0
	var finish []byte
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "index":
			index = c.IntOr(index)
		case "finishReason":
			finish = c.String()
		case "content":
			if !c.Null() {
				w.content(c)
			}
		default:
			c.Skip()
		}
	}
	if c.Err() != nil {
		return
	}
	if string(finish) == "FINISH_REASON_UNSPECIFIED" {
		finish = nil
	}
	s.Touch(index)
	_, finished := w.finish[index]
	for i := range w.parts {
		if w.parts[i].call && finished && len(finish) == 0 {
			s.Fail(toolcall.Late, errors.New("a call after the finishReason"))
		}
		w.apply(s, index, &w.parts[i])
	}
	w.end(s, index, string(finish))
}

// end takes a finishReason. Models up to Gemini 1.5 send STOP with every chunk,
// so a reason that a later chunk can still follow takes effect at the end of the
// stream only. One that cuts the turn does at once.
func (w *wire) end(s *toolcall.Sink, candidate int, reason string) {
	if reason == "" {
		return
	}
	if reason != "STOP" {
		s.Finish(candidate, reason)
	}
	if _, ok := w.finish[candidate]; !ok {
		if w.finish == nil {
			w.finish = map[int]string{}
		}
		w.finish[candidate] = reason
		w.order = append(w.order, candidate)
	}
}

// End implements [toolcall.Ender].
func (w *wire) End(s *toolcall.Sink) {
	for _, candidate := range w.order {
		if p := w.partial[candidate]; p != nil {
			s.Incomplete(candidate, "the arguments of "+string(p.name)+" were to be continued")
		}
		s.Finish(candidate, w.finish[candidate])
	}
}

func (w *wire) apply(s *toolcall.Sink, candidate int, p *part) {
	kind := toolcall.Text
	if p.thought {
		kind = toolcall.Reasoning
	}
	s.Emit(kind, candidate, p.text)
	if !p.call {
		return
	}
	open := w.partial[candidate]
	if open == nil && len(p.pieces) == 0 && !p.more {
		s.Add(toolcall.Delta{
			Choice: candidate, Index: toolcall.NoIndex, ID: string(p.id), Name: string(p.name),
			Args: p.args, New: true,
		})
		return
	}
	if open == nil {
		open = &partialCall{id: p.id, name: p.name}
		w.partial[candidate] = open
	} else if !open.same(p) {
		s.Fail(toolcall.Conflict, errors.New("another call began while the arguments of "+string(open.name)+" were to be continued"))
		return
	}
	others := w.held - open.size
	err := open.add(p, s.Room()-others)
	w.held = others + open.size
	if errors.Is(err, errTooLarge) {
		s.Fail(toolcall.TooLarge, err)
		return
	}
	if err != nil {
		s.BadFrame(err)
		return
	}
	if p.more {
		return
	}
	delete(w.partial, candidate)
	w.held = others
	if open.unfinished() {
		s.Incomplete(candidate, "a value of "+string(open.name)+" was to be continued")
	}
	s.Add(toolcall.Delta{
		Choice: candidate, Index: toolcall.NoIndex, ID: string(open.id), Name: string(open.name),
		Args: open.encode(), New: true,
	})
}

func (w *wire) content(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		if string(c.Key()) != "parts" || c.Null() {
			if c.Err() == nil && string(c.Key()) != "parts" {
				c.Skip()
			}
			continue
		}
		for c.Array(); c.Next(); {
			var p part
			p.read(c)
			w.parts = append(w.parts, p)
		}
	}
}

func (p *part) read(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "text":
			p.text = c.String()
		case "thought":
			p.thought = c.Bool()
		case "functionCall":
			if !c.Null() {
				p.call = true
				p.functionCall(c)
			}
		default:
			c.Skip()
		}
	}
}

func (p *part) functionCall(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "id":
			p.id = bytes.Clone(c.String())
		case "name":
			p.name = bytes.Clone(c.String())
		case "args":
			p.args = c.Text()
		case "willContinue":
			p.more = c.Bool()
		case "partialArgs":
			if c.Null() {
				break
			}
			for c.Array(); c.Next(); {
				var q piece
				q.read(c)
				p.pieces = append(p.pieces, q)
			}
		default:
			c.Skip()
		}
	}
}
