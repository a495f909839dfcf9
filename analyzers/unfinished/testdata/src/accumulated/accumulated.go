// Package accumulated is the right twin: it looks at the finish reason.
package accumulated

import "github.com/openai/openai-go"

type session struct {
	stream  *openai.Stream
	message openai.ChatCompletionAccumulator
	run     func(name string, args []byte) (string, error)
}

func (s *session) nopeCallTools() (out []string) {
	for s.stream.Next() {
		s.message.AddChunk(s.stream.Current())
	}
	if s.stream.Err() != nil || s.message.Choices[0].FinishReason != "tool_calls" {
		return nil
	}
	for _, call := range s.message.Choices[0].Message.ToolCalls {
		res, err := s.run(call.Function.Name, []byte(call.Function.Arguments))
		if err != nil {
			res = err.Error()
		}
		out = append(out, res)
	}
	return out
}
