// Package anthropic is a stand-in with the API only.
package anthropic

import "encoding/json"

type MessageStreamEventUnion struct {
	Type  string
	Delta DeltaUnion
}

// DeltaUnion has a name that the tables do not know, as in early versions.
type DeltaUnion struct {
	JSON struct{ raw string }
	Text string
}

// AsTextDelta decodes the JSON that the increment came in once more.
func (u DeltaUnion) AsTextDelta() (d TextDelta, err error) {
	err = json.Unmarshal([]byte(u.JSON.raw), &d)
	return d, err
}

// AsDocument decodes what is only a piece.
func (u DeltaUnion) AsDocument() (d map[string]any, err error) {
	err = json.Unmarshal([]byte(u.Text), &d)
	return d, err
}

func (MessageStreamEventUnion) AsAny() any { return nil }

type ContentBlockDeltaEvent struct {
	Index int64
	Delta RawContentBlockDeltaUnion
}

type RawContentBlockDeltaUnion struct {
	Type        string
	Text        string
	PartialJSON string
}

func (RawContentBlockDeltaUnion) AsAny() any { return nil }

type InputJSONDelta struct{ PartialJSON string }

type TextDelta struct{ Text string }

type ContentBlockStopEvent struct{ Index int64 }

type MessageStopEvent struct{}
