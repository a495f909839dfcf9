package model

var ollamaFields = []Field{
	// One type serves an answer with and without streaming, so its text is no increment by type; tool calls are whole in both.
	{Name: "github.com/ollama/ollama/api.ChatResponse.Done", Role: RoleFinish, Mod: modOllama},
	{Name: "github.com/ollama/ollama/api.ChatResponse.DoneReason", Role: RoleFinish, Mod: modOllama},
	{Name: "github.com/ollama/ollama/api.GenerateResponse.Done", Role: RoleFinish, Mod: modOllama},
	{Name: "github.com/ollama/ollama/api.GenerateResponse.DoneReason", Role: RoleFinish, Mod: modOllama},
	{Name: "github.com/ollama/ollama/api.Message.Content", Role: RoleOutput, Mod: modOllama},
	{Name: "github.com/ollama/ollama/api.GenerateResponse.Response", Role: RoleOutput, Mod: modOllama},
	{Name: "github.com/ollama/ollama/api.Message.ToolCalls", Role: RoleWhole, Mod: modOllama},
	{Name: "github.com/ollama/ollama/api.GenerateResponse.ToolCalls", Role: RoleWhole, Mod: modOllama},
	{Name: "github.com/ollama/ollama/api.ToolCallFunction.Arguments", Role: RoleWhole, Mod: modOllama},
}
