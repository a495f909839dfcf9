package returns

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"time"

	"charm.land/fantasy"
)

// The agent calls back and returns when the answer is over.
func nopeCalledBack(parent context.Context, a fantasy.Agent, prompt string, show func(string) error) (*fantasy.AgentResult, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	return a.Stream(ctx, fantasy.AgentStreamCall{Prompt: prompt, OnTextDelta: func(_, text string) error { return show(text) }})
}

// The model gives an iterator, which reads later.
func iterated(parent context.Context, m fantasy.LanguageModel, prompt string) (fantasy.StreamResponse, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel() // want `the deferred cancel ends the context when the function returns`
	return m.Stream(ctx, prompt)
}

// An answer that is parsed out of a connection was not sent for with the context.
func nopeHandshake(conn io.ReadWriter) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://peer/", nil)
	if err != nil {
		return nil, err
	}
	if err := req.Write(conn); err != nil {
		return nil, err
	}
	return http.ReadResponse(bufio.NewReader(conn), req)
}
