package model

// The modules the entries were checked against. The versions are those of the
// go.mod of internal/model/modelcheck, whose test compares the two.
const (
	modStd = "std"

	modVertexAI     = "cloud.google.com/go/vertexai@v0.15.0"
	modAnthropic    = "github.com/anthropics/anthropic-sdk-go@v1.84.0"
	modBedrock      = "github.com/aws/aws-sdk-go-v2/service/bedrockruntime@v1.63.13"
	modBackoffV4    = "github.com/cenkalti/backoff/v4@v4.3.0"
	modGenerativeAI = "github.com/google/generative-ai-go@v0.20.1"
	modGorilla      = "github.com/gorilla/websocket@v1.5.3"
	modOpenAI       = "github.com/openai/openai-go/v3@v3.52.0"
	modGoOpenAI     = "github.com/sashabaranov/go-openai@v1.42.0"
	modGenAI        = "google.golang.org/genai@v1.69.0"
)
