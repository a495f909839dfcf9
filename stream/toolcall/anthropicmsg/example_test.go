package anthropicmsg_test

import (
	"encoding/json"
	"fmt"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/anthropicmsg"
)

func Example() {
	tools := toolcall.MustSet(toolcall.Tool{
		Name:   "run_tests",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
	})
	turn := anthropicmsg.New(tools)
	for _, f := range []string{
		`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"run_tests","input":{}}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"path\":"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"tests/\"}"}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`,
		`{"type":"message_stop"}`,
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
		fmt.Println(string(anthropicmsg.Message(toolcall.NewResult(c, "3 passed"))))
		fmt.Println(string(anthropicmsg.Message(toolcall.ErrorResult(c, fmt.Errorf("no <path>")))))
	}
	// Output:
	// run_tests {"path":"tests/"} tool_use
	// {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"3 passed"}]}
	// {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"no <path>","is_error":true}]}
}
