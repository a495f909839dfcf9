// Package r035: yarpc/yarpc-go#1761 (an official example), ConnectAI-E/Feishu-OpenAI-Stream-Chatbot#11. A deadline meant
// for "the call" ends a stream that is still alive.
package r035

import (
	"context"
	"errors"
	"io"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

func chat(parent context.Context, c *openai.Client, req openai.ChatCompletionRequest, show func(string)) error {
	ctx, cancel := context.WithTimeout(parent, 20*time.Second) // want `the context ends 20s`
	defer cancel()
	st, err := c.CreateChatCompletionStream(ctx, req)
	if err != nil {
		return err
	}
	defer st.Close()
	for {
		fr, err := st.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, ch := range fr.Choices {
			show(ch.Delta.Content)
		}
	}
}
