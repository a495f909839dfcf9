package model

var sseFields = []Field{
	{Name: "github.com/openai/openai-go/packages/ssestream.Event.Data", Role: RoleFrame, Mod: modOpenAI},

	{Name: "github.com/anthropics/anthropic-sdk-go/packages/ssestream.Event.Data", Role: RoleFrame, Mod: modAnthropic},

	{Name: "github.com/volcengine/volcengine-go-sdk/service/arkruntime/utils.Event.Data", Role: RoleFrame, Mod: modVolcengine},

	// Websocket frames and messages.
	{Name: "github.com/gobwas/ws.Frame.Payload", Role: RoleFrame, Mod: modGobwas},
	{Name: "github.com/gobwas/ws/wsutil.Message.Payload", Role: RoleFrame, Mod: modGobwas},

	// Events of SSE libraries.
	{Name: "github.com/tmaxmax/go-sse.Event.Data", Role: RoleFrame, Mod: modGoSSE},

	{Name: "github.com/r3labs/sse.Event.Data", Role: RoleFrame, Mod: modR3labs},
}
