package model

// Opens are the calls that send a request and give its answer as a stream, and
// next to them the calls of the same clients that give it whole.
var Opens = []Open{
	{Func: "(net/http.Client).Do", Mod: modStd},
	{Func: "(net/http.Client).Get", Mod: modStd},
	{Func: "(net/http.Client).Post", Mod: modStd},
	{Func: "(net/http.Client).PostForm", Mod: modStd},
	{Func: "net/http.Get", Mod: modStd},
	{Func: "net/http.Post", Mod: modStd},
	{Func: "net/http.PostForm", Mod: modStd},
	{Func: "(net/http.RoundTripper).RoundTrip", Mod: modStd},
	{Func: "(net/http.Transport).RoundTrip", Mod: modStd},
	{Func: "(net/http.Client).Head", Mod: modStd, Unary: true},
	{Func: "net/http.Head", Mod: modStd, Unary: true},

	{Func: "(github.com/openai/openai-go.ChatCompletionService).NewStreaming", Mod: modOpenAI},
	{Func: "(github.com/openai/openai-go.CompletionService).NewStreaming", Mod: modOpenAI},
	{Func: "(github.com/openai/openai-go.AudioTranscriptionService).NewStreaming", Mod: modOpenAI},
	{Func: "(github.com/openai/openai-go.BetaThreadService).NewAndRunStreaming", Mod: modOpenAI},
	{Func: "(github.com/openai/openai-go.BetaThreadRunService).NewStreaming", Mod: modOpenAI},
	{Func: "(github.com/openai/openai-go.BetaThreadRunService).SubmitToolOutputsStreaming", Mod: modOpenAI},
	{Func: "(github.com/openai/openai-go/responses.ResponseService).NewStreaming", Mod: modOpenAI},
	{Func: "(github.com/openai/openai-go/responses.ResponseService).GetStreaming", Mod: modOpenAI},
	{Func: "(github.com/openai/openai-go.ChatCompletionService).New", Mod: modOpenAI, Unary: true},
	{Func: "(github.com/openai/openai-go.CompletionService).New", Mod: modOpenAI, Unary: true},
	{Func: "(github.com/openai/openai-go/responses.ResponseService).New", Mod: modOpenAI, Unary: true},
	{Func: "(github.com/openai/openai-go/responses.ResponseService).Get", Mod: modOpenAI, Unary: true},

	{Func: "(github.com/sashabaranov/go-openai.Client).CreateChatCompletionStream", Mod: modGoOpenAI},
	{Func: "(github.com/sashabaranov/go-openai.Client).CreateCompletionStream", Mod: modGoOpenAI},
	{Func: "(github.com/sashabaranov/go-openai.Client).CreateResponseStream", Mod: modGoOpenAI},
	{Func: "(github.com/sashabaranov/go-openai.Client).CreateChatCompletion", Mod: modGoOpenAI, Unary: true},
	{Func: "(github.com/sashabaranov/go-openai.Client).CreateCompletion", Mod: modGoOpenAI, Unary: true},
	{Func: "(github.com/sashabaranov/go-openai.Client).CreateResponse", Mod: modGoOpenAI, Unary: true},

	{Func: "(github.com/anthropics/anthropic-sdk-go.MessageService).NewStreaming", Mod: modAnthropic},
	{Func: "(github.com/anthropics/anthropic-sdk-go.MessageService).New", Mod: modAnthropic, Unary: true},
	{Func: "(github.com/anthropics/anthropic-sdk-go.BetaMessageService).NewStreaming", Mod: modAnthropic},
	{Func: "(github.com/anthropics/anthropic-sdk-go.BetaMessageService).New", Mod: modAnthropic, Unary: true},
	{Func: "(github.com/anthropics/anthropic-sdk-go.CompletionService).NewStreaming", Mod: modAnthropic},

	{Func: "(google.golang.org/genai.Models).GenerateContentStream", Mod: modGenAI},
	{Func: "(google.golang.org/genai.Chat).SendMessageStream", Mod: modGenAI},
	{Func: "(google.golang.org/genai.Chat).SendStream", Mod: modGenAI},
	{Func: "(google.golang.org/genai.Live).Connect", Mod: modGenAI},
	{Func: "(google.golang.org/genai.Models).GenerateContent", Mod: modGenAI, Unary: true},
	{Func: "(google.golang.org/genai.Chat).SendMessage", Mod: modGenAI, Unary: true},
	{Func: "(google.golang.org/genai.Chat).Send", Mod: modGenAI, Unary: true},

	{Func: "(cloud.google.com/go/vertexai/genai.GenerativeModel).GenerateContentStream", Mod: modVertexAI},
	{Func: "(cloud.google.com/go/vertexai/genai.ChatSession).SendMessageStream", Mod: modVertexAI},
	{Func: "(cloud.google.com/go/vertexai/genai.GenerativeModel).GenerateContent", Mod: modVertexAI, Unary: true},
	{Func: "(cloud.google.com/go/vertexai/genai.ChatSession).SendMessage", Mod: modVertexAI, Unary: true},

	{Func: "(github.com/google/generative-ai-go/genai.GenerativeModel).GenerateContentStream", Mod: modGenerativeAI},
	{Func: "(github.com/google/generative-ai-go/genai.ChatSession).SendMessageStream", Mod: modGenerativeAI},
	{Func: "(github.com/google/generative-ai-go/genai.GenerativeModel).GenerateContent", Mod: modGenerativeAI, Unary: true},
	{Func: "(github.com/google/generative-ai-go/genai.ChatSession).SendMessage", Mod: modGenerativeAI, Unary: true},

	{Func: "(github.com/aws/aws-sdk-go-v2/service/bedrockruntime.Client).ConverseStream", Mod: modBedrock},
	{Func: "(github.com/aws/aws-sdk-go-v2/service/bedrockruntime.Client).InvokeModelWithResponseStream", Mod: modBedrock},
	{Func: "(github.com/aws/aws-sdk-go-v2/service/bedrockruntime.Client).InvokeModelWithBidirectionalStream", Mod: modBedrock},
	{Func: "(github.com/aws/aws-sdk-go-v2/service/bedrockruntime.Client).Converse", Mod: modBedrock, Unary: true},
	{Func: "(github.com/aws/aws-sdk-go-v2/service/bedrockruntime.Client).InvokeModel", Mod: modBedrock, Unary: true},

	// The answer is whole; what streams goes into the callback of WithStreamingFunc.
	{Func: "(github.com/tmc/langchaingo/llms.Model).GenerateContent", Mod: modLangChain, Unary: true},
	{Func: "(github.com/tmc/langchaingo/llms.Model).Call", Mod: modLangChain, Unary: true},
	{Func: "github.com/tmc/langchaingo/llms.GenerateFromSinglePrompt", Mod: modLangChain, Unary: true},

	{Func: "(github.com/cloudwego/eino/components/model.BaseChatModel).Stream", Mod: modEino},
	{Func: "(github.com/cloudwego/eino/components/model.BaseChatModel).Generate", Mod: modEino, Unary: true},

	{Func: "(github.com/cohere-ai/cohere-go/client.Client).ChatStream", Mod: modCohere},
	{Func: "(github.com/cohere-ai/cohere-go/client.Client).GenerateStream", Mod: modCohere},
	{Func: "(github.com/cohere-ai/cohere-go.Client).ChatStream", Mod: modCohere},
	{Func: "(github.com/cohere-ai/cohere-go/client.Client).Chat", Mod: modCohere, Unary: true},
	{Func: "(github.com/cohere-ai/cohere-go/client.Client).Generate", Mod: modCohere, Unary: true},
	{Func: "(github.com/cohere-ai/cohere-go.Client).Chat", Mod: modCohere, Unary: true},

	{Func: "(github.com/gage-technologies/mistral-go.MistralClient).ChatStream", Mod: modMistral},
	{Func: "(github.com/gage-technologies/mistral-go.MistralClient).Chat", Mod: modMistral, Unary: true},

	{Func: "(github.com/conneroisu/groq-go.Client).ChatCompletionStream", Mod: modGroq},
	{Func: "(github.com/conneroisu/groq-go.Client).ChatCompletion", Mod: modGroq, Unary: true},
	{Func: "(github.com/conneroisu/groq-go.Client).ChatCompletionJSON", Mod: modGroq, Unary: true},

	{Func: "(github.com/cohesion-org/deepseek-go.Client).CreateChatCompletionStream", Mod: modDeepSeek},
	{Func: "(github.com/cohesion-org/deepseek-go.Client).CreateFIMStreamCompletion", Mod: modDeepSeek},
	{Func: "github.com/cohesion-org/deepseek-go.CreateOllamaChatCompletionStream", Mod: modDeepSeek},
	{Func: "(github.com/cohesion-org/deepseek-go.Client).CreateChatCompletion", Mod: modDeepSeek, Unary: true},

	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime.Client).CreateChatCompletionStream", Mod: modVolcengine},
	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime.Client).CreateBotChatCompletionStream", Mod: modVolcengine},
	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime.Client).CreateContextChatCompletionStream", Mod: modVolcengine},
	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime.Client).CreateResponsesStream", Mod: modVolcengine},
	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime.Client).ChatCompletionRequestStreamDo", Mod: modVolcengine},
	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime.Client).BotChatCompletionRequestStreamDo", Mod: modVolcengine},
	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime.Client).ResponsesRequestStreamDo", Mod: modVolcengine},
	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime.Client).CreateChatCompletion", Mod: modVolcengine, Unary: true},
	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime.Client).CreateResponses", Mod: modVolcengine, Unary: true},

	{Func: "(github.com/ollama/ollama/api.Client).Chat", Mod: modOllama},
	{Func: "(github.com/ollama/ollama/api.Client).Generate", Mod: modOllama},

	{Func: "github.com/coder/websocket.Dial", Mod: modCoder},

	{Func: "nhooyr.io/websocket.Dial", Mod: modNhooyr},

	{Func: "(github.com/gorilla/websocket.Dialer).Dial", Mod: modGorilla},
	{Func: "(github.com/gorilla/websocket.Dialer).DialContext", Mod: modGorilla},

	{Func: "golang.org/x/net/websocket.Dial", Mod: modXNet},
	{Func: "golang.org/x/net/websocket.DialConfig", Mod: modXNet},
	{Func: "(golang.org/x/net/websocket.Config).DialContext", Mod: modXNet},

	{Func: "github.com/gobwas/ws.Dial", Mod: modGobwas},
	{Func: "(github.com/gobwas/ws.Dialer).Dial", Mod: modGobwas},

	{Func: "(google.golang.org/grpc.ClientConn).NewStream", Mod: modGRPC},
	{Func: "(google.golang.org/grpc.ClientConnInterface).NewStream", Mod: modGRPC},
	{Func: "(google.golang.org/grpc.ClientConn).Invoke", Mod: modGRPC, Unary: true},
	{Func: "(google.golang.org/grpc.ClientConnInterface).Invoke", Mod: modGRPC, Unary: true},

	// A connection keeps the last event id and sends it again.
	{Func: "(github.com/tmaxmax/go-sse.Connection).Connect", Mod: modGoSSE, Resumes: true},

	// A client keeps the last event id and sends it again.
	{Func: "(github.com/r3labs/sse.Client).Subscribe", Mod: modR3labs, Resumes: true},
	{Func: "(github.com/r3labs/sse.Client).SubscribeWithContext", Mod: modR3labs, Resumes: true},
	{Func: "(github.com/r3labs/sse.Client).SubscribeRaw", Mod: modR3labs, Resumes: true},
	{Func: "(github.com/r3labs/sse.Client).SubscribeRawWithContext", Mod: modR3labs, Resumes: true},
	{Func: "(github.com/r3labs/sse.Client).SubscribeChan", Mod: modR3labs, Resumes: true},
	{Func: "(github.com/r3labs/sse.Client).SubscribeChanWithContext", Mod: modR3labs, Resumes: true},
	{Func: "(github.com/r3labs/sse.Client).SubscribeChanRaw", Mod: modR3labs, Resumes: true},
	{Func: "(github.com/r3labs/sse.Client).SubscribeChanRawWithContext", Mod: modR3labs, Resumes: true},

	// The stream reconnects with the last event id by itself; a new one starts at its argument.
	{Func: "github.com/launchdarkly/eventsource.Subscribe", Mod: modLaunchDarkly},
	{Func: "github.com/launchdarkly/eventsource.SubscribeWith", Mod: modLaunchDarkly},
	{Func: "github.com/launchdarkly/eventsource.SubscribeWithRequest", Mod: modLaunchDarkly},

	// The stream reconnects with the last event id by itself; a new one starts at its argument.
	{Func: "github.com/donovanhide/eventsource.Subscribe", Mod: modDonovanhide},
	{Func: "github.com/donovanhide/eventsource.SubscribeWith", Mod: modDonovanhide},
	{Func: "github.com/donovanhide/eventsource.SubscribeWithRequest", Mod: modDonovanhide},

	{Func: "github.com/launchdarkly/eventsource.SubscribeWithRequestAndOptions", Mod: modLaunchDarkly},
	{Func: "github.com/launchdarkly/eventsource.SubscribeWithURL", Mod: modLaunchDarkly},

	// It sends again until the headers are there, never after.
	{Func: "(github.com/hashicorp/go-retryablehttp.Client).Do", Mod: modRetryableHTTP},
	{Func: "(github.com/hashicorp/go-retryablehttp.Client).Get", Mod: modRetryableHTTP},
	{Func: "(github.com/hashicorp/go-retryablehttp.Client).Post", Mod: modRetryableHTTP},
	{Func: "(github.com/hashicorp/go-retryablehttp.Client).PostForm", Mod: modRetryableHTTP},
	{Func: "github.com/hashicorp/go-retryablehttp.Get", Mod: modRetryableHTTP},
	{Func: "github.com/hashicorp/go-retryablehttp.Post", Mod: modRetryableHTTP},
	{Func: "github.com/hashicorp/go-retryablehttp.PostForm", Mod: modRetryableHTTP},
	{Func: "(github.com/hashicorp/go-retryablehttp.Client).Head", Mod: modRetryableHTTP, Unary: true},
	{Func: "github.com/hashicorp/go-retryablehttp.Head", Mod: modRetryableHTTP, Unary: true},

	{Func: "(charm.land/fantasy.Agent).Stream", Mod: modFantasy, Returns: true},
	{Func: "(charm.land/fantasy.LanguageModel).Stream", Mod: modFantasy},
	{Func: "(charm.land/fantasy.LanguageModel).StreamObject", Mod: modFantasy},
	{Func: "(charm.land/fantasy.Agent).Generate", Mod: modFantasy, Unary: true},
	{Func: "(charm.land/fantasy.LanguageModel).Generate", Mod: modFantasy, Unary: true},
	{Func: "(charm.land/fantasy.LanguageModel).GenerateObject", Mod: modFantasy, Unary: true},

	{Func: "(github.com/fasthttp/websocket.Dialer).Dial", Mod: modFasthttp},
	{Func: "(github.com/fasthttp/websocket.Dialer).DialContext", Mod: modFasthttp},

	{Func: "(k8s.io/client-go/rest.Request).Stream", Mod: modClientGo},
	{Func: "(k8s.io/client-go/rest.Request).Watch", Mod: modClientGo},
	{Func: "(k8s.io/client-go/rest.Request).Do", Mod: modClientGo, Unary: true},
	{Func: "(k8s.io/client-go/rest.Request).DoRaw", Mod: modClientGo, Unary: true},
}
