package toolcall

import (
	"encoding"
	"encoding/json"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

// DecodeOption changes how [As] decodes.
type DecodeOption func(*decodeOptions)

type decodeOptions struct{ known bool }

// KnownOnly refuses keys that the Go struct has no field for.
func KnownOnly() DecodeOption { return func(o *decodeOptions) { o.known = true } }

// As decodes the arguments of a call into a T, usually a struct. It verifies the
// call first and then refuses what encoding/json takes in silence:
//
//   - a struct field that must be there and is not: every field is required
//     unless it is a pointer or its json tag has omitempty or omitzero
//     ([MissingRequired]);
//   - null for anything but a pointer, an interface, a map or a slice ([Schema]);
//   - a key that differs from a field's name only in letter case ([Schema]);
//   - with [KnownOnly], a key without a field ([Schema]);
//   - a value of another type, or out of the type's range ([Schema]).
//
// Types with their own UnmarshalJSON or UnmarshalText check themselves. Numbers
// in interfaces are json.Number. There is no partial result: with an error, T is
// its zero value.
func As[T any](c Call, opts ...DecodeOption) (T, error) {
	var zero, v T
	if err := c.Verify(); err != nil {
		return zero, err
	}
	bad := func(kind Kind, path string, err error) (T, error) {
		e := c.refused(kind, err)
		e.Path = path
		return zero, e
	}
	var o decodeOptions
	for _, opt := range opts {
		opt(&o)
	}
	// The text was checked when the call was made, so this can't fail.
	value, serr := parseStrict([]byte(c.args), 10_000)
	if serr != nil {
		return bad(serr.kind, "", serr)
	}
	if e := o.fits(reflect.TypeFor[T](), value, ""); e != nil {
		kind, path := kindOfSchema(e)
		return bad(kind, path, e)
	}
	dec := json.NewDecoder(strings.NewReader(c.args))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		m := newMisfit(reflect.TypeFor[T](), value, err)
		return bad(Schema, m.path, m)
	}
	return v, nil
}

var (
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// fits checks a decoded value against what the Go type needs.
func (o *decodeOptions) fits(t reflect.Type, v any, path string) *SchemaError {
	if p := reflect.PointerTo(t); p.Implements(jsonUnmarshaler) || p.Implements(textUnmarshaler) {
		return nil
	}
	if v == nil {
		switch t.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice:
			return nil
		}
		return fault(path, "type", "want a value, have null")
	}
	switch t.Kind() {
	case reflect.Pointer:
		return o.fits(t.Elem(), v, path)
	case reflect.Struct:
		m, ok := v.(map[string]any)
		if !ok {
			return fault(path, "type", "want object, have %s", typeOf(v))
		}
		return o.fitsStruct(t, m, path)
	case reflect.Slice, reflect.Array:
		a, ok := v.([]any)
		if !ok {
			return nil // []byte takes a string; the decoder says the rest
		}
		if t.Kind() == reflect.Array && len(a) != t.Len() {
			return fault(path, "items", "want %d items, have %d", t.Len(), len(a))
		}
		for i, e := range a {
			if err := o.fits(t.Elem(), e, path+"/"+strconv.Itoa(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		m, _ := v.(map[string]any)
		for k, e := range m {
			if err := o.fits(t.Elem(), e, path+"/"+escapePointer(k)); err != nil {
				return err
			}
		}
	}
	return nil
}

type goField struct {
	name     string
	typ      reflect.Type
	required bool
	quoted   bool
	depth    int
	tagged   bool
}

// goFields lists the fields encoding/json would fill, embedded ones included.
// Of several with one name the shallowest wins, then the tagged one.
func goFields(t reflect.Type) map[string]goField {
	fields := map[string]goField{}
	clash := map[string]bool{}
	for _, f := range reflect.VisibleFields(t) {
		tag, hasTag := f.Tag.Lookup("json")
		name, opts, _ := strings.Cut(tag, ",")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if f.Anonymous && name == "" {
			e := f.Type
			if e.Kind() == reflect.Pointer {
				e = e.Elem()
			}
			if e.Kind() == reflect.Struct {
				continue // its fields follow in VisibleFields
			}
		}
		if !f.IsExported() || hidden(t, f.Index) {
			continue
		}
		g := goField{name: name, typ: f.Type, depth: len(f.Index), tagged: hasTag && name != ""}
		if name == "" {
			g.name = f.Name
		}
		list := "," + opts + ","
		g.quoted = strings.Contains(list, ",string,")
		g.required = f.Type.Kind() != reflect.Pointer &&
			!strings.Contains(list, ",omitempty,") && !strings.Contains(list, ",omitzero,") &&
			!throughPointer(t, f.Index)
		old, dup := fields[g.name]
		switch {
		case !dup, g.depth < old.depth, g.depth == old.depth && g.tagged && !old.tagged:
			fields[g.name] = g
			delete(clash, g.name)
		case g.depth == old.depth && g.tagged == old.tagged:
			clash[g.name] = true
		}
	}
	for name := range clash {
		delete(fields, name)
	}
	return fields
}

// hidden tells whether a field lies in an embedded struct that has a name of
// its own in JSON, or is left out.
func hidden(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			return true
		}
		if t = f.Type; t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
	}
	return false
}

func throughPointer(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		if t = t.Field(i).Type; t.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

func (o *decodeOptions) fitsStruct(t reflect.Type, m map[string]any, path string) *SchemaError {
	fields := goFields(t)
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if _, ok := m[name]; !ok && fields[name].required {
			return fault(path, "required", "required key %q is missing", name)
		}
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		f, ok := fields[k]
		if !ok {
			for _, name := range names {
				if strings.EqualFold(name, k) {
					return fault(path, "additionalProperties", "key %.80q differs from %q in letter case", k, name)
				}
			}
			if o.known {
				return fault(path, "additionalProperties", "key %.80q is not known", k)
			}
			continue
		}
		if f.quoted {
			continue
		}
		if err := o.fits(f.typ, m[k], path+"/"+escapePointer(k)); err != nil {
			return err
		}
	}
	return nil
}
