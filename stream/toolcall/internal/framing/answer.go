package framing

import (
	"encoding/json"
	"fmt"

	"github.com/streamlint/streamlint/stream/toolcall"
)

// Answer is the message of role user that holds one block for each result, in
// the member list.
func Answer(list string, results []toolcall.Result, block func(toolcall.Result) json.RawMessage) json.RawMessage {
	blocks := make([]json.RawMessage, len(results))
	for i, r := range results {
		blocks[i] = block(r)
	}
	return fmt.Appendf(nil, `{"role":"user",%q:%s}`, list, toolcall.Marshal(blocks))
}
