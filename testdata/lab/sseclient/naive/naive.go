// Package naive is the client as it was.
package naive

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// Client prints a model's answer while it comes in.
type Client struct {
	HTTP   *http.Client
	URL    string
	Logger *slog.Logger
}

// New gives a client that does not wait forever.
func New(transport http.RoundTripper, url string, logger *slog.Logger) *Client {
	return &Client{HTTP: &http.Client{Transport: transport, Timeout: 5 * time.Second}, URL: url, Logger: logger}
}

// Ask sends the prompt and hands on the answer's text, up to three times until it
// works.
func (c *Client) Ask(ctx context.Context, prompt string, onText func(string)) error {
	var err error
	for attempt := 1; attempt <= 3; attempt++ {
		err = c.stream(ctx, prompt, onText)
		if err == nil {
			return nil
		}
		c.Logger.Warn("stream broke", "attempt", attempt, "err", err)
		time.Sleep(time.Duration(attempt) * 100 * time.Millisecond)
	}
	return err
}

// stream makes one attempt.
func (c *Client) stream(ctx context.Context, prompt string, onText func(string)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, strings.NewReader(prompt))
	if err != nil {
		return err
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()

	var pending string
	buf := make([]byte, 4096)
	for {
		n, err := resp.Body.Read(buf)
		pending += strings.ToValidUTF8(string(buf[:n]), "")
		for {
			event, rest, ok := strings.Cut(pending, "\n\n")
			if !ok {
				break
			}
			pending = rest
			if text, ok := parse(event); ok {
				onText(text)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// parse gives the text of an event.
func parse(event string) (string, bool) {
	for line := range strings.SplitSeq(event, "\n") {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var v struct {
			Delta string `json:"delta"`
		}
		if json.Unmarshal([]byte(data), &v) != nil {
			return "", false
		}
		return v.Delta, true
	}
	return "", false
}
