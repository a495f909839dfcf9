// Package r007: bojieli/ai-agent-book#194, jeremychone/rust-genai#91. Every
// partial_json fragment is decoded on its own, though it is a piece of one document.
package r007

import (
	"encoding/json"
	"iter"
)

type event struct {
	Type  string `json:"type"`
	Index int    `json:"index"`
	Delta struct {
		Type        string `json:"type"`
		PartialJSON string `json:"partial_json"`
		StopReason  string `json:"stop_reason"`
	} `json:"delta"`
}

type toolUse struct {
	Input map[string]any
}

func collect(events iter.Seq2[event, error]) (*toolUse, error) {
	cur := &toolUse{}
	stopped := false
	for ev, err := range events {
		if err != nil {
			return nil, err
		}
		switch ev.Type {
		case "content_block_delta":
			if ev.Delta.Type != "input_json_delta" {
				continue
			}
			if err := json.Unmarshal([]byte(ev.Delta.PartialJSON), &cur.Input); err != nil { // want `perchunkdecode: `
				return nil, err
			}
		case "message_stop":
			stopped = true
		}
	}
	if !stopped {
		return nil, errTruncated
	}
	return cur, nil
}
