package toolcall

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

var strictTests = []struct {
	in   string
	kind Kind // "" if it passes
	at   int  // offset
}{
	{`{}`, "", 0},
	{" \t\r\n{\"a\":[1,-0.5e+3,\"\\u00e9\\n\",true,false,null]} ", "", 0},
	{`{"a":1,"b":{"a":1}}`, "", 0},
	{`9007199254740993`, "", 0},
	{`"\ud83d\ude00"`, "", 0},
	{``, InvalidJSON, 0},
	{`{`, InvalidJSON, 1},
	{`{"a"`, InvalidJSON, 4},
	{`{"a":`, InvalidJSON, 5},
	{`{"a":1`, InvalidJSON, 6},
	{`{"a":1,`, InvalidJSON, 7},
	{`{"a":1,}`, InvalidJSON, 7},
	{`[1,]`, InvalidJSON, 3},
	{`[1 2]`, InvalidJSON, 3},
	{`{"a" 1}`, InvalidJSON, 5},
	{`{a:1}`, InvalidJSON, 1},
	{`{'a':1}`, InvalidJSON, 1},
	{`{"a":1}{`, InvalidJSON, 7},
	{`{"a":1}x`, InvalidJSON, 7},
	{"{}\x00", InvalidJSON, 2},
	{`tru`, InvalidJSON, 3},
	{`trux`, InvalidJSON, 3},
	{`nul`, InvalidJSON, 3},
	{`NaN`, InvalidJSON, 0},
	{`01`, InvalidJSON, 1},
	{`+1`, InvalidJSON, 0},
	{`1.`, InvalidJSON, 2},
	{`1e`, InvalidJSON, 2},
	{`-`, InvalidJSON, 1},
	{`.5`, InvalidJSON, 0},
	{"\"a\nb\"", InvalidJSON, 2},
	{`"a`, InvalidJSON, 2},
	{`"\x"`, InvalidJSON, 1},
	{`"\u12"`, InvalidJSON, 5},
	{`"\u12`, InvalidJSON, 5},
	{`"\ud83d"`, InvalidJSON, 1},
	{`"\ude00\ud83d"`, InvalidJSON, 1},
	{"\"a\xffb\"", InvalidJSON, 2},
	{"\"\xed\xa0\xbd\"", InvalidJSON, 1},
	{`{"a":1,"a":1}`, DuplicateKey, 7},
	{`{"a":1,"\u0061":1}`, DuplicateKey, 7},
	{`[{"x":{"a":1,"a":2}}]`, DuplicateKey, 13},
	{`{"a":1,"a":1`, InvalidJSON, 12}, // no JSON at all outranks the name twice
	{strings.Repeat("[", 9) + strings.Repeat("]", 9), InvalidJSON, 8},
}

func TestParseStrict(t *testing.T) {
	for _, c := range strictTests {
		v, err := parseStrict([]byte(c.in), 8)
		switch {
		case c.kind == "" && err != nil:
			t.Errorf("%q: %v", c.in, err)
		case c.kind == "":
			if want := stdDecode(t, c.in); !reflect.DeepEqual(v, want) {
				t.Errorf("%q: %#v, want %#v", c.in, v, want)
			}
		case err == nil:
			t.Errorf("%q passed", c.in)
		case err.kind != c.kind || err.offset != c.at:
			t.Errorf("%q: %s at %d (%v), want %s at %d", c.in, err.kind, err.offset, err, c.kind, c.at)
		}
	}
}

func stdDecode(tb testing.TB, s string) any {
	tb.Helper()
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		tb.Fatalf("%q: %v", s, err)
	}
	return v
}

// FuzzStrict compares the strict decode with encoding/json: it may refuse more,
// for reasons it names, but never takes or reads anything else.
func FuzzStrict(f *testing.F) {
	for _, c := range strictTests {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := parseStrict(b, 100)
		if !json.Valid(b) {
			if err == nil || err.kind != InvalidJSON {
				t.Fatalf("%q is no JSON: %v", b, err)
			}
			if err.offset < 0 || err.offset > len(b) {
				t.Fatalf("%q: offset %d", b, err.offset)
			}
			return
		}
		if err != nil {
			msg := err.Error()
			if err.kind != DuplicateKey && !strings.Contains(msg, "surrogate") && !strings.Contains(msg, "nested") && utf8.Valid(b) {
				t.Fatalf("%q refused: %v", b, err)
			}
			return
		}
		if want := stdDecode(t, string(b)); !reflect.DeepEqual(v, want) {
			t.Fatalf("%q: %#v, want %#v", b, v, want)
		}
	})
}

func TestDecimal(t *testing.T) {
	// Ascending; equal ones share a line.
	rows := [][]string{
		{"-1e1000000000000"}, {"-10", "-1e1", "-10.0"}, {"-9.5"}, {"-0.1", "-1e-1"},
		{"0", "-0", "0.000", "0e99"}, {"1e-1000000"}, {"0.1", "1e-1", "10e-2"}, {"1", "1.0", "0.1e1"},
		{"1.5"}, {"2"}, {"10", "1e1", "1E+1"}, {"9007199254740992"}, {"9007199254740993"}, {"1e1000000000"}, {"2e1000000000"},
	}
	for i, a := range rows {
		for j, b := range rows {
			for _, x := range a {
				for _, y := range b {
					want := 0
					if i < j {
						want = -1
					} else if i > j {
						want = 1
					}
					if got := parseDecimal(x).cmp(parseDecimal(y)); got != want {
						t.Errorf("%s against %s: %d, want %d", x, y, got, want)
					}
				}
			}
		}
	}
	for s, want := range map[string]bool{"1": true, "1.0": true, "1e2": true, "1.5": false, "1e-1": false, "0.0": true, "15e-1": false, "150e-1": true} {
		if got := parseDecimal(s).integer(); got != want {
			t.Errorf("%s integer: %v", s, got)
		}
	}
}

// madeCall is a call as the assembler gives it, for tests that tamper with it.
func madeCall(tb testing.TB, set *Set, name, args string) Call {
	tb.Helper()
	a := New(set)
	a.Add(Delta{ID: "c1", Name: name, Args: []byte(args)})
	a.Finish(0, "tool_calls")
	calls, err := a.Calls()
	if err != nil {
		tb.Fatal(err)
	}
	return calls[0]
}

var oneTool = MustSet(
	Tool{Name: "run_tests", Schema: json.RawMessage(`{"type":"object","required":["path"]}`)},
	Tool{Name: "ping", NoParameters: true},
)

// TestChangedBuffer: arguments that are not those the BufferID was made from
// never reach a tool, at whatever point they change.
func TestChangedBuffer(t *testing.T) {
	whole := madeCall(t, oneTool, "run_tests", `{"path":"a"}`)
	for name, tamper := range map[string]func(c *Call){
		"raw":       func(c *Call) { c.raw = `{"path":"b"}`; c.args = c.raw },
		"args only": func(c *Call) { c.args = `{"path":"b"}` },
		"id":        func(c *Call) { c.bufferID = bufferID("x") },
		"emptied":   func(c *Call) { c.raw, c.args, c.bufferID = "", "", bufferID("") },
		"emptied {}": func(c *Call) {
			c.raw, c.args, c.bufferID = "", "{}", bufferID("")
		},
		"no tool": func(c *Call) { c.tool = nil },
		"zero":    func(c *Call) { *c = Call{} },
	} {
		c := whole
		tamper(&c)
		if c.Verify() == nil {
			t.Errorf("%s: Verify passed", name)
		}
		if _, err := As[map[string]any](c); err == nil {
			t.Errorf("%s: As passed", name)
		}
		ran := false
		d := Dispatcher{Handlers: map[string]Handler{"run_tests": func(Call) (func(context.Context) (string, error), error) {
			return func(context.Context) (string, error) { ran = true; return "", nil }, nil
		}}}
		if _, err := d.Run(context.Background(), []Call{whole, c}); err == nil || ran {
			t.Errorf("%s: Run gave %v, ran %v", name, err, ran)
		}
		if r := logged(t, c); r["dispatch_ok"] == true {
			t.Errorf("%s: record %v", name, r)
		}
	}
}

// TestBufferCheckedAtDispatch: the check is made again right before each tool
// runs, not only once at the start.
func TestBufferCheckedAtDispatch(t *testing.T) {
	calls := []Call{madeCall(t, oneTool, "ping", ""), madeCall(t, oneTool, "run_tests", `{"path":"a"}`)}
	var ran []string
	h := func(c Call) (func(context.Context) (string, error), error) {
		return func(context.Context) (string, error) {
			ran = append(ran, c.name)
			calls[1].raw = `{"path":"b"}` // while the first one runs
			return "", nil
		}, nil
	}
	d := Dispatcher{Handlers: map[string]Handler{"ping": h, "run_tests": h}}
	results, err := d.Run(context.Background(), calls)
	if !errors.Is(err, BufferChanged) || len(results) != 1 || len(ran) != 1 {
		t.Errorf("%v, %d results, ran %v", err, len(results), ran)
	}
}

func logged(tb testing.TB, v slog.LogValuer) map[string]any {
	tb.Helper()
	var b bytes.Buffer
	slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "call", v)
	var line struct{ Call map[string]any }
	if err := json.Unmarshal(b.Bytes(), &line); err != nil {
		tb.Fatal(err)
	}
	return line.Call
}

// TestNoEmptyDispatchRecord: a record with arg_bytes=0 and dispatch_ok=true can't
// come about for a tool with required keys, whatever the stream, the validator
// or a tampered call says.
func TestNoEmptyDispatchRecord(t *testing.T) {
	lax := validatorFunc(func(any) error { return nil })
	sets := map[string]*Set{
		"schema":               oneTool,
		"schema, lax check":    MustSet(Tool{Name: "run_tests", Schema: json.RawMessage(`{"required":["path"]}`), Validator: lax}),
		"validator":            MustSet(Tool{Name: "run_tests", Validator: validatorFunc(needsPath)}),
		"required by allOf":    MustSet(Tool{Name: "run_tests", Schema: json.RawMessage(`{"allOf":[{"required":["path"]}]}`)}),
		"required by $ref":     MustSet(Tool{Name: "run_tests", Schema: json.RawMessage(`{"$ref":"#/$defs/a","$defs":{"a":{"required":["path"]}}}`)}),
		"required by minProps": MustSet(Tool{Name: "run_tests", Schema: json.RawMessage(`{"minProperties":1}`)}),
	}
	for name, set := range sets {
		for _, args := range []string{"", " ", "\n\t", "{}", "null", "[]"} {
			for _, mode := range []Mode{Fragment, Seed, Final} {
				a := New(set)
				a.Add(Delta{ID: "c1", Name: "run_tests", Args: []byte(args), Mode: mode})
				a.Finish(0, "tool_calls")
				calls, err := a.Calls()
				var e *Error
				if !errors.As(err, &e) || len(calls) > 0 {
					t.Errorf("%s, %q: %d calls, %v", name, args, len(calls), err)
					continue
				}
				if r := logged(t, e); r["dispatch_ok"] != false {
					t.Errorf("%s, %q: record %v", name, args, r)
				}
			}
		}
		// A call forged inside the package, with everything else in order.
		forged := Call{name: "run_tests", id: "x", args: "{}", bufferID: bufferID(""), tool: set.tools["run_tests"]}
		if r := logged(t, forged); r["arg_bytes"] != 0.0 || r["dispatch_ok"] != false {
			t.Errorf("%s: forged record %v", name, r)
		}
	}
	if r := logged(t, madeCall(t, oneTool, "ping", "")); r["arg_bytes"] != 0.0 || r["dispatch_ok"] != true {
		t.Errorf("a tool without parameters: %v", r)
	}
}

type validatorFunc func(any) error

func (f validatorFunc) Validate(v any) error { return f(v) }

func needsPath(v any) error {
	if m, ok := v.(map[string]any); ok && m["path"] != nil {
		return nil
	}
	return &SchemaError{Keyword: "required", Msg: "no path"}
}

// TestPreviewIsNoCall: nothing turns a Preview into a Call.
func TestPreviewIsNoCall(t *testing.T) {
	call, preview := reflect.TypeFor[Call](), reflect.TypeFor[Preview]()
	if preview.ConvertibleTo(call) || call.ConvertibleTo(preview) {
		t.Error("Preview and Call convert")
	}
	if n := reflect.PointerTo(preview).NumMethod(); n != 0 {
		t.Errorf("Preview has %d methods", n)
	}
	for i := range call.NumField() {
		if call.Field(i).IsExported() {
			t.Errorf("Call.%s can be set from outside", call.Field(i).Name)
		}
	}
}

// FuzzSchema: any schema compiles or is refused, and what compiles never fails
// to give a verdict; the verdict on a value is always the same.
func FuzzSchema(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":["string","null"],"pattern":"^a"}},"required":["a"],"additionalProperties":false}`), []byte(`{"a":"b"}`))
	f.Add([]byte(`{"$defs":{"t":{"type":"object","properties":{"next":{"$ref":"#/$defs/t"}}}},"$ref":"#/$defs/t"}`), []byte(`{"next":{"next":{}}}`))
	f.Add([]byte(`{"anyOf":[{"const":1e2},{"enum":[[1,{"a":2}]]},{"not":{"minimum":3}}]}`), []byte(`100.0`))
	f.Add([]byte(`{"$ref":"#"}`), []byte(`{}`))
	f.Add([]byte(`{"oneOf":[{"maxLength":2},{"minLength":2}],"nullable":true,"type":"STRING"}`), []byte(`"ab"`))
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		if len(schema) > 2000 || len(value) > 2000 {
			return // alternatives in alternatives take their time
		}
		v, err := CompileSchema(schema)
		if err != nil {
			return
		}
		doc, serr := parseStrict(value, 20)
		if serr != nil {
			return
		}
		one, two := v.Validate(doc), v.Validate(doc)
		if (one == nil) != (two == nil) || one != nil && one.Error() != two.Error() {
			t.Fatalf("%s on %s: %v, then %v", schema, value, one, two)
		}
	})
}

// FuzzSplit: fragments cut anywhere, bytes of a character included, give what
// the whole text gives.
func FuzzSplit(f *testing.F) {
	f.Add(`{"path":"tests/é😀"}`, uint64(1))
	f.Add(`{"path":`, uint64(2))
	f.Add(``, uint64(3))
	f.Add("\xed\xa0\xbd\xed\xb8\x80", uint64(4))
	f.Fuzz(func(t *testing.T, args string, seed uint64) {
		outcome := func(pieces ...string) string {
			a := New(oneTool)
			for i, p := range pieces {
				d := Delta{Args: []byte(p)}
				if i == 0 {
					d.ID, d.Name = "c", "run_tests"
				}
				a.Add(d)
			}
			a.Finish(0, "stop")
			calls, err := a.Calls()
			if err != nil {
				return err.Error()
			}
			return calls[0].Raw()
		}
		rng := rand.New(rand.NewPCG(seed, 0))
		var pieces []string
		for rest := args; rest != ""; {
			n := 1 + rng.IntN(len(rest))
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		if whole, split := outcome(args), outcome(append([]string{""}, pieces...)...); whole != split {
			t.Fatalf("whole %q, split %q", whole, split)
		}
	})
}
