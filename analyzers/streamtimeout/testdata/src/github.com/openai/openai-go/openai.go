// Package openai has the names of openai-go that the tests use.
package openai

import (
	"context"

	"github.com/openai/openai-go/option"
	"github.com/openai/openai-go/packages/ssestream"
)

type Client struct{ Chat ChatService }

type ChatService struct{ Completions ChatCompletionService }

type ChatCompletionService struct{}

type ChatCompletionNewParams struct{}

type ChatCompletion struct{}

type ChatCompletionChunk struct{ Text string }

func NewClient(opts ...option.RequestOption) Client { return Client{} }

func (s *ChatCompletionService) NewStreaming(ctx context.Context, p ChatCompletionNewParams, opts ...option.RequestOption) *ssestream.Stream[ChatCompletionChunk] {
	return nil
}

func (s *ChatCompletionService) New(ctx context.Context, p ChatCompletionNewParams, opts ...option.RequestOption) (*ChatCompletion, error) {
	return nil, nil
}
