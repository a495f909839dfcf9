package openaichat

import (
	"encoding/json"

	"github.com/streamlint/streamlint/stream/toolcall"
)

// ToolMessage is the message that answers a call: role "tool", or role
// "function" for a call that came without an id in the legacy form. The wire has
// no mark for errors, so an error's text stands alone.
func ToolMessage(r toolcall.Result) json.RawMessage {
	m := struct {
		Role    string `json:"role"`
		ID      string `json:"tool_call_id,omitempty"`
		Name    string `json:"name,omitempty"`
		Content string `json:"content"`
	}{Role: "tool", ID: r.CallID, Content: r.Content}
	if r.CallIDSynthetic {
		m.Role, m.ID, m.Name = "function", "", r.Name
	}
	return toolcall.Marshal(m)
}
