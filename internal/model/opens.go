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
}
