package model

var bedrockFields = []Field{
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ContentBlockDeltaEvent.Delta", Role: RoleDelta, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ContentBlockDeltaMemberToolUse.Value", Role: RoleDelta, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ContentBlockDeltaMemberReasoningContent.Value", Role: RoleDelta, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ContentBlockDeltaMemberToolResult.Value", Role: RoleDelta, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ContentBlockDeltaMemberCitation.Value", Role: RoleDelta, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ContentBlockDeltaMemberText.Value", Role: RolePiece, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ToolUseBlockDelta.Input", Role: RolePiece, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ReasoningContentBlockDeltaMemberText.Value", Role: RolePiece, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ToolResultBlockDeltaMemberText.Value", Role: RolePiece, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.MessageStopEvent.StopReason", Role: RoleFinish, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.PayloadPart.Bytes", Role: RoleFrame, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.BidirectionalOutputPayloadPart.Bytes", Role: RoleFrame, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ContentBlockMemberText.Value", Role: RoleOutput, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ToolUseBlock.Input", Role: RoleOutput, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime.ConverseOutput.StopReason", Role: RoleFinish, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime.InvokeModelOutput.Body", Role: RoleOutput, Mod: modBedrock},
}

var bedrockTypes = []Type{
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ContentBlockDeltaMemberText", Role: RoleDelta, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ContentBlockDeltaMemberToolUse", Role: RoleDelta, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ContentBlockDeltaMemberReasoningContent", Role: RoleDelta, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ToolUseBlockDelta", Role: RoleDelta, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ReasoningContentBlockDeltaMemberText", Role: RoleDelta, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ConverseStreamOutputMemberMessageStop", Role: RoleFinish, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ConverseStreamOutputMemberContentBlockStop", Role: RoleFinish, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.MessageStopEvent", Role: RoleFinish, Mod: modBedrock},
	{Name: "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types.ContentBlockStopEvent", Role: RoleFinish, Mod: modBedrock},
}
