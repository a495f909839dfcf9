// Package fantasy has the names of the library that the tests use.
package fantasy

import "context"

type AgentStreamCall struct {
	Prompt      string
	OnTextDelta func(id, text string) error
}

type AgentResult struct{ Text string }

type AgentTool interface{ Name() string }

type Agent interface {
	Stream(context.Context, AgentStreamCall) (*AgentResult, error)
}

type LanguageModel interface {
	Stream(context.Context, string) (StreamResponse, error)
}

type StreamPart struct{ Delta string }

type StreamResponse func(yield func(StreamPart) bool)

func NewAgent(m LanguageModel, tools ...AgentTool) Agent { return nil }
