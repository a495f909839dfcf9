package baseline

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func entry(file, fingerprint string) Entry {
	return Entry{Check: "check", File: file, Function: "F", Message: "it says <x>", Fingerprint: fingerprint}
}

const text = `{
  "version": 1,
  "entries": [
    {
      "check": "check",
      "file": "a.go",
      "function": "F",
      "message": "it says <x>",
      "fingerprint": "1"
    },
    {
      "check": "check",
      "file": "b.go",
      "function": "F",
      "message": "it says <x>",
      "fingerprint": "2"
    }
  ]
}
`

func TestFormat(t *testing.T) {
	f := New([]Entry{entry("b.go", "2"), entry("a.go", "1"), entry("b.go", "2")})
	if got := string(f.Format()); got != text {
		t.Errorf("got\n%s", got)
	}
	got, err := Parse([]byte(text))
	if err != nil || !reflect.DeepEqual(got, f) {
		t.Errorf("%v, %v", got, err)
	}
	empty, err := Parse(New(nil).Format())
	if err != nil || len(empty.Entries) != 0 {
		t.Errorf("%v, %v", empty, err)
	}
}

func TestParseErrors(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":           {"", "it is empty"},
		"cut":             {text[:60], "it ends in the middle"},
		"syntax":          {strings.Replace(text, `"b.go"`, `b.go`, 1), "line 13: invalid character 'b'"},
		"comma lost":      {strings.Replace(text, "},", "}", 1), "line 11: invalid character '{'"},
		"type":            {strings.Replace(text, `"b.go"`, `12`, 1), "line 13: cannot unmarshal number"},
		"unknown field":   {strings.Replace(text, `"check"`, `"chekc"`, 1), `unknown field "chekc"`},
		"conflict":        {strings.Replace(text, "    {\n", "<<<<<<< HEAD\n    {\n", 1), "line 4: a merge conflict"},
		"other file":      {`{"name": "x"}`, "unknown field"},
		"no version":      {`{"entries": []}`, `want "version": 1`},
		"newer":           {`{"version": 2, "entries": []}`, "newer release"},
		"newer and other": {`{"version": 2, "groups": []}`, "newer release"},
		"more":            {text + "{}", "line 20: something follows"},
		"no fingerprint":  {strings.Replace(text, `"2"`, `""`, 1), "entry 2 has no"},
		"array":           {`[]`, "cannot unmarshal array"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	f := New([]Entry{entry("a.go", "1"), entry("b.go", "2"), entry("c.go", "3")})
	known, rest := f.Match([]string{"2", "4", "2"})
	if !reflect.DeepEqual(known, map[string]bool{"2": true}) {
		t.Errorf("known: %v", known)
	}
	if len(rest) != 2 || rest[0].File != "a.go" || rest[1].File != "c.go" {
		t.Errorf("rest: %v", rest)
	}
	less := f.Without(rest[:1])
	if len(less.Entries) != 2 || less.Entries[0].File != "b.go" || len(f.Entries) != 3 {
		t.Errorf("without: %v of %v", less, f)
	}
}

// Whatever the file holds, there is an error or a baseline that stays the same when
// it is written and read again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(text))
	f.Add([]byte(`{"version":1}`))
	f.Add([]byte(`{"version":1,"entries":null}x`))
	f.Add([]byte("<<<<<<< a"))
	f.Add([]byte(`{"version":1,"entries":[{"check":"a","file":"\ud800","fingerprint":"\u0000"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Parse(data)
		if err != nil {
			if b != nil || err.Error() == "" || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v with %q", b, err)
			}
			return
		}
		out := b.Format()
		again, err := Parse(out)
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if !bytes.Equal(again.Format(), out) {
			t.Errorf("%s became %s", out, again.Format())
		}
		seen := make(map[string]bool)
		for _, e := range b.Entries {
			if seen[e.Fingerprint] {
				t.Errorf("%q stands twice", e.Fingerprint)
			}
			seen[e.Fingerprint] = true
		}
	})
}
