// Package plan brings the items of a plan one by one.
package plan

import (
	"encoding/json"
	"io"
	"iter"
	"net/http"

	"store"
)

func Each(r io.Reader, f func(store.Op) error) error { // want Each:`calls\(1 with item 0\)`
	dec := json.NewDecoder(r)
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		var op store.Op
		if err := dec.Decode(&op); err != nil {
			return err
		}
		if err := f(op); err != nil {
			return err
		}
	}
	return nil
}

func Ops(r io.Reader) iter.Seq2[store.Op, error] { // want Ops:`yields\(0 with item 0\)`
	return func(yield func(store.Op, error) bool) {
		dec := json.NewDecoder(r)
		if _, err := dec.Token(); err != nil {
			yield(store.Op{}, err)
			return
		}
		for dec.More() {
			var op store.Op
			if err := dec.Decode(&op); err != nil {
				yield(op, err)
				return
			}
			if !yield(op, nil) {
				return
			}
		}
	}
}

// Reader gives an item a call.
type Reader struct{ dec *json.Decoder }

func NewReader(r io.Reader) (*Reader, error) {
	dec := json.NewDecoder(r)
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	return &Reader{dec}, nil
}

func (r *Reader) Next() (store.Op, error) { // want Next:`brings\(0\)`
	var op store.Op
	if !r.dec.More() {
		return op, io.EOF
	}
	err := r.dec.Decode(&op)
	return op, err
}

// Fetch reads from a server of its own choice.
func Fetch(c *http.Client, f func(store.Op) error) error { // want Fetch:`calls\(1 with item 0\)`
	resp, err := c.Get("https://example.com/plan")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return Each(resp.Body, f)
}

// All gives the whole plan.
func All(r io.Reader) ([]store.Op, error) {
	var out []store.Op
	err := Each(r, func(op store.Op) error {
		out = append(out, op)
		return nil
	})
	return out, err
}
