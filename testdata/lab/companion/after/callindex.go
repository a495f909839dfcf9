package after

import (
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/openaichat"
)

// Collect keeps fragments apart by choice and index, as the wire has them.
func Collect(frames [][]byte) ([]toolcall.Call, error) {
	turn := openaichat.New(tools)
	for _, f := range frames {
		if _, err := turn.Frame("", f); err != nil {
			return nil, err // toolcall.Ambiguous, toolcall.Conflict: no guess
		}
	}
	return turn.End(nil)
}
