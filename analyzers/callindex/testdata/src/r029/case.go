// Package r029: maximhq/bifrost#7235, vllm-project/vllm#39586. Only element 0 of a frame's tool
// calls is looked at; its siblings vanish.
package r029

import (
	openai "github.com/sashabaranov/go-openai"
)

type argDelta struct {
	Index int
	Name  string
	Args  string
}

type converter struct{ out []argDelta }

func (c *converter) add(fr openai.ChatCompletionStreamResponse) {
	for _, ch := range fr.Choices {
		if len(ch.Delta.ToolCalls) == 0 {
			continue
		}
		tc := ch.Delta.ToolCalls[0] // want `only the first tool call`
		i := 0
		if tc.Index != nil {
			i = *tc.Index
		}
		c.out = append(c.out, argDelta{Index: i, Name: tc.Function.Name, Args: tc.Function.Arguments})
	}
}
