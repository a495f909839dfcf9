// Package tools holds tool calls that arrive whole, before the answer is over.
package tools

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/ollama/ollama/api"
	"google.golang.org/genai"
)

type tool interface {
	Run(ctx context.Context, args map[string]any) (string, error)
}

type agent struct {
	models genai.Models
	ollama *api.Client
	tools  map[string]tool
	funcs  map[string]func(context.Context, map[string]any) error
	db     *sql.DB
}

func (a *agent) byFunction(ctx context.Context) error {
	for resp, err := range a.models.GenerateContentStream(ctx, "m", nil) {
		if err != nil {
			return err
		}
		for _, part := range resp.Candidates[0].Content.Parts {
			if part.FunctionCall == nil {
				continue
			}
			if err := a.funcs[part.FunctionCall.Name](ctx, part.FunctionCall.Args); err != nil { // want `this tool call is run`
				return err
			}
		}
	}
	return nil
}

func (a *agent) byTool(ctx context.Context) error {
	for resp, err := range a.models.GenerateContentStream(ctx, "m", nil) {
		if err != nil {
			return err
		}
		for _, part := range resp.Candidates[0].Content.Parts {
			if part.FunctionCall != nil {
				if err := a.call(ctx, part.FunctionCall); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (a *agent) call(ctx context.Context, fc *genai.FunctionCall) error {
	t, ok := a.tools[fc.Name]
	if !ok {
		return errors.New("no such tool")
	}
	_, err := t.Run(ctx, fc.Args) // want `this tool call is run`
	return err
}

// Collected, and run after the end.
func (a *agent) nopeCollected(ctx context.Context) error {
	var calls []*genai.FunctionCall
	for resp, err := range a.models.GenerateContentStream(ctx, "m", nil) {
		if err != nil {
			return err
		}
		for _, part := range resp.Candidates[0].Content.Parts {
			if part.FunctionCall != nil {
				calls = append(calls, part.FunctionCall)
			}
		}
	}
	for _, fc := range calls {
		if err := a.call2(ctx, fc); err != nil {
			return err
		}
	}
	return nil
}

func (a *agent) call2(ctx context.Context, fc *genai.FunctionCall) error {
	_, err := a.tools[fc.Name].Run(ctx, fc.Args)
	return err
}

// Under the finish reason.
func (a *agent) nopeFinished(ctx context.Context) error {
	for resp, err := range a.models.GenerateContentStream(ctx, "m", nil) {
		if err != nil {
			return err
		}
		c := resp.Candidates[0]
		if c.FinishReason == "STOP" {
			for _, part := range c.Content.Parts {
				if part.FunctionCall != nil {
					if err := a.call2(ctx, part.FunctionCall); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// The whole answer, in the loop of an agent.
func (a *agent) nopeWhole(ctx context.Context) error {
	for {
		resp, err := a.models.GenerateContent(ctx, "m", nil)
		if err != nil {
			return err
		}
		n := 0
		for _, part := range resp.Candidates[0].Content.Parts {
			if part.FunctionCall != nil {
				n++
				if err := a.call2(ctx, part.FunctionCall); err != nil {
					return err
				}
			}
		}
		if n == 0 {
			return nil
		}
	}
}

// Shown, counted and written down.
func (a *agent) nopeShown(ctx context.Context) error {
	seen := map[string]int{}
	for resp, err := range a.models.GenerateContentStream(ctx, "m", nil) {
		if err != nil {
			return err
		}
		for _, part := range resp.Candidates[0].Content.Parts {
			if part.FunctionCall != nil {
				seen[part.FunctionCall.Name]++
				fmt.Println(part.FunctionCall.Name, part.FunctionCall.Args)
				if _, err := a.db.ExecContext(ctx, "INSERT INTO calls VALUES (?)", part.FunctionCall.Name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (a *agent) shell(ctx context.Context) error {
	return a.ollama.Chat(ctx, &api.ChatRequest{}, func(resp api.ChatResponse) error {
		for _, tc := range resp.Message.ToolCalls {
			line, _ := tc.Function.Arguments["command"].(string)
			if err := exec.CommandContext(ctx, "sh", "-c", line).Run(); err != nil { // want `this tool call is run .Cmd.Run.`
				return err
			}
		}
		return nil
	})
}

func (a *agent) file(ctx context.Context) error {
	return a.ollama.Chat(ctx, &api.ChatRequest{}, func(resp api.ChatResponse) error {
		for _, tc := range resp.Message.ToolCalls {
			path, _ := tc.Function.Arguments["path"].(string)
			text, _ := tc.Function.Arguments["text"].(string)
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil { // want `this tool call is run .os.WriteFile.`
				return err
			}
		}
		return nil
	})
}

// One answer, not streamed.
func (a *agent) nopeUnstreamed(ctx context.Context) error {
	stream := false
	return a.ollama.Chat(ctx, &api.ChatRequest{Stream: &stream}, func(resp api.ChatResponse) error {
		for _, tc := range resp.Message.ToolCalls {
			if _, err := a.tools[tc.Function.Name].Run(ctx, tc.Function.Arguments); err != nil {
				return err
			}
		}
		return nil
	})
}

func (a *agent) nopeCollectedCallback(ctx context.Context) error {
	var calls []api.ToolCall
	err := a.ollama.Chat(ctx, &api.ChatRequest{}, func(resp api.ChatResponse) error {
		calls = append(calls, resp.Message.ToolCalls...)
		return nil
	})
	if err != nil {
		return err
	}
	for _, tc := range calls {
		if _, err := a.tools[tc.Function.Name].Run(ctx, tc.Function.Arguments); err != nil {
			return err
		}
	}
	return nil
}
