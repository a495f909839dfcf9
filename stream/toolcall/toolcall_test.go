package toolcall_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/anthropicmsg"
	"github.com/streamlint/streamlint/stream/toolcall/converse"
	"github.com/streamlint/streamlint/stream/toolcall/gemini"
	"github.com/streamlint/streamlint/stream/toolcall/ollama"
	"github.com/streamlint/streamlint/stream/toolcall/openaichat"
	"github.com/streamlint/streamlint/stream/toolcall/openairesponses"
)

func one(tb testing.TB, set *toolcall.Set, name, args string) (toolcall.Call, error) {
	tb.Helper()
	a := toolcall.New(set)
	a.Add(toolcall.Delta{ID: "c1", Name: name, Args: []byte(args)})
	a.Finish(0, "tool_calls")
	calls, err := a.Calls()
	if err != nil {
		return toolcall.Call{}, err
	}
	return calls[0], nil
}

func TestNewSetRefuses(t *testing.T) {
	schema := func(s string) json.RawMessage { return json.RawMessage(s) }
	for want, tools := range map[string][]toolcall.Tool{
		"no name":          {{NoParameters: true}},
		"must be set":      {{Name: "a"}},
		"twice":            {{Name: "a", NoParameters: true}, {Name: "a", NoParameters: true}},
		"excludes":         {{Name: "a", NoParameters: true, Schema: schema(`{}`)}},
		"does not know":    {{Name: "a", Schema: schema(`{"if":{}}`)}},
		"not a type":       {{Name: "a", Schema: schema(`{"type":"strnig"}`)}},
		"twice in one":     {{Name: "a", Schema: schema(`{"type":"object","type":"array"}`)}},
		"leaves":           {{Name: "a", Schema: schema(`{"$ref":"http://x/y"}`)}},
		"leads nowhere":    {{Name: "a", Schema: schema(`{"$ref":"#/$defs/x"}`)}},
		"refers to itself": {{Name: "a", Schema: schema(`{"$ref":"#"}`)}},
		"a list of names":  {{Name: "a", Schema: schema(`{"required":"x"}`)}},
		"a count":          {{Name: "a", Schema: schema(`{"minLength":-1}`)}},
		"a number":         {{Name: "a", Schema: schema(`{"minimum":"1"}`)}},
		"neither an":       {{Name: "a", Schema: schema(`[]`)}},
		"error parsing":    {{Name: "a", Schema: schema(`{"pattern":"(?=a)"}`)}},
	} {
		_, err := toolcall.NewSet(tools...)
		var d *toolcall.DeclarationError
		if !errors.As(err, &d) || d.Tool != tools[0].Name || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	var d *toolcall.DeclarationError
	_, err := toolcall.NewSet(toolcall.Tool{Name: "a", Schema: schema(`{"properties":{"x/y":{"type":"strnig"}}}`)})
	if !errors.As(err, &d) || d.Place != "#/properties/x~1y/type" || d.Offset != -1 ||
		err.Error() != `toolcall: tool "a": schema: #/properties/x~1y/type: not a type of JSON Schema` {
		t.Errorf("%v", err)
	}
	_, err = toolcall.CompileSchema([]byte(`{"type":`))
	if !errors.As(err, &d) || d.Place != "" || d.Offset != 8 || d.Tool != "" {
		t.Errorf("%v", err)
	}
}

func TestSchema(t *testing.T) {
	for _, c := range []struct{ schema, good, bad, keyword, path string }{
		{`true`, `{}`, ``, ``, ``},
		{`false`, ``, `{}`, "false", ""},
		{`{"type":"object"}`, `{}`, `[]`, "type", ""},
		{`{"properties":{"a":{"type":"integer"}}}`, `{"a":1.0}`, `{"a":1.5}`, "type", "/a"},
		{`{"properties":{"a":{"type":["string","null"]}}}`, `{"a":null}`, `{"a":1}`, "type", "/a"},
		{`{"properties":{"a":{"type":"STRING","nullable":true}}}`, `{"a":null}`, `{"a":true}`, "type", "/a"},
		{`{"properties":{"a/b":{"type":"boolean"}}}`, `{"a/b":true}`, `{"a/b":"true"}`, "type", "/a~1b"},
		{`{"properties":{"a":{"enum":["x",1]}}}`, `{"a":1.0}`, `{"a":"y"}`, "enum", "/a"},
		{`{"properties":{"a":{"const":{"b":[1]}}}}`, `{"a":{"b":[1]}}`, `{"a":{"b":[2]}}`, "enum", "/a"},
		{`{"properties":{"a":{"enum":[1,2],"const":3}}}`, `{}`, `{"a":3}`, "enum", "/a"},
		{`{"required":["a"]}`, `{"a":null}`, `{"A":1}`, "required", ""},
		{`{"properties":{"a":{"required":["b"]}}}`, `{"a":{"b":1}}`, `{"a":{}}`, "required", "/a"},
		{`{"properties":{"a":{}},"additionalProperties":false}`, `{"a":1}`, `{"b":1}`, "additionalProperties", ""},
		{`{"additionalProperties":{"type":"string"}}`, `{"b":"x"}`, `{"b":1}`, "type", "/b"},
		{`{"properties":{"a":{"items":{"type":"number"},"minItems":1,"maxItems":2}}}`, `{"a":[1,2]}`, `{"a":[1,"2"]}`, "type", "/a/1"},
		{`{"properties":{"a":{"minItems":1}}}`, `{"a":[1]}`, `{"a":[]}`, "minItems", "/a"},
		{`{"properties":{"a":{"maxItems":1}}}`, `{"a":[1]}`, `{"a":[1,2]}`, "maxItems", "/a"},
		{`{"properties":{"a":{"minLength":2}}}`, `{"a":"é😀"}`, `{"a":"😀"}`, "minLength", "/a"},
		{`{"properties":{"a":{"maxLength":1}}}`, `{"a":"😀"}`, `{"a":"ab"}`, "maxLength", "/a"},
		{`{"properties":{"a":{"pattern":"^[a-z]+$"}}}`, `{"a":"ab"}`, `{"a":"A"}`, "pattern", "/a"},
		{`{"properties":{"a":{"minimum":1}}}`, `{"a":1}`, `{"a":0.999}`, "minimum", "/a"},
		{`{"properties":{"a":{"maximum":9007199254740992}}}`, `{"a":9007199254740992}`, `{"a":9007199254740993}`, "maximum", "/a"},
		{`{"properties":{"a":{"exclusiveMinimum":1}}}`, `{"a":1.1}`, `{"a":1.0}`, "exclusiveMinimum", "/a"},
		{`{"properties":{"a":{"exclusiveMaximum":1}}}`, `{"a":0}`, `{"a":1e0}`, "exclusiveMaximum", "/a"},
		{`{"minProperties":1}`, `{"a":1}`, `{}`, "minProperties", ""},
		{`{"maxProperties":1}`, `{"a":1}`, `{"a":1,"b":2}`, "maxProperties", ""},
		{`{"allOf":[{"required":["a"]},{"required":["b"]}]}`, `{"a":1,"b":1}`, `{"a":1}`, "required", ""},
		{`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"b":1}`, `{}`, "anyOf", ""},
		{`{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"b":1}`, `{"a":1,"b":1}`, "oneOf", ""},
		{`{"not":{"required":["a"]}}`, `{"b":1}`, `{"a":1}`, "not", ""},
		{`{"$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"},"v":{"type":"integer"}}}},"$ref":"#/$defs/n"}`, `{"next":{"next":{"v":1}}}`, `{"next":{"next":{"v":"1"}}}`, "type", "/next/next/v"},
		{`{"title":"t","description":"d","x-vendor":1,"$schema":"s","properties":{"a":{"format":"date"}}}`, `{"a":"x"}`, ``, ``, ``},
	} {
		set, err := toolcall.NewSet(toolcall.Tool{Name: "x", Schema: json.RawMessage(c.schema)})
		if err != nil {
			t.Errorf("%s: %v", c.schema, err)
			continue
		}
		if c.good != "" {
			if _, err := one(t, set, "x", c.good); err != nil {
				t.Errorf("%s on %s: %v", c.schema, c.good, err)
			}
		}
		if c.bad == "" {
			continue
		}
		_, err = one(t, set, "x", c.bad)
		if c.bad == "[]" {
			if !errors.Is(err, toolcall.NotObject) {
				t.Errorf("%s on %s: %v", c.schema, c.bad, err)
			}
			continue
		}
		var se *toolcall.SchemaError
		var e *toolcall.Error
		if !errors.As(err, &se) || !errors.As(err, &e) || se.Keyword != c.keyword || e.Path != c.path {
			t.Errorf("%s on %s: %v (%+v), want %s at %s", c.schema, c.bad, err, se, c.keyword, c.path)
			continue
		}
		if (e.Kind == toolcall.MissingRequired) != (c.keyword == "required") {
			t.Errorf("%s on %s: kind %s", c.schema, c.bad, e.Kind)
		}
	}
}

type upper string

func (u *upper) UnmarshalText(b []byte) error { *u = upper(strings.ToUpper(string(b))); return nil }

type base struct {
	Shared string `json:"shared"`
}

type args struct {
	base
	Path  string         `json:"path"`
	Limit int            `json:"limit,omitempty"`
	Zero  int            `json:"zero,omitzero"`
	Since *time.Time     `json:"since"`
	Opts  *options       `json:"opts"`
	List  []options      `json:"list,omitempty"`
	Any   map[string]any `json:"any,omitempty"`
	Up    upper          `json:"up,omitempty"`
	N     int64          `json:"n,string,omitempty"`
	Skip  string         `json:"-"`
	priv  string
}

type options struct {
	Deep bool `json:"deep"`
}

func TestAs(t *testing.T) {
	_ = args{}.priv
	set := toolcall.MustSet(toolcall.Tool{Name: "x", Schema: json.RawMessage(`{}`)})
	const ok = `"path":"p","shared":"s"`
	for _, c := range []struct {
		in   string
		kind toolcall.Kind
		path string
		opts []toolcall.DecodeOption
	}{
		{in: `{` + ok + `}`},
		{in: `{` + ok + `,"limit":3,"since":"2026-01-02T03:04:05Z","opts":{"deep":true},"list":[{"deep":false}],"any":{"k":null,"n":9007199254740993},"up":"a","n":"7"}`},
		{in: `{` + ok + `,"opts":null,"since":null,"list":null}`},
		{in: `{` + ok + `,"extra":1}`},
		{in: `{` + ok + `,"extra":1}`, kind: toolcall.Schema, opts: []toolcall.DecodeOption{toolcall.KnownOnly()}},
		{in: `{"shared":"s"}`, kind: toolcall.MissingRequired},
		{in: `{"path":"p"}`, kind: toolcall.MissingRequired}, // of the embedded struct
		{in: `{}`, kind: toolcall.MissingRequired},
		{in: `{"Path":"p","shared":"s"}`, kind: toolcall.MissingRequired},
		{in: `{` + ok + `,"LIMIT":3}`, kind: toolcall.Schema},
		{in: `{` + ok + `,"Path":"q"}`, kind: toolcall.Schema},
		{in: `{"path":null,"shared":"s"}`, kind: toolcall.Schema, path: "/path"},
		{in: `{` + ok + `,"limit":null}`, kind: toolcall.Schema, path: "/limit"},
		{in: `{` + ok + `,"limit":"3"}`, kind: toolcall.Schema, path: "/limit"},
		{in: `{` + ok + `,"limit":1.5}`, kind: toolcall.Schema, path: "/limit"},
		{in: `{` + ok + `,"limit":1e40}`, kind: toolcall.Schema, path: "/limit"},
		{in: `{` + ok + `,"opts":{}}`, kind: toolcall.MissingRequired, path: "/opts"},
		{in: `{` + ok + `,"opts":[]}`, kind: toolcall.Schema, path: "/opts"},
		{in: `{` + ok + `,"list":[{"deep":true},{}]}`, kind: toolcall.MissingRequired, path: "/list/1"},
		{in: `{` + ok + `,"since":"yesterday"}`, kind: toolcall.Schema, path: "/since"},
	} {
		call, err := one(t, set, "x", c.in)
		if err != nil {
			t.Fatal(err)
		}
		v, err := toolcall.As[args](call, c.opts...)
		if c.kind == "" {
			if err != nil || v.Path != "p" || v.Shared != "s" {
				t.Errorf("%s: %+v, %v", c.in, v, err)
			}
			continue
		}
		var e *toolcall.Error
		if !errors.As(err, &e) || e.Kind != c.kind || e.Path != c.path || e.BufferID != call.BufferID() {
			t.Errorf("%s: %v (%+v), want %s at %q", c.in, err, e, c.kind, c.path)
		}
		if v.Path != "" || v.Shared != "" || v.Limit != 0 {
			t.Errorf("%s: partial result %+v", c.in, v)
		}
	}
	call, _ := one(t, set, "x", `{"n":9007199254740993}`)
	m, err := toolcall.As[map[string]any](call)
	if err != nil || m["n"] != json.Number("9007199254740993") {
		t.Errorf("%v, %v", m, err)
	}
}

// TestAsKeepsValues checks that no error of a decode shows the value it is about:
// errors are logged. encoding/json, package time and others quote it.
func TestAsKeepsValues(t *testing.T) {
	type inner struct {
		When  time.Time `json:"when,omitzero"`
		Count int8      `json:"count,omitempty"`
		Quote int       `json:"quote,string,omitempty"`
		Blob  []byte    `json:"blob,omitempty"`
	}
	type outer struct {
		inner
		One   inner            `json:"one,omitzero"`
		List  []*inner         `json:"list,omitempty"`
		Map   map[string]inner `json:"map,omitempty"`
		Fixed [1]inner         `json:"fixed,omitzero"`
	}
	set := toolcall.MustSet(toolcall.Tool{Name: "x", Schema: json.RawMessage(`{}`)})
	for _, bad := range []struct{ field, json string }{
		{"when", `{"when":"4711-secret"}`}, {"when", `{"when":4711}`}, {"count", `{"count":4711}`},
		{"quote", `{"quote":"4711-secret"}`}, {"blob", `{"blob":"4711-secret"}`},
	} {
		for _, place := range []struct{ path, json string }{
			{"", "%s"}, {"/one", `{"one":%s}`}, {"/list/1", `{"list":[{},%s]}`}, {"/map/a~1b", `{"map":{"a/b":%s}}`}, {"/fixed/0", `{"fixed":[%s]}`},
		} {
			in := fmt.Sprintf(place.json, bad.json)
			call, err := one(t, set, "x", in)
			if err != nil {
				t.Fatal(err)
			}
			_, err = toolcall.As[outer](call)
			var e *toolcall.Error
			if !errors.As(err, &e) || e.Kind != toolcall.Schema {
				t.Errorf("%s: %v", in, err)
				continue
			}
			if all := err.Error() + e.ForModel(); strings.Contains(all, "4711") {
				t.Errorf("%s: the value is in %q", in, all)
			}
			if want := place.path + "/" + bad.field; e.Path != want {
				t.Errorf("%s: at %q, want %q: %v", in, e.Path, want, err)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	t.Run("bytes", func(t *testing.T) {
		a := toolcall.New(tools, toolcall.WithMaxBytes(100))
		a.Add(toolcall.Delta{ID: "c", Name: "get_time", Args: []byte(`{"zone":"`)})
		var err error
		n := 0
		for ; err == nil && n < 1000; n++ {
			err = a.Add(toolcall.Delta{Args: []byte("xxxxxxxxxx")})
		}
		var e *toolcall.Error
		if !errors.As(err, &e) || e.Kind != toolcall.TooLarge || e.Name != "get_time" || e.Bytes > 100 {
			t.Fatalf("%v after %d", err, n)
		}
		a.Finish(0, "stop")
		if calls, err := a.Calls(); calls != nil || !errors.Is(err, toolcall.TooLarge) {
			t.Errorf("%v, %v", calls, err)
		}
	})
	t.Run("ids and names", func(t *testing.T) {
		a := toolcall.New(tools, toolcall.WithMaxBytes(100))
		if err := a.Add(toolcall.Delta{ID: strings.Repeat("i", 101), Name: "ping"}); !errors.Is(err, toolcall.TooLarge) {
			t.Error(err)
		}
	})
	t.Run("late ids and names", func(t *testing.T) {
		long := func(i int) string { return strings.Repeat(string(rune('p'+i)), 60) }
		for name, late := range map[string]func(*toolcall.Assembler, int) error{
			"id by index":   func(a *toolcall.Assembler, i int) error { return a.Add(toolcall.Delta{Index: i, ID: long(i)}) },
			"name by index": func(a *toolcall.Assembler, i int) error { return a.Add(toolcall.Delta{Index: i, Name: long(i)}) },
			"id, no index": func(a *toolcall.Assembler, i int) error {
				return a.Add(toolcall.Delta{Choice: i, Index: toolcall.NoIndex, ID: long(i)})
			},
		} {
			a := toolcall.New(tools, toolcall.WithMaxBytes(100))
			for i := range 2 {
				d := toolcall.Delta{Index: i, Args: []byte("{")}
				if name == "id, no index" {
					d = toolcall.Delta{Choice: i, Index: toolcall.NoIndex, Name: "ping"}
				}
				if err := a.Add(d); err != nil {
					t.Fatal(err)
				}
			}
			if err := late(a, 0); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := late(a, 1); !errors.Is(err, toolcall.TooLarge) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("pieces of a gemini call", func(t *testing.T) {
		deep := `{"jsonPath":"$` + strings.Repeat(".a", 100) + `","stringValue":"x"}`
		for name, piece := range map[string]string{
			"text":  `{"jsonPath":"$.zone","stringValue":"` + strings.Repeat("x", 2000) + `","willContinue":true}`,
			"nodes": deep,
			"args":  "",
		} {
			turn := gemini.New(tools, toolcall.WithMaxBytes(5000))
			var err error
			for i := 0; err == nil && i < 10; i++ {
				// Several candidates: the limit is that of the turn.
				part := `"willContinue":true,"partialArgs":[` + piece + `]`
				if name == "args" {
					part = `"willContinue":true,"args":{"zone":"` + strings.Repeat("x", 2000) + `"}`
				}
				_, err = turn.Frame("", fmt.Appendf(nil, `{"candidates":[{"index":%d,"content":{"parts":[{"functionCall":{"name":"get_time",%s}}]}}]}`, i, part))
			}
			if !errors.Is(err, toolcall.TooLarge) {
				t.Errorf("%s: %v", name, err)
			}
			if calls, err := turn.End(nil); calls != nil || !errors.Is(err, toolcall.TooLarge) {
				t.Errorf("%s: %v, %v", name, calls, err)
			}
		}
	})
	t.Run("blocks that are no calls", func(t *testing.T) {
		for _, c := range []struct {
			turn  *toolcall.Turn
			frame string
		}{
			{anthropicmsg.New(tools, toolcall.WithMaxIndex(3)), `{"type":"content_block_start","index":%d,"content_block":{"type":"text","text":""}}`},
			{converse.New(tools, toolcall.WithMaxIndex(3)), `{"contentBlockStart":{"contentBlockIndex":%d,"start":{"toolUse":{"toolUseId":"t","name":"search","type":"server_tool_use"}}}}`},
		} {
			for i := range 5 {
				_, err := c.turn.Frame("", fmt.Appendf(nil, c.frame, i))
				if want := i == 4; errors.Is(err, toolcall.IndexRange) != want || (err != nil) != want {
					t.Errorf("block %d: %v", i, err)
				}
			}
		}
	})
	t.Run("calls", func(t *testing.T) {
		a := toolcall.New(tools, toolcall.WithMaxCalls(3))
		var err error
		for i := 0; i < 4; i++ {
			err = a.Add(toolcall.Delta{Index: i, Name: "ping"})
		}
		if !errors.Is(err, toolcall.IndexRange) {
			t.Error(err)
		}
	})
	t.Run("index", func(t *testing.T) {
		a := toolcall.New(tools, toolcall.WithMaxIndex(3))
		if err := a.Add(toolcall.Delta{Index: 4, Name: "ping"}); !errors.Is(err, toolcall.IndexRange) {
			t.Error(err)
		}
	})
	t.Run("depth", func(t *testing.T) {
		a := toolcall.New(tools, toolcall.WithMaxDepth(2))
		a.Add(toolcall.Delta{Name: "get_time", Args: []byte(`{"a":[[]]}`)})
		a.Finish(0, "stop")
		_, err := a.Calls()
		var e *toolcall.Error
		if !errors.As(err, &e) || e.Kind != toolcall.InvalidJSON || e.Offset != 6 {
			t.Error(err)
		}
	})
	t.Run("reasons", func(t *testing.T) {
		a := toolcall.New(tools, toolcall.WithReasons("Fin"))
		a.Add(toolcall.Delta{Name: "ping"})
		a.Finish(0, "FIN")
		if calls, err := a.Calls(); len(calls) != 1 || calls[0].FinishReason() != "FIN" || err != nil {
			t.Errorf("%v, %v", calls, err)
		}
	})
}

// TestFirstReasonStays: the record has the provider's word for the turn, not
// what a proxy adds.
func TestFirstReasonStays(t *testing.T) {
	turn := openaichat.New(tools)
	for _, f := range []string{chat("tool_calls", tc("0", "c1", "ping", "")), chat("stop")} {
		turn.Frame("", []byte(f))
	}
	calls, err := turn.End(nil)
	if err != nil || calls[0].FinishReason() != "tool_calls" {
		t.Errorf("%v, %v", calls, err)
	}
}

func TestErrorSaysWhere(t *testing.T) {
	turn := openaichat.New(tools)
	turn.Frame("", []byte(chat("", tc("0", "c1", "lookup_contact", q(nameArgs)), tc("1", "c2", "run_tests", q(`{"path":"te`)))))
	turn.Frame("", []byte(chat("tool_calls")))
	_, err := turn.End(nil)
	var e *toolcall.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if e.Kind != toolcall.InvalidJSON || e.Index != 1 || e.ID != "c2" || e.Name != "run_tests" || e.FinishReason != "tool_calls" ||
		e.Bytes != 11 || e.Offset != 11 || len(e.BufferID) != 12 {
		t.Errorf("%+v", e)
	}
	turn = openaichat.New(tools)
	turn.Frame("", []byte(chat("")))
	_, err = turn.Frame("", []byte(`{"choices":[`))
	if !errors.As(err, &e) || e.Kind != toolcall.BadFrame || e.Frame != 2 || e.Offset != 12 {
		t.Errorf("%+v", e)
	}
	if _, again := turn.Frame("", []byte(chat("stop"))); again != err {
		t.Errorf("the first error is not final: %v", again)
	}
	turn = openaichat.New(tools)
	turn.Frame("", []byte(chat("", tc("0", "c1", "run_tests", q(`{"pa`)))))
	_, err = turn.End(errReset)
	if !errors.Is(err, errReset) || !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err, toolcall.Truncated) {
		t.Errorf("%v", err)
	}
	if errors.Is(err, toolcall.Length) {
		t.Error("matches another kind")
	}
	if _, again := turn.End(nil); !errors.Is(again, toolcall.Truncated) {
		t.Errorf("second End: %v", again)
	}
	if _, err := turn.Frame("", []byte(chat("stop"))); err == nil {
		t.Error("a frame after End")
	}
}

// TestErrorsHoldNoValues: what the model sent as values never gets into errors
// and records.
func TestErrorsHoldNoValues(t *testing.T) {
	const secret = "hunter2"
	for _, in := range []string{
		`{"path":"hunter2`, `{"path":"hunter2","path":"hunter2"}`, `["hunter2"]`, `{"path":["hunter2"]}`, `{"x":"hunter2"}`, `{"path":"hunter2"}x`,
	} {
		_, err := one(t, tools, "run_tests", in)
		var e *toolcall.Error
		if !errors.As(err, &e) {
			t.Fatalf("%s: %v", in, err)
		}
		var b bytes.Buffer
		slog.New(slog.NewTextHandler(&b, nil)).Error("refused", "call", e)
		for _, s := range []string{err.Error(), e.ForModel(), b.String()} {
			if strings.Contains(s, secret) {
				t.Errorf("%s: %s", in, s)
			}
		}
	}
}

func TestDispatcher(t *testing.T) {
	type in struct {
		Path string `json:"path"`
	}
	var log bytes.Buffer
	var ran []string
	d := toolcall.Dispatcher{
		Logger: slog.New(slog.NewJSONHandler(&log, nil)),
		Handlers: map[string]toolcall.Handler{
			"run_tests": toolcall.Handle(func(_ context.Context, a in) (string, error) {
				ran = append(ran, a.Path)
				if a.Path == "bad" {
					return "", errors.New("no such path")
				}
				return "ok " + a.Path, nil
			}),
			"lookup_contact": toolcall.Handle(func(context.Context, struct{ Email string }) (string, error) {
				ran = append(ran, "lookup")
				return "", nil
			}),
		},
	}
	call := func(name, args string) toolcall.Call {
		c, err := one(t, tools, name, args)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	results, err := d.Run(context.Background(), []toolcall.Call{call("run_tests", `{"path":"a"}`), call("run_tests", `{"path":"bad"}`), call("run_tests", `{"path":"b"}`)})
	if err != nil || fmt.Sprint(ran) != "[a bad b]" {
		t.Fatalf("%v, ran %v", err, ran)
	}
	if results[0].Content != "ok a" || results[0].IsError || !results[1].IsError || results[1].Content != "no such path" || results[2].IsError {
		t.Errorf("%+v", results)
	}
	if n := strings.Count(log.String(), `"dispatch_ok":true`); n != 3 {
		t.Errorf("%d records in %s", n, &log)
	}
	// One that can't be decoded, or has no handler: none runs.
	for _, bad := range []toolcall.Call{call("lookup_contact", nameArgs), call("ping", ""), {}} {
		ran = nil
		log.Reset()
		if _, err := d.Run(context.Background(), []toolcall.Call{call("run_tests", `{"path":"a"}`), bad}); err == nil || ran != nil {
			t.Errorf("%v, ran %v", err, ran)
		}
		if strings.Contains(log.String(), `"dispatch_ok":true`) || !strings.Contains(log.String(), `"dispatch_ok":false`) {
			t.Errorf("%s", &log)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("stop")
	cancel(stop)
	ran = nil
	if results, err := d.Run(ctx, []toolcall.Call{call("run_tests", `{"path":"a"}`)}); err != stop || len(results) != 0 || ran != nil {
		t.Errorf("%v, %v, %v", results, err, ran)
	}
}

func TestPreviews(t *testing.T) {
	turn := openaichat.New(tools)
	turn.Frame("", []byte(chat("", tc("1", "c2", "run_tests", q(`{"pa`)), tc("0", "c1", "ping", ""))))
	ps := turn.Previews()
	if len(ps) != 2 || ps[0].Name != "ping" || ps[1].Text != `{"pa` || ps[1].ID != "c2" {
		t.Errorf("%+v", ps)
	}
	// Input that came with the block's start is shown too, until fragments do.
	turn = anthropicmsg.New(tools)
	turn.Frame("", []byte(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1","name":"run_tests","input":{"path":"a"}}}`))
	if ps := turn.Previews(); len(ps) != 1 || ps[0].Text != `{"path":"a"}` {
		t.Errorf("%+v", ps)
	}
	turn.Frame("", []byte(`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"pa"}}`))
	if ps := turn.Previews(); len(ps) != 1 || ps[0].Text != `{"pa` {
		t.Errorf("%+v", ps)
	}
}

// TestTextIsNotHeldBack: a text comes out with the frame that holds it, though a
// call is open.
func TestTextIsNotHeldBack(t *testing.T) {
	turn := openaichat.New(tools)
	turn.Frame("", []byte(chat("", tc("0", "c1", "run_tests", q(`{"pa`)))))
	events, err := turn.Frame("", []byte(`{"choices":[{"delta":{"reasoning_content":"hm","content":"now"}}]}`))
	if err != nil || len(events) != 2 || events[0] != (toolcall.Event{Kind: toolcall.Reasoning, Text: "hm"}) || events[1] != (toolcall.Event{Text: "now"}) {
		t.Errorf("%+v, %v", events, err)
	}
}

func TestRun(t *testing.T) {
	frames := func(end error, data ...string) func(func(toolcall.Frame, error) bool) {
		return func(yield func(toolcall.Frame, error) bool) {
			for _, d := range data {
				if !yield(toolcall.Frame{Data: []byte(d)}, nil) {
					return
				}
			}
			if end != nil {
				yield(toolcall.Frame{}, end)
			}
		}
	}
	var text string
	emit := func(e toolcall.Event) { text += e.Text }
	hi, call, done := `{"choices":[{"delta":{"content":"Hi"}}]}`, chat("tool_calls", tc("0", "c1", "run_tests", q(pathArgs))), "[DONE]"
	if calls, err := openaichat.New(tools).Run(frames(errReset, hi, call, done), emit); err != nil || len(calls) != 1 || text != "Hi" {
		t.Errorf("%v, %v, %q", calls, err, text)
	}
	if calls, err := openaichat.New(tools).Run(frames(errReset, hi), emit); !errors.Is(err, errReset) || calls != nil {
		t.Errorf("%v, %v", calls, err)
	}
	if _, err := openaichat.New(tools).Run(frames(nil, hi, "{", call), nil); !errors.Is(err, toolcall.BadFrame) {
		t.Error(err)
	}
}

func TestRejections(t *testing.T) {
	bad := func(end error, frames ...string) []toolcall.Result {
		turn := openaichat.New(tools)
		for _, f := range frames {
			turn.Frame("", []byte(f))
		}
		if calls, err := turn.End(end); err == nil {
			t.Fatalf("passed: %v", calls)
		}
		return turn.Rejections()
	}
	two := chat("tool_calls", tc("0", "c1", "lookup_contact", q(nameArgs)), tc("1", "c2", "run_tests", `"{}"`))
	rs := bad(nil, two)
	if len(rs) != 2 || rs[0].CallID != "c1" || !rs[0].IsError || !strings.Contains(rs[0].Content, "another call") ||
		rs[1].CallID != "c2" || !strings.Contains(rs[1].Content, `"path" is missing`) {
		t.Errorf("%+v", rs)
	}
	if rs := bad(nil, chat("", tc("0", "c1", "run_tests", q(`{"pa`)))); rs != nil {
		t.Errorf("a cut turn is answered: %+v", rs)
	}
	if rs := bad(nil, chat("length", tc("0", "c1", "run_tests", q(`{"pa`)))); rs != nil {
		t.Errorf("a cut turn is answered: %+v", rs)
	}
	if rs := bad(nil, chat("tool_calls", tc("0", "c1", "", q(`{}`)))); rs != nil {
		t.Errorf("a call without a name is answered: %+v", rs)
	}
}

// TestDispatchRejections: what a handler refuses before anything runs can be
// answered like what the schema refuses; what ran, or is the program's fault, not.
func TestDispatchRejections(t *testing.T) {
	turn := openaichat.New(tools)
	turn.Frame("", []byte(chat("tool_calls", tc("0", "c1", "lookup_contact", q(nameArgs)), tc("1", "c2", "run_tests", q(`{"path":"../x"}`)))))
	calls, err := turn.End(nil)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	works := func(toolcall.Call) (func(context.Context) (string, error), error) {
		return func(context.Context) (string, error) { ran++; return "", nil }, nil
	}
	outside := errors.New("the path leaves the job")
	for name, c := range map[string]struct {
		handler toolcall.Handler
		kind    toolcall.Kind
		want    string // in the answer to c2, "" for no answers
	}{
		"own check": {func(toolcall.Call) (func(context.Context) (string, error), error) { return nil, outside }, toolcall.Unfit,
			"The tool was not run (unfit): the arguments are refused: the path leaves the job."},
		"decode": {toolcall.Handle(func(context.Context, struct {
			Path string `json:"path"`
			Race bool   `json:"race"`
		}) (string, error) {
			return "", nil
		}), toolcall.MissingRequired, `"race" is missing`},
		"no handler":     {nil, toolcall.NoHandler, ""},
		"nothing to run": {func(toolcall.Call) (func(context.Context) (string, error), error) { return nil, nil }, toolcall.NoHandler, ""},
	} {
		d := toolcall.Dispatcher{Handlers: map[string]toolcall.Handler{"lookup_contact": works, "run_tests": c.handler}}
		results, err := d.Run(context.Background(), calls)
		var e *toolcall.Error
		if !errors.As(err, &e) || e.Kind != c.kind || e.ID != "c2" || e.Index != 1 || e.BufferID != calls[1].BufferID() || results != nil || ran > 0 {
			t.Fatalf("%s: %+v, %v, ran %d", name, results, err, ran)
		}
		if name == "own check" && !errors.Is(err, outside) {
			t.Errorf("%v hides the handler's error", err)
		}
		rs := toolcall.Rejections(calls, err)
		if c.want == "" {
			if rs != nil {
				t.Errorf("%s: %+v", name, rs)
			}
			continue
		}
		if len(rs) != 2 || rs[0].CallID != "c1" || !rs[0].IsError || !strings.Contains(rs[0].Content, "another call") ||
			rs[1].CallID != "c2" || !rs[1].IsError || !strings.Contains(rs[1].Content, c.want) {
			t.Errorf("%s: %+v", name, rs)
		}
	}
	// A tool's own error is its result, whatever it wraps.
	fails := func(toolcall.Call) (func(context.Context) (string, error), error) {
		return func(context.Context) (string, error) {
			return "", fmt.Errorf("inner agent: %w", &toolcall.Error{Kind: toolcall.Schema, Index: 1, ID: "c2"})
		}, nil
	}
	d := toolcall.Dispatcher{Handlers: map[string]toolcall.Handler{"lookup_contact": works, "run_tests": fails}}
	results, err := d.Run(context.Background(), calls)
	if err != nil || len(results) != 2 || ran != 1 || !results[1].IsError || !strings.HasPrefix(results[1].Content, "inner agent: ") {
		t.Errorf("%+v, %v", results, err)
	}
	for _, err := range []error{nil, context.Canceled, &toolcall.Error{Kind: toolcall.Schema, ID: "c9"}, &toolcall.Error{Kind: toolcall.BufferChanged, Index: 1, ID: "c2"}} {
		if rs := toolcall.Rejections(calls, err); rs != nil {
			t.Errorf("%v: %+v", err, rs)
		}
	}
}

// TestRejectionsOnTheWire: what the schema refused goes back to the model as the
// result of that call, in each format, marked as an error where the format can.
func TestRejectionsOnTheWire(t *testing.T) {
	const why = `The tool was not run (missing_required): the arguments do not fit the tool's schema: required key \"path\" is missing. Call it again with complete, valid arguments.`
	one := func(f func(toolcall.Result) json.RawMessage) func(...toolcall.Result) json.RawMessage {
		return func(rs ...toolcall.Result) json.RawMessage { return f(rs[0]) }
	}
	for _, c := range []struct {
		wire    string
		frames  []string
		message func(...toolcall.Result) json.RawMessage
		want    string
	}{
		{"openai-chat", []string{chat("tool_calls", tc("0", "c1", "run_tests", `"{}"`))},
			one(openaichat.ToolMessage), `{"role":"tool","tool_call_id":"c1","content":"WHY"}`},
		{"openai-responses", []string{
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"c1","name":"run_tests","arguments":"{}","status":"completed"}}`,
			`{"type":"response.completed","response":{"status":"completed"}}`},
			one(openairesponses.FunctionCallOutput), `{"type":"function_call_output","call_id":"c1","output":"WHY"}`},
		{"anthropic", []string{
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1","name":"run_tests","input":{}}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}`,
			`{"type":"content_block_stop","index":0}`, `{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, `{"type":"message_stop"}`},
			anthropicmsg.Message, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"WHY","is_error":true}]}`},
		{"bedrock-converse", []string{
			`{"contentBlockStart":{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"c1","name":"run_tests"}}}}`,
			`{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"toolUse":{"input":"{}"}}}}`,
			`{"contentBlockStop":{"contentBlockIndex":0}}`, `{"messageStop":{"stopReason":"tool_use"}}`},
			converse.Message, `{"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[{"text":"WHY"}],"status":"error"}}]}`},
		{"gemini", []string{`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"c1","name":"run_tests","args":{}}}]},"finishReason":"STOP"}]}`},
			gemini.Content, `{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"run_tests","response":{"error":"WHY"}}}]}`},
		{"ollama", []string{`{"message":{"tool_calls":[{"id":"c1","function":{"name":"run_tests","arguments":{}}}]},"done":true,"done_reason":"stop"}`},
			one(ollama.ToolMessage), `{"role":"tool","content":"WHY","tool_name":"run_tests","tool_call_id":"c1"}`},
	} {
		t.Run(c.wire, func(t *testing.T) {
			turn := wires[c.wire](tools)
			for _, f := range c.frames {
				if _, err := turn.Frame("", []byte(f)); err != nil {
					t.Fatal(err)
				}
			}
			if calls, err := turn.End(nil); calls != nil || !errors.Is(err, toolcall.MissingRequired) {
				t.Fatalf("%v, %v", calls, err)
			}
			rs := turn.Rejections()
			if len(rs) != 1 {
				t.Fatalf("%+v", rs)
			}
			if got, want := string(c.message(rs...)), strings.Replace(c.want, "WHY", why, 1); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
	if len(wires) != 6 {
		t.Errorf("%d wires", len(wires))
	}
}

// TestLinear: the work for a call does not grow faster than its fragments; ten
// times the fragments allocate ten times the bytes, within the slack of a
// growing buffer.
func TestLinear(t *testing.T) {
	per := func(n int) float64 {
		return testing.AllocsPerRun(1, func() { assembleN(t, n) })
	}
	if small, large := per(1_000), per(100_000); large > small+60 {
		t.Errorf("%v allocations for 1,000 fragments, %v for 100,000", small, large)
	}
}

func assembleN(tb testing.TB, n int) {
	a := toolcall.New(tools)
	a.Add(toolcall.Delta{ID: "c1", Name: "get_time", Args: []byte(`{"zone":"`)})
	frag := []byte("abcdefgh")
	for range n {
		if err := a.Add(toolcall.Delta{Args: frag}); err != nil {
			tb.Fatal(err)
		}
	}
	a.Add(toolcall.Delta{Args: []byte(`"}`)})
	a.Finish(0, "tool_calls")
	if calls, err := a.Calls(); err != nil || calls[0].Bytes() != 8*n+11 {
		tb.Fatal(err)
	}
}

func BenchmarkAssemble(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				assembleN(b, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/fragment")
		})
	}
}

// BenchmarkFrame reads a whole chat frame, JSON and all.
func BenchmarkFrame(b *testing.B) {
	first := []byte(chat("", tc("0", "c1", "run_tests", q(`{"path":"`))))
	frame := []byte(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"abcdefgh"}}]},"logprobs":null,"finish_reason":null}]}`)
	b.ReportAllocs()
	b.SetBytes(int64(len(frame)))
	turn := openaichat.New(tools, toolcall.WithMaxBytes(1<<40))
	turn.Frame("", first)
	for i := range b.N {
		if i%100_000 == 99_999 { // keep the buffer of one call in bounds
			turn = openaichat.New(tools, toolcall.WithMaxBytes(1<<40))
			turn.Frame("", first)
		}
		if _, err := turn.Frame("", frame); err != nil {
			b.Fatal(err)
		}
	}
}
