package toolcall

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
)

// strictError is why arguments could not be decoded.
type strictError struct {
	kind   Kind
	offset int
	err    error
}

func (e *strictError) Error() string { return e.err.Error() }

// parseStrict decodes one JSON document. It refuses what encoding/json takes in
// silence: names twice in an object, invalid UTF-8, lone surrogates, data after
// the document, and nesting deeper than maxDepth. Numbers stay json.Number, so
// that integers above 2^53 survive.
//
// A syntax error anywhere outranks a name twice: if the text is no JSON, what
// its objects hold says nothing.
func parseStrict(raw []byte, maxDepth int) (any, *strictError) {
	p := parser{max: maxDepth}
	p.c.AllowDup = true
	p.c.Reset(raw)
	v := p.value(1)
	p.c.End()
	if err := p.c.Err(); err != nil {
		se := &strictError{kind: InvalidJSON, offset: -1, err: err}
		var je *strictjson.Error
		if errors.As(err, &je) {
			se.offset = je.Offset
		}
		return nil, se
	}
	if p.dup != nil {
		return nil, p.dup
	}
	return v, nil
}

type parser struct {
	c   strictjson.Cursor
	max int
	dup *strictError
}

func (p *parser) value(depth int) any {
	switch p.c.Peek() {
	case '{':
		if depth > p.max {
			p.c.Fail(fmt.Sprintf("nested deeper than %d", p.max))
			return nil
		}
		m := map[string]any{}
		for p.c.Object(); p.c.Next(); {
			key, at := string(p.c.Key()), p.c.KeyOffset()
			if _, twice := m[key]; twice && p.dup == nil {
				p.dup = &strictError{
					kind: DuplicateKey, offset: at,
					err: &strictjson.Error{Offset: at, Msg: fmt.Sprintf("name %.80q twice in one object", key)},
				}
			}
			m[key] = p.value(depth + 1)
		}
		return m
	case '[':
		if depth > p.max {
			p.c.Fail(fmt.Sprintf("nested deeper than %d", p.max))
			return nil
		}
		a := []any{}
		for p.c.Array(); p.c.Next(); {
			a = append(a, p.value(depth+1))
		}
		return a
	case '"':
		return string(p.c.String())
	case 't', 'f':
		return p.c.Bool()
	case 'n':
		p.c.Null()
		return nil
	default:
		return json.Number(p.c.Number())
	}
}
