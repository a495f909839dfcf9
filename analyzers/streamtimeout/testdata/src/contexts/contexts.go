package contexts

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
	openaisdk "github.com/openai/openai-go"
	openai "github.com/sashabaranov/go-openai"
)

func body(parent context.Context, url string, out chan<- string) error {
	ctx, cancel := context.WithTimeout(parent, 30*time.Second) // want `the context ends 30s after it was made, and a stream is received under it`
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		out <- sc.Text()
	}
	return sc.Err()
}

func deadline(parent context.Context, c *openai.Client, show func(string)) error {
	ctx, cancel := context.WithDeadline(parent, time.Now().Add(time.Minute)) // want `the context ends 1m after it was made`
	defer cancel()
	st, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
	if err != nil {
		return err
	}
	return drain(st, show)
}

func drain(st *openai.ChatCompletionStream, show func(string)) error {
	for {
		r, err := st.Recv()
		if err != nil {
			return err
		}
		show(r.Choices[0].Delta.Content)
	}
}

func derived(parent context.Context, c *openaisdk.Client, show func(string)) error {
	limited, cancel := context.WithTimeout(parent, 20*time.Second) // want `the context ends 20s`
	defer cancel()
	ctx, stop := context.WithCancel(limited)
	defer stop()
	st := c.Chat.Completions.NewStreaming(ctx, openaisdk.ChatCompletionNewParams{})
	for st.Next() {
		show(st.Current().Text)
	}
	return st.Err()
}

func sockets(parent context.Context, conn *websocket.Conn, on func([]byte)) error {
	ctx, cancel := context.WithTimeout(parent, 30*time.Second) // want `the context ends 30s`
	defer cancel()
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		on(data)
	}
}

// Somebody else reads, and delivers piece by piece.

type event struct {
	Text string
	Done bool
}

type bus struct {
	on []func(context.Context, event)
}

func newBus() *bus { return &bus{} }

func (b *bus) On(f func(context.Context, event)) { b.on = append(b.on, f) }

type pipeline interface {
	Answer(ctx context.Context, question string, b *bus) error
	Ask(ctx context.Context, question string, on func(string) error) error
	Version(ctx context.Context, b *bus) error
}

const answerTimeout = 120 * time.Second

func gathered(parent context.Context, p pipeline) (string, error) {
	ctx, cancel := context.WithTimeout(parent, answerTimeout) // want `the context ends 2m`
	defer cancel()
	b := newBus()
	var answer strings.Builder
	done := make(chan struct{})
	b.On(func(ctx context.Context, e event) {
		answer.WriteString(e.Text)
		if e.Done {
			close(done)
		}
	})
	var failed error
	go func() { failed = p.Answer(ctx, "why", b) }()
	select {
	case <-done:
	case <-ctx.Done():
	}
	return answer.String(), failed
}

func calledBack(parent context.Context, p pipeline) (text string, err error) {
	ctx, cancel := context.WithTimeout(parent, answerTimeout) // want `the context ends 2m`
	defer cancel()
	err = p.Ask(ctx, "why", func(piece string) error {
		text += piece
		return nil
	})
	return text, err
}

// The twins.

// nopeWhole bounds one answer.
func nopeWhole(parent context.Context, url string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(parent, 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// nopeParameter has the caller's limit.
func nopeParameter(parent context.Context, c *openai.Client, limit time.Duration, show func(string)) error {
	ctx, cancel := context.WithTimeout(parent, limit)
	defer cancel()
	st, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
	if err != nil {
		return err
	}
	return drain(st, show)
}

// nopeLong is a limit on the work, not on a call.
func nopeLong(parent context.Context, c *openai.Client, show func(string)) error {
	ctx, cancel := context.WithTimeout(parent, time.Hour)
	defer cancel()
	st, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
	if err != nil {
		return err
	}
	return drain(st, show)
}

// nopeIdle limits silence.
func nopeIdle(parent context.Context, c *openai.Client, show func(string)) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	idle := time.AfterFunc(time.Minute, cancel)
	defer idle.Stop()
	st, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
	if err != nil {
		return err
	}
	for {
		r, err := st.Recv()
		if err != nil {
			return err
		}
		idle.Reset(time.Minute)
		show(r.Choices[0].Delta.Content)
	}
}

// nopeEach makes a context for each message.
func nopeEach(parent context.Context, conn *websocket.Conn, on func([]byte)) error {
	for {
		ctx, cancel := context.WithTimeout(parent, 30*time.Second)
		_, data, err := conn.Read(ctx)
		cancel()
		if err != nil {
			return err
		}
		on(data)
	}
}

// nopeOther streams under another context.
func nopeOther(parent context.Context, c *openai.Client, show func(string)) error {
	setup, cancel := context.WithTimeout(parent, 15*time.Second)
	defer cancel()
	if _, err := c.CreateChatCompletion(setup, openai.ChatCompletionRequest{}); err != nil {
		return err
	}
	st, err := c.CreateChatCompletionStream(parent, openai.ChatCompletionRequest{})
	if err != nil {
		return err
	}
	return drain(st, show)
}

// nopeLoose takes the context's end off.
func nopeLoose(parent context.Context, c *openai.Client, show func(string)) error {
	limited, cancel := context.WithTimeout(parent, 15*time.Second)
	defer cancel()
	st, err := c.CreateChatCompletionStream(context.WithoutCancel(limited), openai.ChatCompletionRequest{})
	if err != nil {
		return err
	}
	return drain(st, show)
}

// nopeNothing gathers nothing.
func nopeNothing(parent context.Context, p pipeline) error {
	ctx, cancel := context.WithTimeout(parent, 10*time.Second)
	defer cancel()
	b := newBus()
	seen := 0
	b.On(func(context.Context, event) { seen++ })
	return p.Version(ctx, b)
}
