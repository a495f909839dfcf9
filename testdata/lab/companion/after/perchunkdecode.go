package after

import (
	"context"
	"encoding/json"
	"io"

	"github.com/streamlint/streamlint/stream/sse"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/openaichat"
)

type runArgs struct {
	Path string `json:"path"`
}

// tools are declared once: what the model was offered, and what its calls are
// checked against.
var tools = toolcall.MustSet(toolcall.Tool{
	Name:   "run_tests",
	Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","minLength":1}},"required":["path"]}`),
})

func runTests(ctx context.Context, args runArgs) (string, error) {
	return "3 passed in " + args.Path, nil // what the tool does
}

// RunCalls runs the calls of one turn: all of them, or none and an error.
func RunCalls(ctx context.Context, body io.Reader) ([]toolcall.Result, error) {
	turn := openaichat.New(tools)
	for ev, err := range sse.NewDecoder(body).Events() {
		if err != nil {
			return nil, err
		}
		if _, err := turn.Frame(ev.Type, ev.Data); err != nil {
			return nil, err
		}
	}
	calls, err := turn.End(nil) // whole, decoded once, checked; or an error and no call
	if err != nil {
		return nil, err
	}
	d := toolcall.Dispatcher{Handlers: map[string]toolcall.Handler{"run_tests": toolcall.Handle(runTests)}}
	return d.Run(ctx, calls)
}
