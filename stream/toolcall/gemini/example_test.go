package gemini_test

import (
	"encoding/json"
	"fmt"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/gemini"
)

func Example() {
	tools := toolcall.MustSet(toolcall.Tool{
		Name:   "run_tests",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
	})
	turn := gemini.New(tools)
	for _, f := range []string{
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"run_tests","args":{"path":"tests/"}}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP"}]}`,
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
		fmt.Println(string(gemini.Content(toolcall.NewResult(c, "3 passed"))))
		fmt.Println(string(gemini.Content(toolcall.ErrorResult(c, fmt.Errorf("no <path>")))))
	}
	// Output:
	// run_tests {"path":"tests/"} STOP
	// {"role":"user","parts":[{"functionResponse":{"name":"run_tests","response":{"output":"3 passed"}}}]}
	// {"role":"user","parts":[{"functionResponse":{"name":"run_tests","response":{"error":"no <path>"}}}]}
}
