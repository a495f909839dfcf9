// Package openai is a stand-in with the API only.
package openai

type Stream struct{}

func (*Stream) Next() bool                   { return false }
func (*Stream) Current() ChatCompletionChunk { return ChatCompletionChunk{} }
func (*Stream) Err() error                   { return nil }
func (*Stream) Close() error                 { return nil }

func NewStreaming() *Stream { return nil }

// EventStream is how another SDK gives its events.
type EventStream struct{}

func (*EventStream) Events() <-chan string { return nil }
func (*EventStream) Err() error            { return nil }

func NewEvents() *EventStream { return nil }

type ChatCompletionChunk struct{ Choices []ChatCompletionChunkChoice }

type ChatCompletionChunkChoice struct {
	Delta        ChatCompletionChunkChoiceDelta
	FinishReason string
}

type ChatCompletionChunkChoiceDelta struct{ Content string }

type ChatCompletionAccumulator struct{ ChatCompletion }

func (*ChatCompletionAccumulator) AddChunk(ChatCompletionChunk) bool { return true }

type ChatCompletion struct{ Choices []ChatCompletionChoice }

type ChatCompletionChoice struct {
	Message      ChatCompletionMessage
	FinishReason string
}

type ChatCompletionMessage struct {
	ToolCalls []ChatCompletionMessageToolCall
}

type ChatCompletionMessageToolCall struct {
	ID       string
	Function ChatCompletionMessageToolCallFunction
}

type ChatCompletionMessageToolCallFunction struct {
	Name      string `json:"name,required"`
	Arguments string `json:"arguments,required"`
}
