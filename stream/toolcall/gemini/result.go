package gemini

import (
	"encoding/json"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/internal/framing"
)

// FunctionResponse is the part that answers a call: {"output": …}, or
// {"error": …} for an error, as the API asks. The parts for all calls of a turn
// go into one content; see [Content]. A call without an id is answered by name
// and order.
func FunctionResponse(r toolcall.Result) json.RawMessage {
	var p struct {
		FunctionResponse struct {
			ID       string            `json:"id,omitempty"`
			Name     string            `json:"name"`
			Response map[string]string `json:"response"`
		} `json:"functionResponse"`
	}
	f := &p.FunctionResponse
	f.Name = r.Name
	if !r.CallIDSynthetic {
		f.ID = r.CallID
	}
	key := "output"
	if r.IsError {
		key = "error"
	}
	f.Response = map[string]string{key: r.Content}
	return toolcall.Marshal(p)
}

// Content is the content (role "user") with the results of a turn.
func Content(results ...toolcall.Result) json.RawMessage {
	return framing.Answer("parts", results, FunctionResponse)
}
