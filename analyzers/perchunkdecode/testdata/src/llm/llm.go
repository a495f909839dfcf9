// Package llm hands increments to other packages in every way there is.
package llm

import (
	"iter"

	openai "github.com/sashabaranov/go-openai"
)

// Event is one step of a stream.
type Event struct {
	Args     string
	Name     string
	Finished bool
	//streamlint:fragment
	Marked string
}

// Next gives the arguments' next piece.
func Next(st *openai.ChatCompletionStream) (string, error) {
	fr, err := st.Recv()
	if err != nil {
		return "", err
	}
	return fr.Choices[0].Delta.ToolCalls[0].Function.Arguments, nil
}

// Each calls back with each piece.
func Each(st *openai.ChatCompletionStream, f func(piece string) error) error {
	for {
		fr, err := st.Recv()
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			if err := f(tc.Function.Arguments); err != nil {
				return err
			}
		}
	}
}

// Events sends each piece in a struct.
func Events(st *openai.ChatCompletionStream) <-chan Event {
	out := make(chan Event)
	go func() {
		defer close(out)
		for {
			fr, err := st.Recv()
			if err != nil {
				return
			}
			ch := fr.Choices[0]
			for _, tc := range ch.Delta.ToolCalls {
				out <- Event{Args: tc.Function.Arguments, Name: tc.Function.Name, Finished: ch.FinishReason != ""}
			}
		}
	}()
	return out
}

// Pieces yields each piece.
func Pieces(st *openai.ChatCompletionStream) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			fr, err := st.Recv()
			if err != nil {
				return
			}
			if !yield(fr.Choices[0].Delta.Content) {
				return
			}
		}
	}
}

// Collect joins the pieces up to the end.
func Collect(st *openai.ChatCompletionStream) string {
	all := ""
	for {
		fr, err := st.Recv()
		if err != nil {
			return all
		}
		all += fr.Choices[0].Delta.Content
	}
}
