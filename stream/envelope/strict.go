package envelope

import (
	"errors"
	"strings"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
)

// maxDepth bounds the nesting of a body or plan, and with it the reader's stack.
const maxDepth = 256

func jsonError(err *strictjson.Error, size int) *IncompleteError {
	return &IncompleteError{Proof: JSON, Offset: int64(err.Offset), Bytes: int64(size), Err: errors.New(err.Msg), short: err.EOF}
}

func fieldError(field, want, got string, offset, size int) *IncompleteError {
	return &IncompleteError{Proof: Field, Field: field, Want: want, Got: got, Offset: int64(offset), Bytes: int64(size)}
}

// scanObject reads a text that must be one strict JSON object.
func scanObject(raw []byte) (strictjson.Document, error) {
	doc, err := strictjson.Scan(raw, maxDepth)
	if err != nil {
		return doc, jsonError(err, len(raw))
	}
	if !doc.Object {
		text := strings.TrimLeft(string(raw), " \t\r\n")
		return doc, &IncompleteError{
			Proof: JSON, Want: "an object", Got: strictjson.Kind([]byte(text[:1])),
			Offset: int64(len(raw) - len(text)), Bytes: int64(len(raw)),
		}
	}
	return doc, nil
}

// stringOf returns the value of a checked JSON string.
func stringOf(raw []byte) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var c strictjson.Cursor
	c.Reset(raw)
	return string(c.String()), c.Err() == nil
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
