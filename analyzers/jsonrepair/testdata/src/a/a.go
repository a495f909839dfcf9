// Package a decodes what was completed.
package a

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"github.com/kaptinlin/jsonrepair"

	"mender"
)

type args struct {
	Commands []string `json:"commands"`
}

func byHelper(raw string) (args, error) {
	var a args
	if err := json.Unmarshal([]byte(raw), &a); err != nil {
		fixed := mender.RepairJSON(raw)
		if err := json.Unmarshal([]byte(fixed), &a); err != nil { // want `completed by guess \(mender.RepairJSON`
			return args{}, err
		}
	}
	return a, nil
}

func byLibrary(raw string) (a args, err error) {
	fixed, err := jsonrepair.JSONRepair(raw)
	if err != nil {
		return a, err
	}
	err = json.Unmarshal([]byte(fixed), &a) // want `completed by guess`
	return a, err
}

func oneBrace(raw []byte) (a args, err error) {
	if err = json.Unmarshal(raw, &a); err != nil {
		err = json.Unmarshal(append(raw, '}'), &a) // want `completed by guess`
	}
	return a, err
}

func suffix(raw string) (a args, err error) {
	if !strings.HasSuffix(raw, "}") {
		raw += "]}"
	}
	err = json.NewDecoder(strings.NewReader(raw)).Decode(&a) // want `completed by guess`
	return a, err
}

func attempts(raw string) (a args, err error) {
	for _, end := range []string{"", "}", "]}", "\"]}"} {
		if err = json.Unmarshal([]byte(raw+end), &a); err == nil { // want `completed by guess`
			return a, nil
		}
	}
	return a, err
}

func builder(raw string, open int) (a args, err error) {
	var b strings.Builder
	b.WriteString(raw)
	for range open {
		b.WriteByte('}')
	}
	err = json.Unmarshal([]byte(b.String()), &a) // want `completed by guess`
	return a, err
}

// A helper of the package: the decode is the place to report.
func complete(s string) string {
	open := strings.Count(s, "{") - strings.Count(s, "}")
	list := strings.Count(s, "[") - strings.Count(s, "]")
	for range list {
		s += "]"
	}
	for range open {
		s += "}"
	}
	return s
}

func parse(raw string) (any, error) {
	var v any
	if err := json.Unmarshal([]byte(raw), &v); err == nil {
		return v, nil
	}
	err := json.Unmarshal([]byte(complete(raw)), &v) // want `completed by guess \(a?\.?complete`
	return v, err
}

type fixer interface{ RepairJSON(string) (string, error) }

func byInterface(f fixer, raw string) (a args, err error) {
	fixed, err := f.RepairJSON(raw)
	if err != nil {
		return a, err
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(fixed)))
	return a, dec.Decode(&a) // want `completed by guess`
}

// A method that gets the text of an answer whose end nobody showed: what is decoded
// when the strict decode failed is no preview.
type gate struct{ log *slog.Logger }

func (g *gate) check(resp *http.Response) (a args, err error) {
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		g.log.Warn("reading", "err", err)
	}
	return g.decide(string(text))
}

func (g *gate) decide(text string) (a args, err error) {
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		if err := json.Unmarshal([]byte(text+"}"), &a); err != nil { // want `completed by guess`
			return a, err
		}
	}
	return a, nil
}

// A comma is what was split at: the closer is a guess.
func halves(text string) (out []args) {
	for _, part := range strings.Split(text, ",\n") {
		var a args
		if json.Unmarshal([]byte(part+"}"), &a) == nil { // want `completed by guess`
			out = append(out, a)
		}
	}
	return out
}

// No opener of its own: the bracket is a guess.
func bracket(raw []byte, v any) error {
	raw = append(raw, '"')
	raw = append(raw, ']')
	return json.Unmarshal(raw, v) // want `completed by guess`
}

// What was cut off is the half member, and the end is a guess.
func lastComma(raw string, v any) error {
	i := strings.LastIndex(raw, ",")
	return json.Unmarshal([]byte(raw[:i]+"}"), v) // want `completed by guess`
}

func shorter(raw string, v any) error {
	return json.Unmarshal([]byte(raw[:len(raw)-1]+"\"}"), v) // want `completed by guess`
}

// The pieces are looked at as they arrive, and what was mended is all that anybody
// gets.
type pieces struct {
	source <-chan string
	text   strings.Builder
}

func (p *pieces) result() (out *args) {
	for chunk := range p.source {
		p.text.WriteString(chunk)
		if a, err := mended(p.text.String()); err == nil {
			out = a
		}
	}
	return out
}

func mended(text string) (*args, error) {
	var a args
	if err := json.Unmarshal([]byte(text), &a); err == nil {
		return &a, nil
	}
	var b args
	if err := json.Unmarshal([]byte(mender.RepairJSON(text)), &b); err != nil { // want `completed by guess`
		return nil, err
	}
	return &b, nil
}
