package fragment

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"parse"

	openai "github.com/sashabaranov/go-openai"
)

type args map[string]any

type runner func(name string, a args) error

// The fragment of each delta is decoded by itself.
func inLoop(st *openai.ChatCompletionStream, run runner) error {
	for {
		fr, err := st.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			var a args
			if err := json.Unmarshal([]byte(tc.Function.Arguments), &a); err != nil { // want `json.Unmarshal decodes a fragment`
				a = args{}
			}
			if err := run(tc.Function.Name, a); err != nil {
				return err
			}
		}
	}
}

// A whole message uses the same type.
func nopeWholeMessage(resp openai.ChatCompletionResponse, run runner) error {
	for _, tc := range resp.Choices[0].Message.ToolCalls {
		var a args
		if err := json.Unmarshal([]byte(tc.Function.Arguments), &a); err != nil {
			return err
		}
		if err := run(tc.Function.Name, a); err != nil {
			return err
		}
	}
	return nil
}

// Joined in a map, decoded in the loop each time.
func joinedInLoop(st *openai.ChatCompletionStream, run runner) error {
	calls := map[int]string{}
	for {
		fr, err := st.Recv()
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			calls[*tc.Index] += tc.Function.Arguments
			var a args
			if err := json.Unmarshal([]byte(calls[*tc.Index]), &a); err != nil { // want `json.Unmarshal decodes what has arrived so far`
				continue
			}
			if err := run(tc.Function.Name, a); err != nil {
				return err
			}
		}
	}
}

// Joined in a map, decoded after the loop.
func nopeAfterLoop(st *openai.ChatCompletionStream, run runner) error {
	calls := map[int]string{}
	for {
		fr, err := st.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			calls[*tc.Index] += tc.Function.Arguments
		}
	}
	for _, raw := range calls {
		var a args
		if err := json.Unmarshal([]byte(raw), &a); err != nil {
			return err
		}
	}
	return nil
}

// Joined in a map, decoded under the finish reason.
func nopeUnderFinish(st *openai.ChatCompletionStream, run runner) error {
	calls := map[int]string{}
	for {
		fr, err := st.Recv()
		if err != nil {
			return err
		}
		ch := fr.Choices[0]
		for _, tc := range ch.Delta.ToolCalls {
			calls[*tc.Index] += tc.Function.Arguments
		}
		if ch.FinishReason == openai.FinishReasonToolCalls {
			for _, raw := range calls {
				var a args
				if err := json.Unmarshal([]byte(raw), &a); err != nil {
					return err
				}
			}
		}
	}
}

// The same with an early continue, and any reason at all.
func nopeEarlyContinue(st *openai.ChatCompletionStream, run runner) error {
	var raw strings.Builder
	for {
		fr, err := st.Recv()
		if err != nil {
			return err
		}
		ch := fr.Choices[0]
		for _, tc := range ch.Delta.ToolCalls {
			raw.WriteString(tc.Function.Arguments)
		}
		if ch.FinishReason == "" {
			continue
		}
		var a args
		if err := json.Unmarshal([]byte(raw.String()), &a); err != nil {
			return err
		}
	}
}

// A flag that the finish reason sets.
func nopeFlag(st *openai.ChatCompletionStream, run runner) error {
	var raw bytes.Buffer
	finished := false
	for {
		fr, err := st.Recv()
		if err != nil {
			return err
		}
		ch := fr.Choices[0]
		for _, tc := range ch.Delta.ToolCalls {
			raw.WriteString(tc.Function.Arguments)
		}
		if ch.FinishReason != "" {
			finished = true
		}
		if finished {
			var a args
			if err := json.NewDecoder(&raw).Decode(&a); err != nil {
				return err
			}
		}
	}
}

// A builder without any of that.
func builderInLoop(st *openai.ChatCompletionStream, run runner) error {
	var raw strings.Builder
	for {
		fr, err := st.Recv()
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			raw.WriteString(tc.Function.Arguments)
		}
		var a args
		if json.Unmarshal([]byte(raw.String()), &a) == nil { // want `json.Unmarshal decodes what has arrived so far`
			return run("x", a)
		}
	}
}

// json.Valid takes the place of the finish reason.
func validFinalises(st *openai.ChatCompletionStream, done func(string)) error {
	raw := ""
	for {
		fr, err := st.Recv()
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			raw += tc.Function.Arguments
		}
		if json.Valid([]byte(raw)) { // want `json.Valid judges what has arrived so far`
			done(raw)
			return nil
		}
	}
}

// In a helper.
func decodeArgs(raw string) (args, error) {
	var a args
	err := json.Unmarshal([]byte(raw), &a) // want `json.Unmarshal decodes a fragment`
	return a, err
}

func inHelper(st *openai.ChatCompletionStream, run runner) error {
	for {
		fr, err := st.Recv()
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			a, err := decodeArgs(tc.Function.Arguments)
			if err != nil {
				return err
			}
			if err := run(tc.Function.Name, a); err != nil {
				return err
			}
		}
	}
}

// A helper that gets whole values only.
func decodeWhole(raw string) (args, error) {
	var a args
	err := json.Unmarshal([]byte(raw), &a)
	return a, err
}

func nopeHelperAfterLoop(st *openai.ChatCompletionStream) (args, error) {
	raw := ""
	for {
		fr, err := st.Recv()
		if errors.Is(err, io.EOF) {
			return decodeWhole(raw)
		}
		if err != nil {
			return nil, err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			raw += tc.Function.Arguments
		}
	}
}

// In another package.
func inOtherPackage(st *openai.ChatCompletionStream, run runner) error {
	for {
		fr, err := st.Recv()
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			a, err := parse.Args(tc.Function.Arguments) // want `parse.Args decodes a fragment`
			if err != nil {
				return err
			}
			if err := run(tc.Function.Name, a); err != nil {
				return err
			}
			_ = parse.Quote(tc.Function.Arguments)
		}
		parse.Event([]byte("x"), true)
	}
}

// In another package through a struct.
func structInOtherPackage(st *openai.ChatCompletionStream) error {
	for {
		fr, err := st.Recv()
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			if _, err := parse.Call(parse.Raw{Name: tc.Function.Name, Args: tc.Function.Arguments}); err != nil { // want `parse.Call decodes a fragment`
				return err
			}
		}
	}
}

// In a closure, over a channel, in a goroutine.
func overChannel(st *openai.ChatCompletionStream, run runner) error {
	ch := make(chan openai.ToolCall)
	go func() {
		defer close(ch)
		for {
			fr, err := st.Recv()
			if err != nil {
				return
			}
			for _, tc := range fr.Choices[0].Delta.ToolCalls {
				ch <- tc
			}
		}
	}()
	decode := func(s string) (a args, err error) {
		err = json.Unmarshal([]byte(s), &a) // want `json.Unmarshal decodes a fragment`
		return
	}
	for tc := range ch {
		a, err := decode(tc.Function.Arguments)
		if err != nil {
			return err
		}
		if err := run(tc.Function.Name, a); err != nil {
			return err
		}
	}
	return nil
}

// The channel carries pieces; the reader joins them and waits for the end.
func nopeChannelJoined(st *openai.ChatCompletionStream) (args, error) {
	ch := make(chan string)
	go func() {
		defer close(ch)
		for {
			fr, err := st.Recv()
			if err != nil {
				return
			}
			for _, tc := range fr.Choices[0].Delta.ToolCalls {
				ch <- tc.Function.Arguments
			}
		}
	}()
	var raw []byte
	for s := range ch {
		raw = append(raw, s...)
	}
	var a args
	err := json.Unmarshal(raw, &a)
	return a, err
}

// A method that is called for each event and tries each time.
type assembler struct {
	raw string
	out args
}

func (a *assembler) push(ch openai.ChatCompletionStreamChoice) {
	for _, tc := range ch.Delta.ToolCalls {
		a.raw += tc.Function.Arguments
	}
	var m args
	if err := json.Unmarshal([]byte(a.raw), &m); err == nil { // want `json.Unmarshal decodes what has arrived so far`
		a.out = m
	}
}

func (a *assembler) nopeFinish() error {
	return json.Unmarshal([]byte(a.raw), &a.out)
}

func useAssembler(st *openai.ChatCompletionStream) (args, error) {
	var a assembler
	for {
		fr, err := st.Recv()
		if err != nil {
			return a.out, a.nopeFinish()
		}
		a.push(fr.Choices[0])
	}
}

// An adapter keeps the state: a fragment in a struct of one's own.
type part struct{ calls []openai.ToolCall }

func adapt(fr openai.ChatCompletionStreamResponse) part {
	var p part
	for _, d := range fr.Choices[0].Delta.ToolCalls {
		p.calls = append(p.calls, openai.ToolCall{ID: d.ID, Function: openai.FunctionCall{Name: d.Function.Name, Arguments: d.Function.Arguments}})
	}
	return p
}

func (p *part) decode() (out []args, err error) {
	for _, c := range p.calls {
		var a args
		if err := json.Unmarshal([]byte(c.Function.Arguments), &a); err != nil { // want `json.Unmarshal decodes a fragment`
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

type wholePart struct{ calls []openai.ToolCall }

func adaptWhole(r openai.ChatCompletionResponse) *wholePart {
	return &wholePart{calls: r.Choices[0].Message.ToolCalls}
}

func (p *wholePart) nopeDecode() (out []args, err error) {
	for _, c := range p.calls {
		var a args
		if err := json.Unmarshal([]byte(c.Function.Arguments), &a); err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// Generic.
func decodeAs[T any](raw string) (v T, err error) {
	err = json.Unmarshal([]byte(raw), &v) // want `json.Unmarshal decodes a fragment`
	return v, err
}

func generic(st *openai.ChatCompletionStream) error {
	for {
		fr, err := st.Recv()
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			if _, err := decodeAs[args](tc.Function.Arguments); err != nil {
				return err
			}
		}
	}
}

// Joined in a struct of the library's own type.
func foreignBuffer(st *openai.ChatCompletionStream, run func(string)) error {
	calls := map[int]*openai.ToolCall{}
	for {
		fr, err := st.Recv()
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			if calls[*tc.Index] == nil {
				calls[*tc.Index] = &openai.ToolCall{}
			}
			calls[*tc.Index].Function.Arguments += tc.Function.Arguments
			raw := calls[*tc.Index].Function.Arguments
			var v any
			if json.Unmarshal([]byte(raw), &v) != nil { // want `json.Unmarshal decodes what has arrived so far`
				continue
			}
			run(raw)
		}
	}
}

// The calls are kept in structs and decoded in a loop over them, after the stream.
type kept struct{ raw string }

func nopeLoopOverKept(st *openai.ChatCompletionStream) (out []args, err error) {
	calls := map[int]*kept{}
	for {
		fr, err := st.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			if calls[*tc.Index] == nil {
				calls[*tc.Index] = &kept{}
			}
			calls[*tc.Index].raw += tc.Function.Arguments
		}
	}
	for _, c := range calls {
		var a args
		if err := json.Unmarshal([]byte(c.raw), &a); err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}
