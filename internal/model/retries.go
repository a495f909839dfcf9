package model

// Retries are the functions that call an operation again after an error.
var Retries = []Retry{
	{Func: "github.com/cenkalti/backoff.Retry", Op: 0, Mod: "github.com/cenkalti/backoff/v4@v4.3.0"},
}

// Opens are the calls that send a request and give its answer as a stream.
var Opens = []Open{
	{Func: "(net/http.Client).Do", Mod: "std"},
	{Func: "(github.com/sashabaranov/go-openai.Client).CreateChatCompletionStream", Mod: "github.com/sashabaranov/go-openai@v1.42.0"},
}
