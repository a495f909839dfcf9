package toolcall

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// misfit is what encoding/json, or a type's own decoding, refused. Their words
// may hold the value ("parsing time ..."), which an [Error] never shows, so they
// are beneath only; in their place stands where it is and what it should fit.
type misfit struct {
	path string // JSON Pointer, "" if it can't be told
	msg  string
	err  error
}

func (m *misfit) Error() string { return m.msg }

func (m *misfit) Unwrap() error { return m.err }

func newMisfit(t reflect.Type, v any, err error) *misfit {
	m := &misfit{err: err}
	what := "the value"
	// Where it is, encoding/json says in some errors only, and then by Go's names
	// and without the items of lists.
	path, typ := culprit(t, v, "")
	var te *json.UnmarshalTypeError
	switch {
	case errors.As(err, &te):
		what, _, _ = strings.Cut(te.Value, " ") // "number 300" is more than a kind
		if typ == nil && te.Field != "" {
			path = "/" + strings.ReplaceAll(te.Field, ".", "/")
		}
		typ = te.Type
	case typ == nil:
		typ = t
	}
	m.path = path
	m.msg = fmt.Sprintf("%s at %q does not fit the Go type %s", what, path, typ)
	return m
}

// culprit finds the value that does not decode into its type by itself. It gives
// a nil type if there is none.
func culprit(t reflect.Type, v any, path string) (string, reflect.Type) {
	if p := reflect.PointerTo(t); !p.Implements(jsonUnmarshaler) && !p.Implements(textUnmarshaler) {
		switch t.Kind() {
		case reflect.Pointer:
			if v == nil {
				return "", nil
			}
			return culprit(t.Elem(), v, path)
		case reflect.Struct:
			return culpritField(t, v, path)
		case reflect.Map:
			m, _ := v.(map[string]any)
			for _, k := range slices.Sorted(maps.Keys(m)) {
				if at, typ := culprit(t.Elem(), m[k], path+"/"+escapePointer(k)); typ != nil {
					return at, typ
				}
			}
			return "", nil
		case reflect.Slice, reflect.Array:
			if list, ok := v.([]any); ok {
				for i, e := range list {
					if at, typ := culprit(t.Elem(), e, path+"/"+strconv.Itoa(i)); typ != nil {
						return at, typ
					}
				}
				return "", nil
			}
		}
	}
	if raw, err := json.Marshal(v); err == nil && json.Unmarshal(raw, reflect.New(t).Interface()) != nil {
		return path, t
	}
	return "", nil
}

func culpritField(t reflect.Type, v any, path string) (string, reflect.Type) {
	m, _ := v.(map[string]any)
	fields := goFields(t)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		f, ok := fields[k]
		if !ok {
			continue
		}
		if !f.quoted {
			if at, typ := culprit(f.typ, m[k], path+"/"+escapePointer(k)); typ != nil {
				return at, typ
			}
			continue
		}
		one := reflect.StructOf([]reflect.StructField{{Name: "F", Type: f.typ, Tag: `json:"f,string"`}})
		if raw, err := json.Marshal(map[string]any{"f": m[k]}); err == nil && json.Unmarshal(raw, reflect.New(one).Interface()) != nil {
			return path + "/" + escapePointer(k), f.typ
		}
	}
	return "", nil
}
