// Package jsonschema checks tool arguments against full JSON Schema (drafts 4 to
// 2020-12). It adapts github.com/santhosh-tekuri/jsonschema/v6 to
// [toolcall.Validator], in a module of its own so that the assembler stays
// without dependencies.
//
// The built-in check of package toolcall covers what tool declarations commonly
// use; take this one for if/then/else, dependent keys, prefixItems, patternProperties,
// unevaluated keys, multipleOf and formats.
package jsonschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/streamlint/streamlint/stream/toolcall"
)

// Option changes how a schema is compiled.
type Option func(*jsonschema.Compiler) error

// AssertFormat makes "format" a rule. In drafts from 2019-09 on it is an
// annotation otherwise.
func AssertFormat() Option {
	return func(c *jsonschema.Compiler) error {
		c.AssertFormat()
		return nil
	}
}

// WithResource makes another schema known under a URL, for $ref.
func WithResource(url string, schema json.RawMessage) Option {
	return func(c *jsonschema.Compiler) error {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
		if err == nil {
			err = inRange(doc)
		}
		if err != nil {
			return fmt.Errorf("resource %s: %w", url, err)
		}
		return c.AddResource(url, doc)
	}
}

// sealed refuses to load: a schema must not make the program read files or URLs.
type sealed struct{}

func (sealed) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is not loaded; give it with WithResource", url)
}

// Compile reads a schema; without $schema it is draft 2020-12. Nothing is loaded
// from files or the network. The error is a *[toolcall.DeclarationError].
func Compile(schema []byte, opts ...Option) (toolcall.Validator, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err == nil {
		err = inRange(doc)
	}
	if err != nil {
		return nil, refused(err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(sealed{})
	for _, o := range opts {
		if err := o(c); err != nil {
			return nil, refused(err)
		}
	}
	const url = "tool:///schema.json"
	if err := c.AddResource(url, doc); err != nil {
		return nil, refused(err)
	}
	s, err := c.Compile(url)
	if err != nil {
		return nil, refused(err)
	}
	return validator{s}, nil
}

// inRange refuses a schema with a number that takes memory out of proportion to its
// text; the library does not survive the largest ones.
func inRange(doc any) error {
	if path, ok := hugeNumber(doc, ""); ok {
		return fmt.Errorf("%s: the number is out of range", path)
	}
	return nil
}

func refused(err error) error {
	return &toolcall.DeclarationError{Offset: -1, Err: fmt.Errorf("jsonschema: %w", err)}
}

type validator struct{ s *jsonschema.Schema }

// Validate implements [toolcall.Validator]. The error is a
// *[toolcall.SchemaError]: of the faults it names the missing keys first, and
// up to five in its text. It repeats no argument values.
func (v validator) Validate(value any) error {
	if path, ok := hugeNumber(value, ""); ok {
		return &toolcall.SchemaError{Path: path, Keyword: "type", Msg: "the number is out of range"}
	}
	err := v.s.Validate(value)
	if err == nil {
		return nil
	}
	ve, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return &toolcall.SchemaError{Msg: "the value can't be checked"}
	}
	faults := collect(ve, nil)
	sort.SliceStable(faults, func(i, j int) bool {
		a, b := faults[i], faults[j]
		if (a.Keyword == "required") != (b.Keyword == "required") {
			return a.Keyword == "required"
		}
		if a.Path != b.Path {
			return a.Path < b.Path
		}
		return a.Keyword < b.Keyword
	})
	first := *faults[0]
	for i, f := range faults[1:] {
		if i == 4 {
			first.Msg += fmt.Sprintf("; and %d more", len(faults)-5)
			break
		}
		first.Msg += "; " + f.Error()
	}
	return &first
}

// collect gives the rules that must hold and don't. Below an alternative (anyOf,
// oneOf, …) each branch is only one way to comply, so it counts as one fault.
func collect(e *jsonschema.ValidationError, faults []*toolcall.SchemaError) []*toolcall.SchemaError {
	switch e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		if len(e.Causes) > 0 {
			for _, c := range e.Causes {
				faults = collect(c, faults)
			}
			return faults
		}
	}
	f := &toolcall.SchemaError{Path: pointer(e.InstanceLocation)}
	if p := e.ErrorKind.KeywordPath(); len(p) > 0 {
		f.Keyword = p[0]
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		slices.Sort(k.Missing)
		f.Msg = "required key " + names(k.Missing) + " is missing"
	case *kind.DependentRequired:
		f.Msg = "key " + names(k.Missing) + " is required beside " + strconv.Quote(k.Prop)
	case *kind.AdditionalProperties:
		slices.Sort(k.Properties)
		f.Msg = "key " + names(k.Properties) + " is not allowed"
	case *kind.Type:
		f.Msg = "want " + strings.Join(k.Want, " or ") + ", have " + k.Got
	case *kind.Format:
		f.Msg = "the value is no " + k.Want
	case *kind.FalseSchema:
		f.Keyword, f.Msg = "false", "no value is allowed"
	default:
		f.Msg = "the value breaks the rule " + strconv.Quote(f.Keyword)
	}
	return append(faults, f)
}

func names(list []string) string {
	var b strings.Builder
	for i, n := range list {
		if i == 5 {
			fmt.Fprintf(&b, " and %d more", len(list)-5)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.80q", n)
	}
	return b.String()
}

func pointer(path []string) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(p))
	}
	return b.String()
}

// hugeNumber finds a number that would take memory out of proportion to its
// text once the library turns it into a fraction: 1e1000000000 is 12 bytes.
func hugeNumber(v any, path string) (string, bool) {
	switch v := v.(type) {
	case json.Number:
		s := string(v)
		if i := strings.IndexAny(s, "eE"); i >= 0 {
			exp, err := strconv.Atoi(s[i+1:])
			return path, err != nil || exp > 400 || exp < -400
		}
	case []any:
		for i, e := range v {
			if p, ok := hugeNumber(e, path+"/"+strconv.Itoa(i)); ok {
				return p, true
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if p, ok := hugeNumber(v[k], path+pointer([]string{k})); ok {
				return p, true
			}
		}
	}
	return "", false
}
