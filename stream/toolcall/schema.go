package toolcall

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CompileSchema reads the part of JSON Schema (draft 2020-12) that tool
// declarations use, for checks without a dependency:
//
//	type (one or several, also upper case as in Gemini's OpenAPI form), nullable,
//	enum, const, required, properties, additionalProperties, items,
//	minItems, maxItems, minLength, maxLength (in characters), pattern,
//	minimum, maximum, exclusiveMinimum, exclusiveMaximum, minProperties,
//	maxProperties, allOf, anyOf, oneOf, not, and $ref to "#" or below
//	"#/$defs" and "#/definitions"
//
// Annotations (title, description, default, examples, format, …) are passed
// over. Any other keyword is an error and not ignored: a rule that is not
// checked must not look as if it were. Use package toolcall/jsonschema for
// those. Patterns are RE2 expressions, not ECMAScript ones; most are both.
//
// The error is a *[DeclarationError].
func CompileSchema(schema []byte) (Validator, error) {
	doc, serr := parseStrict(schema, 256)
	if serr != nil {
		return nil, &DeclarationError{Offset: serr.offset, Err: serr}
	}
	c := &compiler{doc: doc, done: map[string]*node{}}
	n, err := c.ref("#")
	if err != nil {
		return nil, err
	}
	if err := checkLoops(c.done); err != nil {
		return nil, err
	}
	return n, nil
}

type node struct {
	never   bool // the schema false
	types   []string
	hasEnum bool
	enum    []any

	required []string
	props    map[string]*node
	extra    *node // additionalProperties
	items    *node
	pattern  *regexp.Regexp

	minLen, maxLen, minItems, maxItems, minProps, maxProps int // -1 if not set

	min, max, exMin, exMax *decimal

	all, any, one []*node
	not, ref      *node
}

type compiler struct {
	doc  any
	done map[string]*node
}

// annotations say nothing about validity. "format" is one of them by default
// in draft 2020-12; the vendors' own keys for tools are here too.
var annotations = map[string]bool{
	"title": true, "description": true, "default": true, "examples": true, "example": true,
	"format": true, "deprecated": true, "readOnly": true, "writeOnly": true,
	"$schema": true, "$id": true, "$comment": true, "$defs": true, "definitions": true,
	"contentEncoding": true, "contentMediaType": true,
	"propertyOrdering": true, "strict": true,
}

func (c *compiler) ref(ref string) (*node, error) {
	if n := c.done[ref]; n != nil {
		return n, nil
	}
	at := c.doc
	if ref != "#" {
		if !strings.HasPrefix(ref, "#/") {
			return nil, badSchema(ref, "the $ref leaves the document")
		}
		for _, tok := range strings.Split(ref[2:], "/") {
			tok, err := url.PathUnescape(tok)
			if err != nil {
				return nil, badSchema(ref, "%w", err)
			}
			tok = strings.NewReplacer("~1", "/", "~0", "~").Replace(tok)
			switch v := at.(type) {
			case map[string]any:
				var ok bool
				if at, ok = v[tok]; !ok {
					return nil, badSchema(ref, "the $ref leads nowhere")
				}
			case []any:
				i, err := strconv.Atoi(tok)
				if err != nil || i < 0 || i >= len(v) {
					return nil, badSchema(ref, "the $ref leads nowhere")
				}
				at = v[i]
			default:
				return nil, badSchema(ref, "the $ref leads nowhere")
			}
		}
	}
	// Registered before it is filled, so that a recursive schema finds itself.
	n := &node{}
	c.done[ref] = n
	return n, c.fill(n, at, ref)
}

func (c *compiler) sub(v any, at string) (*node, error) {
	n := &node{}
	return n, c.fill(n, v, at)
}

func (c *compiler) fill(n *node, v any, at string) error {
	n.minLen, n.maxLen, n.minItems, n.maxItems, n.minProps, n.maxProps = -1, -1, -1, -1, -1, -1
	if b, ok := v.(bool); ok {
		n.never = !b
		return nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return badSchema(at, "neither an object nor a boolean")
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys) // so that the same schema always gives the same error
	for _, k := range keys {
		if err := c.keyword(n, k, m[k], at+"/"+escapePointer(k)); err != nil {
			return err
		}
	}
	if nullable, _ := m["nullable"].(bool); nullable && n.types != nil {
		n.types = append(n.types, "null")
	}
	return nil
}

func (c *compiler) keyword(n *node, k string, v any, at string) (err error) {
	bad := func(want string) error { return badSchema(at, "not %s", want) }
	switch k {
	case "type":
		n.types = []string{}
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, t := range list {
			s, _ := t.(string)
			if s == strings.ToUpper(s) {
				s = strings.ToLower(s)
			}
			if !slices.Contains([]string{"object", "array", "string", "number", "integer", "boolean", "null"}, s) {
				return bad("a type of JSON Schema")
			}
			n.types = append(n.types, s)
		}
		if len(n.types) == 0 {
			return bad("a type of JSON Schema")
		}
	case "nullable":
		if _, ok := v.(bool); !ok {
			return bad("a boolean")
		}
	case "enum":
		list, ok := v.([]any)
		if !ok || len(list) == 0 {
			return bad("a list of values")
		}
		n.hasEnum, n.enum = true, list
	case "const":
		// const beside enum leaves the values that are in both.
		if n.hasEnum {
			n.all = append(n.all, &node{hasEnum: true, enum: n.enum,
				minLen: -1, maxLen: -1, minItems: -1, maxItems: -1, minProps: -1, maxProps: -1})
		}
		n.all = append(n.all, &node{hasEnum: true, enum: []any{v},
			minLen: -1, maxLen: -1, minItems: -1, maxItems: -1, minProps: -1, maxProps: -1})
	case "required":
		list, ok := v.([]any)
		if !ok {
			return bad("a list of names")
		}
		for _, e := range list {
			s, ok := e.(string)
			if !ok {
				return bad("a list of names")
			}
			n.required = append(n.required, s)
		}
	case "properties":
		m, ok := v.(map[string]any)
		if !ok {
			return bad("an object of schemas")
		}
		n.props = make(map[string]*node, len(m))
		for name, s := range m {
			if n.props[name], err = c.sub(s, at+"/"+escapePointer(name)); err != nil {
				return err
			}
		}
	case "additionalProperties":
		n.extra, err = c.sub(v, at)
	case "items":
		n.items, err = c.sub(v, at)
	case "not":
		n.not, err = c.sub(v, at)
	case "$ref":
		s, ok := v.(string)
		if !ok {
			return bad("a reference")
		}
		n.ref, err = c.ref(s)
	case "allOf", "anyOf", "oneOf":
		list, ok := v.([]any)
		if !ok || len(list) == 0 {
			return bad("a list of schemas")
		}
		var subs []*node
		for i, e := range list {
			s, err := c.sub(e, at+"/"+strconv.Itoa(i))
			if err != nil {
				return err
			}
			subs = append(subs, s)
		}
		switch k {
		case "allOf":
			n.all = append(n.all, subs...)
		case "anyOf":
			n.any = subs
		default:
			n.one = subs
		}
	case "pattern":
		s, ok := v.(string)
		if !ok {
			return bad("a pattern")
		}
		if n.pattern, err = regexp.Compile(s); err != nil {
			return badSchema(at, "%w (package toolcall/jsonschema may know it)", err)
		}
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		num, _ := v.(json.Number)
		i, err := strconv.Atoi(string(num))
		if err != nil || i < 0 {
			return bad("a count")
		}
		*map[string]*int{"minLength": &n.minLen, "maxLength": &n.maxLen, "minItems": &n.minItems,
			"maxItems": &n.maxItems, "minProperties": &n.minProps, "maxProperties": &n.maxProps}[k] = i
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		num, ok := v.(json.Number)
		if !ok {
			return bad("a number")
		}
		d := parseDecimal(string(num))
		*map[string]**decimal{"minimum": &n.min, "maximum": &n.max,
			"exclusiveMinimum": &n.exMin, "exclusiveMaximum": &n.exMax}[k] = &d
	default:
		if !annotations[k] && !strings.HasPrefix(k, "x-") {
			return badSchema(at, "the built-in check does not know this keyword (package toolcall/jsonschema does)")
		}
	}
	return err
}

// checkLoops refuses schemas that refer to themselves without going down into
// the value, which would never end.
func checkLoops(done map[string]*node) error {
	const visiting, visited = 1, 2
	state := map[*node]int{}
	var walk func(n *node) bool
	walk = func(n *node) bool {
		if n == nil || state[n] == visited {
			return true
		}
		if state[n] == visiting {
			return false
		}
		state[n] = visiting
		ok := walk(n.ref) && walk(n.not)
		for _, list := range [][]*node{n.all, n.any, n.one} {
			for _, s := range list {
				ok = ok && walk(s)
			}
		}
		state[n] = visited
		return ok
	}
	for ref, n := range done {
		if !walk(n) {
			return badSchema(ref, "refers to itself for the same value")
		}
	}
	return nil
}

func escapePointer(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

// Validate implements [Validator].
func (n *node) Validate(value any) error {
	if e := n.check(value, ""); e != nil {
		return e
	}
	return nil
}

func fault(path, keyword, format string, args ...any) *SchemaError {
	return &SchemaError{Path: path, Keyword: keyword, Msg: fmt.Sprintf(format, args...)}
}

func (n *node) check(v any, path string) *SchemaError {
	if n.never {
		return fault(path, "false", "no value is allowed")
	}
	if n.types != nil && !slices.ContainsFunc(n.types, func(t string) bool { return isType(v, t) }) {
		return fault(path, "type", "want %s, have %s", strings.Join(n.types, " or "), typeOf(v))
	}
	if n.hasEnum && !slices.ContainsFunc(n.enum, func(e any) bool { return equal(e, v) }) {
		return fault(path, "enum", "the value is none of those allowed")
	}
	var e *SchemaError
	switch v := v.(type) {
	case map[string]any:
		e = n.object(v, path)
	case []any:
		e = n.array(v, path)
	case string:
		e = n.string(v, path)
	case json.Number:
		e = n.number(v, path)
	}
	if e != nil {
		return e
	}
	return n.combine(v, path)
}

func (n *node) combine(v any, path string) *SchemaError {
	if n.ref != nil {
		if e := n.ref.check(v, path); e != nil {
			return e
		}
	}
	for _, s := range n.all {
		if e := s.check(v, path); e != nil {
			return e
		}
	}
	if n.any != nil && !slices.ContainsFunc(n.any, func(s *node) bool { return s.check(v, path) == nil }) {
		return fault(path, "anyOf", "the value fits none of the alternatives")
	}
	if n.one != nil {
		fits := 0
		for _, s := range n.one {
			if s.check(v, path) == nil {
				fits++
			}
		}
		if fits != 1 {
			return fault(path, "oneOf", "the value fits %d of the alternatives, want 1", fits)
		}
	}
	if n.not != nil && n.not.check(v, path) == nil {
		return fault(path, "not", "the value is excluded")
	}
	return nil
}

func (n *node) object(m map[string]any, path string) *SchemaError {
	for _, r := range n.required {
		if _, ok := m[r]; !ok {
			return fault(path, "required", "required key %q is missing", r)
		}
	}
	if n.minProps >= 0 && len(m) < n.minProps {
		return fault(path, "minProperties", "want at least %d keys, have %d", n.minProps, len(m))
	}
	if n.maxProps >= 0 && len(m) > n.maxProps {
		return fault(path, "maxProperties", "want at most %d keys, have %d", n.maxProps, len(m))
	}
	if n.props == nil && n.extra == nil {
		return nil
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		s := n.props[k]
		if s == nil {
			if s = n.extra; s == nil {
				continue
			}
			if s.never {
				return fault(path, "additionalProperties", "key %.80q is not allowed", k)
			}
		}
		if e := s.check(m[k], path+"/"+escapePointer(k)); e != nil {
			return e
		}
	}
	return nil
}

func (n *node) array(a []any, path string) *SchemaError {
	if n.minItems >= 0 && len(a) < n.minItems {
		return fault(path, "minItems", "want at least %d items, have %d", n.minItems, len(a))
	}
	if n.maxItems >= 0 && len(a) > n.maxItems {
		return fault(path, "maxItems", "want at most %d items, have %d", n.maxItems, len(a))
	}
	if n.items != nil {
		for i, v := range a {
			if e := n.items.check(v, path+"/"+strconv.Itoa(i)); e != nil {
				return e
			}
		}
	}
	return nil
}

func (n *node) string(s, path string) *SchemaError {
	if n.minLen >= 0 || n.maxLen >= 0 {
		have := utf8.RuneCountInString(s)
		if n.minLen >= 0 && have < n.minLen {
			return fault(path, "minLength", "want at least %d characters, have %d", n.minLen, have)
		}
		if n.maxLen >= 0 && have > n.maxLen {
			return fault(path, "maxLength", "want at most %d characters, have %d", n.maxLen, have)
		}
	}
	if n.pattern != nil && !n.pattern.MatchString(s) {
		return fault(path, "pattern", "the value does not match %s", n.pattern)
	}
	return nil
}

func (n *node) number(num json.Number, path string) *SchemaError {
	if n.min == nil && n.max == nil && n.exMin == nil && n.exMax == nil {
		return nil
	}
	d := parseDecimal(string(num))
	switch {
	case n.min != nil && d.cmp(*n.min) < 0:
		return fault(path, "minimum", "the number is too small")
	case n.max != nil && d.cmp(*n.max) > 0:
		return fault(path, "maximum", "the number is too large")
	case n.exMin != nil && d.cmp(*n.exMin) <= 0:
		return fault(path, "exclusiveMinimum", "the number is too small")
	case n.exMax != nil && d.cmp(*n.exMax) >= 0:
		return fault(path, "exclusiveMaximum", "the number is too large")
	}
	return nil
}

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return fmt.Sprintf("%T", v)
}

func isType(v any, t string) bool {
	if t == "integer" {
		num, ok := v.(json.Number)
		return ok && parseDecimal(string(num)).integer()
	}
	return typeOf(v) == t
}

// equal compares decoded values as JSON Schema does: numbers by value.
func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && parseDecimal(string(a)).cmp(parseDecimal(string(b))) == 0
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			w, ok := b[k]
			if !ok || !equal(v, w) {
				return false
			}
		}
		return true
	}
	return a == b
}
