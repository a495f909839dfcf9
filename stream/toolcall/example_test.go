package toolcall_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/streamlint/streamlint/stream/sse"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/anthropicmsg"
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

// A stream of server-sent events, read by package sse up to its own end. Turn.End
// gets the error of a stream that broke, and judges what it means for the calls.
func ExampleTurn_Run() {
	body := strings.NewReader(`event: message_start
data: {"type":"message_start","message":{}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Let me check."}}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"run_tests","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"path\":\"tests/\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"}}

event: message_stop
data: {"type":"message_stop"}

`)
	frames := func(yield func(toolcall.Frame, error) bool) {
		for ev, err := range sse.AnthropicMessageStop.Events(sse.NewDecoder(body)) { // or of sse.Client.Stream
			if !yield(toolcall.Frame{Event: ev.Type, Data: ev.Data}, err) {
				return
			}
		}
	}
	calls, err := anthropicmsg.New(exampleTools).Run(frames, func(e toolcall.Event) { fmt.Println("text:", e.Text) })
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range calls {
		fmt.Println(c.Name(), string(c.Arguments()))
	}
	// Output:
	// text: Let me check.
	// run_tests {"path":"tests/"}
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

// A handler refuses what no schema can say. Nothing runs, and both calls are
// answered.
func ExampleRejections() {
	d := toolcall.Dispatcher{Handlers: map[string]toolcall.Handler{
		"run_tests": func(c toolcall.Call) (func(context.Context) (string, error), error) {
			args, err := toolcall.As[struct {
				Path string `json:"path"`
			}](c)
			if err != nil {
				return nil, err
			}
			if !filepath.IsLocal(args.Path) {
				return nil, errors.New("the path leaves the job's directory")
			}
			return func(context.Context) (string, error) { return "3 passed in " + args.Path, nil }, nil
		},
	}}
	turn := openaichat.New(exampleTools)
	turn.Frame("", []byte(`{"choices":[{"delta":{"tool_calls":[
		{"index":0,"id":"call_1","function":{"name":"run_tests","arguments":"{\"path\":\"tests/\"}"}},
		{"index":1,"id":"call_2","function":{"name":"run_tests","arguments":"{\"path\":\"../\"}"}}]},"finish_reason":"tool_calls"}]}`))
	calls, err := turn.End(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := d.Run(context.Background(), calls); err != nil {
		for _, r := range toolcall.Rejections(calls, err) {
			fmt.Println(r.CallID, r.Content)
		}
	}
	// Output:
	// call_1 The tool was not run: another call of this turn was refused. Send this call again.
	// call_2 The tool was not run (unfit): the arguments are refused: the path leaves the job's directory. Call it again with complete, valid arguments.
}
