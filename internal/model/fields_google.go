package model

var googleFields = []Field{
	// A function call of Gemini comes whole, in one part, unless its arguments are asked for as partial ones; text comes in pieces.
	{Name: "google.golang.org/genai.Part.FunctionCall", Role: RoleWhole, Mod: modGenAI},
	{Name: "google.golang.org/genai.FunctionCall.Args", Role: RoleWhole, Mod: modGenAI},
	{Name: "google.golang.org/genai.GenerateContentResponse.ResponseID", Role: RoleWhole, Mod: modGenAI},
	{Name: "google.golang.org/genai.FunctionCall.PartialArgs", Role: RoleDelta, Mod: modGenAI},
	{Name: "google.golang.org/genai.PartialArg.StringValue", Role: RolePiece, Mod: modGenAI},
	{Name: "google.golang.org/genai.Transcription.Text", Role: RolePiece, Mod: modGenAI},
	{Name: "google.golang.org/genai.Candidate.FinishReason", Role: RoleFinish, Mod: modGenAI},
	{Name: "google.golang.org/genai.FunctionCall.WillContinue", Role: RoleFinish, Mod: modGenAI},
	{Name: "google.golang.org/genai.PartialArg.WillContinue", Role: RoleFinish, Mod: modGenAI},
	{Name: "google.golang.org/genai.LiveServerContent.TurnComplete", Role: RoleFinish, Mod: modGenAI},
	{Name: "google.golang.org/genai.LiveServerContent.GenerationComplete", Role: RoleFinish, Mod: modGenAI},
	{Name: "google.golang.org/genai.Transcription.Finished", Role: RoleFinish, Mod: modGenAI},

	{Name: "cloud.google.com/go/vertexai/genai.FunctionCall.Args", Role: RoleWhole, Mod: modVertexAI},
	{Name: "cloud.google.com/go/vertexai/genai.Candidate.FinishReason", Role: RoleFinish, Mod: modVertexAI},

	{Name: "github.com/google/generative-ai-go/genai.FunctionCall.Args", Role: RoleWhole, Mod: modGenerativeAI},
	{Name: "github.com/google/generative-ai-go/genai.Candidate.FinishReason", Role: RoleFinish, Mod: modGenerativeAI},
}

var googleTypes = []Type{
	{Name: "google.golang.org/genai.PartialArg", Role: RoleDelta, Mod: modGenAI},

	{Name: "cloud.google.com/go/vertexai/genai.FunctionCall", Role: RoleWhole, Mod: modVertexAI},

	{Name: "github.com/google/generative-ai-go/genai.FunctionCall", Role: RoleWhole, Mod: modGenerativeAI},
}
