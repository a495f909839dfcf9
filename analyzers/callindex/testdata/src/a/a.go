// Package a joins fragments of tool calls by the wrong thing.
package a

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

type call struct {
	ID   string
	Name string
	Args string
}

// Only the first call, its fragments appended to whatever is on.
func handle(r *openai.ChatCompletionStreamResponse, cur *openai.ToolCall) (next openai.ToolCall, isNew bool) {
	if len(r.Choices[0].Delta.ToolCalls) == 0 {
		return
	}
	if r.Choices[0].Delta.ToolCalls[0].ID != "" {
		isNew = true
		next = r.Choices[0].Delta.ToolCalls[0] // want `only the first tool call`
	} else {
		cur.Function.Arguments += r.Choices[0].Delta.ToolCalls[0].Function.Arguments
	}
	return
}

// Only the first call, and only its last fragment.
func first(ctx context.Context, c *openai.Client) (*openai.FunctionCall, error) {
	var fc *openai.FunctionCall
	stream, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
	if err != nil {
		return nil, err
	}
	for {
		res, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return fc, nil
		}
		if err != nil {
			return nil, err
		}
		if len(res.Choices[0].Delta.ToolCalls) > 0 {
			fc = &res.Choices[0].Delta.ToolCalls[0].Function // want `only the first tool call`
		}
	}
}

// The last call of a list, over a helper that is handed the delta's calls.
func merge(tools []openai.ToolCall, delta []openai.ToolCall) []openai.ToolCall {
	for _, t := range delta {
		if t.ID == "" && t.Function.Arguments != "" {
			at := len(tools) - 1
			if at < 0 {
				continue
			}
			tools[at].Function.Arguments += t.Function.Arguments // want `the call seen last`
			continue
		}
		tools = append(tools, t)
	}
	return tools
}

func mergeAll(c openai.ChatCompletionStreamChoice, tools []openai.ToolCall) []openai.ToolCall {
	return merge(tools, c.Delta.ToolCalls)
}

// One variable for the current call.
func current(d openai.ChatCompletionStreamChoiceDelta, cur *call) {
	for _, tc := range d.ToolCalls {
		if tc.ID != "" {
			cur.ID, cur.Name = tc.ID, tc.Function.Name
		}
		cur.Args += tc.Function.Arguments // want `the fragments of all calls go to one`
	}
}

// One text for all calls, decoded at the end.
func oneText(stream *openai.ChatCompletionStream) (map[string]any, error) {
	var args strings.Builder
	for {
		res, err := stream.Recv()
		if err != nil {
			break
		}
		for _, tc := range res.Choices[0].Delta.ToolCalls {
			args.WriteString(tc.Function.Arguments) // want `the fragments of all calls go to one`
		}
	}
	var out map[string]any
	return out, json.Unmarshal([]byte(args.String()), &out)
}

// By the id, which later fragments do not have.
func byID(d openai.ChatCompletionStreamChoiceDelta, calls map[string]*call) {
	for _, tc := range d.ToolCalls {
		c := calls[tc.ID]
		if c == nil {
			c = &call{Name: tc.Function.Name}
			calls[tc.ID] = c
		}
		c.Args += tc.Function.Arguments // want `under its id`
	}
}

// By the position in the delta.
func byPlace(d openai.ChatCompletionStreamChoiceDelta, calls []call) []call {
	for i, tc := range d.ToolCalls {
		for len(calls) <= i {
			calls = append(calls, call{})
		}
		calls[i].Name += tc.Function.Name
		calls[i].Args += tc.Function.Arguments // want `under its position`
	}
	return calls
}

// Fragments without an index all go to part 0 of a message.
type content struct {
	Text string
	Call *openai.ToolCall
}

func noIndex(d openai.ChatCompletionStreamChoiceDelta, parts []content) []content {
	for _, tc := range d.ToolCalls {
		idx := 0
		if tc.Index != nil {
			idx = *tc.Index
		}
		for len(parts) <= idx {
			parts = append(parts, content{Call: &openai.ToolCall{}})
		}
		p := parts[idx]
		if p.Call == nil {
			p.Call = &openai.ToolCall{}
		}
		p.Call.Function.Arguments += tc.Function.Arguments // want `without an index all go to one`
		parts[idx] = p
	}
	return parts
}

// Fragments without a name are skipped.
func nameless(d openai.ChatCompletionStreamChoiceDelta, run func(string, map[string]any)) {
	for _, tc := range d.ToolCalls {
		if tc.Function.Name == "" { // want `fragments without a name are dropped`
			continue
		}
		var args map[string]any
		if err := json.Unmarshal([]byte(tc.Function.Arguments), &args); err != nil {
			args = map[string]any{}
		}
		run(tc.Function.Name, args)
	}
}

// The same, converted first and kept in a field.
type wholeCall struct {
	ID       string              `json:"id"`
	Function openai.FunctionCall `json:"function"`
}

type part struct{ calls []wholeCall }

func parts(c openai.ChatCompletionStreamChoice) *part {
	var calls []wholeCall
	for _, d := range c.Delta.ToolCalls {
		calls = append(calls, wholeCall{ID: d.ID, Function: openai.FunctionCall{Name: d.Function.Name, Arguments: d.Function.Arguments}})
	}
	return &part{calls: calls}
}

func (p *part) each(run func(string, map[string]any)) {
	for _, tc := range p.calls {
		if tc.Function.Name == "" { // want `fragments without a name are dropped`
			continue
		}
		var args map[string]any
		if tc.Function.Arguments != "" {
			if err := json.Unmarshal([]byte(tc.Function.Arguments), &args); err != nil {
				args = map[string]any{}
			}
		}
		run(tc.Function.Name, args)
	}
}

// An event of one protocol becomes a delta of another.
type event struct {
	ContentBlockIndex int `json:"contentBlockIndex"`
	Delta             *struct {
		ToolUse *struct {
			Input string `json:"input"`
		} `json:"toolUse"`
	} `json:"delta"`
}

type toolCall struct {
	Index    int      `json:"index"`
	ID       string   `json:"id,omitempty"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

type message struct {
	ToolCalls []toolCall `json:"tool_calls"`
}

func convert(e event) message {
	var m message
	if e.Delta != nil && e.Delta.ToolUse != nil {
		m.ToolCalls = []toolCall{{
			Type:     "function",
			Function: function{Arguments: e.Delta.ToolUse.Input}, // want `carries a fragment and no index`
		}}
	}
	return m
}

// Merge is called elsewhere with the calls of a delta.
func Merge(tools []openai.ToolCall, more []*openai.ToolCall) []openai.ToolCall {
	for _, t := range more {
		if t.ID == "" {
			tools[len(tools)-1].Function.Arguments += t.Function.Arguments // want `the call seen last`
			continue
		}
		tools = append(tools, *t)
	}
	return tools
}
