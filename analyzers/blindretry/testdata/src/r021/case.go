// Package r021: binwiederhier/ntfy#1895 and #1928, NousResearch/hermes-agent#61436. An endless subscription
// reconnects with the same request; what was published meanwhile is lost (or, with a
// replaying server, everything comes again).
package r021

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

type message struct {
	ID   string `json:"id"`
	Text string `json:"message"`
}

func subscribe(ctx context.Context, url string, out chan<- message) error {
	for ctx.Err() == nil {
		_ = listen(ctx, url, out) // want `blindretry: `
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
		}
	}
	return ctx.Err()
}

func listen(ctx context.Context, url string, out chan<- message) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	dec := json.NewDecoder(resp.Body)
	for {
		var m message
		if err := dec.Decode(&m); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		select {
		case out <- m:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
