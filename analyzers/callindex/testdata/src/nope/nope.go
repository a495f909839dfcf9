// Package nope joins the fragments of tool calls as it should, or handles whole ones.
package nope

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

type call struct {
	ID   string
	Name string
	Args strings.Builder
}

// By the index.
func byIndex(d openai.ChatCompletionStreamChoiceDelta, calls map[int]*call) {
	for _, tc := range d.ToolCalls {
		if tc.Index == nil {
			continue
		}
		c := calls[*tc.Index]
		if c == nil {
			c = &call{}
			calls[*tc.Index] = c
		}
		if tc.ID != "" {
			c.ID = tc.ID
		}
		c.Args.WriteString(tc.Function.Arguments)
	}
}

func inSlice(d openai.ChatCompletionStreamChoiceDelta, calls []openai.ToolCall) []openai.ToolCall {
	for j := range d.ToolCalls {
		delta := &d.ToolCalls[j]
		at := max(*delta.Index, 0)
		for len(calls) <= at {
			calls = append(calls, openai.ToolCall{})
		}
		c := &calls[at]
		c.Function.Name += delta.Function.Name
		c.Function.Arguments += delta.Function.Arguments
	}
	return calls
}

// The position stands in where a provider sends no index.
func withFallback(d openai.ChatCompletionStreamChoiceDelta, calls []openai.ToolCall) []openai.ToolCall {
	for i, tc := range d.ToolCalls {
		idx := i
		if tc.Index != nil {
			idx = *tc.Index
		}
		for len(calls) <= idx {
			calls = append(calls, openai.ToolCall{})
		}
		calls[idx].Function.Arguments += tc.Function.Arguments
	}
	return calls
}

// A change of the index opens the next call.
func whenIndexChanges(d openai.ChatCompletionStreamChoiceDelta, calls []openai.ToolCall) []openai.ToolCall {
	for _, tc := range d.ToolCalls {
		if len(calls) == 0 || *calls[len(calls)-1].Index != *tc.Index {
			calls = append(calls, openai.ToolCall{Index: tc.Index})
		}
		calls[len(calls)-1].Function.Arguments += tc.Function.Arguments
	}
	return calls
}

// Whole messages.
func whole(r openai.ChatCompletionResponse) (string, error) {
	m := r.Choices[0].Message
	if len(m.ToolCalls) == 0 {
		return "", errors.New("no call")
	}
	return m.ToolCalls[0].Function.Arguments, nil
}

// Exactly one call.
func one(d openai.ChatCompletionStreamChoiceDelta) (string, error) {
	if len(d.ToolCalls) != 1 {
		return "", errors.New("want one call")
	}
	return d.ToolCalls[0].Function.Arguments, nil
}

// Only the id and the index are read.
func starts(d openai.ChatCompletionStreamChoiceDelta) bool {
	return len(d.ToolCalls) > 0 && d.ToolCalls[0].ID != "" && d.ToolCalls[0].Function.Name != ""
}

// The list is gone through as well.
func legacy(d openai.ChatCompletionStreamChoiceDelta, show func(string)) {
	if len(d.ToolCalls) > 0 {
		show(d.ToolCalls[0].Function.Arguments)
		for _, tc := range d.ToolCalls {
			show(fmt.Sprint(*tc.Index, tc.Function.Arguments))
		}
	}
}

// All that comes is counted together.
func count(stream *openai.ChatCompletionStream) int {
	var text strings.Builder
	for {
		r, err := stream.Recv()
		if err != nil {
			return len(strings.Fields(text.String()))
		}
		d := r.Choices[0].Delta
		text.WriteString(d.Content)
		for _, tc := range d.ToolCalls {
			text.WriteString(tc.Function.Name)
			text.WriteString(tc.Function.Arguments)
		}
	}
}

// A protocol that names the item of each fragment.
type argumentsDelta struct {
	Type        string `json:"type"`
	ItemID      string `json:"item_id"`
	OutputIndex int    `json:"output_index"`
	Delta       string `json:"delta"`
}

func byItem(e argumentsDelta, calls map[string]*call) {
	c := calls[e.ItemID]
	if c == nil {
		c = &call{}
		calls[e.ItemID] = c
	}
	c.Args.WriteString(e.Delta)
}

// Blocks that come one after the other.
type blockDelta struct {
	Index int `json:"index"`
	Delta struct {
		PartialJSON string `json:"partial_json"`
	} `json:"delta"`
}

func inOrder(e blockDelta, blocks []*call) {
	blocks[len(blocks)-1].Args.WriteString(e.Delta.PartialJSON)
}

// Named calls of a whole message.
func named(m openai.ChatCompletionMessage, run func(string, map[string]any)) error {
	for _, tc := range m.ToolCalls {
		if tc.Function.Name == "" {
			continue
		}
		var args map[string]any
		if err := json.Unmarshal([]byte(tc.Function.Arguments), &args); err != nil {
			return err
		}
		run(tc.Function.Name, args)
	}
	return nil
}

// A delta that keeps the index.
type toolCall struct {
	Index    int `json:"index"`
	Function struct {
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type function = struct {
	Arguments string `json:"arguments"`
}

func convert(e blockDelta) []toolCall {
	return []toolCall{{Index: e.Index, Function: function{Arguments: e.Delta.PartialJSON}}}
}

func wholeCalls(args string) []toolCall {
	return []toolCall{{Function: function{Arguments: args}}}
}

// A call that was put together before is sent whole.
type kept struct {
	id   string
	args string
}

func (k *kept) add(d openai.ChatCompletionStreamChoiceDelta) {
	for _, tc := range d.ToolCalls {
		if *tc.Index == 0 {
			if tc.ID != "" {
				k.id, k.args = tc.ID, tc.Function.Arguments
				continue
			}
			k.args += tc.Function.Arguments
		}
	}
}

func (k *kept) send() []openai.ToolCall {
	return []openai.ToolCall{{ID: k.id, Function: openai.FunctionCall{Arguments: k.args}}}
}

// A message and a delta share their type: what a delta is made with elsewhere says
// nothing of a whole message.
type message struct {
	ToolCalls []openai.ToolCall `json:"tool_calls"`
}

func toDelta(e blockDelta) message {
	return message{ToolCalls: []openai.ToolCall{{Index: &e.Index, Function: openai.FunctionCall{Arguments: e.Delta.PartialJSON}}}}
}

func toRequest(m message) (params map[string]any, err error) {
	err = json.Unmarshal([]byte(m.ToolCalls[0].Function.Arguments), &params)
	return params, err
}

type stored struct {
	ID, Arguments string
}

func store(d openai.ChatCompletionStreamChoiceDelta) []stored {
	var out []stored
	for _, tc := range d.ToolCalls {
		out = append(out, stored{tc.ID, tc.Function.Arguments})
	}
	return out
}

func send(list []stored) []openai.ToolCall {
	var out []openai.ToolCall
	for _, s := range list {
		out = append(out, openai.ToolCall{ID: s.ID, Function: openai.FunctionCall{Arguments: s.Arguments}})
	}
	return out
}

// Without an index it is call 0.
func orZero(calls map[int]*openai.ToolCall, frags []openai.ToolCall) {
	for _, f := range frags {
		i := 0
		if f.Index != nil {
			i = *f.Index
		}
		if calls[i] == nil {
			calls[i] = &openai.ToolCall{}
		}
		calls[i].ID += f.ID
		calls[i].Function.Arguments += f.Function.Arguments
	}
}

func orZeroAll(c openai.ChatCompletionStreamChoice, calls map[int]*openai.ToolCall) {
	orZero(calls, c.Delta.ToolCalls)
}

func orZeroSlice(d openai.ChatCompletionStreamChoiceDelta, calls []openai.ToolCall) []openai.ToolCall {
	for _, tc := range d.ToolCalls {
		idx := 0
		if tc.Index != nil {
			idx = *tc.Index
		}
		for len(calls) <= idx {
			calls = append(calls, openai.ToolCall{})
		}
		calls[idx].Function.Arguments += tc.Function.Arguments
	}
	return calls
}

// Deltas go out in the type that requests come in with: the calls of a request are
// whole, whatever is stored in those fields elsewhere.
type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type wireCall struct {
	ID       string       `json:"id"`
	Function wireFunction `json:"function"`
}

type wireMessage struct {
	ToolCalls []wireCall `json:"tool_calls"`
}

type reply struct {
	ToolCalls []openai.ToolCall `json:"tool_calls"`
}

type choice struct {
	Delta   reply `json:"delta"`
	Message reply `json:"message"`
}

func relay(line []byte, send func(wireMessage)) error {
	var c choice
	if err := json.Unmarshal(line, &c); err != nil {
		return err
	}
	send(outgoing(c.Delta))
	return nil
}

func outgoing(d reply) (m wireMessage) {
	for _, tc := range d.ToolCalls {
		m.ToolCalls = append(m.ToolCalls, wireCall{ID: tc.ID, Function: wireFunction{Name: tc.Function.Name, Arguments: tc.Function.Arguments}})
	}
	return m
}

func incoming(messages []wireMessage) (out []openai.ToolCall) {
	for _, m := range messages {
		out = append(out, request(m)...)
	}
	return out
}

func request(m wireMessage) (out []openai.ToolCall) {
	for _, tc := range m.ToolCalls {
		out = append(out, openai.ToolCall{ID: tc.ID, Function: openai.FunctionCall{Name: tc.Function.Name, Arguments: tc.Function.Arguments}})
	}
	return out
}
