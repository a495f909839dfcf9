// Package framing is what the wire adapters have in common: how a frame of any of
// the formats begins and ends.
package framing

import (
	"bytes"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
	"github.com/streamlint/streamlint/stream/toolcall"
)

// Reader reads one frame after the other. An adapter calls Open, pulls the frame
// from the cursor, and acts on what it read once Close says that it was whole.
type Reader struct{ strictjson.Cursor }

var done = []byte("[DONE]")

// Open begins a frame and gives its data without the white space around it. It
// is false when there is nothing to read: for a keep-alive, for an event with the
// name error, and for [DONE], which gateways put behind streams of every format
// and which ends the transport only.
func (r *Reader) Open(s *toolcall.Sink, event string, data []byte) ([]byte, bool) {
	data = bytes.TrimSpace(data)
	switch {
	case event == "error":
		s.Upstream(data)
		return nil, false
	case len(data) == 0:
		return nil, false
	case bytes.Equal(data, done):
		s.Done()
		return nil, false
	}
	// Servers that count in UTF-16 cut surrogate pairs between two frames.
	r.Lone = true
	r.Reset(data)
	return data, true
}

// Close ends the frame that Open gave. It is false, and the turn refused, if the
// frame was not read to its end without an error, or if it says itself that the
// provider failed.
func (r *Reader) Close(s *toolcall.Sink, data []byte, failed bool) bool {
	r.End()
	switch {
	case r.Err() != nil:
		s.BadFrame(r.Err())
	case failed:
		s.Upstream(data)
	default:
		return true
	}
	return false
}
