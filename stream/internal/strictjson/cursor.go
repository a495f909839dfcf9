// Package strictjson reads JSON texts (RFC 8259) in memory, strictly.
//
// encoding/json takes duplicate names, invalid UTF-8, lone surrogates and
// names in another letter case in silence, and says nothing about where a value
// begins. Envelopes, plans and the arguments of tool calls need all of that: see
// [Scan] for a whole document. The wire adapters of toolcall read a frame for
// each token of a model; they pull what they need from a [Cursor], which
// allocates nothing for strings without escapes.
//
// A Cursor's errors are sticky: after the first one every method gives a zero value and
// every loop over Next ends, so a caller checks Err once at the end.
package strictjson

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxSkipDepth bounds the nesting of values that a caller passes over. It keeps
// hostile frames from using up the stack; protocol frames nest fewer than 20 deep.
const maxSkipDepth = 1000

// Error is a syntax or type error at a byte offset of the text.
type Error struct {
	Offset int    // bytes before the place, from 0
	Msg    string // what is wrong there
	EOF    bool   // the text ended too early: more bytes could have mended it
}

func (e *Error) Error() string { return fmt.Sprintf("%s at byte %d", e.Msg, e.Offset) }

// Cursor reads one JSON text. The zero value is ready for Reset.
type Cursor struct {
	b     []byte // the text up to the first byte that is no UTF-8
	size  int    // of the whole text
	cut   bool   // what follows b is a character that the end of the text cuts
	i     int
	err   *Error
	stack []level
	keys  [][]byte
	key   []byte
	keyAt int
	arena []byte

	// Lone lets a lone surrogate escape through as its three WTF-8 bytes (see
	// [Join]). Frames need it: servers that count UTF-16 units cut a pair
	// between two frames.
	Lone bool
	// AllowDup leaves the check for names that occur twice in one object to
	// the caller; without it such a name is an error.
	AllowDup bool
}

type level struct {
	close   byte
	first   bool
	keyBase int
}

// Reset starts a new text. Slices given out before stay valid. Bytes that are
// no UTF-8 are an error where they are met.
func (c *Cursor) Reset(b []byte) {
	c.b, c.size, c.cut, c.i, c.err = b, len(b), false, 0, nil
	c.stack, c.keys, c.key, c.keyAt, c.arena = c.stack[:0], c.keys[:0], nil, 0, nil
	if !utf8.Valid(b) {
		bad := invalidAt(b)
		c.b, c.cut = b[:bad], !utf8.FullRune(b[bad:])
	}
}

func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// Err gives the first error, or nil.
func (c *Cursor) Err() error {
	if c.err == nil {
		return nil
	}
	return c.err
}

// Fail records a caller's own error (a wrong type, say) at the present place.
func (c *Cursor) Fail(msg string) { c.fail(c.i, msg) }

// Offset is the number of bytes read so far.
func (c *Cursor) Offset() int { return c.i }

func (c *Cursor) fail(at int, msg string) {
	if c.err == nil {
		c.err = &Error{Offset: at, Msg: msg}
	}
}

// ended fails because the text is over before what the message says.
func (c *Cursor) ended(msg string) {
	if len(c.b) < c.size && !c.cut {
		c.fail(len(c.b), "invalid UTF-8")
		return
	}
	if c.err == nil {
		c.err = &Error{Offset: c.size, Msg: "the text ends " + msg, EOF: true}
	}
}

func (c *Cursor) ws() {
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\n', '\r':
			c.i++
		default:
			return
		}
	}
}

// Peek gives the first byte of the next value ('{', '[', '"', 't', 'f', 'n',
// '-' or a digit), or 0 at the end or after an error. It consumes nothing but
// white space.
func (c *Cursor) Peek() byte {
	if c.err != nil {
		return 0
	}
	c.ws()
	if c.i >= len(c.b) {
		return 0
	}
	return c.b[c.i]
}

// Object enters an object: `for c.Object(); c.Next(); { switch string(c.Key()) … }`.
// Each turn of the loop must consume exactly one value.
func (c *Cursor) Object() { c.enter('{', '}', "an object") }

// Array enters an array; Next is true before each element.
func (c *Cursor) Array() { c.enter('[', ']', "an array") }

func (c *Cursor) enter(open, close byte, want string) {
	if ch := c.Peek(); ch != open {
		c.unexpected(want)
		return
	}
	c.i++
	c.stack = append(c.stack, level{close: close, first: true, keyBase: len(c.keys)})
}

func (c *Cursor) unexpected(want string) {
	if c.err != nil {
		return
	}
	if c.i >= len(c.b) {
		if len(c.b) < c.size { // half a character where none may be
			c.fail(c.i, "invalid UTF-8")
			return
		}
		c.ended("before " + want)
		return
	}
	r, _ := utf8.DecodeRune(c.b[c.i:])
	c.fail(c.i, fmt.Sprintf("unexpected %q, want %s", r, want))
}

// Next moves to the next member or element of the value entered last. It is
// false at its end, which it consumes, and after an error.
func (c *Cursor) Next() bool {
	if c.err != nil || len(c.stack) == 0 {
		return false
	}
	l := &c.stack[len(c.stack)-1]
	c.ws()
	if c.i >= len(c.b) {
		if l.close == '}' {
			c.unexpected("the end of an object")
		} else {
			c.unexpected("the end of an array")
		}
		return false
	}
	if c.b[c.i] == l.close {
		c.i++
		c.keys = c.keys[:l.keyBase]
		c.stack = c.stack[:len(c.stack)-1]
		return false
	}
	if !l.first {
		if c.b[c.i] != ',' {
			c.unexpected("a comma or the end of the value")
			return false
		}
		c.i++
	}
	l.first = false
	if l.close == ']' {
		return true
	}
	if c.Peek() != '"' {
		c.unexpected("a name in quotes")
		return false
	}
	at := c.i
	key := c.str()
	if c.Peek() != ':' {
		c.unexpected("a colon")
		return false
	}
	c.i++
	c.key, c.keyAt = key, at
	if c.AllowDup {
		return true
	}
	for _, k := range c.keys[l.keyBase:] {
		if bytes.Equal(k, key) {
			c.fail(at, fmt.Sprintf("name %.80q twice in one object", key))
			return false
		}
	}
	// Frames have few members; beyond this many the check would be quadratic
	// and a frame with so many is none of the protocols we read.
	if len(c.keys)-l.keyBase >= 256 {
		c.fail(at, "too many names in one object")
		return false
	}
	c.keys = append(c.keys, key)
	return true
}

// Key is the name of the member that Next moved to.
func (c *Cursor) Key() []byte { return c.key }

// KeyOffset is where that name begins, its quote included.
func (c *Cursor) KeyOffset() int { return c.keyAt }

// Null consumes the value if it is null.
func (c *Cursor) Null() bool {
	if c.Peek() != 'n' {
		return false
	}
	c.literal("null")
	return c.err == nil
}

// Bool reads true or false; null counts as false.
func (c *Cursor) Bool() bool {
	switch c.Peek() {
	case 't':
		c.literal("true")
		return c.err == nil
	case 'f':
		c.literal("false")
	case 'n':
		c.literal("null")
	default:
		c.unexpected("true or false")
	}
	return false
}

func (c *Cursor) literal(s string) {
	if rest := c.b[c.i:]; len(rest) >= len(s) && string(rest[:len(s)]) == s {
		c.i += len(s)
		return
	}
	n := 0
	for n < len(s) && c.i+n < len(c.b) && c.b[c.i+n] == s[n] {
		n++
	}
	if c.i+n == c.size {
		c.ended("inside " + s)
		return
	}
	c.fail(c.i+n, "invalid literal, want "+s)
}

// String reads a string, or null as nothing. The bytes are valid as long as
// the text is.
func (c *Cursor) String() []byte {
	switch c.Peek() {
	case '"':
		return c.str()
	case 'n':
		c.literal("null")
		return nil
	}
	c.unexpected("a string")
	return nil
}

// Text reads a string, or passes over another value and gives its bytes as they
// stand, or nothing for null. Servers send a document both ways.
func (c *Cursor) Text() []byte {
	if p := c.Peek(); p == '"' || p == 'n' {
		return c.String()
	}
	return c.Skip()
}

// str reads a string; c.b[c.i] is its opening quote.
func (c *Cursor) str() []byte {
	start := c.i + 1
	for i := start; i < len(c.b); i++ {
		switch ch := c.b[i]; {
		case ch == '"':
			c.i = i + 1
			return c.b[start:i:i]
		case ch == '\\':
			c.i = i
			return c.escaped(start)
		case ch < 0x20:
			c.fail(i, "control character in a string")
			return nil
		}
	}
	c.ended("inside a string")
	return nil
}

func (c *Cursor) escaped(start int) []byte {
	base := len(c.arena)
	c.arena = append(c.arena, c.b[start:c.i]...)
	for c.i < len(c.b) {
		ch := c.b[c.i]
		switch {
		case ch == '"':
			c.i++
			return c.arena[base:len(c.arena):len(c.arena)]
		case ch < 0x20:
			c.fail(c.i, "control character in a string")
			return nil
		case ch != '\\':
			c.arena = append(c.arena, ch)
			c.i++
			continue
		}
		c.escape()
		if c.err != nil {
			return nil
		}
	}
	c.ended("inside a string")
	return nil
}

func (c *Cursor) escape() {
	at := c.i
	if at+1 >= len(c.b) {
		c.ended("inside an escape")
		return
	}
	c.i += 2
	switch ch := c.b[at+1]; ch {
	case '"', '\\', '/':
		c.arena = append(c.arena, ch)
	case 'b':
		c.arena = append(c.arena, '\b')
	case 'f':
		c.arena = append(c.arena, '\f')
	case 'n':
		c.arena = append(c.arena, '\n')
	case 'r':
		c.arena = append(c.arena, '\r')
	case 't':
		c.arena = append(c.arena, '\t')
	case 'u':
		r, ok := c.hex4(c.i)
		if !ok {
			return
		}
		c.i += 4
		if !utf16.IsSurrogate(r) {
			c.arena = utf8.AppendRune(c.arena, r)
			return
		}
		if r < 0xDC00 && c.i+1 < len(c.b) && c.b[c.i] == '\\' && c.b[c.i+1] == 'u' {
			lo, ok := c.hex4(c.i + 2)
			if !ok {
				return
			}
			if p := utf16.DecodeRune(r, lo); p != utf8.RuneError {
				c.i += 6
				c.arena = utf8.AppendRune(c.arena, p)
				return
			}
		}
		if !c.Lone {
			rest := c.b[c.i:]
			if r < 0xDC00 && c.i+len(rest) == c.size && strings.HasPrefix(`\u`, string(rest)) {
				c.ended("inside a surrogate pair")
				return
			}
			c.fail(at, "lone surrogate in a string")
			return
		}
		c.arena = appendSurrogate(c.arena, r)
	default:
		c.fail(at, "invalid escape in a string")
	}
}

func (c *Cursor) hex4(at int) (rune, bool) {
	var r rune
	for k := at; k < at+4; k++ {
		if k >= len(c.b) {
			c.ended("inside an escape")
			return 0, false
		}
		ch := c.b[k]
		switch {
		case '0' <= ch && ch <= '9':
			r = r<<4 | rune(ch-'0')
		case 'a' <= ch && ch <= 'f':
			r = r<<4 | rune(ch-'a'+10)
		case 'A' <= ch && ch <= 'F':
			r = r<<4 | rune(ch-'A'+10)
		default:
			c.fail(k, "invalid escape in a string")
			return 0, false
		}
	}
	return r, true
}

// Number reads a number and gives its text as written.
func (c *Cursor) Number() []byte {
	start := c.i
	if ch := c.Peek(); ch != '-' && (ch < '0' || ch > '9') {
		c.unexpected("a number")
		return nil
	}
	start = c.i
	if c.b[c.i] == '-' {
		c.i++
	}
	switch {
	case c.i < len(c.b) && c.b[c.i] == '0':
		c.i++
	case !c.digits():
		return nil
	}
	if c.i < len(c.b) && c.b[c.i] == '.' {
		c.i++
		if !c.digits() {
			return nil
		}
	}
	if c.i < len(c.b) && (c.b[c.i] == 'e' || c.b[c.i] == 'E') {
		c.i++
		if c.i < len(c.b) && (c.b[c.i] == '+' || c.b[c.i] == '-') {
			c.i++
		}
		if !c.digits() {
			return nil
		}
	}
	return c.b[start:c.i:c.i]
}

func (c *Cursor) digits() bool {
	n := 0
	for c.i < len(c.b) && '0' <= c.b[c.i] && c.b[c.i] <= '9' {
		c.i++
		n++
	}
	if n == 0 {
		c.unexpected("a digit")
	}
	return n > 0
}

// Int reads a whole number written without fraction or exponent. Numbers
// outside ±2^53 come back as that bound, so that a range check refuses them.
func (c *Cursor) Int() int {
	at := c.Offset()
	s := c.Number()
	const limit = 1 << 53
	neg, n := false, int64(0)
	for _, ch := range s {
		switch {
		case ch == '-':
			neg = true
		case ch < '0' || ch > '9':
			c.fail(at, "not a whole number")
			return 0
		default:
			if n = n*10 + int64(ch-'0'); n > limit {
				n = limit
			}
		}
	}
	if neg {
		n = -n
	}
	return int(n)
}

// IntOr reads a whole number as [Cursor.Int] does, or null as def.
func (c *Cursor) IntOr(def int) int {
	if c.Null() {
		return def
	}
	return c.Int()
}

// Skip passes over one value of any kind, checks its syntax, and gives its
// bytes as they stand. Names that occur twice inside it are no error here:
// what is skipped is either not used or checked later.
func (c *Cursor) Skip() []byte {
	c.Peek()
	start := c.i
	c.skip(0)
	if c.err != nil {
		return nil
	}
	return c.b[start:c.i:c.i]
}

func (c *Cursor) skip(depth int) {
	if depth > maxSkipDepth {
		c.fail(c.i, "nested too deep")
		return
	}
	switch ch := c.Peek(); ch {
	case '{', '[':
		c.i++
		end := ch + 2 // '}' is '{'+2 and ']' is '['+2
		if c.Peek() == end {
			c.i++
			return
		}
		for c.err == nil {
			if ch == '{' {
				if c.Peek() != '"' {
					c.unexpected("a name in quotes")
					return
				}
				c.skipStr()
				if c.Peek() != ':' {
					c.unexpected("a colon")
					return
				}
				c.i++
			}
			c.skip(depth + 1)
			switch c.Peek() {
			case ',':
				c.i++
			case end:
				c.i++
				return
			default:
				c.unexpected("a comma or the end of the value")
			}
		}
	case '"':
		c.skipStr()
	case 't':
		c.literal("true")
	case 'f':
		c.literal("false")
	case 'n':
		c.literal("null")
	default:
		if c.err != nil {
			return
		}
		if ch == '-' || '0' <= ch && ch <= '9' {
			c.Number()
			return
		}
		c.unexpected("a value")
	}
}

// skipStr passes over a string without keeping it in the arena.
func (c *Cursor) skipStr() {
	base := len(c.arena)
	c.str()
	c.arena = c.arena[:base]
}

// End checks that nothing but white space follows.
func (c *Cursor) End() {
	if c.Peek() != 0 || c.err == nil && c.i < c.size {
		c.fail(c.i, "data after the end of the JSON value")
	}
}
