// Package sseclient holds the stream of incident e, as its server sends it.
package sseclient

import (
	"bytes"
	"time"

	"github.com/streamlint/streamlint/stream/streamtest"
)

// The events. The answer is "café done".
const (
	First  = "id: 1\ndata: {\"delta\": \"café \"}\n\n"
	Second = "id: 2\ndata: {\"delta\": \"done\"}\n\n"
	Done   = "data: [DONE]\n\n"
)

// Answer is the text that they hold.
const Answer = "café done"

// Recorded is the stream without what went wrong.
var Recorded = []byte(First + Second + Done)

// InsideE is an offset between the two bytes of é.
var InsideE = bytes.Index(Recorded, []byte("é")) + 1

// Incident sends the first event in two pieces, cut inside é and 50 ms apart, then
// the same event again, then the rest.
func Incident() streamtest.Reply {
	return streamtest.Stream(
		streamtest.Spread(50*time.Millisecond, []byte(First[:InsideE]), []byte(First[InsideE:])),
		streamtest.Pause(50*time.Millisecond),
		streamtest.Send([]byte(First), []byte(Second), []byte(Done)),
	)
}
