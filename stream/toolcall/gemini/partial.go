package gemini

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
	"github.com/streamlint/streamlint/stream/toolcall"
)

// piece is one element of partialArgs: a value, or a piece of a string, at a
// place in the arguments.
type piece struct {
	path  string
	str   []byte
	isStr bool
	raw   []byte // a number, a boolean or null
	more  bool
}

func (q *piece) read(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "jsonPath":
			q.path = string(c.String())
		case "stringValue":
			q.str, q.isStr = bytes.Clone(c.String()), true
		case "numberValue", "boolValue":
			q.raw = bytes.Clone(c.Skip())
		case "nullValue":
			c.Skip() // "NULL_VALUE" or null
			q.raw = []byte("null")
		case "willContinue":
			q.more = c.Bool()
		default:
			c.Skip()
		}
	}
}

// partialCall builds up the arguments of one call from pieces.
type partialCall struct {
	id, name []byte
	root     node
	whole    []byte // args that came beside the pieces
	open     map[string]bool
	size     int
}

// node is a value under construction: an object or array if it has children,
// else a leaf.
type node struct {
	keys  []string // in order of arrival, for objects
	kids  map[string]*node
	list  []*node
	array bool
	leaf  []byte // raw JSON
	str   []byte
	isStr bool
}

func (p *partialCall) same(q *part) bool {
	return (len(q.id) == 0 || bytes.Equal(q.id, p.id)) && (len(q.name) == 0 || bytes.Equal(q.name, p.name))
}

func (p *partialCall) unfinished() bool { return len(p.open) > 0 }

// errTooLarge says that a call took more memory than the turn has left.
var errTooLarge = errors.New("the arguments' pieces exceed the limit of the turn")

// nodeSize is about what a node takes beside its text.
const nodeSize = 128

// add takes in a part; the call may grow to limit bytes.
func (p *partialCall) add(q *part, limit int) error {
	if a := q.args; len(a) > 0 && string(a) != "{}" {
		if p.whole != nil && !bytes.Equal(p.whole, a) {
			return errors.New("args came twice and differ")
		}
		if p.whole == nil {
			if p.size += len(a); p.size > limit {
				return errTooLarge
			}
			p.whole = bytes.Clone(a)
		}
	}
	for _, pc := range q.pieces {
		if err := p.put(pc, limit); err != nil {
			return err
		}
	}
	return nil
}

func (p *partialCall) put(q piece, limit int) error {
	if p.size += len(q.path) + len(q.str) + len(q.raw); p.size > limit {
		return errTooLarge
	}
	steps, err := parsePath(q.path)
	if err != nil {
		return err
	}
	n := &p.root
	for _, st := range steps {
		var made bool
		if n, made, err = n.child(st); err != nil {
			return fmt.Errorf("jsonPath %.80q: %w", q.path, err)
		}
		if made {
			if p.size += nodeSize; p.size > limit {
				return errTooLarge
			}
		}
	}
	if p.open == nil {
		p.open = map[string]bool{}
	}
	switch {
	case n.kids != nil || n.array:
		return fmt.Errorf("jsonPath %.80q: a value where an object or array is", q.path)
	case q.isStr && (n.leaf == nil && !n.isStr || n.isStr && p.open[q.path]):
		n.str, n.isStr = strictjson.Join(n.str, q.str), true
	case q.raw != nil && n.leaf == nil && !n.isStr:
		n.leaf = q.raw
	case !q.isStr && q.raw == nil:
		return fmt.Errorf("jsonPath %.80q: no value", q.path)
	default:
		return fmt.Errorf("jsonPath %.80q: a second value", q.path)
	}
	if q.more {
		p.open[q.path] = true
	} else {
		delete(p.open, q.path)
	}
	return nil
}

// encode gives the arguments' text. Both forms at once are refused later: two
// documents are no JSON.
func (p *partialCall) encode() []byte {
	var b bytes.Buffer
	b.Write(p.whole)
	if p.root.kids != nil || p.root.array {
		p.root.write(&b)
	}
	return b.Bytes()
}

func (n *node) write(b *bytes.Buffer) {
	switch {
	case n.array:
		b.WriteByte('[')
		for i, k := range n.list {
			if i > 0 {
				b.WriteByte(',')
			}
			k.write(b)
		}
		b.WriteByte(']')
	case n.kids != nil:
		b.WriteByte('{')
		for i, k := range n.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(toolcall.Marshal(k))
			b.WriteByte(':')
			n.kids[k].write(b)
		}
		b.WriteByte('}')
	case n.isStr:
		b.Write(quote(n.str))
	default:
		b.Write(n.leaf)
	}
}

// quote encodes a string. A half surrogate without its partner must not become
// U+FFFD in silence, so it stays and makes the arguments invalid.
func quote(s []byte) []byte {
	out := []byte{'"'}
	for _, ch := range s {
		switch {
		case ch == '"' || ch == '\\':
			out = append(out, '\\', ch)
		case ch < 0x20:
			out = fmt.Appendf(out, `\u%04x`, ch)
		default:
			out = append(out, ch)
		}
	}
	return append(out, '"')
}

type step struct {
	key   string
	index int // -1 for a key
}

// child goes one step down, and makes what is not there yet.
func (n *node) child(st step) (kid *node, made bool, err error) {
	if n.leaf != nil || n.isStr {
		return nil, false, errors.New("below a value that is no object or array")
	}
	if st.index >= 0 {
		if n.kids != nil {
			return nil, false, errors.New("an index into an object")
		}
		n.array = true
		switch {
		case st.index < len(n.list):
			return n.list[st.index], false, nil
		case st.index > len(n.list):
			return nil, false, errors.New("an index that leaves a gap")
		}
		kid = &node{}
		n.list = append(n.list, kid)
		return kid, true, nil
	}
	if n.array {
		return nil, false, errors.New("a key into an array")
	}
	if n.kids == nil {
		n.kids = map[string]*node{}
	}
	if kid = n.kids[st.key]; kid != nil {
		return kid, false, nil
	}
	kid = &node{}
	n.kids[st.key] = kid
	n.keys = append(n.keys, st.key)
	return kid, true, nil
}

// parsePath reads the JSONPath (RFC 9535) of one place: "$", names as ".name"
// or "['name']", and indexes as "[0]".
func parsePath(p string) ([]step, error) {
	bad := func() ([]step, error) { return nil, fmt.Errorf("jsonPath %.80q can't be read", p) }
	rest, ok := strings.CutPrefix(p, "$")
	if !ok || rest == "" {
		return bad()
	}
	var steps []step
	for rest != "" {
		if len(steps) > 128 {
			return bad()
		}
		if name, ok := strings.CutPrefix(rest, "."); ok {
			end := strings.IndexAny(name, ".[")
			if end < 0 {
				end = len(name)
			}
			if end == 0 {
				return bad()
			}
			steps = append(steps, step{key: name[:end], index: -1})
			rest = name[end:]
			continue
		}
		in, ok := strings.CutPrefix(rest, "[")
		if !ok || in == "" {
			return bad()
		}
		if q := in[0]; q == '\'' || q == '"' {
			key, tail, ok := unquote(in[1:], q)
			if !ok {
				return bad()
			}
			if rest, ok = strings.CutPrefix(tail, "]"); !ok {
				return bad()
			}
			steps = append(steps, step{key: key, index: -1})
			continue
		}
		num, tail, ok := strings.Cut(in, "]")
		i, err := strconv.Atoi(num)
		if !ok || err != nil || i < 0 {
			return bad()
		}
		steps = append(steps, step{index: i})
		rest = tail
	}
	return steps, nil
}

func unquote(s string, q byte) (key, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == q:
			return b.String(), s[i+1:], true
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == q || s[i+1] == '\\'):
			i++
			b.WriteByte(s[i])
		case s[i] == '\\':
			return "", "", false
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}
