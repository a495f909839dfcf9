package toolcall_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/streamlint/streamlint/stream/toolcall"
)

// Each target feeds one adapter with frames, one a line, an event name set off
// by a NUL. Seeds are the scripted cases and the quirks of that wire.

func FuzzOpenAIChat(f *testing.F)      { fuzzWire(f, "openai-chat") }
func FuzzOpenAIResponses(f *testing.F) { fuzzWire(f, "openai-responses") }
func FuzzAnthropic(f *testing.F)       { fuzzWire(f, "anthropic") }
func FuzzConverse(f *testing.F)        { fuzzWire(f, "bedrock-converse") }
func FuzzGemini(f *testing.F)          { fuzzWire(f, "gemini") }
func FuzzOllama(f *testing.F)          { fuzzWire(f, "ollama") }

func fuzzWire(f *testing.F, wire string) {
	cases, set := loadCases(f, ownCases)
	for _, c := range cases.Cases {
		if c.Wire != wire {
			continue
		}
		var lines []string
		for _, fr := range c.Frames {
			var b bytes.Buffer
			if json.Compact(&b, fr.data()) != nil {
				b.Reset()
				b.Write(fr.data())
			}
			line := b.String()
			if fr.Event != "" {
				line = ev(fr.Event, line)
			}
			lines = append(lines, line)
		}
		f.Add([]byte(strings.Join(lines, "\n")))
	}
	for _, c := range quirks {
		if c.wire == wire || c.wire == "" && wire == "openai-chat" {
			f.Add([]byte(strings.Join(c.frames, "\n")))
		}
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		lines := bytes.Split(script, []byte("\n"))
		first := replay(t, wires[wire](set, toolcall.WithMaxBytes(1<<16)), lines)
		again := replay(t, wires[wire](set, toolcall.WithMaxBytes(1<<16)), lines)
		if first != again {
			t.Fatalf("first %s, then %s", first, again)
		}
	})
}

// replay runs a script and checks what must hold whatever the frames say.
func replay(t *testing.T, turn *toolcall.Turn, lines [][]byte) string {
	var failed error
	for _, line := range lines {
		event, data, ok := bytes.Cut(line, []byte{0})
		if !ok {
			event, data = nil, line
		}
		saved := bytes.Clone(data)
		events, err := turn.Frame(string(event), data)
		if !bytes.Equal(saved, data) {
			t.Fatal("Frame changed its input")
		}
		// What Frame keeps must not lie in the caller's buffer.
		for i := range data {
			data[i] = 'x'
		}
		for _, e := range events {
			if !utf8.ValidString(e.Text) || e.Text == "" {
				t.Fatalf("text %q", e.Text)
			}
		}
		if failed != nil && err != failed {
			t.Fatalf("the first error %v became %v", failed, err)
		}
		failed = err
		copy(data, saved)
	}
	calls, err := turn.End(nil)
	if err != nil {
		var e *toolcall.Error
		switch {
		case !errors.As(err, &e):
			t.Fatalf("untyped: %v", err)
		case failed != nil && err != failed:
			t.Fatalf("the first error %v became %v", failed, err)
		case calls != nil:
			t.Fatal("calls beside an error")
		case e.LogValue().Group()[6].Value.Bool():
			t.Fatalf("%v has dispatch_ok", e)
		}
		for _, r := range turn.Rejections() {
			if !r.IsError || r.CallID == "" {
				t.Fatalf("rejection %+v", r)
			}
		}
		return err.Error()
	}
	if failed != nil {
		t.Fatalf("End forgot %v", failed)
	}
	for _, c := range calls {
		if err := c.Verify(); err != nil {
			t.Fatal(err)
		}
		if args := c.Arguments(); !json.Valid(args) || !bytes.HasPrefix(bytes.TrimSpace(args), []byte{'{'}) {
			t.Fatalf("arguments %s", args)
		}
		if c.FinishReason() == "" || c.ID() == "" || c.Name() == "" {
			t.Fatalf("%s has no finish reason, id or name", c.Name())
		}
		switch c.Name() {
		case "run_tests", "lookup_contact", "create_event": // these have required keys
			if c.Bytes() == 0 {
				t.Fatalf("%s without arguments", c.Name())
			}
		}
	}
	return outcome(calls, nil)
}

// FuzzAs: what As gives is what encoding/json gives, and then every required field
// was in the text by its exact name and not null; with an error there is nothing.
func FuzzAs(f *testing.F) {
	type inner struct {
		Deep bool `json:"deep"`
	}
	type target struct {
		Path  string           `json:"path"`
		Limit *int             `json:"limit"`
		List  []inner          `json:"list,omitempty"`
		Map   map[string]inner `json:"map,omitzero"`
		Any   any              `json:"any,omitempty"`
		Plain int
	}
	for _, s := range []string{
		`{"path":"p","Plain":1}`, `{"path":"p","Plain":1,"limit":null,"list":[{"deep":true},{}],"map":{"a":{"deep":false}}}`,
		`{"path":null,"Plain":1}`, `{"Path":"p","Plain":1}`, `{"path":"p","plain":1}`, `{"path":"p","Plain":1e2}`,
		`{"path":"p","Plain":1,"any":[9007199254740993]}`, `{"path":"p","Plain":1,"x":2}`, `{"path":"\u00e9","Plain":-0}`,
	} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	set := toolcall.MustSet(toolcall.Tool{Name: "x", Schema: json.RawMessage(`{}`)})
	f.Fuzz(func(t *testing.T, raw []byte, known bool) {
		call, err := one(t, set, "x", string(raw))
		if err != nil {
			return
		}
		var opts []toolcall.DecodeOption
		if known {
			opts = append(opts, toolcall.KnownOnly())
		}
		got, err := toolcall.As[target](call, opts...)
		if err != nil {
			var e *toolcall.Error
			if !errors.As(err, &e) || !reflect.DeepEqual(got, target{}) {
				t.Fatalf("%s: %+v, %v", raw, got, err)
			}
			return
		}
		var want target
		dec := json.NewDecoder(bytes.NewReader(call.Arguments()))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %+v, want %+v, %v", raw, got, want, err)
		}
		var names map[string]json.RawMessage
		if err := json.Unmarshal(call.Arguments(), &names); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"path", "Plain"} {
			if v, ok := names[name]; !ok || string(v) == "null" {
				t.Fatalf("%s: passed without %s", raw, name)
			}
			delete(names, name)
		}
		for _, name := range []string{"limit", "list", "map", "any"} {
			delete(names, name)
		}
		if known && len(names) > 0 {
			t.Fatalf("%s: unknown names %v passed", raw, names)
		}
	})
}
