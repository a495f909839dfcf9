// Package durable is the merge gate over packages sse, toolcall and gate: no call
// without its whole arguments, no green without tests that ran.
package durable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/streamlint/streamlint/stream/gate"
	"github.com/streamlint/streamlint/stream/sse"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/openaichat"
)

var tools = toolcall.MustSet(toolcall.Tool{
	Name: "run_tests",
	Schema: json.RawMessage(`{
		"type": "object",
		"properties": {"path": {"type": "string", "minLength": 1}},
		"required": ["path"],
		"additionalProperties": false
	}`),
})

// Gate asks a model for the tests to run and runs them.
type Gate struct {
	Client *http.Client
	URL    string
	// Test runs the tests in a directory of the job; see [InRoot].
	Test   func(ctx context.Context, path string) (gate.Report, error)
	Logger *slog.Logger
}

// InRoot runs Go tests in directories below root and nowhere else.
func InRoot(root *gate.Root) func(ctx context.Context, path string) (gate.Report, error) {
	return func(ctx context.Context, path string) (gate.Report, error) {
		return root.GoTest(ctx, path, gate.GoTest{})
	}
}

// ErrNoCall says that the model ended its turn without asking for tests. A gate
// that was not used is not open.
var ErrNoCall = errors.New("the model asked for no tests")

// Check reads the model's answer and runs the tests it asks for. The job may be
// merged only if the error is nil.
func (g *Gate) Check(ctx context.Context) (gate.Report, error) {
	calls, err := g.ask(ctx)
	if err != nil {
		g.Logger.Error("job rejected", "err", err, "record", gate.NewRecord(toolcall.Call{}, gate.Report{}, err))
		return gate.Report{}, err
	}
	var total gate.Report
	for _, c := range calls {
		report, err := g.run(ctx, c)
		record := gate.NewRecord(c, report, err)
		g.Logger.Info("tests", "record", record)
		if err := record.Err(); err != nil {
			return report, fmt.Errorf("%s: %w", c.Name(), err)
		}
		total.Collected += report.Collected
		total.Started += report.Started
		total.Passed += report.Passed
		total.Skipped += report.Skipped
	}
	return total, nil
}

// ask gives the calls of one turn. The client's error is kept although the turn
// may already have its finish reason: a gate can ask again.
func (g *Gate) ask(ctx context.Context) ([]toolcall.Call, error) {
	client := &sse.Client{HTTP: g.Client, Terminal: sse.OpenAIDone, MaxAttempts: 3}
	turn := openaichat.New(tools)
	for ev, err := range client.Stream(ctx, sse.Post(g.URL, "application/json", []byte(`{"stream":true}`))) {
		if err != nil {
			_, refused := turn.End(err)
			return nil, errors.Join(err, refused)
		}
		if _, err := turn.Frame(ev.Type, ev.Data); err != nil {
			return nil, err
		}
	}
	calls, err := turn.End(nil)
	if err == nil && len(calls) == 0 {
		err = ErrNoCall
	}
	return calls, err
}

func (g *Gate) run(ctx context.Context, c toolcall.Call) (gate.Report, error) {
	args, err := toolcall.As[struct {
		Path string `json:"path"`
	}](c, toolcall.KnownOnly())
	if err != nil {
		return gate.Report{}, err
	}
	return g.Test(ctx, args.Path)
}
