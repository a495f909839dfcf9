// Package openai has the names of go-openai that the tests use.
package openai

import (
	"context"
	"net/http"
)

type HTTPDoer interface {
	Do(req *http.Request) (*http.Response, error)
}

type ClientConfig struct {
	BaseURL    string
	HTTPClient HTTPDoer
}

func DefaultConfig(key string) ClientConfig { return ClientConfig{} }

type Client struct{ config ClientConfig }

func NewClientWithConfig(config ClientConfig) *Client { return &Client{config} }

type ChatCompletionRequest struct{ Model string }

type Delta struct{ Content string }

type Choice struct{ Delta Delta }

type ChatCompletionStreamResponse struct{ Choices []Choice }

type ChatCompletionStream struct{}

func (s *ChatCompletionStream) Recv() (ChatCompletionStreamResponse, error) {
	return ChatCompletionStreamResponse{}, nil
}

func (s *ChatCompletionStream) Close() error { return nil }

type ChatCompletionResponse struct{ Choices []Choice }

func (c *Client) CreateChatCompletionStream(ctx context.Context, r ChatCompletionRequest) (*ChatCompletionStream, error) {
	return nil, nil
}

func (c *Client) CreateChatCompletion(ctx context.Context, r ChatCompletionRequest) (ChatCompletionResponse, error) {
	return ChatCompletionResponse{}, nil
}
