// Package durable is the client over package sse.
package durable

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/streamlint/streamlint/stream/sse"
)

// Client prints a model's answer while it comes in.
type Client struct {
	HTTP   *http.Client
	URL    string
	Idle   time.Duration // the longest silence, 0 for the default
	Resume sse.Resume    // what the server allows after a break
	Logger *slog.Logger
}

// Ask sends the prompt and hands on the answer's text. Without an error the answer is
// whole: [DONE] came.
func (c *Client) Ask(ctx context.Context, prompt string, onText func(string)) error {
	client := &sse.Client{
		HTTP: c.HTTP, Terminal: sse.OpenAIDone, EventIdle: c.Idle, Resume: c.Resume, Logger: c.Logger,
		Decoder: []sse.Option{sse.WithUTF8(sse.UTF8Reject)},
	}
	for ev, err := range client.Stream(ctx, sse.Post(c.URL, "text/plain", []byte(prompt))) {
		if err != nil {
			return err
		}
		var v struct {
			Delta *string `json:"delta"`
		}
		if err := json.Unmarshal(ev.Data, &v); err != nil {
			return fmt.Errorf("event %q: %w", ev.ID, err)
		}
		if v.Delta != nil {
			onText(*v.Delta)
		}
	}
	return nil
}
