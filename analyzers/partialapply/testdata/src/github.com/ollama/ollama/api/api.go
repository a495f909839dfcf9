// Package api stands in for the client: its names and types, nothing more.
package api

import "context"

type ToolCallFunctionArguments map[string]any

type ToolCallFunction struct {
	Name      string
	Arguments ToolCallFunctionArguments
}

type ToolCall struct{ Function ToolCallFunction }

type Message struct {
	Content   string
	ToolCalls []ToolCall
}

type ChatRequest struct{ Stream *bool }

type ChatResponse struct {
	Message Message
	Done    bool
}

type Client struct{}

func (*Client) Chat(ctx context.Context, req *ChatRequest, fn func(ChatResponse) error) error {
	return nil
}
