package ollama

import (
	"encoding/json"

	"github.com/streamlint/streamlint/stream/toolcall"
)

// ToolMessage is the message that answers a call. The wire has no mark for
// errors, so an error's text stands alone.
func ToolMessage(r toolcall.Result) json.RawMessage {
	m := struct {
		Role    string `json:"role"`
		Content string `json:"content"`
		Name    string `json:"tool_name"`
		ID      string `json:"tool_call_id,omitempty"`
	}{Role: "tool", Content: r.Content, Name: r.Name, ID: r.CallID}
	if r.CallIDSynthetic {
		m.ID = ""
	}
	return toolcall.Marshal(m)
}
