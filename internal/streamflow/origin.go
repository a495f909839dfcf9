package streamflow

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// Kind says what an origin is.
type Kind uint8

// The kinds of origins.
const (
	Unknown  Kind = iota // the analysis lost the value: never a reason to report
	Const                // a constant, nil, or a variable never written
	Chunk                // bytes as a read returned them
	Frame                // one whole message
	Whole                // everything up to the end of a stream
	Fragment             // a piece of a larger document
	Delta                // a struct that holds fragments (not text itself)
	Finish               // something that shows an end: a finish reason, a done flag
	Output               // model output or tool arguments, whole
	Decoded              // a value filled by a decoder
	Param                // a parameter of the function asked about
	Error                // an error result
	Own                  // bytes this program has just encoded itself
	Call                 // the result of a function the engine knows nothing of
	Piece                // something of unknown state that arrives one by one: a channel receive, a callback's argument
)

var kindNames = [...]string{"unknown", "constant", "chunk", "frame", "whole", "fragment", "delta", "finish", "output", "decoded", "parameter", "error", "own", "call", "piece"}

func (k Kind) String() string { return kindNames[k] }

// Path leads from a struct value to a part of it: the names of the fields,
// outermost first.
type Path []string

func (p Path) String() string { return strings.Join(p, ".") }

func (p Path) with(field string) Path {
	out := make(Path, 0, len(p)+1)
	return append(append(out, field), p...)
}

// Origin is one place where a value comes from.
type Origin struct {
	Kind Kind
	Pos  token.Pos // where it arises
	What string    // what arises there, for a message: conn.Read, delta.tool_calls.function.arguments
	// Instr is the instruction at which the origin arises; nil for parameters and
	// constants.
	Instr ssa.Instruction
	// Param and Path are set for Kind Param; Path also for Decoded.
	Param *ssa.Parameter
	Path  Path
	// Decode is set for Kind Decoded.
	Decode *Decode
	// Joins are the places where the value was joined with something on its way
	// from the origin: with any, the value is accumulated.
	Joins []ssa.Instruction
	// Via are the instructions at which the value arrived: the source itself,
	// channel receives, writes to an accumulator, calls it came back from.
	Via []ssa.Instruction
	// Carried says that the accumulator it was joined into keeps its unfinished rest
	// for the next turn, so that borders are looked after.
	Carried bool
	// Count says that the bytes were cut by the count a read returned (Chunk only).
	Count bool
}

// Joined reports whether the value was joined with others since its origin.
func (o *Origin) Joined() bool { return len(o.Joins) > 0 }

// kindOf gives the kind of origin for a state of the tables.
func kindOf(s model.State) Kind {
	switch s {
	case model.Chunk:
		return Chunk
	case model.Frame:
		return Frame
	case model.Whole:
		return Whole
	case model.Fragment:
		return Fragment
	case model.Own:
		return Own
	}
	return Unknown
}
