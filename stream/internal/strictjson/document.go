package strictjson

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
)

// Document is what [Scan] found out about a text: whether its value is an
// object, and that object's members in order.
type Document struct {
	Object  bool
	Members []Member
}

// Member is one member of the outermost object.
type Member struct {
	Name   string
	Raw    []byte // the value as it stands in the text
	Offset int    // of the value
}

// Scan checks that text is exactly one JSON document of at most maxDepth levels
// in which strings are valid UTF-8, surrogates come in pairs and no object has a
// name twice, nor two that differ only in letter case, which encoding/json takes
// for the same field. On an error, which is an [*Error], the document holds the
// members of the outermost object that were whole by then.
func Scan(text []byte, maxDepth int) (Document, *Error) {
	s := scan{max: maxDepth}
	s.c.AllowDup = true // folded names are compared instead
	s.c.Reset(text)
	s.doc.Object = s.c.Peek() == '{'
	s.value(0)
	s.c.End()
	return s.doc, s.c.err
}

type scan struct {
	c   Cursor
	max int
	doc Document
}

func (s *scan) value(depth int) {
	switch s.c.Peek() {
	case '{':
		if s.tooDeep(depth) {
			return
		}
		var names names
		for s.c.Object(); s.c.Next(); {
			name := s.c.Key()
			if first, twice := names.add(name); twice {
				s.c.fail(s.c.KeyOffset(), sameName(first, string(name)))
				return
			}
			s.c.Peek()
			at := s.c.Offset()
			s.value(depth + 1)
			if depth == 0 && s.c.err == nil {
				s.doc.Members = append(s.doc.Members, Member{string(name), s.c.b[at:s.c.i:s.c.i], at})
			}
		}
	case '[':
		if s.tooDeep(depth) {
			return
		}
		for s.c.Array(); s.c.Next(); {
			s.value(depth + 1)
		}
	default:
		s.c.Skip()
	}
}

func (s *scan) tooDeep(depth int) bool {
	if depth == s.max {
		s.c.Fail(fmt.Sprintf("nested deeper than %d", s.max))
	}
	return depth == s.max
}

func sameName(first, name string) string {
	if first == name {
		return fmt.Sprintf("name %.80q twice in one object", name)
	}
	return fmt.Sprintf("names %.80q and %.80q differ only in letter case", first, name)
}

// names are the names of one object. Most objects have few, and comparing those
// one by one is cheaper than a map.
type names struct {
	few  [8][]byte
	n    int
	many map[string]string // by folded name
}

// add gives the name that is taken for the same, if there is one.
func (ns *names) add(name []byte) (first string, twice bool) {
	if ns.many == nil {
		for _, f := range ns.few[:ns.n] {
			if bytes.EqualFold(f, name) {
				return string(f), true
			}
		}
		if ns.n < len(ns.few) {
			ns.few[ns.n] = name
			ns.n++
			return "", false
		}
		ns.many = make(map[string]string, 4*len(ns.few))
		for _, f := range ns.few {
			ns.many[fold(f)] = string(f)
		}
	}
	key := fold(name)
	if first, twice = ns.many[key]; !twice {
		ns.many[key] = string(name)
	}
	return first, twice
}

// fold maps names that bytes.EqualFold calls the same to one.
func fold(name []byte) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, string(name))
}
