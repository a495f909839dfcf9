// Package accumulator runs the tool calls of a message that an SDK puts together.
package accumulator

import "github.com/openai/openai-go"

type session struct {
	stream  *openai.Stream
	message openai.ChatCompletionAccumulator
	run     func(name string, args []byte) (string, error)
}

func (s *session) current() string {
	ev := s.stream.Current()
	s.message.AddChunk(ev)
	return ev.Choices[0].Delta.Content
}

func (s *session) callTools() (out []string) {
	for _, call := range s.message.Choices[0].Message.ToolCalls {
		res, err := s.run(call.Function.Name, []byte(call.Function.Arguments)) // want `its finish reason is never read`
		if err != nil {
			res = err.Error()
		}
		out = append(out, res)
	}
	return out
}

// A stream of the SDK whose error goes to the log.
func text(log func(...any)) (string, error) {
	st := openai.NewStreaming()
	out := ""
	for st.Next() { // want `nobody asks the stream of openai.NewStreaming for Err`
		out += st.Current().Choices[0].Delta.Content
	}
	return out, nil
}

func nopeText() (string, error) {
	st := openai.NewStreaming()
	out := ""
	for st.Next() {
		out += st.Current().Choices[0].Delta.Content
	}
	return out, st.Err()
}

type logger interface{ Error(args ...any) }

func logged(l logger) (out string, err error) {
	st := openai.NewStreaming()
	for st.Next() {
		out += st.Current().Choices[0].Delta.Content
	}
	if st.Err() != nil { // want `only logged, and nil is returned`
		l.Error(st.Err())
	}
	return
}

// What has arrived is kept before anybody asks.
type chat struct{ history []string }

func (c *chat) send() error {
	st := openai.NewStreaming()
	text := ""
	for st.Next() {
		text += st.Current().Choices[0].Delta.Content
	}
	c.history = append(c.history, text) // want `kept before the stream of openai.NewStreaming is asked for Err`
	return st.Err()
}

func (c *chat) nopeSend() error {
	st := openai.NewStreaming()
	text := ""
	for st.Next() {
		text += st.Current().Choices[0].Delta.Content
	}
	if err := st.Err(); err != nil {
		return err
	}
	c.history = append(c.history, text)
	return nil
}

// A channel of events.
func (c *chat) events() error {
	st := openai.NewEvents()
	text := ""
	for ev := range st.Events() { // want `nobody asks`
		text += ev
	}
	return c.use(text)
}

func (c *chat) nopeEvents() error {
	st := openai.NewEvents()
	text := ""
	for ev := range st.Events() {
		text += ev
	}
	if err := st.Err(); err != nil {
		return err
	}
	return c.use(text)
}

func (c *chat) use(string) error { return nil }
