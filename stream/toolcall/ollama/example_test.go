package ollama_test

import (
	"encoding/json"
	"fmt"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/ollama"
)

func Example() {
	tools := toolcall.MustSet(toolcall.Tool{
		Name:   "run_tests",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
	})
	turn := ollama.New(tools)
	for _, f := range []string{
		`{"message":{"tool_calls":[{"function":{"name":"run_tests","arguments":{"path":"tests/"}}}]},"done":false}`,
		`{"message":{"content":""},"done":true,"done_reason":"stop"}`,
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
		fmt.Println(string(ollama.ToolMessage(toolcall.NewResult(c, "3 passed"))))
		fmt.Println(string(ollama.ToolMessage(toolcall.ErrorResult(c, fmt.Errorf("no <path>")))))
	}
	// Output:
	// run_tests {"path":"tests/"} stop
	// {"role":"tool","content":"3 passed","tool_name":"run_tests"}
	// {"role":"tool","content":"no <path>","tool_name":"run_tests"}
}
