package model

// Writes are the functions that append to what they are given.
var Writes = []Write{
	{Func: "(strings.Builder).WriteString", To: 0, Arg: 1, Mod: modStd},
	{Func: "(strings.Builder).Write", To: 0, Arg: 1, Mod: modStd},
	{Func: "(strings.Builder).WriteByte", To: 0, Arg: 1, Mod: modStd},
	{Func: "(strings.Builder).WriteRune", To: 0, Arg: 1, Mod: modStd},
	{Func: "(bytes.Buffer).WriteString", To: 0, Arg: 1, Mod: modStd},
	{Func: "(bytes.Buffer).Write", To: 0, Arg: 1, Mod: modStd},
	{Func: "(bytes.Buffer).WriteByte", To: 0, Arg: 1, Mod: modStd},
	{Func: "(bytes.Buffer).WriteRune", To: 0, Arg: 1, Mod: modStd},
	{Func: "(bytes.Buffer).ReadFrom", To: 0, Arg: 1, Mod: modStd, Whole: true},
	{Func: "(bufio.Writer).WriteString", To: 0, Arg: 1, Mod: modStd},
	{Func: "(bufio.Writer).Write", To: 0, Arg: 1, Mod: modStd},
	{Func: "(bufio.Writer).ReadFrom", To: 0, Arg: 1, Mod: modStd, Whole: true},
	{Func: "io.Copy", To: 0, Arg: 1, Mod: modStd, Whole: true},
	{Func: "io.CopyBuffer", To: 0, Arg: 1, Mod: modStd, Whole: true},
	{Func: "io.CopyN", To: 0, Arg: 1, Mod: modStd, Whole: true},
	{Func: "io.WriteString", To: 0, Arg: 1, Mod: modStd},
	{Func: "(bytes.Buffer).WriteTo", To: 1, Arg: 0, Mod: modStd},
	{Func: "(bytes.Reader).WriteTo", To: 1, Arg: 0, Mod: modStd},
	{Func: "(strings.Reader).WriteTo", To: 1, Arg: 0, Mod: modStd},
	{Func: "fmt.Fprint", To: 0, Arg: 1, Mod: modStd},
	{Func: "fmt.Fprintf", To: 0, Arg: 2, Mod: modStd},
	{Func: "fmt.Fprintln", To: 0, Arg: 1, Mod: modStd},

	{Func: "(github.com/openai/openai-go.ChatCompletionAccumulator).AddChunk", To: 0, Arg: 1, Mod: modOpenAI},

	{Func: "(github.com/anthropics/anthropic-sdk-go.Message).Accumulate", To: 0, Arg: 1, Mod: modAnthropic},
	{Func: "(github.com/anthropics/anthropic-sdk-go.BetaMessage).Accumulate", To: 0, Arg: 1, Mod: modAnthropic},
}
