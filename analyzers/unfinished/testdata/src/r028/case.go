// Package r028 holds a case of public bug reports. A turn that ended with "length"
// dispatches its tool calls like a whole one.
package r028

import (
	"context"
	"errors"
	"fmt"
	"io"

	openai "github.com/sashabaranov/go-openai"
)

type tools func(ctx context.Context, name, args string) error

func turn(ctx context.Context, st *openai.ChatCompletionStream, run tools) error {
	calls := map[int]*openai.ToolCall{}
	var finish openai.FinishReason
	for {
		fr, err := st.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		for _, ch := range fr.Choices {
			merge(calls, ch.Delta.ToolCalls)
			if ch.FinishReason != "" {
				finish = ch.FinishReason
			}
		}
	}
	if finish == openai.FinishReasonToolCalls || finish == openai.FinishReasonLength { // want `unfinished`
		for i := range len(calls) {
			if calls[i] == nil {
				return fmt.Errorf("call %d missing", i)
			}
			if err := run(ctx, calls[i].Function.Name, calls[i].Function.Arguments); err != nil {
				return err
			}
		}
	}
	return nil
}

func merge(calls map[int]*openai.ToolCall, frags []openai.ToolCall) {
	for _, f := range frags {
		i := 0
		if f.Index != nil {
			i = *f.Index
		}
		if calls[i] == nil {
			calls[i] = &openai.ToolCall{}
		}
		calls[i].ID += f.ID
		calls[i].Function.Name += f.Function.Name
		calls[i].Function.Arguments += f.Function.Arguments
	}
}
