package model

var fantasyFields = []Field{
	{Name: "charm.land/fantasy.StreamPart.Delta", Role: RolePiece, Mod: modFantasy},
	{Name: "charm.land/fantasy.ObjectStreamPart.Delta", Role: RolePiece, Mod: modFantasy},
	{Name: "charm.land/fantasy.StreamPart.FinishReason", Role: RoleFinish, Mod: modFantasy},
	{Name: "charm.land/fantasy.ObjectStreamPart.FinishReason", Role: RoleFinish, Mod: modFantasy},
	{Name: "charm.land/fantasy.Response.FinishReason", Role: RoleFinish, Mod: modFantasy},
	{Name: "charm.land/fantasy.ObjectResponse.FinishReason", Role: RoleFinish, Mod: modFantasy},
	{Name: "charm.land/fantasy.ObjectResult.FinishReason", Role: RoleFinish, Mod: modFantasy},
	{Name: "charm.land/fantasy.StreamPart.ToolCallInput", Role: RoleOutput, Mod: modFantasy},
	{Name: "charm.land/fantasy.ToolCallContent.Input", Role: RoleOutput, Mod: modFantasy},
	{Name: "charm.land/fantasy.ToolCall.Input", Role: RoleOutput, Mod: modFantasy},
	{Name: "charm.land/fantasy.TextContent.Text", Role: RoleOutput, Mod: modFantasy},
}
