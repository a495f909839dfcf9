// Package mender completes documents for others.
package mender

import (
	"encoding/json"
	"strings"
)

// RepairJSON closes what is open.
func RepairJSON(s string) string { // want RepairJSON:`repairs\(0\)`
	s = strings.TrimSpace(s)
	if s == "" {
		return "{}"
	}
	return balance(s)
}

func balance(s string) string {
	var stack []rune
	inString, escaped := false, false
	for _, r := range s {
		if escaped {
			escaped = false
			continue
		}
		if r == '\\' && inString {
			escaped = true
			continue
		}
		if r == '"' {
			inString = !inString
			continue
		}
		if inString {
			continue
		}
		switch r {
		case '{':
			stack = append(stack, '}')
		case '[':
			stack = append(stack, ']')
		case '}', ']':
			if len(stack) > 0 && stack[len(stack)-1] == r {
				stack = stack[:len(stack)-1]
			}
		}
	}
	if inString {
		s += `"`
	}
	for i := len(stack) - 1; i >= 0; i-- {
		s += string(stack[i]) // want `missing closers of a document are appended`
	}
	return s
}

// Wrap makes a document.
func Wrap(items string) string { return `{"items":[` + items + "]}" }

// Valid only looks.
func Valid(s string) bool { return json.Valid([]byte(s)) }

// Set puts a member into a document.
func Set(doc []byte, key string, value []byte) []byte {
	for i := len(doc) - 1; i >= 0; i-- {
		if doc[i] == '}' {
			out := append([]byte(nil), doc[:i]...)
			out = append(out, ',')
			out = append(out, key...)
			out = append(out, ':')
			out = append(out, value...)
			return append(out, '}')
		}
	}
	return doc
}

// SetAny does it with any value.
func SetAny(doc string, value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return doc
	}
	i := strings.LastIndexByte(doc, '}')
	return doc[:i] + `,"value":` + string(data) + "}"
}

// Quote makes a JSON text of any text.
func Quote(s string) []byte {
	var b []byte
	for i := range len(s) {
		if i == 0 {
			b = append(b, '"')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}
