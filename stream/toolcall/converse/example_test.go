package converse_test

import (
	"encoding/json"
	"fmt"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/converse"
)

func Example() {
	tools := toolcall.MustSet(toolcall.Tool{
		Name:   "run_tests",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
	})
	turn := converse.New(tools)
	for _, f := range []string{
		`{"contentBlockStart":{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"tooluse_1","name":"run_tests"}}}}`,
		`{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"toolUse":{"input":"{\"path\":"}}}}`,
		`{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"toolUse":{"input":"\"tests/\"}"}}}}`,
		`{"contentBlockStop":{"contentBlockIndex":0}}`,
		`{"messageStop":{"stopReason":"tool_use"}}`,
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
		fmt.Println(string(converse.Message(toolcall.NewResult(c, "3 passed"))))
		fmt.Println(string(converse.Message(toolcall.ErrorResult(c, fmt.Errorf("no <path>")))))
	}
	// Output:
	// run_tests {"path":"tests/"} tool_use
	// {"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_1","content":[{"text":"3 passed"}]}}]}
	// {"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_1","content":[{"text":"no <path>"}],"status":"error"}}]}
}
