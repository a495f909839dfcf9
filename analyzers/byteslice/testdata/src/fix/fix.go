// Package fix holds the cuts that are mended by the suggested fix.
package fix

import (
	"fmt"
	"strings"
)

const most = 100

const large int64 = 1 << 20

func head(s string) string {
	if len(s) <= most {
		return s
	}
	return s[:most] + "..." // want `cuts text`
}

func both(s string) string {
	if len(s) <= 2*most {
		return s
	}
	first := s[:most]       // want `cuts text`
	last := s[len(s)-most:] // want `cuts text`
	return first + "..." + last
}

func typed(s string) string {
	if int64(len(s)) > large {
		s = s[:large] // want `cuts text`
		s += "... truncated"
	}
	return s
}

func inCase(kind int, s string) string {
	switch kind {
	case 1:
		if len(s) > most {
			return strings.ToUpper(s[:most]) + "..." // want `cuts text`
		}
	}
	return s
}

// A statement that declares in its head has no place for the loop.
func inHead(s string) {
	if len(s) > most {
		if t := s[:most] + "..."; t != "" { // want `cuts text`
			fmt.Println(t)
		}
	} else {
		fmt.Println(s)
	}
}

func taken(s string) string {
	end := "."
	if len(s) > most {
		return s[:most] + "..." + end // want `cuts text`
	}
	return s
}
