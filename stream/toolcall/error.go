package toolcall

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Error says why a turn, or one call of it, was refused. Get it with errors.As;
// compare its cause with errors.Is(err, toolcall.Length) or by Kind. An Error
// of kind [Truncated] also matches io.ErrUnexpectedEOF.
//
// It never holds argument values, so it can be logged, but for what a [Handler]
// puts into an error of its own ([Unfit]).
type Error struct {
	Kind Kind

	// The call at fault, as far as there is one: Index is [NoIndex] and the
	// others are empty where the whole turn is refused.
	Choice, Index int
	ID, Name      string

	FinishReason string // the provider's word, "" if none came
	BufferID     string // of the raw argument bytes so far, 12 hex digits of SHA-256
	Bytes        int    // raw argument bytes so far

	// Offset is the byte in the arguments (InvalidJSON, DuplicateKey) or in the
	// frame (BadFrame) where reading stopped, -1 where there is no such place.
	Offset int
	// Frame counts frames from 1, 0 if the error belongs to none.
	Frame int
	// Path is a JSON Pointer (RFC 6901) into the arguments to the value that
	// breaks the schema; the empty pointer is the whole object.
	Path string

	Err error // what lies beneath, may be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("toolcall: ")
	b.WriteString(string(e.Kind))
	if e.Index != NoIndex || e.Name != "" || e.ID != "" {
		b.WriteString(": call")
		if e.Index != NoIndex {
			fmt.Fprintf(&b, " %d", e.Index)
		}
		if e.Choice != 0 {
			fmt.Fprintf(&b, " of choice %d", e.Choice)
		}
		if e.Name != "" {
			fmt.Fprintf(&b, " %q", e.Name)
		}
		if e.ID != "" {
			fmt.Fprintf(&b, " (%s)", e.ID)
		}
	}
	if e.FinishReason != "" {
		fmt.Fprintf(&b, ", finish reason %q", e.FinishReason)
	}
	if e.Frame > 0 {
		fmt.Fprintf(&b, ", frame %d", e.Frame)
	}
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

// Unwrap gives what lies beneath.
func (e *Error) Unwrap() error { return e.Err }

// Is matches the error's Kind, and io.ErrUnexpectedEOF for a truncated turn.
func (e *Error) Is(target error) bool {
	if k, ok := target.(Kind); ok {
		return e.Kind == k
	}
	return target == io.ErrUnexpectedEOF && e.Kind == Truncated
}

// LogValue gives the same record as [Call.LogValue], with dispatch_ok false and
// the error's kind.
func (e *Error) LogValue() slog.Value {
	r := record{
		tool: e.Name, index: e.Index, reason: e.FinishReason,
		bytes: e.Bytes, bufferID: e.BufferID,
	}
	switch e.Kind {
	case MissingRequired, Schema, NoHandler:
		r.decoded = true
	}
	return slog.GroupValue(append(r.attrs(), slog.String("error_kind", string(e.Kind)))...)
}

// SchemaError is a broken rule of a tool's schema. A [Validator] returns it (or
// wraps it) so that the assembler can tell a missing key from other faults.
type SchemaError struct {
	Path    string // JSON Pointer to the value
	Keyword string // the schema keyword: "required", "type", …
	Msg     string // for people and for the model; holds no argument values
}

func (e *SchemaError) Error() string {
	if e.Path == "" {
		return e.Msg
	}
	return e.Msg + " at " + e.Path
}

// kindOfSchema sorts a validator's error into MissingRequired or Schema.
func kindOfSchema(err error) (kind Kind, path string) {
	var se *SchemaError
	if errors.As(err, &se) {
		if se.Keyword == "required" {
			return MissingRequired, se.Path
		}
		return Schema, se.Path
	}
	return Schema, ""
}

// DeclarationError says that a tool was declared in a way that its calls could
// not be checked by: the program's fault, or that of whoever it has the
// declaration from.
type DeclarationError struct {
	Tool string // its name, "" from CompileSchema
	// Place is where in the schema, as a URI fragment ("#/properties/path/type"),
	// or "" if the fault is not in one place.
	Place string
	// Offset is the byte at which a schema that is no strict JSON stops to be
	// some, else -1.
	Offset int
	Err    error
}

func (e *DeclarationError) Error() string {
	var b strings.Builder
	b.WriteString("toolcall: ")
	if e.Tool != "" {
		fmt.Fprintf(&b, "tool %q: ", e.Tool)
	}
	if e.Place != "" || e.Offset >= 0 {
		b.WriteString("schema: ")
	}
	if e.Place != "" {
		b.WriteString(e.Place + ": ")
	}
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap gives what lies beneath.
func (e *DeclarationError) Unwrap() error { return e.Err }

func badSchema(place, format string, args ...any) error {
	return &DeclarationError{Place: place, Offset: -1, Err: fmt.Errorf(format, args...)}
}
