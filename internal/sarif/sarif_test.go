package sarif

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestFileURI(t *testing.T) {
	for name, want := range map[string]string{
		"a/b.go":          "a/b.go",
		"a b/ü%.go":       "a%20b/%C3%BC%25.go",
		"a#b?.go":         "a%23b%3F.go",
		"odd:name/b.go":   "./odd:name/b.go", // not the scheme "odd"
		"/home/x y/":      "file:///home/x%20y/",
		"C:/src/a.go":     "file:///C:/src/a.go",
		"//host/share/a/": "file:////host/share/a/",
	} {
		if got := FileURI(name); got != want {
			t.Errorf("FileURI(%q) = %q, want %q", name, got, want)
		}
	}
}

// A log of no findings says that there are none.
func TestWriteNothing(t *testing.T) {
	var buf bytes.Buffer
	if err := Write(&buf, Run{ColumnKind: UTF16}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"results": []`, `"rules": []`, `"version": "2.1.0"`} {
		if !strings.Contains(buf.String(), part) {
			t.Errorf("no %s in\n%s", part, buf.String())
		}
	}
	if !json.Valid(buf.Bytes()) {
		t.Error("no JSON")
	}
}

// Text is readable as it is: < and > are no reason to escape.
func TestWriteText(t *testing.T) {
	var buf bytes.Buffer
	err := Write(&buf, Run{ColumnKind: UTF16, Results: []Result{{RuleID: "a", Level: Warning, Message: Text{Text: "x <- y & z"}}}})
	if err != nil || !strings.Contains(buf.String(), "x <- y & z") {
		t.Errorf("%v\n%s", err, buf.String())
	}
}
