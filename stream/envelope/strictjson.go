package envelope

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDepth bounds nesting, and with it the scanner's stack.
const maxDepth = 256

// document is what scanJSON found out about a text: whether its value is an
// object, and that object's members in order.
type document struct {
	object  bool
	members []member
}

type member struct {
	name   string
	raw    json.RawMessage
	offset int // of the value
}

// syntaxError is why a text is not one strict JSON document.
type syntaxError struct {
	offset int
	msg    string
	short  bool // the text ended too early; more bytes could have mended it
}

func (e *syntaxError) Error() string { return e.msg }

func jsonError(err *syntaxError, size int) *IncompleteError {
	return &IncompleteError{Proof: JSON, Offset: int64(err.offset), Bytes: int64(size), Err: err, short: err.short}
}

func fieldError(field, want, got string, offset, size int) *IncompleteError {
	return &IncompleteError{Proof: Field, Field: field, Want: want, Got: got, Offset: int64(offset), Bytes: int64(size)}
}

// scanJSON checks that data is exactly one JSON text (RFC 8259) in which no object
// has a key twice, strings are valid UTF-8 and surrogates come in pairs.
// encoding/json lets all three pass. On an error the document holds the members of
// the outermost object that were whole by then.
func scanJSON(data []byte) (document, *syntaxError) {
	s := scanner{data: data}
	s.space()
	s.doc.object = s.pos < len(data) && data[s.pos] == '{'
	if err := s.value(0); err != nil {
		return s.doc, err
	}
	s.space()
	if s.pos < len(data) {
		return s.doc, s.fail("data after the document")
	}
	return s.doc, nil
}

type scanner struct {
	data []byte
	pos  int
	doc  document
}

func (s *scanner) fail(format string, args ...any) *syntaxError {
	return &syntaxError{offset: s.pos, msg: fmt.Sprintf(format, args...)}
}

func (s *scanner) ended() *syntaxError {
	return &syntaxError{offset: len(s.data), msg: "the text ends inside a value", short: true}
}

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return
		}
	}
}

// peek returns the next byte after white space.
func (s *scanner) peek() (byte, *syntaxError) {
	s.space()
	if s.pos == len(s.data) {
		return 0, s.ended()
	}
	return s.data[s.pos], nil
}

func (s *scanner) value(depth int) *syntaxError {
	c, err := s.peek()
	if err != nil {
		return err
	}
	switch {
	case c == '{':
		return s.object(depth)
	case c == '[':
		return s.array(depth)
	case c == '"':
		_, err := s.string()
		return err
	case c == '-' || isDigit(c):
		return s.number()
	case c == 't':
		return s.literal("true")
	case c == 'f':
		return s.literal("false")
	case c == 'n':
		return s.literal("null")
	}
	return s.fail("a value cannot start with %q", c)
}

func (s *scanner) literal(word string) *syntaxError {
	for i := range len(word) {
		if s.pos == len(s.data) {
			return s.ended()
		}
		if s.data[s.pos] != word[i] {
			return s.fail("want %q", word)
		}
		s.pos++
	}
	return nil
}

func (s *scanner) object(depth int) *syntaxError {
	if depth == maxDepth {
		return s.fail("nested deeper than %d", maxDepth)
	}
	s.pos++
	c, err := s.peek()
	if err != nil {
		return err
	}
	if c == '}' {
		s.pos++
		return nil
	}
	seen := make(map[string]string)
	for {
		if c, err = s.peek(); err != nil {
			return err
		}
		if c != '"' {
			return s.fail("want a key, got %q", c)
		}
		start := s.pos
		name, err := s.string()
		if err != nil {
			return err
		}
		if first, dup := seen[foldKey(name)]; dup {
			s.pos = start
			if first == name {
				return s.fail("key %q is there twice", name)
			}
			return s.fail("keys %q and %q differ only in case", first, name)
		}
		seen[foldKey(name)] = name
		if c, err = s.peek(); err != nil {
			return err
		}
		if c != ':' {
			return s.fail("want a colon, got %q", c)
		}
		s.pos++
		s.space()
		from := s.pos
		if err := s.value(depth + 1); err != nil {
			return err
		}
		if depth == 0 {
			s.doc.members = append(s.doc.members, member{name, json.RawMessage(s.data[from:s.pos]), from})
		}
		if c, err = s.peek(); err != nil {
			return err
		}
		s.pos++
		switch c {
		case '}':
			return nil
		case ',':
		default:
			s.pos--
			return s.fail("want a comma or a closing brace, got %q", c)
		}
	}
}

func (s *scanner) array(depth int) *syntaxError {
	if depth == maxDepth {
		return s.fail("nested deeper than %d", maxDepth)
	}
	s.pos++
	c, err := s.peek()
	if err != nil {
		return err
	}
	if c == ']' {
		s.pos++
		return nil
	}
	for {
		if err := s.value(depth + 1); err != nil {
			return err
		}
		if c, err = s.peek(); err != nil {
			return err
		}
		s.pos++
		switch c {
		case ']':
			return nil
		case ',':
		default:
			s.pos--
			return s.fail("want a comma or a closing bracket, got %q", c)
		}
	}
}

// string reads a string and returns its value.
func (s *scanner) string() (string, *syntaxError) {
	s.pos++
	start := s.pos
	for s.pos < len(s.data) && s.data[s.pos] != '"' && s.data[s.pos] != '\\' && s.data[s.pos] >= ' ' && s.data[s.pos] < utf8.RuneSelf {
		s.pos++
	}
	if s.pos < len(s.data) && s.data[s.pos] == '"' { // plain ASCII, the usual case
		v := string(s.data[start:s.pos])
		s.pos++
		return v, nil
	}
	value := append([]byte(nil), s.data[start:s.pos]...)
	for s.pos < len(s.data) {
		c := s.data[s.pos]
		switch {
		case c == '"':
			s.pos++
			return string(value), nil
		case c == '\\':
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			value = utf8.AppendRune(value, r)
		case c < ' ':
			return "", s.fail("control character %#02x in a string", c)
		case c < utf8.RuneSelf:
			value = append(value, c)
			s.pos++
		default:
			r, size := utf8.DecodeRune(s.data[s.pos:])
			if r == utf8.RuneError && size == 1 {
				if !utf8.FullRune(s.data[s.pos:]) {
					return "", s.ended()
				}
				return "", s.fail("invalid UTF-8 in a string")
			}
			value = append(value, s.data[s.pos:s.pos+size]...)
			s.pos += size
		}
	}
	return "", s.ended()
}

// escape reads one escape, or a pair that makes one character.
func (s *scanner) escape() (rune, *syntaxError) {
	if s.pos+1 == len(s.data) {
		return 0, s.ended()
	}
	const plain, meaning = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	c := s.data[s.pos+1]
	if i := strings.IndexByte(plain, c); i >= 0 {
		s.pos += 2
		return rune(meaning[i]), nil
	}
	if c != 'u' {
		return 0, s.fail("unknown escape \\%c", c)
	}
	start := s.pos
	r, err := s.hex4()
	if err != nil {
		return 0, err
	}
	switch {
	case r >= 0xDC00 && r <= 0xDFFF:
		s.pos = start
		return 0, s.fail("a low surrogate without its pair")
	case r < 0xD800 || r > 0xDFFF:
		return r, nil
	}
	for i, want := range []byte(`\u`) {
		if s.pos+i == len(s.data) {
			return 0, s.ended()
		}
		if s.data[s.pos+i] != want {
			s.pos = start
			return 0, s.fail("a high surrogate without its pair")
		}
	}
	low, err := s.hex4()
	if err != nil {
		return 0, err
	}
	if low < 0xDC00 || low > 0xDFFF {
		s.pos = start
		return 0, s.fail("a high surrogate without its pair")
	}
	return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, nil
}

// hex4 reads the four digits after \u.
func (s *scanner) hex4() (rune, *syntaxError) {
	s.pos += 2
	var r rune
	for range 4 {
		if s.pos == len(s.data) {
			return 0, s.ended()
		}
		c := s.data[s.pos]
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, s.fail("want a hex digit, got %q", c)
		}
		s.pos++
	}
	return r, nil
}

func (s *scanner) number() *syntaxError {
	if s.data[s.pos] == '-' {
		s.pos++
	}
	if s.pos < len(s.data) && s.data[s.pos] == '0' {
		s.pos++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.pos < len(s.data) && s.data[s.pos] == '.' {
		s.pos++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.pos < len(s.data) && (s.data[s.pos] == 'e' || s.data[s.pos] == 'E') {
		s.pos++
		if s.pos < len(s.data) && (s.data[s.pos] == '+' || s.data[s.pos] == '-') {
			s.pos++
		}
		return s.digits()
	}
	return nil
}

func (s *scanner) digits() *syntaxError {
	if s.pos == len(s.data) {
		return s.ended()
	}
	if !isDigit(s.data[s.pos]) {
		return s.fail("want a digit, got %q", s.data[s.pos])
	}
	for s.pos < len(s.data) && isDigit(s.data[s.pos]) {
		s.pos++
	}
	return nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// foldKey maps names that encoding/json takes for the same field to one.
func foldKey(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, name)
}

// kindOf names the type of a checked JSON value.
func kindOf(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// stringOf returns the value of a checked JSON string.
func stringOf(raw []byte) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	s := scanner{data: raw}
	v, err := s.string()
	return v, err == nil
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
