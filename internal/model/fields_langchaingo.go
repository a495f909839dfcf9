package model

var langchaingoFields = []Field{
	{Name: "github.com/tmc/langchaingo/llms.ContentChoice.StopReason", Role: RoleFinish, Mod: modLangChain},
	{Name: "github.com/tmc/langchaingo/llms.ContentChoice.Content", Role: RoleOutput, Mod: modLangChain},
	{Name: "github.com/tmc/langchaingo/llms.ContentChoice.ReasoningContent", Role: RoleOutput, Mod: modLangChain},
	{Name: "github.com/tmc/langchaingo/llms.FunctionCall.Arguments", Role: RoleOutput, Mod: modLangChain},
}
