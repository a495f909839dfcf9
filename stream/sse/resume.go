package sse

import (
	"context"
	"net/http"
	"strings"
)

// Position is how far a stream had come when its connection broke.
type Position struct {
	LastEventID string // by the standard; empty when none is set
	Events      int64  // delivered to the caller so far
	Last        Event  // the last event that was delivered
}

// Resume says what a [Client] may do when a connection breaks after an event
// was delivered. Before that, it may always send the request again. The zero
// value is [ResumeAuto].
type Resume struct {
	mode resumeMode
	f    func(context.Context, Position) (*http.Request, error)
}

type resumeMode uint8

const (
	resumeAuto resumeMode = iota
	resumeByID
	resumeNever
	resumeWith
)

var (
	// ResumeAuto sends the request again with Last-Event-ID if that is sure to
	// repeat nothing: the method is idempotent (RFC 9110, section 9.2.2) and
	// the last event delivered had an id. With [Endless] an idempotent request
	// is sent again without such a position too, as a browser would.
	ResumeAuto = Resume{mode: resumeAuto}

	// ResumeByID also sends requests of other methods again, and from the last
	// ID even when events without one came after it: the caller knows that the
	// server reads Last-Event-ID there and does not repeat its effects.
	ResumeByID = Resume{mode: resumeByID}

	// ResumeNever ends the stream with a [*ResumeError].
	ResumeNever = Resume{mode: resumeNever}
)

// ResumeWith makes the request that continues a stream with f, for protocols
// with another kind of position (a sequence number in the query, a GET that
// continues a POST). An error from f ends the stream. Last-Event-ID is added to
// the request if it has none and the stream has set an ID.
func ResumeWith(f func(context.Context, Position) (*http.Request, error)) Resume {
	return Resume{mode: resumeWith, f: f}
}

// refuses returns why a stream may not be continued, or "".
func (r Resume) refuses(method, lastID string, exact, endless bool) string {
	switch r.mode {
	case resumeNever:
		return "the caller forbids it"
	case resumeWith:
		return ""
	case resumeAuto:
		if !idempotent(method) {
			return method + " is not idempotent, and the caller has not said how to resume"
		}
		if endless {
			break
		}
		if lastID == "" {
			return "no event ID says where to go on"
		}
		if !exact {
			return "events without an ID came after the last one that has one"
		}
	case resumeByID:
		if lastID == "" {
			return "no event ID says where to go on"
		}
	}
	if !fitsHeader(lastID) {
		return "the last event ID cannot be put in a header"
	}
	return ""
}

// fitsHeader reports whether an HTTP header can carry s as it is (RFC 9110,
// section 5.5): no control characters, no white space at its ends.
func fitsHeader(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7F {
			return false
		}
	}
	return s == strings.Trim(s, " \t")
}

func idempotent(method string) bool {
	switch method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, http.MethodPut, http.MethodDelete:
		return true
	}
	return false
}
