package envelope

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

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
}

func TestScanJSON(t *testing.T) {
	for _, tt := range jsonCases {
		name := tt.in
		if len(name) > 40 {
			name = name[:40]
		}
		t.Run(name, func(t *testing.T) {
			_, err := scanJSON([]byte(tt.in))
			if (err == nil) != tt.ok {
				t.Fatalf("%v", err)
			}
			if err != nil && (err.offset != tt.offset || err.short != tt.short) {
				t.Errorf("%v at %d, short %v; want %d, %v", err, err.offset, err.short, tt.offset, tt.short)
			}
		})
	}
}

var surrogate = regexp.MustCompile(`\\u[dD][89a-fA-F]`)

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

func FuzzScanJSON(f *testing.F) {
	for _, c := range jsonCases {
		f.Add([]byte(c.in), 3)
	}
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		doc, err := scanJSON(data)
		if err == nil && (!json.Valid(data) || !utf8.Valid(data)) {
			t.Fatalf("%q is accepted", data)
		}
		if err != nil && json.Valid(data) && utf8.Valid(data) && !surrogate.Match(data) {
			if double, depth := doubleKey(data); !double && depth <= maxDepth {
				t.Fatalf("%q is refused: %v", data, err)
			}
		}
		if err == nil && !surrogate.Match(data) {
			if double, depth := doubleKey(data); double || depth > maxDepth {
				t.Fatalf("%q is accepted with a double key or %d levels", data, depth)
			}
		}
		if err != nil && (err.offset < 0 || err.offset > len(data)) {
			t.Fatalf("%q: offset %d", data, err.offset)
		}
		if err == nil && doc.object {
			// A cut object is short, wherever it is cut.
			trimmed := bytes.Trim(data, " \t\r\n")
			cut = int(uint(cut) % uint(len(trimmed)))
			if _, err := scanJSON(trimmed[:cut]); err == nil || !err.short {
				t.Fatalf("%q: %v", trimmed[:cut], err)
			}
		}
	})
}
