// Package sdk streams through SDKs.
package sdk

import (
	"context"
	"errors"
	"io"
	"log"
	"time"

	"charm.land/fantasy"
	openai "github.com/sashabaranov/go-openai"
)

func tokens(ctx context.Context, c *openai.Client, req openai.ChatCompletionRequest, token func(string)) error {
	stream, err := c.CreateChatCompletionStream(ctx, req)
	if err != nil {
		return err
	}
	defer stream.Close()
	for {
		r, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(r.Choices) > 0 {
			token(r.Choices[0].Delta.Content)
		}
	}
}

func retry(ctx context.Context, c *openai.Client, token func(string)) (err error) {
	for range 3 {
		if err = tokens(ctx, c, openai.ChatCompletionRequest{}, token); err == nil { // want `blindretry: `
			return nil
		}
	}
	return err
}

func models(ctx context.Context, c *openai.Client, list []string, token func(string)) (err error) {
	for _, m := range list {
		if err = tokens(ctx, c, openai.ChatCompletionRequest{Model: m}, token); err == nil { // want `blindretry: `
			return nil
		}
	}
	return err
}

// reopen replaces the stream in the loop that reads it.
func reopen(ctx context.Context, c *openai.Client, token func(string)) error {
	stream, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
	if err != nil {
		return err
	}
	for {
		r, err := stream.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			stream, err = c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{}) // want `blindretry: `
			if err != nil {
				return err
			}
			continue
		}
		token(r.Choices[0].Delta.Content)
	}
}

// nopeTurns asks a new question each turn.
func nopeTurns(ctx context.Context, c *openai.Client, questions []string, token func(string)) error {
	for _, q := range questions {
		if err := tokens(ctx, c, openai.ChatCompletionRequest{Model: q}, token); err != nil {
			return err
		}
	}
	return nil
}

type message struct{ text string }

func (m *message) Append(s string) { m.text += s }
func (m *message) Reset()          { m.text = "" }

func hookLogs(ctx context.Context, a fantasy.Agent) error {
	m := &message{}
	return a.Stream(ctx, fantasy.AgentStreamCall{
		OnTextDelta: func(id, text string) error { m.Append(text); return nil },
		OnRetry: func(err *fantasy.ProviderError, delay time.Duration) { // want `blindretry: `
			log.Print("retrying")
		},
	})
}

func nopeHookResets(ctx context.Context, a fantasy.Agent) error {
	m := &message{}
	return a.Stream(ctx, fantasy.AgentStreamCall{
		OnTextDelta: func(id, text string) error { m.Append(text); return nil },
		OnRetry: func(err *fantasy.ProviderError, delay time.Duration) {
			log.Print("retrying")
			m.Reset()
		},
	})
}
