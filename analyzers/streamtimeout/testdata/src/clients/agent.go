package clients

import (
	"context"
	"net/http"
	"time"

	"charm.land/fantasy"

	"fetch"
)

// The client is a tool's: the answers of the model come another way.
func nopeToolClient(ctx context.Context, m fantasy.LanguageModel, prompt string) (*fantasy.AgentResult, error) {
	client := &http.Client{Timeout: 30 * time.Second}
	agent := fantasy.NewAgent(m, fetch.NewTool(client))
	return agent.Stream(ctx, fantasy.AgentStreamCall{Prompt: prompt})
}
