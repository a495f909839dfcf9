// Package nope adds nothing to what it decodes, or says that it is a preview.
package nope

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"mender"
)

type args struct {
	Commands []string `json:"commands"`
}

func strict(raw string) (a args, err error) {
	if err = json.Unmarshal([]byte(raw), &a); err != nil {
		return args{}, fmt.Errorf("arguments incomplete or invalid: %w", err)
	}
	return a, nil
}

// The program's own document.
func wrapped(items string) (a args, err error) {
	err = json.Unmarshal([]byte(`{"commands":[`+items+"]}"), &a)
	return a, err
}

func wrappedElsewhere(items string) (a args, err error) {
	err = json.Unmarshal([]byte(mender.Wrap(items)), &a)
	return a, err
}

func list(items []string) (out []int, err error) {
	doc := "["
	for i, it := range items {
		if i > 0 {
			doc += ","
		}
		doc += it
	}
	doc += "]"
	err = json.Unmarshal([]byte(doc), &out)
	return out, err
}

func built(items []string) (out []int, err error) {
	var b strings.Builder
	b.WriteByte('[')
	b.WriteString(strings.Join(items, ","))
	b.WriteByte(']')
	err = json.Unmarshal([]byte(b.String()), &out)
	return out, err
}

func quoted(s string) (out string, err error) {
	err = json.Unmarshal([]byte(`"`+s+`"`), &out)
	return out, err
}

// Prose and fences are taken off, nothing is added.
func stripped(raw string) (a args, err error) {
	raw = strings.TrimSuffix(strings.TrimPrefix(raw, "```json"), "```")
	if i := strings.LastIndexByte(raw, '}'); i >= 0 {
		raw = raw[:i+1]
	}
	err = json.Unmarshal([]byte(raw), &a)
	return a, err
}

// Escapes are rewritten inside.
func escapes(raw string) (a args, err error) {
	if err = json.Unmarshal([]byte(raw), &a); err != nil {
		err = json.Unmarshal([]byte(fixEscapes(raw)), &a)
	}
	return a, err
}

func fixEscapes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && s[i+1] == 'C' {
			b.WriteString(`\\`)
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// The caller asks for a partial result.
func lines(text string, partial bool) ([]any, error) {
	var out []any
	for _, line := range strings.Split(text, "\n") {
		var v any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			if partial {
				if json.Unmarshal([]byte(mender.RepairJSON(line)), &v) == nil {
					out = append(out, v)
				}
				break
			}
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// A preview in the loop, the strict decode after it.
func preview(fragments <-chan string, show func(any)) (a args, err error) {
	var raw string
	for f := range fragments {
		raw += f
		var v any
		if json.Unmarshal([]byte(mender.RepairJSON(raw)), &v) == nil {
			show(v)
		}
	}
	err = json.Unmarshal([]byte(raw), &a)
	return a, err
}

// A template of a path has no JSON in it.
func template(path, key, value string) string {
	return strings.Replace(path, "{"+key+"}", value, 1)
}

// A stack that feeds itself.
func rotate(raw string, n int) (a args, err error) {
	var stack []rune
	for i := range n {
		if i > 0 {
			stack = append(stack, stack[i-1])
		}
	}
	for i := range stack {
		raw += string(stack[i])
	}
	err = json.Unmarshal([]byte(raw), &a)
	return a, err
}

// A text form of its own, made through an interface.
type codec interface {
	encode(v []string, buf []byte) []byte
}

type braces struct{}

func (braces) encode(v []string, buf []byte) []byte {
	for _, s := range v {
		buf = append(buf, s...)
	}
	return append(buf, '}')
}

func scan(c codec, v []string) (out any, err error) {
	err = json.Unmarshal(c.encode(v, nil), &out)
	return out, err
}

// A repair of the package that only a preview uses.
func closeAll(s string) string {
	var stack []byte
	inString := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			inString = !inString
		case inString:
		case s[i] == '{' || s[i] == '[':
			stack = append(stack, s[i])
		case s[i] == '}' || s[i] == ']':
			stack = stack[:len(stack)-1]
		}
	}
	for i := len(stack) - 1; i >= 0; i-- {
		if stack[i] == '{' {
			s += "}"
		} else {
			s += "]"
		}
	}
	return s
}

func previewOwn(fragments <-chan string, show func(any)) (a args, err error) {
	var raw string
	for f := range fragments {
		raw += f
		var v any
		if json.Unmarshal([]byte(closeAll(raw)), &v) == nil {
			show(v)
		}
	}
	err = json.Unmarshal([]byte(raw), &a)
	return a, err
}

// A split at the closers, which are put back.
func records(text string) (out []args) {
	for _, part := range strings.Split(text, "}\n") {
		var a args
		if json.Unmarshal([]byte(part+"}"), &a) == nil {
			out = append(out, a)
		}
	}
	return out
}

// The closer was left at the front by a split of the stream.
func moved(part string) (a args, err error) {
	if strings.HasPrefix(part, "}") {
		part = strings.TrimPrefix(part, "}") + "}"
	}
	err = json.Unmarshal([]byte(part), &a)
	return a, err
}

// A text of its own, between quotes that it wrote both.
func stamp(t time.Time, v any) error {
	var buf []byte
	buf = append(buf, '"')
	buf = t.AppendFormat(buf, time.RFC3339)
	buf = append(buf, '"')
	return json.Unmarshal(buf, v)
}

// Functions elsewhere that edit a document or make one.
func edited(raw []byte, v any) error {
	return json.Unmarshal(mender.Set(raw, `"n"`, []byte("1")), v)
}

func editedToo(raw string, v any) error {
	return json.Unmarshal([]byte(mender.SetAny(raw, v)), v)
}

func quotedElsewhere(s string, v *string) error { return json.Unmarshal(mender.Quote(s), v) }

// The end is taken off, a member put there, and the end put back.
func member(raw []byte, v any) error {
	raw = append(raw[:len(raw)-1], `,"n":1`...)
	raw = append(raw, '}')
	return json.Unmarshal(raw, v)
}

func memberText(raw, n string, v any) error {
	return json.Unmarshal([]byte(raw[:len(raw)-1]+`,"n":`+n+"}"), v)
}

// The preview has a function of its own, and so has the result.
type object struct {
	source <-chan string
	text   strings.Builder
}

func (o *object) consume(show func(*args)) {
	for chunk := range o.source {
		o.text.WriteString(chunk)
		if partial, err := parsePartial(o.text.String()); err == nil {
			show(partial)
		}
	}
}

func parsePartial(text string) (*args, error) {
	var a args
	if err := json.Unmarshal([]byte(text), &a); err == nil {
		return &a, nil
	}
	var b args
	if err := json.Unmarshal([]byte(mender.RepairJSON(text)), &b); err != nil {
		return nil, err
	}
	return &b, nil
}

func (o *object) result() (a args, err error) {
	o.consume(func(*args) {})
	err = json.Unmarshal([]byte(o.text.String()), &a)
	return a, err
}
