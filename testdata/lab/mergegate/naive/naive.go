// Package naive is the merge gate as it was: it lets a model choose what to test
// and merges when nothing failed.
package naive

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
)

// Gate asks a model for the tests to run and runs them.
type Gate struct {
	Client *http.Client
	URL    string
	Dir    string // of the job
	Logger *slog.Logger
}

// Report is what the gate publishes. No failures means merge.
type Report struct {
	Failures int `json:"failures"`
}

type delta struct {
	Choices []struct {
		Delta struct {
			ToolCalls []struct {
				Index    int    `json:"index"`
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
}

// Check reads the model's answer and runs the tests it asks for.
func (g *Gate) Check(ctx context.Context) (Report, error) {
	var report Report
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL, strings.NewReader(`{"stream":true}`))
	if err != nil {
		return report, err
	}
	resp, err := g.Client.Do(req)
	if err != nil {
		return report, err
	}
	defer resp.Body.Close()

	var name string
	var args map[string]any
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var d delta
		if err := json.Unmarshal([]byte(data), &d); err != nil {
			g.Logger.Warn("bad frame", "err", err)
			continue
		}
		for _, c := range d.Choices {
			for _, tc := range c.Delta.ToolCalls {
				if tc.Function.Name != "" {
					name = tc.Function.Name
				}
				args = parseArgs(tc.Function.Arguments)
			}
			if c.FinishReason == "tool_calls" {
				g.Logger.Info("tool call", "tool_name", name, "finish_reason", c.FinishReason,
					"arg_bytes", argBytes(args), "dispatch_ok", true)
				if !g.runTests(ctx, args) {
					report.Failures++
				}
			}
		}
	}
	return report, nil
}

// parseArgs decodes the arguments of a tool call. Models sometimes send none.
func parseArgs(s string) map[string]any {
	var args map[string]any
	if err := json.Unmarshal([]byte(s), &args); err != nil {
		return map[string]any{}
	}
	return args
}

func argBytes(args map[string]any) int {
	n := 0
	for k, v := range args {
		n += len(k) + len(fmt.Sprint(v))
	}
	return n
}

// runTests reports whether the tests passed. Without a path there is nothing to
// run, which is fine.
func (g *Gate) runTests(ctx context.Context, args map[string]any) bool {
	path, _ := args["path"].(string)
	if path == "" {
		g.Logger.Info("no path, skipping tests")
		return true
	}
	cmd := exec.CommandContext(ctx, "go", "test", ".")
	cmd.Dir = filepath.Join(g.Dir, path)
	return cmd.Run() == nil
}
