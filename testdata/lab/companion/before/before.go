// Package before holds the code that docs/companion.md shows as wrong, one file a
// check. It compiles, it runs, and streamlint reports it.
package before

import "context"

// maxLine is the longest line that a scanner takes.
const maxLine = 16 << 20

// run stands for whatever a tool does.
var run func(ctx context.Context, name string, args map[string]any) error

// openAIChunk is the part of a chat completion chunk that the examples read.
type openAIChunk struct {
	Choices []struct {
		Delta struct {
			Content   string `json:"content"`
			ToolCalls []struct {
				Index    int    `json:"index"`
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
}
