// Package openairesponses reads streams of the OpenAI Responses API into
// [toolcall.Turn].
//
// Source: the streaming events of the Responses API reference. The terminal
// marker is response.completed, response.incomplete or response.failed. The id
// to answer with is the item's call_id, not its id. A function call's final
// arguments come up to four times (as deltas, in arguments.done, in
// output_item.done and in the completed response); they must all be the same.
package openairesponses

import (
	"errors"
	"fmt"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/internal/framing"
)

// New gives a turn for one response stream. Feed it the data and event name of
// each SSE event.
func New(tools *toolcall.Set, opts ...toolcall.Option) *toolcall.Turn {
	return toolcall.NewTurn(&wire{}, tools, opts...)
}

type wire struct {
	in    framing.Reader
	items []*item
}

// item is one function call. Its key is the assembler's index: the wire's
// output_index where that is its own.
type item struct {
	key    int
	index  int    // output_index, or NoIndex
	id     string // item id
	callID string
	name   string
}

// frame is one event's members that matter here.
type frame struct {
	typ       []byte
	index     int
	itemID    []byte
	delta     []byte
	arguments []byte
	hasArgs   bool
	name      []byte
	item      *outItem
	response  *response
	failed    bool
}

// outItem is one element of a response's output.
type outItem struct {
	typ, id, callID, name, status []byte
	arguments                     []byte
	hasArgs                       bool
	refused                       bool
}

type response struct {
	status, reason []byte
	failed         bool
	output         []outItem
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
		case "output_index":
			f.index = c.IntOr(f.index)
		case "item_id":
			f.itemID = c.String()
		case "delta":
			if p := c.Peek(); p == '"' || p == 'n' {
				f.delta = c.String()
			} else {
				f.delta = c.Skip()
			}
		case "arguments", "input":
			f.arguments, f.hasArgs = arguments(c)
		case "name":
			f.name = c.String()
		case "item":
			if c.Peek() == '{' {
				f.item = &outItem{}
				f.item.read(c)
			} else {
				c.Skip()
			}
		case "response":
			if c.Peek() == '{' {
				f.response = &response{}
				f.response.read(c)
			} else {
				c.Skip()
			}
		case "error":
			f.failed = strictjson.Says(c.Skip())
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
	w.apply(s, typ, &f, data)
}

func (w *wire) apply(s *toolcall.Sink, typ string, f *frame, data []byte) {
	switch typ {
	case "response.created", "response.in_progress", "response.queued":
		s.Touch(0)
	case "response.output_item.added":
		s.Touch(0)
		if f.item != nil && f.item.isCall() {
			w.added(s, f)
		}
	case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta":
		if it := w.lookup(s, f.index, string(f.itemID), "", false); it != nil {
			s.Add(toolcall.Delta{Index: it.key, ID: it.callID, Args: f.delta, Block: true})
		}
	case "response.function_call_arguments.done", "response.custom_tool_call_input.done":
		if it := w.lookup(s, f.index, string(f.itemID), "", false); it != nil {
			w.final(s, it, string(f.name), f.arguments, f.hasArgs)
		}
	case "response.output_item.done":
		w.itemDone(s, f)
	case "response.output_text.delta":
		s.Emit(toolcall.Text, 0, f.delta)
	case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
		s.Emit(toolcall.Reasoning, 0, f.delta)
	case "response.refusal.delta":
		s.Refused(0)
		s.Emit(toolcall.Declined, 0, f.delta)
	case "response.refusal.done":
		s.Refused(0)
	case "response.completed", "response.done", "response.incomplete":
		w.end(s, typ, f, data)
	case "response.failed", "response.cancelled", "response.canceled":
		s.Done()
		s.Upstream(data)
	}
}

// lookup finds the item that an event speaks of. The item id decides; without
// one, output_index does as long as only one item has it. An event that opens or
// closes an item (opens) may bring a new one, also under an output_index in use:
// some servers number every item 0. Other events must not.
func (w *wire) lookup(s *toolcall.Sink, index int, itemID, callID string, opens bool) *item {
	var at []*item
	for _, it := range w.items {
		if itemID != "" && it.id == itemID || callID != "" && it.callID == callID {
			if index != toolcall.NoIndex && it.index != toolcall.NoIndex && it.index != index {
				s.Fail(toolcall.Conflict, fmt.Errorf("item %q came under output_index %d and %d", itemID, it.index, index))
				return nil
			}
			if it.id == "" {
				it.id = itemID
			}
			return it
		}
		if index != toolcall.NoIndex && it.index == index {
			at = append(at, it)
		}
	}
	known := itemID != "" || callID != ""
	switch {
	case len(at) == 1 && (itemID == "" || at[0].id == "") && (callID == "" || at[0].callID == ""):
		if itemID != "" {
			at[0].id = itemID
		}
		return at[0]
	case len(at) > 0 && !known:
		s.Fail(toolcall.Ambiguous, fmt.Errorf("an event for output_index %d, which several calls have", index))
		return nil
	case len(at) > 0 && !opens:
		s.Fail(toolcall.Conflict, fmt.Errorf("output_index %d and item %q are not of one call", index, itemID))
		return nil
	case index == toolcall.NoIndex && !known:
		if len(w.items) == 1 {
			return w.items[0]
		}
		s.Fail(toolcall.Ambiguous, errors.New("an event for a call without output_index and item_id"))
		return nil
	}
	it := &item{key: index, index: index, id: itemID}
	if len(at) > 0 || index == toolcall.NoIndex {
		it.key = 0
		for _, o := range w.items {
			it.key = max(it.key, o.key+1)
		}
	}
	w.items = append(w.items, it)
	return it
}

func (w *wire) added(s *toolcall.Sink, f *frame) {
	if it := w.lookup(s, f.index, string(f.item.id), string(f.item.callID), true); it != nil {
		w.identify(s, it, string(f.item.callID), string(f.item.name))
		s.Add(toolcall.Delta{
			Index: it.key, ID: it.callID, Name: it.name,
			Args: f.item.arguments, Mode: toolcall.Seed, Block: true,
		})
	}
}

// identify takes in an item's call id and name, which may come late but never
// change.
func (w *wire) identify(s *toolcall.Sink, it *item, callID, name string) {
	if callID != "" && it.callID != "" && callID != it.callID {
		s.Fail(toolcall.Conflict, fmt.Errorf("item %q has call ids %q and %q", it.id, it.callID, callID))
	}
	if name != "" && it.name != "" && name != it.name {
		s.Fail(toolcall.Conflict, fmt.Errorf("item %q has names %q and %q", it.id, it.name, name))
	}
	if callID != "" {
		it.callID = callID
	}
	if name != "" {
		it.name = name
	}
}

func (w *wire) final(s *toolcall.Sink, it *item, name string, args []byte, hasArgs bool) {
	w.identify(s, it, "", name)
	if hasArgs {
		s.Add(toolcall.Delta{Index: it.key, ID: it.callID, Name: it.name, Args: args, Mode: toolcall.Final, Block: true})
	}
	s.Close(0, it.key)
}

func (w *wire) itemDone(s *toolcall.Sink, f *frame) {
	if f.item == nil {
		return
	}
	s.Touch(0)
	if f.item.refused {
		s.Refused(0)
	}
	if !f.item.isCall() {
		return
	}
	it := w.lookup(s, f.index, string(f.item.id), string(f.item.callID), true)
	if it == nil {
		return
	}
	w.settle(s, it, f.item)
}

// settle takes in what a finished item says.
func (w *wire) settle(s *toolcall.Sink, it *item, o *outItem) {
	w.identify(s, it, string(o.callID), string(o.name))
	if st := string(o.status); st != "" && st != "completed" {
		// Not the final arguments then; the response's end says why.
		s.Add(toolcall.Delta{Index: it.key, ID: it.callID, Name: it.name, Block: true})
		s.Incomplete(0, fmt.Sprintf("the item of call %q has status %q", it.callID, st))
		s.Close(0, it.key)
		return
	}
	s.Add(toolcall.Delta{Index: it.key, ID: it.callID, Name: it.name, Block: true})
	w.final(s, it, "", o.arguments, o.hasArgs)
}

func (w *wire) end(s *toolcall.Sink, typ string, f *frame, data []byte) {
	s.Done()
	r := f.response
	if r == nil {
		r = &response{}
	}
	status := string(r.status)
	if status == "" && typ == "response.incomplete" {
		status = "incomplete"
	}
	switch {
	case r.failed, status == "failed", status == "cancelled", status == "canceled":
		s.Upstream(data)
		return
	case status == "incomplete", typ == "response.incomplete":
		reason := string(r.reason)
		if reason == "" {
			reason = "incomplete"
		}
		s.Finish(0, reason)
		if s.Err() == nil { // a reason that elsewhere means a whole turn
			s.Fail(toolcall.Truncated, fmt.Errorf("the response is incomplete (%s)", reason))
		}
		return
	case status != "" && status != "completed":
		s.Fail(toolcall.Truncated, fmt.Errorf("the response ended with status %q", status))
		return
	}
	seen := map[*item]bool{}
	for i := range r.output {
		o := &r.output[i]
		if o.refused {
			s.Refused(0)
		}
		if !o.isCall() {
			continue
		}
		it := w.inOutput(s, o, i)
		if it == nil {
			return
		}
		seen[it] = true
		w.settle(s, it, o)
	}
	if len(r.output) > 0 {
		for _, it := range w.items {
			if !seen[it] {
				s.Fail(toolcall.Conflict, fmt.Errorf("call %q is not in the completed response", it.callID))
			}
		}
	}
	if status == "" {
		status = "completed"
	}
	s.Finish(0, status)
}

// inOutput finds the call that an element of the final output speaks of: by its
// ids, else by its place, else it is one that had no events of its own.
func (w *wire) inOutput(s *toolcall.Sink, o *outItem, place int) *item {
	id, callID := string(o.id), string(o.callID)
	for _, it := range w.items {
		if id != "" && it.id == id || callID != "" && it.callID == callID {
			return it
		}
	}
	if id == "" && callID == "" {
		return w.lookup(s, place, "", "", true)
	}
	return w.lookup(s, place, id, callID, true)
}

func arguments(c *strictjson.Cursor) (b []byte, has bool) {
	has = c.Peek() != 'n'
	return c.Text(), has
}

// isCall tells whether the client has to run the item.
func (o *outItem) isCall() bool {
	t := string(o.typ)
	return t == "function_call" || t == "custom_tool_call"
}

func (o *outItem) read(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "type":
			o.typ = c.String()
		case "id":
			o.id = c.String()
		case "call_id":
			o.callID = c.String()
		case "name":
			o.name = stringOrSkip(c)
		case "status":
			o.status = stringOrSkip(c)
		case "arguments", "input":
			o.arguments, o.hasArgs = arguments(c)
		case "content":
			if c.Peek() != '[' {
				c.Skip()
				break
			}
			for c.Array(); c.Next(); {
				o.refused = refusal(c) || o.refused
			}
		default:
			c.Skip()
		}
	}
}

// stringOrSkip reads a member that other item types may use otherwise.
func stringOrSkip(c *strictjson.Cursor) []byte {
	if c.Peek() == '"' {
		return c.String()
	}
	c.Skip()
	return nil
}

func refusal(c *strictjson.Cursor) (is bool) {
	if c.Peek() != '{' {
		c.Skip()
		return false
	}
	for c.Object(); c.Next(); {
		if string(c.Key()) == "type" {
			is = string(stringOrSkip(c)) == "refusal"
			continue
		}
		c.Skip()
	}
	return is
}

func (r *response) read(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "status":
			r.status = c.String()
		case "error":
			r.failed = strictjson.Says(c.Skip())
		case "incomplete_details":
			if c.Peek() != '{' {
				c.Skip()
				break
			}
			for c.Object(); c.Next(); {
				if string(c.Key()) == "reason" {
					r.reason = c.String()
				} else {
					c.Skip()
				}
			}
		case "output":
			if c.Null() {
				break
			}
			for c.Array(); c.Next(); {
				var o outItem
				o.read(c)
				r.output = append(r.output, o)
			}
		default:
			c.Skip()
		}
	}
}
