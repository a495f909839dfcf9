// Package r008: Tencent/WeKnora#2952, huggingface/smolagents#1958. "It parses,
// so it is complete": some servers send {} first and more fragments after it, and
// a number such as 1 | 2 is valid long before it is whole.
package r008

import (
	"encoding/json"
	"fmt"
)

type fragment struct {
	Arguments string
	Finish    string
}

type runner func(args map[string]any) error

func runWhenValid(frames <-chan fragment, run runner) error {
	var acc []byte
	for f := range frames {
		acc = append(acc, f.Arguments...)
		var args map[string]any
		if json.Unmarshal(acc, &args) == nil { // want `perchunkdecode: `
			return run(args)
		}
	}
	return fmt.Errorf("tool call never completed (%d bytes)", len(acc))
}
