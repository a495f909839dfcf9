package after

import (
	"context"

	"github.com/streamlint/streamlint/stream/sse"
)

// Ask hands on each event once. Without an error the answer is whole.
func Ask(ctx context.Context, url, prompt string, onEvent func(sse.Event)) error {
	client := &sse.Client{Terminal: sse.OpenAIDone}
	for ev, err := range client.Stream(ctx, sse.Post(url, "text/plain", []byte(prompt))) {
		if err != nil {
			return err // *sse.ResumeError: it broke, and part of the answer is out
		}
		onEvent(ev)
	}
	return nil
}
