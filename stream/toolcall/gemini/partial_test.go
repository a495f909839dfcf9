package gemini

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestParsePath(t *testing.T) {
	for in, want := range map[string]string{
		"$.a":                     "[{a -1}]",
		"$.a.b[0][12].c":          "[{a -1} {b -1} { 0} { 12} {c -1}]",
		"$['a.b']":                "[{a.b -1}]",
		`$["a"]['b\'c']`:          "[{a -1} {b'c -1}]",
		"$":                       "!",
		"":                        "!",
		"a":                       "!",
		"$..a":                    "!",
		"$.":                      "!",
		"$[":                      "!",
		"$[-1]":                   "!",
		"$[*]":                    "!",
		"$['a":                    "!",
		"$['a'":                   "!",
		`$['\x']`:                 "!",
		"$a":                      "!",
		"$[99999999999999999999]": "!",
	} {
		steps, err := parsePath(in)
		got := fmt.Sprint(steps)
		if err != nil {
			got = "!"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func FuzzPartial(f *testing.F) {
	f.Add("$.a", "x", "$.b[0]", "1")
	f.Add("$['a']", "\\u", "$.a.b", "true")
	f.Add("$.a[0][0]", "", "$.a[1]", "null")
	f.Fuzz(func(t *testing.T, path1, str, path2, raw string) {
		if !json.Valid([]byte(raw)) {
			return // the frame's reader lets nothing else through
		}
		p := &partialCall{}
		if p.put(piece{path: path1, str: []byte(str), isStr: true}, 1<<20) != nil {
			return
		}
		p.put(piece{path: path2, raw: []byte(raw)}, 1<<20)
		b := p.encode()
		// Names come from valid UTF-8 only; strings may hold half a pair.
		if len(b) > 0 && !json.Valid(b) {
			t.Fatalf("%q", b)
		}
	})
}
