package openaichat_test

import (
	"encoding/json"
	"fmt"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/openaichat"
)

func Example() {
	tools := toolcall.MustSet(toolcall.Tool{
		Name:   "run_tests",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
	})
	turn := openaichat.New(tools)
	for _, f := range []string{
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"run_tests","arguments":"{\"path\":"}}]}}]}`,
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"tests/\"}"}}]}}]}`,
		`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
		`[DONE]`,
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
		fmt.Println(string(openaichat.ToolMessage(toolcall.NewResult(c, "3 passed"))))
		fmt.Println(string(openaichat.ToolMessage(toolcall.ErrorResult(c, fmt.Errorf("no <path>")))))
	}
	// Output:
	// run_tests {"path":"tests/"} tool_calls
	// {"role":"tool","tool_call_id":"call_1","content":"3 passed"}
	// {"role":"tool","tool_call_id":"call_1","content":"no <path>"}
}
