package openairesponses_test

import (
	"encoding/json"
	"fmt"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/openairesponses"
)

func Example() {
	tools := toolcall.MustSet(toolcall.Tool{
		Name:   "run_tests",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
	})
	turn := openairesponses.New(tools)
	for _, f := range []string{
		`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"run_tests","arguments":""}}`,
		`{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"fc_1","delta":"{\"path\":"}`,
		`{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"fc_1","delta":"\"tests/\"}"}`,
		`{"type":"response.function_call_arguments.done","output_index":0,"item_id":"fc_1","arguments":"{\"path\":\"tests/\"}"}`,
		`{"type":"response.completed","response":{"status":"completed","output":[]}}`,
	} {
		if _, err := turn.Frame("", []byte(f)); err != nil {
			break // End gives the same error
		}
	}
	calls, err := turn.End(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range calls {
		fmt.Println(c.Name(), string(c.Arguments()), c.FinishReason())
		fmt.Println(string(openairesponses.FunctionCallOutput(toolcall.NewResult(c, "3 passed"))))
		fmt.Println(string(openairesponses.FunctionCallOutput(toolcall.ErrorResult(c, fmt.Errorf("no <path>")))))
	}
	// Output:
	// run_tests {"path":"tests/"} completed
	// {"type":"function_call_output","call_id":"call_1","output":"3 passed"}
	// {"type":"function_call_output","call_id":"call_1","output":"no <path>"}
}
