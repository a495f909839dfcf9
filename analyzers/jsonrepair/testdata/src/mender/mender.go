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
