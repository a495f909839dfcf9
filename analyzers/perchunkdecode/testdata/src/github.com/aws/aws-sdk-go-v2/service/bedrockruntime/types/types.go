// Package types is a stand-in with the API only.
package types

type ConverseStreamOutput interface{ isConverseStreamOutput() }

type ToolUseBlockDelta struct{ Input *string }

type ContentBlockDelta interface{ isContentBlockDelta() }

type ContentBlockDeltaMemberToolUse struct{ Value ToolUseBlockDelta }

func (*ContentBlockDeltaMemberToolUse) isContentBlockDelta() {}

type ContentBlockDeltaEvent struct {
	ContentBlockIndex *int32
	Delta             ContentBlockDelta
}

type ContentBlockStopEvent struct{ ContentBlockIndex *int32 }

type ConverseStreamOutputMemberContentBlockDelta struct{ Value ContentBlockDeltaEvent }

func (*ConverseStreamOutputMemberContentBlockDelta) isConverseStreamOutput() {}

type ConverseStreamOutputMemberContentBlockStop struct{ Value ContentBlockStopEvent }

func (*ConverseStreamOutputMemberContentBlockStop) isConverseStreamOutput() {}
