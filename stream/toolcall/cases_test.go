package toolcall_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/anthropicmsg"
	"github.com/streamlint/streamlint/stream/toolcall/converse"
	"github.com/streamlint/streamlint/stream/toolcall/gemini"
	"github.com/streamlint/streamlint/stream/toolcall/ollama"
	"github.com/streamlint/streamlint/stream/toolcall/openaichat"
	"github.com/streamlint/streamlint/stream/toolcall/openairesponses"
)

type caseFile struct {
	Kinds map[string]string          `json:"error_kinds"`
	Tools map[string]json.RawMessage `json:"tools"`
	Cases []scripted                 `json:"cases"`
}

type scripted struct {
	Name   string      `json:"name"`
	Wire   string      `json:"wire"`
	Quirk  string      `json:"quirk"`
	Frames []caseFrame `json:"frames"`
	End    string      `json:"end"`
	Expect struct {
		Error   string     `json:"error"`
		NoCalls bool       `json:"no_calls"`
		Calls   []wantCall `json:"calls"`
	} `json:"expect"`
}

type caseFrame struct {
	Event string          `json:"event"`
	JSON  json.RawMessage `json:"json"`
	Text  *string         `json:"text"`
}

func (f caseFrame) data() []byte {
	if f.Text != nil {
		return []byte(*f.Text)
	}
	return f.JSON
}

type wantCall struct {
	Choice    int             `json:"choice"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

var wires = map[string]func(*toolcall.Set, ...toolcall.Option) *toolcall.Turn{
	"openai-chat":      openaichat.New,
	"openai-responses": openairesponses.New,
	"anthropic":        anthropicmsg.New,
	"bedrock-converse": converse.New,
	"gemini":           gemini.New,
	"ollama":           ollama.New,
}

const ownCases = "testdata/toolcall-cases.json"

func loadCases(tb testing.TB, path string) (caseFile, *toolcall.Set) {
	tb.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var f caseFile
	if err := json.Unmarshal(raw, &f); err != nil {
		tb.Fatal(err)
	}
	if len(f.Cases) == 0 {
		tb.Fatalf("%s holds no cases", path)
	}
	var tools []toolcall.Tool
	for name, schema := range f.Tools {
		tools = append(tools, toolcall.Tool{Name: name, Schema: schema})
	}
	return f, toolcall.MustSet(tools...)
}

func casePath() string {
	if p := os.Getenv("STREAMLINT_TOOLCALL_CASES"); p != "" {
		return p
	}
	return ownCases
}

var errReset = errors.New("connection reset by peer")

func run(tb testing.TB, tools *toolcall.Set, c scripted, frames []caseFrame) (*toolcall.Turn, []toolcall.Call, error) {
	tb.Helper()
	open := wires[c.Wire]
	if open == nil {
		tb.Fatalf("no adapter for wire %q", c.Wire)
	}
	turn := open(tools)
	for _, f := range frames {
		turn.Frame(f.Event, f.data()) // the error comes again from End
	}
	var end error
	switch c.End {
	case "", "eof":
	case "reset":
		end = errReset
	default:
		tb.Fatalf("no such end: %q", c.End)
	}
	calls, err := turn.End(end)
	return turn, calls, err
}

// TestAssemblerCases replays scripted streams of six wire formats, frame by
// frame, and wants the calls or the kind of error that the file says.
func TestAssemblerCases(t *testing.T) {
	f, tools := loadCases(t, casePath())
	for _, c := range f.Cases {
		t.Run(c.Name, func(t *testing.T) {
			_, calls, err := run(t, tools, c, c.Frames)
			if msg := c.verdict(calls, err); msg != "" {
				t.Errorf("%s: %s", c.Quirk, msg)
			}
		})
	}
}

// verdict compares an outcome with the expected one.
func (c scripted) verdict(calls []toolcall.Call, err error) string {
	if want := c.Expect.Error; want != "" {
		var e *toolcall.Error
		switch {
		case err == nil:
			return fmt.Sprintf("got %d calls, want error %s", len(calls), want)
		case !errors.As(err, &e):
			return fmt.Sprintf("untyped error %v", err)
		case string(e.Kind) != want:
			return fmt.Sprintf("got %v, want %s", err, want)
		case len(calls) > 0:
			return "an error and calls"
		case !errors.Is(err, toolcall.Kind(want)):
			return "errors.Is does not match the kind"
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	if len(calls) != len(c.Expect.Calls) {
		return fmt.Sprintf("got %d calls, want %d", len(calls), len(c.Expect.Calls))
	}
	for i, want := range c.Expect.Calls {
		got := calls[i]
		if got.Choice() != want.Choice || got.Name() != want.Name {
			return fmt.Sprintf("call %d is %q of choice %d, want %q of %d", i, got.Name(), got.Choice(), want.Name, want.Choice)
		}
		if want.ID != "" && (got.ID() != want.ID || got.IDSynthetic()) {
			return fmt.Sprintf("call %d has id %q, want %q", i, got.ID(), want.ID)
		}
		if want.ID == "" && !got.IDSynthetic() {
			return fmt.Sprintf("call %d has id %q, want a synthetic one", i, got.ID())
		}
		if a, b := decodeExact(got.Arguments()), decodeExact(want.Arguments); !reflect.DeepEqual(a, b) {
			return fmt.Sprintf("call %d has arguments %s, want %s", i, got.Arguments(), want.Arguments)
		}
		if err := got.Verify(); err != nil {
			return err.Error()
		}
	}
	return ""
}

func decodeExact(raw []byte) any {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return err
	}
	return v
}

// TestAssemblerCutCases cuts each good stream after every frame before its last
// reason. No prefix may give calls, and none may pass for a turn without calls.
func TestAssemblerCutCases(t *testing.T) {
	f, tools := loadCases(t, ownCases) // finds the last reason by its spelling there
	for _, c := range f.Cases {
		if c.Expect.Error != "" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			terminal := lastReason(c)
			if terminal < 0 {
				t.Fatal("no terminal frame found")
			}
			for k := 0; k < terminal; k++ {
				_, calls, err := run(t, tools, c, c.Frames[:k])
				if !errors.Is(err, toolcall.Truncated) || !errors.Is(err, io.ErrUnexpectedEOF) || calls != nil {
					t.Errorf("after %d of %d frames: %d calls, %v", k, len(c.Frames), len(calls), err)
				}
			}
		})
	}
}

// lastReason finds the frame with which the turn is whole: the first that holds
// the marker for the last choice that needs one.
func lastReason(c scripted) int {
	marks := map[string][]string{
		"openai-chat":      {`"finish_reason": "t`, `"finish_reason": "s`, `"finish_reason": "f`, `"finish_reason":"t`, `"finish_reason":"s`, `"finish_reason":"f`},
		"openai-responses": {`"response.completed"`},
		"anthropic":        {`"message_stop"`},
		"bedrock-converse": {`"messageStop"`},
		"gemini":           {`"finishReason"`},
		"ollama":           {`"done": true`, `"done":true`},
	}[c.Wire]
	choices := map[int]bool{}
	last := -1
	for i, f := range c.Frames {
		for _, m := range marks {
			if !strings.Contains(string(f.data()), m) {
				continue
			}
			var v struct{ Choices []struct{ Index int } }
			json.Unmarshal(f.data(), &v)
			n := 0
			if len(v.Choices) > 0 {
				n = v.Choices[0].Index
			}
			if !choices[n] {
				choices[n] = true
				last = i
			}
		}
	}
	return last
}

// TestAssemblerSplitCases cuts the argument texts of each stream into single
// characters, one frame for each. The outcome must be the same.
func TestAssemblerSplitCases(t *testing.T) {
	f, tools := loadCases(t, ownCases)
	for _, c := range f.Cases {
		frames := splitFrames(c)
		if len(frames) == len(c.Frames) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			_, calls, err := run(t, tools, c, frames)
			if msg := c.verdict(calls, err); msg != "" {
				t.Errorf("%s, arguments split: %s", c.Quirk, msg)
			}
		})
	}
}

// splitFrames gives a frame for each character of a frame that holds nothing but
// one piece of arguments.
func splitFrames(c scripted) []caseFrame {
	var out []caseFrame
	for _, f := range c.Frames {
		var v any
		if f.Text != nil || json.Unmarshal(f.JSON, &v) != nil {
			out = append(out, f)
			continue
		}
		m, _ := v.(map[string]any)
		holder, key := fragment(c.Wire, m)
		s, _ := holder[key].(string)
		if len(s) < 2 {
			out = append(out, f)
			continue
		}
		for _, r := range s {
			holder[key] = string(r)
			raw, _ := json.Marshal(v)
			out = append(out, caseFrame{Event: f.Event, JSON: raw})
		}
	}
	return out
}

func dig(m map[string]any, path ...any) map[string]any {
	var v any = m
	for _, p := range path {
		switch p := p.(type) {
		case string:
			o, _ := v.(map[string]any)
			v = o[p]
		case int:
			a, _ := v.([]any)
			if len(a) != 1 { // several pieces in one frame can't be told apart here
				return nil
			}
			v = a[p]
		}
	}
	o, _ := v.(map[string]any)
	return o
}

func fragment(wire string, m map[string]any) (map[string]any, string) {
	switch wire {
	case "openai-chat":
		call := dig(m, "choices", 0, "delta", "tool_calls", 0)
		// Only pure continuations: the same id and name many times over is
		// another quirk.
		if call["id"] == nil && dig(call, "function")["name"] == nil && dig(m, "choices", 0)["finish_reason"] == nil {
			return dig(call, "function"), "arguments"
		}
	case "openai-responses":
		if m["type"] == "response.function_call_arguments.delta" {
			return m, "delta"
		}
	case "anthropic":
		return dig(m, "delta"), "partial_json"
	case "bedrock-converse":
		return dig(m, "contentBlockDelta", "delta", "toolUse"), "input"
	}
	return nil, ""
}
