package model

var einoFields = []Field{
	{Name: "github.com/cloudwego/eino/schema.ResponseMeta.FinishReason", Role: RoleFinish, Mod: modEino},
	{Name: "github.com/cloudwego/eino/schema.FunctionCall.Arguments", Role: RoleOutput, Mod: modEino},
	{Name: "github.com/cloudwego/eino/schema.Message.Content", Role: RoleOutput, Mod: modEino},
	{Name: "github.com/cloudwego/eino/schema.Message.ReasoningContent", Role: RoleOutput, Mod: modEino},
}
