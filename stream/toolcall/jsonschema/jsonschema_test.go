package jsonschema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/jsonschema"
)

func assemble(tb testing.TB, v toolcall.Validator, args string) ([]toolcall.Call, error) {
	tb.Helper()
	a := toolcall.New(toolcall.MustSet(toolcall.Tool{Name: "x", Validator: v}))
	a.Add(toolcall.Delta{ID: "c", Name: "x", Args: []byte(args)})
	a.Finish(0, "tool_calls")
	return a.Calls()
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		schema, args string
		opts         []jsonschema.Option
		kind         toolcall.Kind // "" passes
		path, msg    string
	}{
		{schema: `{"required":["a"]}`, args: `{"a":1}`},
		{schema: `{"required":["a","b"]}`, args: `{}`, kind: toolcall.MissingRequired, msg: `"a", "b"`},
		{schema: `{"required":["a"]}`, args: ``, kind: toolcall.EmptyArguments},
		{schema: `{}`, args: ``},
		{schema: `{"properties":{"a":{"type":"integer"}}}`, args: `{"a":9007199254740993}`},
		{schema: `{"properties":{"a":{"type":"integer"}}}`, args: `{"a":"9"}`, kind: toolcall.Schema, path: "/a", msg: "want integer"},
		{schema: `{"properties":{"a":{"maximum":9007199254740992}}}`, args: `{"a":9007199254740993}`, kind: toolcall.Schema, path: "/a"},
		{schema: `{"properties":{"a":{"multipleOf":0.1}}}`, args: `{"a":1e1000000000}`, kind: toolcall.Schema, path: "/a", msg: "out of range"},
		{schema: `{"if":{"required":["a"]},"then":{"required":["b"]}}`, args: `{"a":1}`, kind: toolcall.MissingRequired},
		{schema: `{"dependentRequired":{"a":["b"]}}`, args: `{"a":1}`, kind: toolcall.Schema},
		{schema: `{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, args: `{}`, kind: toolcall.EmptyArguments},
		{schema: `{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, args: `{"c":1}`, kind: toolcall.Schema},
		{schema: `{"properties":{"a":{"items":{"required":["k"]}}}}`, args: `{"a":[{"k":1},{}]}`, kind: toolcall.MissingRequired, path: "/a/1"},
		{schema: `{"properties":{"a":{"type":"string"}},"required":["b"]}`, args: `{"a":1}`, kind: toolcall.MissingRequired, msg: "at /a"},
		{schema: `{"properties":{"a":{}},"unevaluatedProperties":false}`, args: `{"b":1}`, kind: toolcall.Schema, path: "/b"},
		{schema: `{"properties":{"d":{"format":"date"}}}`, args: `{"d":"x"}`},
		{schema: `{"properties":{"d":{"format":"date"}}}`, args: `{"d":"x"}`, opts: []jsonschema.Option{jsonschema.AssertFormat()}, kind: toolcall.Schema, path: "/d"},
		{schema: `{"$ref":"http://other/s.json"}`, args: `{"a":1}`, opts: []jsonschema.Option{jsonschema.WithResource("http://other/s.json", json.RawMessage(`{"required":["b"]}`))}, kind: toolcall.MissingRequired},
	} {
		v, err := jsonschema.Compile([]byte(c.schema), c.opts...)
		if err != nil {
			t.Errorf("%s: %v", c.schema, err)
			continue
		}
		args := c.args
		if c.kind == toolcall.EmptyArguments {
			args = ""
		}
		calls, err := assemble(t, v, args)
		if c.kind == "" {
			if err != nil || len(calls) != 1 {
				t.Errorf("%s on %s: %v", c.schema, args, err)
			}
			continue
		}
		var e *toolcall.Error
		if !errors.As(err, &e) || e.Kind != c.kind || e.Path != c.path || !strings.Contains(err.Error(), c.msg) {
			t.Errorf("%s on %s: %v, want %s at %q with %q", c.schema, args, err, c.kind, c.path, c.msg)
		}
	}
}

func TestNoValuesInErrors(t *testing.T) {
	for _, schema := range []string{
		`{"properties":{"a":{"enum":["x"]}}}`, `{"properties":{"a":{"const":"x"}}}`, `{"properties":{"a":{"pattern":"^x$"}}}`,
		`{"properties":{"a":{"maxLength":1}}}`, `{"properties":{"a":{"not":{}}}}`,
	} {
		v, err := jsonschema.Compile([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := assemble(t, v, `{"a":"hunter2"}`); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", schema, err)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, schema := range []string{`{`, `{"type":"strnig"}`, `{"$ref":"file:///etc/hosts"}`, `{"$ref":"http://127.0.0.1/x"}`, `{"$ref":"#/$defs/x"}`,
		`{"properties":{"a":{"multipleOf":1e10000000}}}`, `{"maximum":-1E+999}`} {
		var d *toolcall.DeclarationError
		if _, err := jsonschema.Compile([]byte(schema)); !errors.As(err, &d) {
			t.Errorf("%s passed", schema)
		}
	}
	if _, err := jsonschema.Compile([]byte(`{}`), jsonschema.WithResource("http://x/y", json.RawMessage(`{`))); err == nil {
		t.Error("a broken resource passed")
	}
}

// TestAgreesWithBuiltIn: where the built-in check knows a schema, both give the
// same verdict.
func TestAgreesWithBuiltIn(t *testing.T) {
	schemas := []string{
		`{"type":"object","properties":{"a":{"type":"integer","minimum":1,"exclusiveMaximum":10}},"required":["a"],"additionalProperties":false}`,
		`{"properties":{"a":{"type":["string","null"],"minLength":2,"maxLength":3,"pattern":"^[a-z]"}}}`,
		`{"properties":{"a":{"type":"array","items":{"enum":[1,"x",null,[1]]},"minItems":1,"maxItems":2}}}`,
		`{"anyOf":[{"required":["a"]},{"required":["b"]}],"maxProperties":2}`,
		`{"oneOf":[{"properties":{"a":{"const":1}}},{"properties":{"a":{"type":"number"}}}]}`,
		`{"not":{"properties":{"a":{"type":"string"}},"required":["a"]}}`,
		`{"$defs":{"n":{"properties":{"a":{"$ref":"#/$defs/n"},"b":{"type":"boolean"}}}},"$ref":"#/$defs/n"}`,
		`{"additionalProperties":{"type":"string"},"minProperties":1}`,
	}
	values := []string{
		`{}`, `{"a":1}`, `{"a":1.0}`, `{"a":1.5}`, `{"a":10}`, `{"a":0}`, `{"a":"x"}`, `{"a":"xé"}`, `{"a":"éx"}`, `{"a":null}`, `{"a":[]}`,
		`{"a":[1]}`, `{"a":["x",null]}`, `{"a":[[1],[1.0]]}`, `{"a":[1,1,1]}`, `{"b":true}`, `{"a":{"b":1}}`, `{"a":{"a":{"b":true}}}`, `{"a":1,"b":2,"c":3}`, `{"a":-1e2}`,
	}
	for _, schema := range schemas {
		full, err := jsonschema.Compile([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		small, err := toolcall.CompileSchema([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			_, err1 := assemble(t, full, v)
			_, err2 := assemble(t, small, v)
			if (err1 == nil) != (err2 == nil) || err1 != nil && errors.Is(err1, toolcall.MissingRequired) != errors.Is(err2, toolcall.MissingRequired) {
				t.Errorf("%s on %s: full %v, built-in %v", schema, v, err1, err2)
			}
		}
	}
}

func FuzzValidate(f *testing.F) {
	f.Add(`{"properties":{"a":{"multipleOf":0.01}}}`, `{"a":1e400}`)
	f.Add(`{"if":{"required":["a"]},"then":{"required":["b"]}}`, `{"a":1}`)
	f.Fuzz(func(t *testing.T, schema, args string) {
		if len(schema) > 500 || len(args) > 500 {
			return
		}
		v, err := jsonschema.Compile([]byte(schema))
		if err != nil {
			return
		}
		_, err1 := assemble(t, v, args)
		_, err2 := assemble(t, v, args)
		if (err1 == nil) != (err2 == nil) || err1 != nil && err1.Error() != err2.Error() {
			t.Fatalf("%s on %s: %v, then %v", schema, args, err1, err2)
		}
	})
}

func BenchmarkValidate(b *testing.B) {
	v, err := jsonschema.Compile([]byte(`{"type":"object","properties":{"path":{"type":"string","minLength":1},"limit":{"type":"integer"}},"required":["path"]}`))
	if err != nil {
		b.Fatal(err)
	}
	value := map[string]any{"path": "tests/", "limit": json.Number("5")}
	b.ReportAllocs()
	for range b.N {
		if err := v.Validate(value); err != nil {
			b.Fatal(err)
		}
	}
}

func Example() {
	v, err := jsonschema.Compile([]byte(`{
		"type": "object",
		"properties": {"unit": {"enum": ["km", "mi"]}, "distance": {"type": "number"}},
		"dependentRequired": {"distance": ["unit"]}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := toolcall.MustSet(toolcall.Tool{Name: "travel", Validator: v})
	a := toolcall.New(tools)
	a.Add(toolcall.Delta{ID: "call_1", Name: "travel", Args: []byte(`{"distance": 7}`)})
	a.Finish(0, "tool_calls")
	_, err = a.Calls()
	fmt.Println(err)
	// Output: toolcall: schema: call 0 "travel" (call_1), finish reason "tool_calls": key "unit" is required beside "distance"
}
