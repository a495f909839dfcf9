package openai

import "context"

type Client struct{}

type ChatCompletionRequest struct{ Model string }

type ChatCompletionStream struct{ *streamReader }

type streamReader struct{}

func (*streamReader) Recv() (r ChatCompletionStreamResponse, err error) { return }
func (*streamReader) Close() error                                      { return nil }

type ChatCompletionStreamResponse struct{ Choices []ChatCompletionStreamChoice }

type ChatCompletionStreamChoice struct {
	Delta        ChatCompletionStreamChoiceDelta `json:"delta"`
	FinishReason string                          `json:"finish_reason"`
}

type ChatCompletionStreamChoiceDelta struct {
	Content   string     `json:"content"`
	ToolCalls []ToolCall `json:"tool_calls"`
}

type ToolCall struct {
	Index    *int         `json:"index"`
	Function FunctionCall `json:"function"`
}

type FunctionCall struct {
	Arguments string `json:"arguments"`
}

func (*Client) CreateChatCompletionStream(context.Context, ChatCompletionRequest) (*ChatCompletionStream, error) {
	return nil, nil
}
