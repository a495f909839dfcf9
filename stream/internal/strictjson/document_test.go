package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const maxDepth = 256

var jsonCases = []struct {
	in     string
	ok     bool
	short  bool
	offset int
}{
	{in: `{}`, ok: true},
	{in: ` [ ] `, ok: true},
	{in: `{"a":[1,-0,2.5e+3,true,false,null,"x"],"b":{"a":1}}`, ok: true},
	{in: `"\u00e9\ud83d\ude00\n\"\\\/"`, ok: true},
	{in: `"é😀"`, ok: true},
	{in: `0`, ok: true},
	{in: strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), ok: true},
	{in: strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1), offset: maxDepth},
	{in: ``, short: true},
	{in: `{`, short: true, offset: 1},
	{in: `{"a`, short: true, offset: 3},
	{in: `{"a"`, short: true, offset: 4},
	{in: `{"a":`, short: true, offset: 5},
	{in: `{"a":1`, short: true, offset: 6},
	{in: `{"a":1,`, short: true, offset: 7},
	{in: `[1,`, short: true, offset: 3},
	{in: `tru`, short: true, offset: 3},
	{in: `-`, short: true, offset: 1},
	{in: `1.`, short: true, offset: 2},
	{in: `1e`, short: true, offset: 2},
	{in: `"\`, short: true, offset: 2},
	{in: `"\u12`, short: true, offset: 5},
	{in: `"\ud83d`, short: true, offset: 7},
	{in: `"\ud83d\`, short: true, offset: 8},
	{in: `"\ud83d\ude`, short: true, offset: 11},
	{in: "\"caf\xC3", short: true, offset: 5},
	{in: `{"a":1,}`, offset: 7},
	{in: `[1,]`, offset: 3},
	{in: `[1 2]`, offset: 3},
	{in: `{"a" 1}`, offset: 5},
	{in: `{a:1}`, offset: 1},
	{in: `{"a":1}}`, offset: 7},
	{in: `{} x`, offset: 3},
	{in: `nul!`, offset: 3},
	{in: `01`, offset: 1},
	{in: `+1`, offset: 0},
	{in: `.5`, offset: 0},
	{in: `-x`, offset: 1},
	{in: `1.x`, offset: 2},
	{in: `NaN`, offset: 0},
	{in: `'a'`, offset: 0},
	{in: `"\x"`, offset: 1},
	{in: `"\u12x4"`, offset: 5},
	{in: "\"a\nb\"", offset: 2},
	{in: "\"a\xFFb\"", offset: 2},
	{in: "\"\xED\xA0\x80\"", offset: 1},
	{in: `"\ud83dx"`, offset: 1},
	{in: `"\ud83d\n"`, offset: 1},
	{in: `"\ud83d\u0041"`, offset: 1},
	{in: `"\ude00"`, offset: 1},
	{in: `{"a":1,"b":2,"a":3}`, offset: 13},
	{in: `{"a":1,"\u0061":3}`, offset: 7},
	{in: `{"a":1,"A":3}`, offset: 7},
	{in: `{"x":{"k":1,"k":2}}`, offset: 12},
	{in: `{"k":1,"` + "\u212A" + `":2}`, offset: 7}, // the Kelvin sign folds to k
	{in: "/* c */ {}", offset: 0},
	{in: manyNames(8, "k9"), ok: true},
	{in: manyNames(300, "kx"), ok: true},
	{in: manyNames(8, "K3"), offset: len(manyNames(8, ""))},
	{in: manyNames(300, "k299"), offset: len(manyNames(300, ""))},
	{in: manyNames(300, "\\u004B0"), offset: len(manyNames(300, ""))},
	{in: "{\"a\":\xC3", offset: 5},              // no character may stand here, finished or not
	{in: "{\"a\":1}\xC3", offset: 7},            // as here
	{in: "{\"a\":x,\"b\":\"\xFF\"}", offset: 5}, // the first fault counts
	{in: "{\"a\":1}\xFF", offset: 7},
	{in: "\"\\ud83d\xC3", offset: 1},
}

// manyNames is an object of n members k0, k1, … and a last one, or what there is
// of it before the last one's name.
func manyNames(n int, last string) string {
	var b strings.Builder
	b.WriteString("{")
	for i := range n {
		fmt.Fprintf(&b, `"k%d":0,`, i)
	}
	if last != "" {
		fmt.Fprintf(&b, `"%s":0}`, last)
	}
	return b.String()
}

// TestScanMembers: what was whole before the fault is there, and nothing else.
func TestScanMembers(t *testing.T) {
	const text = `{"a":[1,{"x":2}],"b":"é","c":null}`
	for cut := range len(text) + 1 {
		doc, err := Scan([]byte(text[:cut]), maxDepth)
		if (err == nil) != (cut == len(text)) || doc.Object != (cut > 0) {
			t.Fatalf("%q: %v, object %v", text[:cut], err, doc.Object)
		}
		want := 0
		for i, end := range []int{16, 25, 34} { // behind each value
			if cut >= end {
				want = i + 1
			}
		}
		if len(doc.Members) != want {
			t.Fatalf("%q: %d members, want %d", text[:cut], len(doc.Members), want)
		}
		for i, m := range doc.Members {
			whole := []Member{{"a", []byte(`[1,{"x":2}]`), 5}, {"b", []byte(`"é"`), 21}, {"c", []byte("null"), 30}}[i]
			if m.Name != whole.Name || string(m.Raw) != string(whole.Raw) || m.Offset != whole.Offset {
				t.Fatalf("%q: %s %s at %d", text[:cut], m.Name, m.Raw, m.Offset)
			}
		}
	}
}

func TestScan(t *testing.T) {
	for _, tt := range jsonCases {
		name := tt.in
		if len(name) > 40 {
			name = name[:40]
		}
		t.Run(name, func(t *testing.T) {
			_, err := Scan([]byte(tt.in), maxDepth)
			if (err == nil) != tt.ok {
				t.Fatalf("%v", err)
			}
			if err != nil && (err.Offset != tt.offset || err.EOF != tt.short) {
				t.Errorf("%v at %d, short %v; want %d, %v", err, err.Offset, err.EOF, tt.offset, tt.short)
			}
		})
	}
}

var surrogates = regexp.MustCompile(`\\u[dD][89a-fA-F]`)

// doubleKey walks the tokens of encoding/json, keeping the keys of each level, and
// compares them pair by pair.
func doubleKey(data []byte) (double bool, depth int) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	type level struct {
		object bool
		next   bool // a key comes next
		keys   []string
	}
	var stack []level
	for {
		tok, err := dec.Token()
		if err == io.EOF || err != nil {
			return double, depth
		}
		if d, ok := tok.(json.Delim); ok && (d == '}' || d == ']') {
			stack = stack[:len(stack)-1]
			continue
		}
		if n := len(stack); n > 0 && stack[n-1].object {
			top := &stack[n-1]
			if top.next {
				top.next = false
				for _, k := range top.keys {
					double = double || strings.EqualFold(k, tok.(string))
				}
				top.keys = append(top.keys, tok.(string))
				continue
			}
			top.next = true
		}
		if d, ok := tok.(json.Delim); ok {
			stack = append(stack, level{object: d == '{', next: true})
			depth = max(depth, len(stack))
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, c := range jsonCases {
		f.Add([]byte(c.in), 3)
	}
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		doc, err := Scan(data, maxDepth)
		if err == nil && (!json.Valid(data) || !utf8.Valid(data)) {
			t.Fatalf("%q is accepted", data)
		}
		if err != nil && json.Valid(data) && utf8.Valid(data) && !surrogates.Match(data) {
			if double, depth := doubleKey(data); !double && depth <= maxDepth {
				t.Fatalf("%q is refused: %v", data, err)
			}
		}
		if err == nil && !surrogates.Match(data) {
			if double, depth := doubleKey(data); double || depth > maxDepth {
				t.Fatalf("%q is accepted with a double key or %d levels", data, depth)
			}
		}
		if err != nil && (err.Offset < 0 || err.Offset > len(data)) {
			t.Fatalf("%q: offset %d", data, err.Offset)
		}
		if err == nil && doc.Object {
			// A cut object is short, wherever it is cut.
			trimmed := bytes.Trim(data, " \t\r\n")
			cut = int(uint(cut) % uint(len(trimmed)))
			if _, err := Scan(trimmed[:cut], maxDepth); err == nil || !err.EOF {
				t.Fatalf("%q: %v", trimmed[:cut], err)
			}
		}
	})
}
