package strictjson

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestPull(t *testing.T) {
	var c Cursor
	c.Reset([]byte(` {"a":[1,{"b":"x\u00e9\n"},null], "n" : -12 ,"t":true,"f":false,"z":null,"skip":{"q":["\"}",1e5]}} `))
	var got []string
	note := func(s string) { got = append(got, s) }
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "a":
			for c.Array(); c.Next(); {
				switch c.Peek() {
				case '{':
					for c.Object(); c.Next(); {
						note(string(c.Key()) + "=" + string(c.String()))
					}
				case 'n':
					if c.Null() {
						note("null")
					}
				default:
					note(string(c.Number()))
				}
			}
		case "n":
			if c.Int() == -12 {
				note("-12")
			}
		case "t", "f":
			if c.Bool() {
				note("true")
			}
		case "z":
			note("[" + string(c.String()) + "]")
		default:
			note(string(c.Skip()))
		}
	}
	c.End()
	if c.Err() != nil {
		t.Fatal(c.Err())
	}
	want := []string{"1", "b=xé\n", "null", "-12", "true", "[]", `{"q":["\"}",1e5]}`}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

// TestErrorsEndLoops: after an error every loop ends and every value is zero.
func TestErrorsEndLoops(t *testing.T) {
	for in, offset := range map[string]int{
		`{"a":"x"`: 8, `{"a":1,"a":2}`: 7, `{"a" 1}`: 5, `{"a":01}`: 6, `{"a":"\ud800"}`: 6, "{\"a\":\"\xff\"}": 6,
		`[1]`: 0, `{"a":1}}`: 7, ``: 0, `{"a":tru}`: 8, `{"a":1,}`: 7,
	} {
		var c Cursor
		c.Reset([]byte(in))
		for c.Object(); c.Next(); {
			if c.Peek() == '"' {
				c.String()
			} else {
				c.Skip()
			}
		}
		c.End()
		e, ok := c.Err().(*Error)
		if !ok || e.Offset != offset {
			t.Errorf("%q: %v, want an error at %d", in, c.Err(), offset)
		}
		if c.Next() || c.Peek() != 0 || c.String() != nil || c.Skip() != nil || c.Int() != 0 || c.Bool() || c.Null() {
			t.Errorf("%q: values after the error", in)
		}
	}
}

func TestInt(t *testing.T) {
	for in, want := range map[string]int{"0": 0, "-1": -1, "2000000000": 2000000000, "99999999999999999999999999": 1 << 53, "-99999999999999999999": -1 << 53} {
		var c Cursor
		c.Reset([]byte(in))
		if got := c.Int(); got != want || c.Err() != nil {
			t.Errorf("%s: %d, %v", in, got, c.Err())
		}
	}
	for _, in := range []string{"1.0", "1e2", `"0"`, "true", "-", ""} {
		var c Cursor
		c.Reset([]byte(in))
		if c.Int(); c.Err() == nil {
			t.Errorf("%s passed", in)
		}
	}
}

// TestText: a document inside a frame, as a string or as it stands.
func TestText(t *testing.T) {
	for in, want := range map[string]string{
		`"{\"a\":1}"`: `{"a":1}`, `{ "a":1 }`: `{ "a":1 }`, `null`: "", `""`: "", `[1]`: `[1]`, `12`: "12",
	} {
		var c Cursor
		c.Reset([]byte(` ` + in + ` `))
		got := c.Text()
		if c.End(); string(got) != want || c.Err() != nil {
			t.Errorf("%s: %q, %v", in, got, c.Err())
		}
	}
	for in, want := range map[string]int{`null`: 7, `0`: 0, `3`: 3} {
		var c Cursor
		c.Reset([]byte(in))
		if got := c.IntOr(7); got != want || c.Err() != nil {
			t.Errorf("%s: %d, %v", in, got, c.Err())
		}
	}
}

// TestLateUTF8: what comes before bytes that are no UTF-8 can be read.
func TestLateUTF8(t *testing.T) {
	var c Cursor
	c.Reset([]byte("{\"a\":1,\"b\":\"x\xFF\"}"))
	c.Object()
	if !c.Next() || c.Int() != 1 || c.Err() != nil {
		t.Fatal(c.Err())
	}
	if !c.Next() || c.String() != nil {
		t.Fatal("the string was read")
	}
	if e, ok := c.Err().(*Error); !ok || e.Offset != 13 || e.EOF || e.Msg != "invalid UTF-8" {
		t.Error(c.Err())
	}
}

func TestJoin(t *testing.T) {
	lone := func(s string) []byte {
		c := Cursor{Lone: true}
		c.Reset([]byte(`"` + s + `"`))
		return c.String()
	}
	for _, c := range []struct{ a, b, want string }{
		{`x\ud83d`, `\ude00y`, "x😀y"},
		{`x`, `\ude00`, "x\xed\xb8\x80"},
		{`\ud83d`, `y`, "\xed\xa0\xbdy"},
		{`\ud83d`, `\ud83d`, "\xed\xa0\xbd\xed\xa0\xbd"},
		{`\ude00`, `\ud83d`, "\xed\xb8\x80\xed\xa0\xbd"},
		{`é`, `ü`, "éü"},
	} {
		if got := string(Join(lone(c.a), lone(c.b))); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

func TestPair(t *testing.T) {
	for in, want := range map[string]string{
		"":                                     "",
		"aé😀":                                  "aé😀",
		"\xed\xa0\xbd\xed\xb8\x80":             "😀",
		"x\xed\xa0\xbd\xed\xb8\x80y":           "x😀y",
		"\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80": "\xed\xa0\xbd😀",
		"\xed\xb8\x80\xed\xa0\xbd":             "\xed\xb8\x80\xed\xa0\xbd",
		"\xed\xa0":                             "\xed\xa0",
		"\xff\xed\xa0\xbd\xed\xb8\x80\xed\xa0\xbd\xed\xb8\x80": "\xff😀😀",
	} {
		if got := string(Pair([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestNoAllocs: strings without escapes are slices of the text.
func TestNoAllocs(t *testing.T) {
	text := []byte(`{"id":"x","choices":[{"index":0,"delta":{"content":"hello"}}],"usage":{"a":[1,2,{"b":null}]}}`)
	var c Cursor
	n := testing.AllocsPerRun(100, func() {
		c.Reset(text)
		for c.Object(); c.Next(); {
			c.Skip()
		}
		c.End()
	})
	if n != 0 || c.Err() != nil {
		t.Errorf("%v allocations, %v", n, c.Err())
	}
}

// FuzzSkip: what is passed over is valid JSON, and all valid JSON in UTF-8 is
// passed over.
func FuzzSkip(f *testing.F) {
	for _, s := range []string{`{}`, `[1,"\ud83d\ude00",{"a":null}]`, `-0.1e+5`, `"\u`, "\"\xff\"", `[[[[`, `{"a":1,"a":2}`, "\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := Cursor{Lone: true}
		c.Reset(b)
		c.Skip()
		c.End()
		want := json.Valid(b) && utf8.Valid(b)
		if got := c.Err() == nil; got != want {
			if e, ok := c.Err().(*Error); ok && e.Msg == "nested too deep" {
				return
			}
			t.Fatalf("%q: %v, want valid %v", b, c.Err(), want)
		}
		if want {
			var s string
			if json.Unmarshal(b, &s) == nil && len(b) > 2 && b[0] == '"' {
				c.Lone = false
				c.Reset(b)
				if got := c.String(); c.Err() == nil && string(got) != s {
					t.Fatalf("%q: %q, want %q", b, got, s)
				}
			}
		}
	})
}

func BenchmarkSkip(b *testing.B) {
	text := []byte(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":null}]}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var c Cursor
	for range b.N {
		c.Reset(text)
		c.Skip()
	}
}
