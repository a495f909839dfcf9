package model

var openailikeFields = []Field{
	// Mistral.
	{Name: "github.com/gage-technologies/mistral-go.ChatCompletionResponseChoiceStream.Delta", Role: RoleDelta, Mod: modMistral},
	{Name: "github.com/gage-technologies/mistral-go.DeltaMessage.Content", Role: RolePiece, Mod: modMistral},
	{Name: "github.com/gage-technologies/mistral-go.ChatCompletionResponseChoiceStream.FinishReason", Role: RoleFinish, Mod: modMistral},
	{Name: "github.com/gage-technologies/mistral-go.ChatCompletionResponseChoice.FinishReason", Role: RoleFinish, Mod: modMistral},
	{Name: "github.com/gage-technologies/mistral-go.FIMCompletionResponseChoice.FinishReason", Role: RoleFinish, Mod: modMistral},
	{Name: "github.com/gage-technologies/mistral-go.FunctionCall.Arguments", Role: RoleOutput, Mod: modMistral},
	{Name: "github.com/gage-technologies/mistral-go.ChatMessage.Content", Role: RoleOutput, Mod: modMistral},

	// Groq.
	{Name: "github.com/conneroisu/groq-go.ChatCompletionStreamChoice.Delta", Role: RoleDelta, Mod: modGroq},
	{Name: "github.com/conneroisu/groq-go.ChatCompletionStreamChoiceDelta.Content", Role: RolePiece, Mod: modGroq},
	{Name: "github.com/conneroisu/groq-go.ChatCompletionStreamChoice.FinishReason", Role: RoleFinish, Mod: modGroq},
	{Name: "github.com/conneroisu/groq-go.ChatCompletionChoice.FinishReason", Role: RoleFinish, Mod: modGroq},
	{Name: "github.com/conneroisu/groq-go.ChatCompletionMessage.Content", Role: RoleOutput, Mod: modGroq},
	{Name: "github.com/conneroisu/groq-go/pkg/tools.FunctionCall.Arguments", Role: RoleOutput, Mod: modGroq},

	// DeepSeek.
	{Name: "github.com/cohesion-org/deepseek-go.StreamChoices.Delta", Role: RoleDelta, Mod: modDeepSeek},
	{Name: "github.com/cohesion-org/deepseek-go.StreamDelta.Content", Role: RolePiece, Mod: modDeepSeek},
	{Name: "github.com/cohesion-org/deepseek-go.StreamDelta.ReasoningContent", Role: RolePiece, Mod: modDeepSeek},
	{Name: "github.com/cohesion-org/deepseek-go.FIMStreamChoice.Text", Role: RolePiece, Mod: modDeepSeek},
	{Name: "github.com/cohesion-org/deepseek-go.StreamChoices.FinishReason", Role: RoleFinish, Mod: modDeepSeek},
	{Name: "github.com/cohesion-org/deepseek-go.Choice.FinishReason", Role: RoleFinish, Mod: modDeepSeek},
	{Name: "github.com/cohesion-org/deepseek-go.OllamaStreamResponse.Done", Role: RoleFinish, Mod: modDeepSeek},
	{Name: "github.com/cohesion-org/deepseek-go.OllamaStreamResponse.DoneReason", Role: RoleFinish, Mod: modDeepSeek},
	{Name: "github.com/cohesion-org/deepseek-go.ToolCallFunction.Arguments", Role: RoleOutput, Mod: modDeepSeek},
	{Name: "github.com/cohesion-org/deepseek-go.Message.Content", Role: RoleOutput, Mod: modDeepSeek},

	// Volcengine: chat completions.
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model.ChatCompletionStreamChoice.Delta", Role: RoleDelta, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model.ChatCompletionStreamChoiceDelta.Content", Role: RolePiece, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model.ChatCompletionStreamChoiceDelta.ReasoningContent", Role: RolePiece, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model.ChatCompletionStreamChoice.FinishReason", Role: RoleFinish, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model.ChatCompletionChoice.FinishReason", Role: RoleFinish, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model.FunctionCall.Arguments", Role: RoleOutput, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model.ChatCompletionMessageContent.StringValue", Role: RoleOutput, Mod: modVolcengine},

	// Volcengine: responses. One type serves an event's delta and its done form.
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.FunctionCallArgumentsEvent.Delta", Role: RolePiece, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.OutputTextEvent.Delta", Role: RolePiece, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.ReasoningSummaryTextEvent.Delta", Role: RolePiece, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.ResponseMcpCallArgumentsDeltaEvent.Delta", Role: RolePiece, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.ResponseObject.Status", Role: RoleFinish, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.ItemFunctionToolCall.Status", Role: RoleFinish, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.ItemOutputMessage.Status", Role: RoleFinish, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.FunctionCallArgumentsEvent.Arguments", Role: RoleOutput, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.OutputTextEvent.Text", Role: RoleOutput, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.ResponseMcpCallArgumentsDoneEvent.Arguments", Role: RoleOutput, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.ItemFunctionToolCall.Arguments", Role: RoleOutput, Mod: modVolcengine},
}

var openailikeTypes = []Type{
	{Name: "github.com/gage-technologies/mistral-go.DeltaMessage", Role: RoleDelta, Mod: modMistral},

	{Name: "github.com/conneroisu/groq-go.ChatCompletionStreamChoiceDelta", Role: RoleDelta, Mod: modGroq},

	{Name: "github.com/cohesion-org/deepseek-go.StreamDelta", Role: RoleDelta, Mod: modDeepSeek},

	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model.ChatCompletionStreamChoiceDelta", Role: RoleDelta, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.Event_ResponseMcpCallArgumentsDone", Role: RoleFinish, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.ResponseMcpCallArgumentsDoneEvent", Role: RoleFinish, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.Event_ResponseMcpCallCompleted", Role: RoleFinish, Mod: modVolcengine},
	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/model/responses.ResponseMcpCallCompletedEvent", Role: RoleFinish, Mod: modVolcengine},
}
