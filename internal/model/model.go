// Package model is what streamlint knows about libraries: which functions
// decode a whole document, which calls return raw chunks or whole frames, which
// fields of which SDK carry an increment, what ends a stream. It is data, one
// line an entry; package streamflow and the checks read it, and adding a library
// means adding lines here and nowhere else. Every line is compared with the real
// library by the module under modelcheck.
//
// # Names
//
// A function is named "pkg.Func", a method "(pkg.Type).Method" (also for
// pointer receivers and interface methods), a field "pkg.Type.Field", a type
// "pkg.Type". The pkg part is the import path with major-version elements
// removed ("/v3"), so that one entry serves every major version of a module.
//
// # Argument positions
//
// Positions count as SSA does: for a method, 0 is the receiver and the first
// written argument is 1; for a function the first argument is 0. The constant
// Result stands for "the call's (first) result".
package model

import (
	"go/types"
	"regexp"
	"strings"
	"sync"
)

// Result, used as a position, is the call's first result.
const Result = -1

// Decoder is a function that decodes a whole document.
type Decoder struct {
	Func string // full name
	Data int    // position of the document (for a Decoder type: of the receiver)
	Into int    // position of the pointer that is filled, or Result
	Mod  string // module@version the entry was checked against; "std" for the standard library
	// Bool says that the function answers with a bool instead of an error (json.Valid).
	Bool bool
	// Lenient says that the function returns no error and no usable verdict (gjson.Get).
	Lenient bool
}

// Pass is a function whose result is its argument in another dress: what holds
// for the state of the argument holds for the result.
type Pass struct {
	Func string
	Args []int  // positions whose value reaches the result
	Mod  string // as in Decoder
	Join bool   // the result is a concatenation of the arguments
}

// Write is a method that appends an argument to what its receiver holds.
type Write struct {
	Func string
	To   int // position of the accumulator
	Arg  int // position of the piece
	Mod  string
	// Whole says that the call reads to the end of what it is given, so the
	// accumulator is complete afterwards (io.Copy, (bytes.Buffer).ReadFrom).
	Whole bool
}

// State says what a source gives.
type State uint8

// The states a source can give. See the vocabulary in docs/architecture.md.
const (
	NoState  State = iota
	Chunk          // bytes as a read returned them
	Frame          // one whole message
	Whole          // everything up to the end
	Fragment       // a piece of a larger document carried inside frames
	Own            // bytes this program has just encoded itself
)

// Source is a call that brings stream data in.
type Source struct {
	Func  string
	Out   int // position of the buffer filled, or Result
	State State
	Mod   string
	// Stream says that the result is a reader or stream object and not data.
	Stream bool
}

// Callback is a function that takes a function and calls it with stream data.
type Callback struct {
	Func  string
	Arg   int    // position of the function that is called back
	Param int    // which of its parameters is the data, from 0
	State State  // what the data is
	Mod   string // as in Decoder
}

// Role says what a struct field of an SDK means.
type Role uint8

// The roles of fields.
const (
	NoRole     Role = iota
	RoleDelta       // holds increments: it, where it is text, and strings reached through it are fragments
	RolePiece       // a string or []byte that is an increment itself
	RoleFinish      // shows that something ended: a finish reason, a done flag
	RoleWhole       // stops a RoleDelta above it: complete though reached through a delta
	RoleOutput      // model output or tool arguments, whole
	RoleChunk       // raw bytes of a body callback
	RoleFrame       // one whole message: the data of an SSE event; of a type: every Read on it gives a message
)

// Field is a struct field of an SDK.
type Field struct {
	Name string // pkg.Type.Field
	Role Role
	Mod  string
}

// Type is a named type with a meaning of its own.
type Type struct {
	Name string // pkg.Type
	// RoleDelta: every value of it is an increment; RoleFinish: an event that ends
	// something; RoleWhole: complete wherever it comes from; RoleFrame: every Read
	// on it gives a whole message; RoleChunk: the context of a proxy's body callback.
	Role Role
	Mod  string
}

// TextSink is a call at which bytes have to be whole characters.
type TextSink struct {
	Func string
	Arg  int    // position of the text
	Mod  string // as in Decoder
	Deep bool   // strings inside the argument count too (structs, maps), []byte inside does not: it is sent as base64
	// If names a position and a constant value it must have, as in WriteMessage(TextMessage, b).
	If      int
	IfConst int64
	HasIf   bool
	How     string // what happens to a split character, for the message
}

// Retry is a function of a retry library that calls an operation again.
type Retry struct {
	Func string
	Op   int // position of the operation
	Mod  string
	// Polls says that the operation is called again after a success too: such a
	// call may be a timer for requests that have nothing to do with each other.
	Polls bool
}

// Open is a call that sends a request and gives a stream, or an operation that
// reads one.
type Open struct {
	Func string
	Mod  string
	// Unary says that the answer is whole when the call returns; kept in the table
	// so that a name that looks like a stream is known to be none.
	Unary bool
	// Returns says that the call returns when the stream is over: what came was handed
	// to callbacks, and what it gives holds nothing that is still to be read.
	Returns bool
	// Resumes says that the object it is called on keeps the resume position: to
	// call it again on the same object goes on where the stream was cut.
	Resumes bool
}

var majorVersion = regexp.MustCompile(`/v[0-9]+(/|$)`)

var pathCache sync.Map // string -> string

// Path gives an import path without its major-version elements and without a
// vendor prefix.
func Path(path string) string {
	if p, ok := pathCache.Load(path); ok {
		return p.(string)
	}
	p := path
	if i := strings.LastIndex(p, "/vendor/"); i >= 0 {
		p = p[i+len("/vendor/"):]
	}
	p = strings.TrimPrefix(p, "vendor/")
	// The standard library has packages that really are called v2 (encoding/json/v2,
	// math/rand/v2): only paths with a host name lose the element.
	if first, _, _ := strings.Cut(p, "/"); strings.Contains(first, ".") {
		for {
			q := majorVersion.ReplaceAllString(p, "$1")
			if q == p {
				break
			}
			p = q
		}
	}
	pathCache.Store(path, p)
	return p
}

// FuncName gives the name of a function or method as the tables write it, or
// "" for one that has none (a method of an unnamed type).
func FuncName(fn *types.Func) string {
	if fn == nil || fn.Pkg() == nil {
		if fn != nil && fn.Name() == "Error" {
			return "(error).Error"
		}
		return ""
	}
	fn = fn.Origin()
	path := Path(fn.Pkg().Path())
	recv := fn.Signature().Recv()
	if recv == nil {
		return path + "." + fn.Name()
	}
	name := typeName(recv.Type())
	if name == "" {
		return ""
	}
	return "(" + path + "." + name + ")." + fn.Name()
}

func typeName(t types.Type) string {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// TypeName gives the name of a named type (pointers are looked through) as the
// tables write it, or "".
func TypeName(t types.Type) string {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok {
		return ""
	}
	if n.Obj().Pkg() == nil {
		return n.Obj().Name()
	}
	return Path(n.Obj().Pkg().Path()) + "." + n.Obj().Name()
}

// FieldName gives the name of field f of struct type owner as the tables write
// it, or "".
func FieldName(owner types.Type, f *types.Var) string {
	t := TypeName(owner)
	if t == "" {
		return ""
	}
	return t + "." + f.Name()
}

// Packages reports whether a table has an entry for the package with this
// import path: a cheap question asked before any call is looked at.
func Packages(path string) bool {
	index()
	return tablePackages[Path(path)]
}
