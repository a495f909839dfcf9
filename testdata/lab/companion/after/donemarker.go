package after

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/streamlint/streamlint/stream/sse"
)

// Deltas hands on the texts of a stream. The marker is not among the events.
func Deltas(body io.Reader, onText func(string)) error {
	for ev, err := range sse.OpenAIDone.Events(sse.NewDecoder(body)) {
		if err != nil {
			return err
		}
		var chunk openAIChunk
		if err := json.Unmarshal(ev.Data, &chunk); err != nil {
			return fmt.Errorf("bad frame: %w", err)
		}
		for _, c := range chunk.Choices {
			onText(c.Delta.Content)
		}
	}
	return nil
}
