package fragment

import (
	"bufio"
	"encoding/json"
	"io"
	"iter"
	"strings"
)

// A struct of one's own, recognised by its JSON tags.
type ownChunk struct {
	Choices []struct {
		Delta struct {
			Role      string          `json:"role"`
			Extra     json.RawMessage `json:"extra"`
			ToolCalls []struct {
				Index    int `json:"index"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"delta"`
		FinishReason *string `json:"finish_reason"`
	} `json:"choices"`
}

func events(r io.Reader) iter.Seq2[ownChunk, error] {
	return func(yield func(ownChunk, error) bool) {
		sc := bufio.NewScanner(r)
		for sc.Scan() {
			data, ok := strings.CutPrefix(sc.Text(), "data:")
			if !ok {
				continue
			}
			var c ownChunk
			err := json.Unmarshal([]byte(data), &c)
			if !yield(c, err) {
				return
			}
		}
	}
}

func ownTags(r io.Reader, run runner) error {
	for c, err := range events(r) {
		if err != nil {
			return err
		}
		for _, tc := range c.Choices[0].Delta.ToolCalls {
			var a args
			if err := json.Unmarshal([]byte(tc.Function.Arguments), &a); err != nil { // want `json.Unmarshal decodes a fragment`
				return err
			}
			if err := run(tc.Function.Name, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// A RawMessage in a delta is a whole JSON value of the frame.
func nopeRaw(c ownChunk) (v any, err error) {
	err = json.Unmarshal(c.Choices[0].Delta.Extra, &v)
	return v, err
}

func nopeIteratorFinish(r io.Reader, run runner) error {
	raw := map[int]string{}
	for c, err := range events(r) {
		if err != nil {
			return err
		}
		ch := c.Choices[0]
		for _, tc := range ch.Delta.ToolCalls {
			raw[tc.Index] += tc.Function.Arguments
		}
		if ch.FinishReason != nil {
			for _, s := range raw {
				var a args
				if err := json.Unmarshal([]byte(s), &a); err != nil {
					return err
				}
				if err := run("x", a); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Responses events: the delta is a string beside a type.
type responseEvent struct {
	Type      string `json:"type"`
	Delta     string `json:"delta"`
	Arguments string `json:"arguments"`
}

func responses(evs <-chan responseEvent, run runner) error {
	for ev := range evs {
		switch ev.Type {
		case "response.function_call_arguments.delta":
			var a args
			if err := json.Unmarshal([]byte(ev.Delta), &a); err != nil { // want `json.Unmarshal decodes a fragment`
				return err
			}
		case "response.function_call_arguments.done":
			var a args
			if err := json.Unmarshal([]byte(ev.Arguments), &a); err != nil {
				return err
			}
		}
	}
	return nil
}

func nopeResponsesJoined(evs <-chan responseEvent, run runner) error {
	var raw strings.Builder
	for ev := range evs {
		switch ev.Type {
		case "response.function_call_arguments.delta":
			raw.WriteString(ev.Delta)
		case "response.function_call_arguments.done":
			var a args
			if err := json.Unmarshal([]byte(raw.String()), &a); err != nil {
				return err
			}
		}
	}
	return nil
}

// A delta decoded in a second step is a whole object.
type anthropicEvent struct {
	Type  string          `json:"type"`
	Delta json.RawMessage `json:"delta"`
}

func nopeTwoSteps(data []byte) (d struct{ Text string }, err error) {
	var ev anthropicEvent
	if err := json.Unmarshal(data, &ev); err != nil {
		return d, err
	}
	err = json.Unmarshal(ev.Delta, &d)
	return d, err
}

// Directives.
type custom struct {
	//streamlint:fragment
	Body string
	Kind string
}

func marked(c custom, v any) error {
	return json.Unmarshal([]byte(c.Body), v) // want `json.Unmarshal decodes a fragment`
}

func nopeMarked(c custom, v any) error {
	return json.Unmarshal([]byte(c.Kind), v)
}

// marksParam gets a piece.
//
//streamlint:fragment piece
func marksParam(piece string, v any) error {
	return json.Unmarshal([]byte(piece), v) // want `json.Unmarshal decodes a fragment`
}

// Silenced, with a reason and without.
func silenced(c custom, v any) error {
	//streamlint:ignore perchunkdecode the peer sends one document a piece
	return json.Unmarshal([]byte(c.Body), v)
}

func silencedWithoutReason(c custom, v any) error {
	//streamlint:ignore perchunkdecode
	return json.Unmarshal([]byte(c.Body), v) // want `json.Unmarshal decodes a fragment`
}

func silencedByNolint(c custom, v any) error {
	return json.Unmarshal([]byte(c.Body), v) //nolint:perchunkdecode // one document a piece
}
