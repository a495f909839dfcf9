// Package openai has the names of go-openai that the tests use.
package openai

import "context"

type Client struct{}

type ChatCompletionRequest struct{ Model string }

type Delta struct{ Content string }

type Choice struct{ Delta Delta }

type ChatCompletionStreamResponse struct{ Choices []Choice }

type ChatCompletionStream struct{}

func (s *ChatCompletionStream) Recv() (ChatCompletionStreamResponse, error) {
	return ChatCompletionStreamResponse{}, nil
}

func (s *ChatCompletionStream) Close() error { return nil }

func (c *Client) CreateChatCompletionStream(ctx context.Context, r ChatCompletionRequest) (*ChatCompletionStream, error) {
	return nil, nil
}
