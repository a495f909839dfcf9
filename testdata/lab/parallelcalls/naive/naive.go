// Package naive is the agent as it was: it collects the current tool call and runs it
// as soon as its arguments parse, which saves waiting for the end.
package naive

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/streamlint/streamlint/testdata/lab/parallelcalls/tools"
)

// Agent lets a model use an office.
type Agent struct {
	Client *http.Client
	URL    string
	Office *tools.Office
	Text   func(string) // gets the answer's text
	Logger *slog.Logger

	current call
}

type call struct {
	ID, Name string
	args     strings.Builder
}

type chunk struct {
	Choices []struct {
		Delta struct {
			Content   string `json:"content"`
			ToolCalls []struct {
				Index    int    `json:"index"`
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"delta"`
	} `json:"choices"`
}

// Turn reads one answer and runs the tools that it calls.
func (a *Agent) Turn(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.URL, strings.NewReader(`{"stream":true}`))
	if err != nil {
		return err
	}
	resp, err := a.Client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()

	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var c chunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			a.Logger.Warn("bad frame", "err", err)
			continue
		}
		if len(c.Choices) == 0 {
			continue
		}
		d := c.Choices[0].Delta
		if d.Content != "" {
			a.Text(d.Content)
		}
		if len(d.ToolCalls) == 0 {
			continue
		}
		tc := d.ToolCalls[0]
		if tc.ID != "" {
			a.next(tc.ID, tc.Function.Name)
		}
		a.current.args.WriteString(tc.Function.Arguments)
		var args map[string]any
		if json.Unmarshal([]byte(a.current.args.String()), &args) == nil {
			a.run(args)
		}
	}
	return nil
}

// next begins a call. What is left of the one before must be complete by now.
func (a *Agent) next(id, name string) {
	if rest := a.current.args.String(); rest != "" {
		var args map[string]any
		if err := json.Unmarshal([]byte(rest), &args); err != nil {
			a.Logger.Warn("tool call", "tool", a.current.Name, "err", err)
		}
	}
	a.current.ID, a.current.Name = id, name
}

// run runs the current call.
func (a *Agent) run(args map[string]any) {
	a.current.args.Reset()
	var result string
	var err error
	switch a.current.Name {
	case "lookup_contact":
		result, err = a.Office.Lookup(tools.Contact{Name: text(args["name"])})
	case "create_event":
		minutes, _ := args["minutes"].(float64)
		result, err = a.Office.Create(tools.Event{Title: text(args["title"]), Minutes: int(minutes), Name: text(args["name"])})
	default:
		err = fmt.Errorf("no tool %q", a.current.Name)
	}
	a.Logger.Info("tool call", "tool", a.current.Name, "result", result, "err", err)
}

func text(v any) string {
	s, _ := v.(string)
	return s
}
