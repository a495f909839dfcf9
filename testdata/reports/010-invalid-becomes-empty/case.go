// Package r010: cloudwego/eino-ext#895, anthropics/anthropic-sdk-go#227,
// NousResearch/hermes-agent#105189. Invalid (cut) arguments are replaced by {} so that
// re-encoding works; the tool runs with nothing.
package r010

import "encoding/json"

type call struct {
	ID   string
	Args string
}

type toolBlock struct {
	ID    string          `json:"id"`
	Input json.RawMessage `json:"input"`
}

func convert(calls []call) []toolBlock {
	out := make([]toolBlock, 0, len(calls))
	for _, c := range calls {
		args := c.Args
		if args == "" || !json.Valid([]byte(args)) { // want silentdefault
			args = "{}"
		}
		out = append(out, toolBlock{ID: c.ID, Input: json.RawMessage(args)})
	}
	return out
}
