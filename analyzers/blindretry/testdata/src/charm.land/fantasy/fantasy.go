// Package fantasy has the names of fantasy that the tests use.
package fantasy

import (
	"context"
	"time"
)

type ProviderError struct{}

type AgentStreamCall struct {
	Prompt      string
	OnTextDelta func(id, text string) error
	OnRetry     func(err *ProviderError, delay time.Duration)
}

type Agent interface {
	Stream(context.Context, AgentStreamCall) error
}
