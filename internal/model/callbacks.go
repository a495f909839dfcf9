package model

// Callbacks are the functions that take a function and call it with stream data.
var Callbacks = []Callback{
	// The chunk is a piece of the text; for a tool call it is a JSON array of increments.
	{Func: "github.com/tmc/langchaingo/llms.WithStreamingFunc", Arg: 0, Param: 1, State: Fragment, Mod: modLangChain},
	{Func: "github.com/tmc/langchaingo/llms.WithStreamingReasoningFunc", Arg: 0, Param: 1, State: Fragment, Mod: modLangChain},
	{Func: "github.com/tmc/langchaingo/llms.WithStreamingReasoningFunc", Arg: 0, Param: 2, State: Fragment, Mod: modLangChain},

	{Func: "(github.com/ollama/ollama/api.Client).Chat", Arg: 3, Param: 0, State: Frame, Mod: modOllama},
	{Func: "(github.com/ollama/ollama/api.Client).Generate", Arg: 3, Param: 0, State: Frame, Mod: modOllama},
	{Func: "(github.com/ollama/ollama/api.Client).Pull", Arg: 3, Param: 0, State: Frame, Mod: modOllama},
	{Func: "(github.com/ollama/ollama/api.Client).Push", Arg: 3, Param: 0, State: Frame, Mod: modOllama},
	{Func: "(github.com/ollama/ollama/api.Client).Create", Arg: 3, Param: 0, State: Frame, Mod: modOllama},

	{Func: "github.com/higress-group/wasm-go/pkg/wrapper.ProcessStreamingResponseBody", Arg: 0, Param: 2, State: Chunk, Mod: modHigress},
	{Func: "github.com/higress-group/wasm-go/pkg/wrapper.ProcessStreamingResponseBodyBy", Arg: 0, Param: 2, State: Chunk, Mod: modHigress},
	{Func: "github.com/higress-group/wasm-go/pkg/wrapper.ProcessStreamingRequestBody", Arg: 0, Param: 2, State: Chunk, Mod: modHigress},
	{Func: "github.com/higress-group/wasm-go/pkg/wrapper.ProcessStreamingRequestBodyBy", Arg: 0, Param: 2, State: Chunk, Mod: modHigress},
	{Func: "github.com/higress-group/wasm-go/pkg/wrapper.ProcessResponseBody", Arg: 0, Param: 2, State: Whole, Mod: modHigress},
	{Func: "github.com/higress-group/wasm-go/pkg/wrapper.ProcessResponseBodyBy", Arg: 0, Param: 2, State: Whole, Mod: modHigress},
	{Func: "github.com/higress-group/wasm-go/pkg/wrapper.ProcessRequestBody", Arg: 0, Param: 2, State: Whole, Mod: modHigress},
	{Func: "github.com/higress-group/wasm-go/pkg/wrapper.ProcessRequestBodyBy", Arg: 0, Param: 2, State: Whole, Mod: modHigress},

	{Func: "(github.com/tmaxmax/go-sse.Connection).SubscribeToAll", Arg: 1, Param: 0, State: Frame, Mod: modGoSSE},
	{Func: "(github.com/tmaxmax/go-sse.Connection).SubscribeMessages", Arg: 1, Param: 0, State: Frame, Mod: modGoSSE},
	{Func: "(github.com/tmaxmax/go-sse.Connection).SubscribeEvent", Arg: 2, Param: 0, State: Frame, Mod: modGoSSE},

	{Func: "(github.com/r3labs/sse.Client).Subscribe", Arg: 2, Param: 0, State: Frame, Mod: modR3labs},
	{Func: "(github.com/r3labs/sse.Client).SubscribeWithContext", Arg: 3, Param: 0, State: Frame, Mod: modR3labs},
	{Func: "(github.com/r3labs/sse.Client).SubscribeRaw", Arg: 1, Param: 0, State: Frame, Mod: modR3labs},
	{Func: "(github.com/r3labs/sse.Client).SubscribeRawWithContext", Arg: 2, Param: 0, State: Frame, Mod: modR3labs},
}
