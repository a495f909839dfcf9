package toolcall_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/openaichat"
)

var exampleTools = toolcall.MustSet(toolcall.Tool{
	Name:   "run_tests",
	Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","minLength":1}},"required":["path"]}`),
})

// The arguments come in pieces that are no JSON by themselves. Text goes out at
// once, the call comes out whole.
func Example() {
	frames := []string{
		`{"choices":[{"index":0,"delta":{"content":"Let me check."}}]}`,
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"run_tests","arguments":"{\""}}]}}]}`,
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"path\":\"tests/"}}]}}]}`,
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]}}]}`,
		`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
		`[DONE]`,
	}
	turn := openaichat.New(exampleTools)
	for _, f := range frames {
		texts, err := turn.Frame("", []byte(f))
		for _, t := range texts {
			fmt.Println("text:", t.Text)
		}
		if err != nil {
			break // End gives the same error
		}
	}
	calls, err := turn.End(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range calls {
		args, err := toolcall.As[struct {
			Path string `json:"path"`
		}](c)
		fmt.Println(c.Name(), args.Path, c.BufferID(), err)
	}
	// Output:
	// text: Let me check.
	// run_tests tests/ 04d0cc49e100 <nil>
}

// A turn that was cut gives no call, though its arguments would parse.
func Example_truncated() {
	turn := openaichat.New(exampleTools)
	turn.Frame("", []byte(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"run_tests","arguments":"{\"path\":\"tests/\"}"}}]}}]}`))
	turn.Frame("", []byte(`[DONE]`))
	calls, err := turn.End(nil)

	var e *toolcall.Error
	if errors.As(err, &e) {
		fmt.Println(len(calls), e.Kind, e.Name, e.Bytes)
	}
	// Output: 0 truncated run_tests 17
}

func ExampleDispatcher() {
	d := toolcall.Dispatcher{
		Logger: slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
			ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
				if len(groups) == 0 && a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			},
		})),
		Handlers: map[string]toolcall.Handler{
			"run_tests": toolcall.Handle(func(_ context.Context, args struct {
				Path string `json:"path"`
			}) (string, error) {
				return "3 passed in " + args.Path, nil
			}),
		},
	}
	a := toolcall.New(exampleTools)
	a.Add(toolcall.Delta{ID: "call_1", Name: "run_tests", Args: []byte(`{"path":`)})
	a.Add(toolcall.Delta{Args: []byte(`"tests/"}`)})
	a.Finish(0, "tool_calls")
	calls, err := a.Calls()
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := d.Run(context.Background(), calls)
	fmt.Println(results[0].Content, err)
	fmt.Println(string(openaichat.ToolMessage(results[0])))
	// Output:
	// level=INFO msg="tool call" call.tool_name=run_tests call.tool_index=0 call.finish_reason=tool_calls call.arg_bytes=17 call.buffer_id=04d0cc49e100 call.decoded_ok=true call.dispatch_ok=true
	// 3 passed in tests/ <nil>
	// {"role":"tool","tool_call_id":"call_1","content":"3 passed in tests/"}
}

// A fault of the model is sent back to it as the result of its call.
func ExampleTurn_Rejections() {
	turn := openaichat.New(exampleTools)
	turn.Frame("", []byte(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"run_tests","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`))
	if _, err := turn.End(nil); err != nil {
		for _, r := range turn.Rejections() {
			fmt.Println(string(openaichat.ToolMessage(r)))
		}
	}
	// Output: {"role":"tool","tool_call_id":"call_1","content":"The tool was not run (missing_required): the arguments do not fit the tool's schema: required key \"path\" is missing. Call it again with complete, valid arguments."}
}
