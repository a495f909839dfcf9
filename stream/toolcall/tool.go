package toolcall

import (
	"encoding/json"
	"errors"
	"strings"
)

// Validator checks decoded arguments against a tool's schema. value is what a
// strict decode gave: map[string]any, []any, string, json.Number, bool and nil.
// It must not be changed. The error should be, or wrap, a *[SchemaError].
//
// [CompileSchema] gives the built-in one; package toolcall/jsonschema gives one
// for full JSON Schema.
type Validator interface {
	Validate(value any) error
}

// Tool declares one tool that was offered to the model. One of Schema,
// Validator and NoParameters must be set: a tool that declares nothing about
// its arguments can't be checked.
type Tool struct {
	Name string
	// Schema is the JSON Schema of the arguments object, read by the built-in
	// check (see [CompileSchema]). The schema `{}` lets every object pass.
	Schema json.RawMessage
	// Validator checks the arguments in place of, or after, Schema.
	Validator Validator
	// NoParameters declares that the tool takes none: no argument bytes and
	// `{}` are the only calls.
	NoParameters bool
}

// Set is the offered tools, immutable after [NewSet] and safe for concurrent use.
type Set struct {
	tools    map[string]*tool
	prefixes map[string]bool // proper prefixes of names, for names cut in two
}

type tool struct {
	name       string
	checks     []Validator
	allowEmpty bool // no argument bytes stand for {}
}

// NewSet compiles the declarations. It refuses an empty or repeated name, a
// schema it can't read, and a tool that declares nothing, with a
// *[DeclarationError].
func NewSet(tools ...Tool) (*Set, error) {
	s := &Set{tools: make(map[string]*tool, len(tools)), prefixes: map[string]bool{}}
	for _, t := range tools {
		c, err := t.compile()
		if err != nil {
			return nil, declaration(t.Name, err)
		}
		if s.tools[t.Name] != nil {
			return nil, declaration(t.Name, errors.New("declared twice"))
		}
		s.tools[t.Name] = c
		for i := 1; i < len(t.Name); i++ {
			s.prefixes[t.Name[:i]] = true
		}
	}
	return s, nil
}

func declaration(tool string, err error) error {
	var d *DeclarationError
	if !errors.As(err, &d) {
		d = &DeclarationError{Offset: -1, Err: err}
	}
	named := *d
	named.Tool = tool
	return &named
}

// MustSet is [NewSet] for declarations that are part of the program; it panics
// on an error.
func MustSet(tools ...Tool) *Set {
	s, err := NewSet(tools...)
	if err != nil {
		panic(err)
	}
	return s
}

func (t Tool) compile() (*tool, error) {
	c := &tool{name: t.Name}
	switch {
	case strings.TrimSpace(t.Name) == "":
		return nil, errors.New("no name")
	case t.NoParameters && (t.Schema != nil || t.Validator != nil):
		return nil, errors.New("NoParameters excludes Schema and Validator")
	case t.NoParameters:
		c.checks = []Validator{noParameters{}}
	case t.Schema == nil && t.Validator == nil:
		return nil, errors.New("one of Schema, Validator and NoParameters must be set")
	}
	if t.Schema != nil {
		v, err := CompileSchema(t.Schema)
		if err != nil {
			return nil, err
		}
		c.checks = append(c.checks, v)
	}
	if t.Validator != nil {
		c.checks = append(c.checks, t.Validator)
	}
	// No argument bytes mean the empty object, so they are allowed exactly
	// where the declaration lets the empty object pass.
	c.allowEmpty = c.check(map[string]any{}) == nil
	return c, nil
}

func (t *tool) check(value any) error {
	for _, v := range t.checks {
		if err := v.Validate(value); err != nil {
			return err
		}
	}
	return nil
}

type noParameters struct{}

func (noParameters) Validate(value any) error {
	if m, ok := value.(map[string]any); ok && len(m) == 0 {
		return nil
	}
	return &SchemaError{Keyword: "additionalProperties", Msg: "the tool takes no parameters"}
}

func (s *Set) tool(name string) *tool {
	if s == nil {
		return nil
	}
	return s.tools[name]
}

func (s *Set) has(name string) bool { return s.tool(name) != nil }

func (s *Set) hasPrefix(name string) bool { return s != nil && s.prefixes[name] }
