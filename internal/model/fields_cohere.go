package model

var cohereFields = []Field{
	// Chat v2.
	{Name: "github.com/cohere-ai/cohere-go.ChatContentDeltaEvent.Delta", Role: RoleDelta, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatToolCallDeltaEvent.Delta", Role: RoleDelta, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatToolPlanDeltaEvent.Delta", Role: RoleDelta, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatContentDeltaEventDeltaMessageContent.Text", Role: RolePiece, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatContentDeltaEventDeltaMessageContent.Thinking", Role: RolePiece, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatToolCallDeltaEventDeltaMessageToolCallsFunction.Arguments", Role: RolePiece, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatToolPlanDeltaEventDeltaMessage.ToolPlan", Role: RolePiece, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatMessageEndEventDelta.FinishReason", Role: RoleFinish, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.V2ChatResponse.FinishReason", Role: RoleFinish, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ToolCallV2Function.Arguments", Role: RoleOutput, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatTextContent.Text", Role: RoleOutput, Mod: modCohere},

	// Chat v1 and generate.
	{Name: "github.com/cohere-ai/cohere-go.ChatToolCallsChunkEvent.ToolCallDelta", Role: RoleDelta, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatTextGenerationEvent.Text", Role: RolePiece, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ToolCallDelta.Parameters", Role: RolePiece, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ToolCallDelta.Text", Role: RolePiece, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.GenerateStreamText.Text", Role: RolePiece, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatStreamEndEvent.FinishReason", Role: RoleFinish, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.NonStreamedChatResponse.FinishReason", Role: RoleFinish, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.GenerateStreamEnd.IsFinished", Role: RoleFinish, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.GenerateStreamEnd.FinishReason", Role: RoleFinish, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.GenerateStreamText.IsFinished", Role: RoleFinish, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.NonStreamedChatResponse.Text", Role: RoleOutput, Mod: modCohere},
}

var cohereTypes = []Type{
	{Name: "github.com/cohere-ai/cohere-go.ChatContentDeltaEventDelta", Role: RoleDelta, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatToolCallDeltaEventDelta", Role: RoleDelta, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatToolPlanDeltaEventDelta", Role: RoleDelta, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ToolCallDelta", Role: RoleDelta, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatMessageEndEvent", Role: RoleFinish, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatContentEndEvent", Role: RoleFinish, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatToolCallEndEvent", Role: RoleFinish, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.ChatStreamEndEvent", Role: RoleFinish, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.GenerateStreamEnd", Role: RoleFinish, Mod: modCohere},
	{Name: "github.com/cohere-ai/cohere-go.NonStreamedChatResponse", Role: RoleWhole, Mod: modCohere},
}
