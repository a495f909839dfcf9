package bench

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/cloudwego/eino/schema"
	"github.com/openai/openai-go/v3"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/anthropicmsg"
	"github.com/streamlint/streamlint/stream/toolcall/openaichat"
)

// One call's arguments come in n fragments of 8 bytes. "decoded" starts from
// structs that hold the fragments already; "frames" from the JSON of each frame,
// as it comes from an SSE decoder. Each run ends with the calls (for ours, after
// hashing, strict decode and schema check of the whole text; the others stop at
// the joined text).

const fragment = "abcdefgh"

var sizes = []int{1_000, 10_000, 100_000}

var benchTools = toolcall.MustSet(toolcall.Tool{
	Name:   "write_file",
	Schema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
})

// pieces are the fragments of a valid arguments object.
func pieces(n int) []string {
	out := make([]string, 0, n)
	out = append(out, `{"text":"`)
	for len(out) < n-1 {
		out = append(out, fragment)
	}
	return append(out, `"}`)
}

func joinedLen(n int) int { return len(strings.Join(pieces(n), "")) }

func perSize(b *testing.B, f func(b *testing.B, n int) func()) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			work := f(b, n)
			before := cpuTime()
			b.ResetTimer()
			for range b.N {
				work()
			}
			b.ReportMetric(float64(cpuTime()-before)/float64(b.N)/float64(n), "cpu-ns/fragment")
		})
	}
}

func checkLen(b *testing.B, got, n int) {
	if got != joinedLen(n) {
		b.Fatalf("%d bytes of arguments, want %d", got, joinedLen(n))
	}
}

func chatFrames(n int) [][]byte {
	frames := [][]byte{[]byte(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"write_file","arguments":""}}]},"finish_reason":null}]}`)}
	for _, p := range pieces(n) {
		q, _ := json.Marshal(p)
		frames = append(frames, fmt.Appendf(nil, `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":%s}}]},"finish_reason":null}]}`, q))
	}
	return append(frames, []byte(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`))
}

func messageFrames(n int) [][]byte {
	frames := [][]byte{
		[]byte(`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1}}}`),
		[]byte(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"write_file","input":{}}}`),
	}
	for _, p := range pieces(n) {
		q, _ := json.Marshal(p)
		frames = append(frames, fmt.Appendf(nil, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":%s}}`, q))
	}
	return append(frames,
		[]byte(`{"type":"content_block_stop","index":0}`),
		[]byte(`{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":20}}`),
		[]byte(`{"type":"message_stop"}`))
}

// TestAccumulateSameWork: all of them read the same call from the frames that
// the benchmarks use.
func TestAccumulateSameWork(t *testing.T) {
	const n = 50
	want := strings.Join(pieces(n), "")
	var acc openai.ChatCompletionAccumulator
	for _, c := range openaiChunks(t, n) {
		if !acc.AddChunk(c) {
			t.Fatal("chunk refused")
		}
	}
	if got := acc.Choices[0].Message.ToolCalls[0].Function.Arguments; got != want {
		t.Errorf("openai-go: %q", got)
	}
	var m anthropic.Message
	for _, e := range anthropicEvents(t, n) {
		if err := m.Accumulate(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(m.Content[0].Input); got != want {
		t.Errorf("anthropic-sdk-go: %q", got)
	}
	joined, err := schema.ConcatMessages(einoMessages(n))
	if err != nil {
		t.Fatal(err)
	}
	if got := joined.ToolCalls[0].Function.Arguments; got != want {
		t.Errorf("eino: %q", got)
	}
	for name, turn := range map[string]*toolcall.Turn{"chat": openaichat.New(benchTools), "messages": anthropicmsg.New(benchTools)} {
		frames := chatFrames(n)
		if name == "messages" {
			frames = messageFrames(n)
		}
		for _, f := range frames {
			turn.Frame("", f)
		}
		calls, err := turn.End(nil)
		if err != nil || len(calls) != 1 || calls[0].Raw() != want {
			t.Errorf("%s: %v, %v", name, calls, err)
		}
	}
}

func BenchmarkAccumulateDecoded(b *testing.B) {
	b.Run("streamlint", func(b *testing.B) {
		perSize(b, func(b *testing.B, n int) func() {
			var deltas []toolcall.Delta
			for _, p := range pieces(n) {
				deltas = append(deltas, toolcall.Delta{Args: []byte(p)})
			}
			deltas[0].ID, deltas[0].Name = "call_1", "write_file"
			return func() {
				a := toolcall.New(benchTools)
				for _, d := range deltas {
					if err := a.Add(d); err != nil {
						b.Fatal(err)
					}
				}
				a.Finish(0, "tool_calls")
				calls, err := a.Calls()
				if err != nil {
					b.Fatal(err)
				}
				checkLen(b, calls[0].Bytes(), n)
			}
		})
	})
	b.Run("openai-go", func(b *testing.B) {
		perSize(b, func(b *testing.B, n int) func() {
			chunks := openaiChunks(b, n)
			return func() {
				var acc openai.ChatCompletionAccumulator
				for _, c := range chunks {
					if !acc.AddChunk(c) {
						b.Fatal("chunk refused")
					}
				}
				checkLen(b, len(acc.Choices[0].Message.ToolCalls[0].Function.Arguments), n)
			}
		})
	})
	b.Run("anthropic-sdk-go", func(b *testing.B) {
		perSize(b, func(b *testing.B, n int) func() {
			events := anthropicEvents(b, n)
			return func() {
				var m anthropic.Message
				for _, e := range events {
					if err := m.Accumulate(e); err != nil {
						b.Fatal(err)
					}
				}
				checkLen(b, len(m.Content[0].Input), n)
			}
		})
	})
	// Eino keeps every message and joins them all at the end.
	b.Run("eino", func(b *testing.B) {
		perSize(b, func(b *testing.B, n int) func() {
			all := einoMessages(n)
			return func() {
				var msgs []*schema.Message
				for _, m := range all {
					msgs = append(msgs, m)
				}
				m, err := schema.ConcatMessages(msgs)
				if err != nil {
					b.Fatal(err)
				}
				checkLen(b, len(m.ToolCalls[0].Function.Arguments), n)
			}
		})
	})
	// The loop that most programs write by hand; 100,000 would take minutes.
	b.Run("append-string", func(b *testing.B) {
		for _, n := range sizes[:2] {
			b.Run(fmt.Sprint(n), func(b *testing.B) {
				ps := pieces(n)
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					args := ""
					for _, p := range ps {
						args += p
					}
					checkLen(b, len(args), n)
				}
			})
		}
	})
}

func openaiChunks(b testing.TB, n int) []openai.ChatCompletionChunk {
	var chunks []openai.ChatCompletionChunk
	for _, f := range chatFrames(n) {
		var c openai.ChatCompletionChunk
		if err := json.Unmarshal(f, &c); err != nil {
			b.Fatal(err)
		}
		chunks = append(chunks, c)
	}
	return chunks
}

// einoMessages are what eino's model components give for each chunk.
func einoMessages(n int) []*schema.Message {
	index := 0
	var msgs []*schema.Message
	for _, p := range pieces(n) {
		msgs = append(msgs, &schema.Message{Role: schema.Assistant, ToolCalls: []schema.ToolCall{{
			Index: &index, Function: schema.FunctionCall{Arguments: p},
		}}})
	}
	msgs[0].ToolCalls[0].ID, msgs[0].ToolCalls[0].Type = "call_1", "function"
	msgs[0].ToolCalls[0].Function.Name = "write_file"
	return msgs
}

func anthropicEvents(b testing.TB, n int) []anthropic.MessageStreamEventUnion {
	var events []anthropic.MessageStreamEventUnion
	for _, f := range messageFrames(n) {
		var e anthropic.MessageStreamEventUnion
		if err := json.Unmarshal(f, &e); err != nil {
			b.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

func BenchmarkAccumulateFrames(b *testing.B) {
	ours := func(frames func(int) [][]byte, open func(*toolcall.Set, ...toolcall.Option) *toolcall.Turn) func(*testing.B) {
		return func(b *testing.B) {
			perSize(b, func(b *testing.B, n int) func() {
				fs := frames(n)
				return func() {
					turn := open(benchTools)
					for _, f := range fs {
						if _, err := turn.Frame("", f); err != nil {
							b.Fatal(err)
						}
					}
					calls, err := turn.End(nil)
					if err != nil {
						b.Fatal(err)
					}
					checkLen(b, calls[0].Bytes(), n)
				}
			})
		}
	}
	b.Run("chat/streamlint", ours(chatFrames, openaichat.New))
	b.Run("chat/openai-go", func(b *testing.B) {
		perSize(b, func(b *testing.B, n int) func() {
			fs := chatFrames(n)
			return func() {
				var acc openai.ChatCompletionAccumulator
				for _, f := range fs {
					var c openai.ChatCompletionChunk
					if err := json.Unmarshal(f, &c); err != nil {
						b.Fatal(err)
					}
					if !acc.AddChunk(c) {
						b.Fatal("chunk refused")
					}
				}
				checkLen(b, len(acc.Choices[0].Message.ToolCalls[0].Function.Arguments), n)
			}
		})
	})
	b.Run("messages/streamlint", ours(messageFrames, anthropicmsg.New))
	b.Run("messages/anthropic-sdk-go", func(b *testing.B) {
		perSize(b, func(b *testing.B, n int) func() {
			fs := messageFrames(n)
			return func() {
				var m anthropic.Message
				for _, f := range fs {
					var e anthropic.MessageStreamEventUnion
					if err := json.Unmarshal(f, &e); err != nil {
						b.Fatal(err)
					}
					if err := m.Accumulate(e); err != nil {
						b.Fatal(err)
					}
				}
				checkLen(b, len(m.Content[0].Input), n)
			}
		})
	})
}
