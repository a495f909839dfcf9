package sdk

import (
	"encoding/json"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
)

type args map[string]any

// Anthropic: events told apart by type switch.
func claude(next func() (anthropic.MessageStreamEventUnion, bool), run func(args)) error {
	for {
		ev, ok := next()
		if !ok {
			return nil
		}
		switch ev := ev.AsAny().(type) {
		case anthropic.ContentBlockDeltaEvent:
			switch d := ev.Delta.AsAny().(type) {
			case anthropic.InputJSONDelta:
				var a args
				if err := json.Unmarshal([]byte(d.PartialJSON), &a); err != nil { // want `json.Unmarshal decodes a fragment \(InputJSONDelta.PartialJSON`
					return err
				}
				run(a)
			}
		}
	}
}

func nopeClaude(next func() (anthropic.MessageStreamEventUnion, bool), run func(args)) error {
	var raw strings.Builder
	for {
		ev, ok := next()
		if !ok {
			return nil
		}
		switch ev := ev.AsAny().(type) {
		case anthropic.ContentBlockDeltaEvent:
			raw.WriteString(ev.Delta.PartialJSON)
		case anthropic.ContentBlockStopEvent:
			var a args
			if err := json.Unmarshal([]byte(raw.String()), &a); err != nil {
				return err
			}
			run(a)
			raw.Reset()
		}
	}
}

// The union's field by itself, and the event told by its name.
func claudeUnion(evs []anthropic.ContentBlockDeltaEvent, run func(args)) error {
	for _, ev := range evs {
		if ev.Delta.Type == "input_json_delta" {
			var a args
			if err := json.Unmarshal([]byte(ev.Delta.PartialJSON), &a); err != nil { // want `json.Unmarshal decodes a fragment`
				return err
			}
			run(a)
		}
	}
	return nil
}

// Bedrock: pointers to strings in member structs.
func bedrock(events <-chan types.ConverseStreamOutput, run func(args)) error {
	for ev := range events {
		switch ev := ev.(type) {
		case *types.ConverseStreamOutputMemberContentBlockDelta:
			if d, ok := ev.Value.Delta.(*types.ContentBlockDeltaMemberToolUse); ok && d.Value.Input != nil {
				var a args
				if err := json.Unmarshal([]byte(*d.Value.Input), &a); err != nil { // want `json.Unmarshal decodes a fragment`
					return err
				}
				run(a)
			}
		}
	}
	return nil
}

func nopeBedrock(events <-chan types.ConverseStreamOutput, run func(args)) error {
	raw := map[int32]string{}
	for ev := range events {
		switch ev := ev.(type) {
		case *types.ConverseStreamOutputMemberContentBlockDelta:
			if d, ok := ev.Value.Delta.(*types.ContentBlockDeltaMemberToolUse); ok && d.Value.Input != nil {
				raw[*ev.Value.ContentBlockIndex] += *d.Value.Input
			}
		case *types.ConverseStreamOutputMemberContentBlockStop:
			var a args
			if err := json.Unmarshal([]byte(raw[*ev.Value.ContentBlockIndex]), &a); err != nil {
				return err
			}
			run(a)
		}
	}
	return nil
}

// The same events without the terminal one: the text is tried each time.
func bedrockTries(events <-chan types.ConverseStreamOutput, run func(args)) {
	raw := ""
	for ev := range events {
		if ev, ok := ev.(*types.ConverseStreamOutputMemberContentBlockDelta); ok {
			if d, ok := ev.Value.Delta.(*types.ContentBlockDeltaMemberToolUse); ok {
				raw += *d.Value.Input
				var a args
				if json.Unmarshal([]byte(raw), &a) == nil { // want `json.Unmarshal decodes what has arrived so far`
					run(a)
				}
			}
		}
	}
}
