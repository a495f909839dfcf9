// Package r009: open-octo/octo-agent#2356. Three provider adapters threw the decode
// error away; the tool then complained about a missing parameter and the model
// resent the same broken call.
package r009

import "encoding/json"

type block struct {
	Name  string
	Input map[string]any
}

func parseInput(raw string) map[string]any {
	var m map[string]any
	_ = json.Unmarshal([]byte(raw), &m) // want `silentdefault: the error of json.Unmarshal is dropped`
	return m
}

func finish(name, args string) block {
	return block{Name: name, Input: parseInput(args)}
}
