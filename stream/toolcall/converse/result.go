package converse

import (
	"encoding/json"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/internal/framing"
)

type toolResult struct {
	ToolResult struct {
		ID      string `json:"toolUseId"`
		Content []text `json:"content"`
		Status  string `json:"status,omitempty"`
	} `json:"toolResult"`
}

type text struct {
	Text string `json:"text"`
}

// ToolResult is the content block that answers a call. The blocks for all calls
// of a turn go into one user message; see [Message].
func ToolResult(r toolcall.Result) json.RawMessage {
	var b toolResult
	b.ToolResult.ID = r.CallID
	b.ToolResult.Content = []text{{r.Content}}
	if r.IsError {
		b.ToolResult.Status = "error"
	}
	return toolcall.Marshal(b)
}

// Message is the user message with the results of a turn.
func Message(results ...toolcall.Result) json.RawMessage {
	return framing.Answer("content", results, ToolResult)
}
