package model

// Fields are the struct fields of SDKs that carry an increment or show an end.
var Fields = []Field{
	{Name: "github.com/sashabaranov/go-openai.ChatCompletionStreamChoice.Delta", Role: RoleDelta, Mod: "github.com/sashabaranov/go-openai@v1.42.0"},
	{Name: "github.com/sashabaranov/go-openai.ChatCompletionStreamChoice.FinishReason", Role: RoleFinish, Mod: "github.com/sashabaranov/go-openai@v1.42.0"},
}

// Types are the named types whose every value has a role.
var Types = []Type{
	{Name: "github.com/sashabaranov/go-openai.ChatCompletionStreamChoiceDelta", Role: RoleDelta, Mod: "github.com/sashabaranov/go-openai@v1.42.0"},
}
