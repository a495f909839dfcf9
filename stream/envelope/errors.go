package envelope

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Proof names one of the checks that a message must pass. A Proof is an error, so
// that errors.Is(err, envelope.Digest) asks which one failed.
type Proof uint8

// The proofs, in the order in which they are taken.
const (
	// Received: the message could be read to its end.
	Received Proof = iota + 1
	// Size: the message is within the size cap.
	Size
	// Header: the envelope starts with a well-formed header line.
	Header
	// Key: the message is keyed if and only if a key was given.
	Key
	// Length: as many bytes follow the header as it says.
	Length
	// Digest: the content has the digest that the message states.
	Digest
	// Sentinel: the envelope ends with "\nEND\n".
	Sentinel
	// JSON: the content is exactly one strict JSON object.
	JSON
	// Trailer: the plan's last member is "trailer":"END_APPLY".
	Trailer
	// Field: a member is there, has the right type, and is one that belongs.
	Field
	// Count: the plan has as many statements as it says.
	Count
)

var proofNames = [...]string{
	Received: "received", Size: "size", Header: "header", Key: "key", Length: "length",
	Digest: "digest", Sentinel: "sentinel", JSON: "json", Trailer: "trailer",
	Field: "field", Count: "count",
}

// String returns the proof's name in lower case.
func (p Proof) String() string {
	if int(p) < len(proofNames) && proofNames[p] != "" {
		return proofNames[p]
	}
	return fmt.Sprintf("Proof(%d)", uint8(p))
}

// Error makes a Proof a target for errors.Is; it is the name and the word "proof".
func (p Proof) Error() string { return p.String() + " proof" }

// IncompleteError says that a message was refused and which proof failed first.
// It matches that [Proof], and [io.ErrUnexpectedEOF] when the message ends too
// early (as opposed to being altered, or never well-formed).
type IncompleteError struct {
	Proof Proof
	// Want and Got are the two sides of the comparison, where there is one.
	Want, Got string
	// Field is the member concerned, for Field and JSON, where there is one.
	Field string
	// Offset is the byte at which a Header, JSON or Field proof failed, counted from
	// the start of the header, or of the JSON text. It is -1 where there is none.
	Offset int64
	// Bytes is how many bytes of the message there were.
	Bytes int64
	// Err is the cause, if the failure has one of its own.
	Err error

	short bool
}

func (e *IncompleteError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "envelope: incomplete: %v failed after %d bytes", e.Proof, e.Bytes)
	if e.Field != "" {
		fmt.Fprintf(&b, ": field %q", e.Field)
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, " at byte %d", e.Offset)
	}
	if e.Want != "" || e.Got != "" {
		fmt.Fprintf(&b, ": want %s, got %s", e.Want, e.Got)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *IncompleteError) Unwrap() error { return e.Err }

// Is matches the failed [Proof] and, for a message that ends early,
// [io.ErrUnexpectedEOF].
func (e *IncompleteError) Is(target error) bool {
	if p, ok := target.(Proof); ok {
		return p == e.Proof
	}
	return target == io.ErrUnexpectedEOF && e.short
}

// ErrUnproven is returned when content is asked of a [Body] that [Open] did not
// return.
var ErrUnproven = errors.New("envelope: body was not opened")

// ErrKey is returned when an HMAC key is shorter than [MinKeySize].
var ErrKey = fmt.Errorf("envelope: an HMAC key needs at least %d bytes", MinKeySize)

// ErrOption is returned when an option does not apply to what is opened.
var ErrOption = errors.New("envelope: option does not apply")
