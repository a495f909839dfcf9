package anthropicmsg

import (
	"encoding/json"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/internal/framing"
)

// ToolResult is the tool_result block that answers a call. The blocks for all
// calls of a turn go into one user message; see [Message].
func ToolResult(r toolcall.Result) json.RawMessage {
	return toolcall.Marshal(struct {
		Type    string `json:"type"`
		ID      string `json:"tool_use_id"`
		Content string `json:"content"`
		IsError bool   `json:"is_error,omitempty"`
	}{"tool_result", r.CallID, r.Content, r.IsError})
}

// Message is the user message with the results of a turn.
func Message(results ...toolcall.Result) json.RawMessage {
	return framing.Answer("content", results, ToolResult)
}
