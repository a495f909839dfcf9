// Package r024: cline/cline#13001, NousResearch/hermes-agent#42510, trpc-group/trpc-agent-go#1082. A cut
// argument string gets its missing braces and is run: a list cut after two of five
// commands looks like a list of two.
package r024

import (
	"encoding/json"
	"strings"
)

type shellArgs struct {
	Commands []string `json:"commands"`
}

func decodeArgs(raw string) (shellArgs, error) {
	var a shellArgs
	err := json.Unmarshal([]byte(raw), &a)
	if err == nil {
		return a, nil
	}
	raw += strings.Repeat("]", strings.Count(raw, "[")-strings.Count(raw, "]"))
	raw += strings.Repeat("}", strings.Count(raw, "{")-strings.Count(raw, "}"))
	if json.Unmarshal([]byte(raw), &a) == nil { // want `completed by guess`
		return a, nil
	}
	return shellArgs{}, err
}
