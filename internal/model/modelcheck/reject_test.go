package modelcheck

import (
	"go/types"
	"strings"
	"testing"

	"github.com/streamlint/streamlint/internal/model"
)

// TestRejects feeds the check with lines that are wrong in one way each: a check
// that lets everything pass would let the tables rot.
func TestRejects(t *testing.T) {
	l, err := load("", "encoding/json", "net", "bytes", "net/http", "unicode/utf8")
	if err != nil {
		t.Fatal(err)
	}
	fn := func(check func(c *callee) error) func(types.Object) error {
		return func(o types.Object) error {
			f, ok := o.(*types.Func)
			if !ok {
				t.Fatalf("%v is no function", o)
			}
			return check(&callee{l: l, sig: f.Signature()})
		}
	}
	dec := func(e model.Decoder) func(types.Object) error {
		return fn(func(c *callee) error { return c.decoder(e) })
	}
	for _, c := range []struct {
		why, table, name string
		check            func(types.Object) error
		want             string // part of the error; "" where there must be none
	}{
		{"right", "Decoders", "encoding/json.Unmarshal", dec(model.Decoder{Data: 0, Into: 1}), ""},
		{"right method", "Decoders", "(encoding/json.Decoder).Decode", dec(model.Decoder{Data: 0, Into: 1}), ""},
		{"no such function", "Decoders", "encoding/json.Unmarshall", nil, "has no Unmarshall"},
		{"no such method", "Decoders", "(encoding/json.Decoder).Decod", nil, "has no method"},
		{"no such type", "Types", "encoding/json.Decodr", nil, "has no Decodr"},
		{"no such field", "Fields", "net/http.Response.Bodi", nil, "has no field"},
		{"a promoted method", "Sources", "(net.UDPConn).Read", nil, "promoted"},
		{"positions swapped", "Decoders", "encoding/json.Unmarshal", dec(model.Decoder{Data: 1, Into: 0}), "document at 1"},
		{"position out of range", "Decoders", "encoding/json.Unmarshal", dec(model.Decoder{Data: 0, Into: 2}), "no argument there"},
		{"receiver forgotten", "Decoders", "(encoding/json.Decoder).Decode", dec(model.Decoder{Data: 1, Into: 2}), "document at 1"},
		{"Bool missing", "Decoders", "encoding/json.Valid", dec(model.Decoder{Data: 0, Into: model.Result}), "Bool is not set"},
		{"Bool too much", "Decoders", "encoding/json.Unmarshal", dec(model.Decoder{Data: 0, Into: 1, Bool: true}), "Bool is set"},
		{"Lenient too much", "Decoders", "encoding/json.Unmarshal", dec(model.Decoder{Data: 0, Into: 1, Lenient: true}), "verdict"},
		{"source fills no int", "Sources", "(net.UDPConn).ReadFrom", fn(func(c *callee) error { return c.source(model.Source{Out: 2}) }), "no argument there"},
		{"source of a bool", "Sources", "encoding/json.Valid", fn(func(c *callee) error { return c.source(model.Source{Out: model.Result}) }), "no such result"},
		{"text is an error", "TextSinks", "unicode/utf8.RuneLen", fn(func(c *callee) error { return c.textSink(model.TextSink{Arg: 0, How: "x"}) }), "does not fit"},
		{"no reason", "TextSinks", "unicode/utf8.Valid", fn(func(c *callee) error { return c.textSink(model.TextSink{Arg: 0}) }), "how"},
		{"operation is text", "Retries", "net/http.Get", fn(func(c *callee) error { return c.retry(model.Retry{Op: 0}) }), "operation"},
		{"limit is text", "Limits", "net/http.Get", fn(func(c *callee) error { return c.limit(model.Limit{Arg: 0}) }), "not a duration"},
		{"limit out of range", "Limits", "net/http.Get", fn(func(c *callee) error { return c.limit(model.Limit{Arg: 1}) }), "no argument there"},
		{"limit of text", "LimitFields", "net/http.Request.Method", limitField, "time.Duration"},
		{"right limit", "LimitFields", "net/http.Client.Timeout", limitField, ""},
		{"nothing more comes", "Lives", "net/http.Response", live, "next piece"},
		{"callback is text", "Callbacks", "net/http.Get", fn(func(c *callee) error { return c.callback(model.Callback{State: model.Chunk}) }), "no function"},
		{"piece is an int", "Fields", "net/http.Response.StatusCode", func(o types.Object) error { return field(o, model.RolePiece) }, "does not fit"},
		{"finish is a struct", "Fields", "net/http.Response.TLS", func(o types.Object) error { return field(o, model.RoleFinish) }, "does not fit"},
		{"piece of a type", "Types", "net/http.Response", func(o types.Object) error { return named(o, model.RolePiece) }, "says nothing"},
	} {
		e := entry{table: c.table, name: c.name, mod: "std"}
		pkg, err := l.check(e.pkg())
		if err != nil {
			t.Fatal(err)
		}
		o, err := object(pkg, e)
		if err == nil && c.check != nil {
			err = c.check(o)
		}
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.why, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want an error with %q", c.why, err, c.want)
		}
	}
	if _, err := l.find(nil, entry{table: "Types", name: "net.UDPConn", mod: "nowhere"}); err == nil {
		t.Error("a module without a version passes")
	}
}
