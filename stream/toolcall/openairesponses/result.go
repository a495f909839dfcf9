package openairesponses

import (
	"encoding/json"

	"github.com/streamlint/streamlint/stream/toolcall"
)

// FunctionCallOutput is the input item that answers a call. The wire has no mark
// for errors, so an error's text stands alone.
func FunctionCallOutput(r toolcall.Result) json.RawMessage {
	return toolcall.Marshal(struct {
		Type   string `json:"type"`
		CallID string `json:"call_id"`
		Output string `json:"output"`
	}{"function_call_output", r.CallID, r.Content})
}
