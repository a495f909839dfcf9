// Package after holds the code that docs/companion.md shows as right, one file a
// check: the same tasks as in package before, with the packages of stream/.
package after

import (
	"context"
	"encoding/json"

	"github.com/streamlint/streamlint/stream/toolcall"
)

type runArgs struct {
	Path string `json:"path"`
}

// runTests stands for whatever a tool does.
func runTests(_ context.Context, args runArgs) (string, error) {
	return "3 passed in " + args.Path, nil
}

var tools = toolcall.MustSet(toolcall.Tool{
	Name:   "run_tests",
	Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","minLength":1}},"required":["path"]}`),
})

// openAIChunk is the part of a chat completion chunk that an example reads.
type openAIChunk struct {
	Choices []struct {
		Delta struct {
			Content string `json:"content"`
		} `json:"delta"`
	} `json:"choices"`
}
