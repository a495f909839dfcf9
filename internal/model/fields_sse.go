package model

var sseFields = []Field{
	{Name: "github.com/openai/openai-go/packages/ssestream.Event.Data", Role: RoleFrame, Mod: modOpenAI},

	{Name: "github.com/anthropics/anthropic-sdk-go/packages/ssestream.Event.Data", Role: RoleFrame, Mod: modAnthropic},
}
