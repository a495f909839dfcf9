package model

var goopenaiFields = []Field{
	{Name: "github.com/sashabaranov/go-openai.ChatCompletionStreamChoice.Delta", Role: RoleDelta, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.ChatCompletionStreamChoiceDelta.Content", Role: RolePiece, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.ChatCompletionStreamChoiceDelta.ReasoningContent", Role: RolePiece, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.ChatCompletionStreamChoiceDelta.Refusal", Role: RolePiece, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.ResponseStreamEvent.Delta", Role: RolePiece, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.ChatCompletionStreamChoice.FinishReason", Role: RoleFinish, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.ChatCompletionChoice.FinishReason", Role: RoleFinish, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.CompletionChoice.FinishReason", Role: RoleFinish, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.CreateResponseResponse.Status", Role: RoleFinish, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.ResponseOutputItem.Status", Role: RoleFinish, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.FunctionCall.Arguments", Role: RoleOutput, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.ChatCompletionMessage.Content", Role: RoleOutput, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.ResponseStreamEvent.Arguments", Role: RoleOutput, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.ResponseStreamEvent.Text", Role: RoleOutput, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.ResponseOutputItem.Arguments", Role: RoleOutput, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.ResponseOutputContent.Text", Role: RoleOutput, Mod: modGoOpenAI},
	{Name: "github.com/sashabaranov/go-openai.CreateResponseResponse.OutputText", Role: RoleOutput, Mod: modGoOpenAI},
}

var goopenaiTypes = []Type{
	{Name: "github.com/sashabaranov/go-openai.ChatCompletionStreamChoiceDelta", Role: RoleDelta, Mod: modGoOpenAI},
}
