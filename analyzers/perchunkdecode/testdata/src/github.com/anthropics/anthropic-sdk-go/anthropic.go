// Package anthropic is a stand-in with the API only.
package anthropic

type MessageStreamEventUnion struct{ Type string }

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
