// Package durable is the agent over packages sse and toolcall: text is forwarded at
// once, calls are run when the model's turn has ended well, each with its own
// arguments.
package durable

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"github.com/streamlint/streamlint/stream/sse"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/openaichat"
	"github.com/streamlint/streamlint/testdata/lab/parallelcalls/tools"
)

var offered = toolcall.MustSet(
	toolcall.Tool{Name: "lookup_contact", Schema: json.RawMessage(`{
		"type": "object",
		"properties": {"name": {"type": "string", "minLength": 1}},
		"required": ["name"],
		"additionalProperties": false
	}`)},
	toolcall.Tool{Name: "create_event", Schema: json.RawMessage(`{
		"type": "object",
		"properties": {
			"title": {"type": "string", "minLength": 1},
			"minutes": {"type": "integer", "minimum": 1},
			"name": {"type": "string"}
		},
		"required": ["title"],
		"additionalProperties": false
	}`)},
)

// Agent lets a model use an office.
type Agent struct {
	Client *http.Client
	URL    string
	Office *tools.Office
	Text   func(string) // gets the answer's text
	Logger *slog.Logger
}

// Turn reads one answer and runs the tools that it calls: all of them, or none and
// an error.
func (a *Agent) Turn(ctx context.Context) ([]toolcall.Result, error) {
	client := &sse.Client{HTTP: a.Client, Terminal: sse.OpenAIDone}
	turn := openaichat.New(offered)
	for ev, err := range client.Stream(ctx, sse.Post(a.URL, "application/json", []byte(`{"stream":true}`))) {
		if err != nil {
			_, refused := turn.End(err)
			return nil, errors.Join(err, refused)
		}
		texts, err := turn.Frame(ev.Type, ev.Data)
		for _, t := range texts {
			a.Text(t.Text)
		}
		if err != nil {
			return nil, err
		}
	}
	calls, err := turn.End(nil)
	if err != nil {
		return nil, err
	}
	d := toolcall.Dispatcher{Logger: a.Logger, Handlers: map[string]toolcall.Handler{
		"lookup_contact": toolcall.Handle(func(_ context.Context, c tools.Contact) (string, error) { return a.Office.Lookup(c) }),
		"create_event":   toolcall.Handle(func(_ context.Context, e tools.Event) (string, error) { return a.Office.Create(e) }),
	}}
	return d.Run(ctx, calls)
}
