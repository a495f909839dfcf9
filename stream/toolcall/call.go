package toolcall

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
)

// Call is one complete, decoded and checked tool call. Only
// [Assembler.Calls] makes one; the zero Call is not valid and can't be run.
type Call struct {
	choice, index int
	id, name      string
	synthetic     bool
	reason        string
	raw           string // the joined fragments as they came
	args          string // raw, or {} for an allowed call without bytes
	bufferID      string
	tool          *tool // nil unless the call passed every check
}

// Choice is the answer that the call belongs to, from 0.
func (c Call) Choice() int { return c.choice }

// Index is the wire's index, or the call's place where the wire has none.
func (c Call) Index() int { return c.index }

// ID is the id to answer with. See [Call.IDSynthetic].
func (c Call) ID() string { return c.id }

// IDSynthetic tells that the wire gave no id and the assembler made one. It is
// the same for the same call of the same bytes.
func (c Call) IDSynthetic() bool { return c.synthetic }

// Name is the tool's name, one of the offered ones.
func (c Call) Name() string { return c.name }

// Raw is the argument text as it came, "" for a call without argument bytes.
func (c Call) Raw() string { return c.raw }

// Arguments is the arguments object, `{}` for a call without argument bytes.
// The bytes are the caller's.
func (c Call) Arguments() json.RawMessage { return json.RawMessage(c.args) }

// Bytes is the length of Raw.
func (c Call) Bytes() int { return len(c.raw) }

// BufferID is the first 12 hex digits of the SHA-256 of Raw at the time it was
// decoded.
func (c Call) BufferID() string { return c.bufferID }

// FinishReason is the provider's word, verbatim.
func (c Call) FinishReason() string { return c.reason }

func bufferID[T string | []byte](raw T) string {
	sum := sha256.Sum256([]byte(raw))
	return hex.EncodeToString(sum[:6])
}

// Verify checks that the call came from an assembler, and that its arguments
// are still those that were decoded. [As] and [Dispatcher] call it; call it
// yourself before you run a call by other means.
func (c Call) Verify() error {
	switch {
	case c.tool == nil:
		return c.refused(Truncated, errors.New("the call did not come from Calls"))
	case c.bufferID != bufferID(c.raw):
		return c.refused(BufferChanged, errors.New("the arguments are not those that were decoded"))
	case c.raw == "" && !c.tool.allowEmpty:
		return c.refused(EmptyArguments, errors.New("no arguments, and the tool does not allow that"))
	case c.args != c.raw && (c.args != "{}" || !c.tool.allowEmpty):
		return c.refused(BufferChanged, errors.New("the arguments are not those that arrived"))
	}
	return nil
}

// refused is an error about a call that left the assembler.
func (c Call) refused(kind Kind, err error) *Error {
	return &Error{
		Kind: kind, Choice: c.choice, Index: c.index, ID: c.id, Name: c.name,
		FinishReason: c.reason, BufferID: c.bufferID, Bytes: len(c.raw), Offset: -1, Err: err,
	}
}

// record is the one shape in which calls and refusals are logged.
type record struct {
	tool     string
	index    int
	reason   string
	bytes    int
	bufferID string
	decoded  bool
	ok       bool
}

func (r record) attrs() []slog.Attr {
	return []slog.Attr{
		slog.String("tool_name", r.tool),
		slog.Int("tool_index", r.index),
		slog.String("finish_reason", r.reason),
		slog.Int("arg_bytes", r.bytes),
		slog.String("buffer_id", r.bufferID),
		slog.Bool("decoded_ok", r.decoded),
		slog.Bool("dispatch_ok", r.ok),
	}
}

// LogValue gives the record of the call: tool_name, tool_index, finish_reason
// (verbatim), arg_bytes, buffer_id, decoded_ok, dispatch_ok. It holds no
// argument values. dispatch_ok is what [Call.Verify] says now, so a record with
// arg_bytes=0 and dispatch_ok=true can only be one of a tool whose declaration
// allows a call without arguments.
func (c Call) LogValue() slog.Value {
	ok := c.Verify() == nil
	return slog.GroupValue(record{
		tool: c.name, index: c.index, reason: c.reason, bytes: len(c.raw),
		bufferID: c.bufferID, decoded: c.tool != nil, ok: ok,
	}.attrs()...)
}
