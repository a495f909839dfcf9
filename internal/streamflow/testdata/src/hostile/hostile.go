package hostile

import (
	. "encoding/json"
	"iter"
)

// Shadowed builtins and names.
func shadow() (v any) {
	append := func(a, b []byte) []byte { return b }
	len := 3
	_ = len
	type string = int
	var s string = 4
	_ = s
	Unmarshal(append(nil, nil), &v) // want `constant; open`
	return v
}

// Generics that refer to themselves.
type node[T any] struct {
	next *node[T]
	kids map[string]*node[[]byte]
	data []byte
	val  T
}

type bytesLike interface{ ~[]byte | ~string }

func decode[B bytesLike, T any](b B) (v T, err error) {
	err = Unmarshal([]byte(b), &v) // want `parameter; open`
	return v, err
}

func (n *node[T]) walk() (v T) {
	for p := n; p != nil; p = nil {
		Unmarshal(p.data, &v) // want `parameter, constant; open`
	}
	return v
}

type tree[K comparable, V any] struct {
	left, right *tree[K, V]
	raw         map[K][]byte
}

func (t *tree[K, V]) all() iter.Seq2[K, []byte] {
	return func(yield func(K, []byte) bool) {
		if t == nil {
			return
		}
		for k, v := range t.left.all() {
			if !yield(k, v) {
				return
			}
		}
		for k, v := range t.raw {
			if !yield(k, v) {
				return
			}
		}
	}
}

func (t *tree[K, V]) decodeAll() (out []V) {
	for _, raw := range t.all() {
		var v V
		if Unmarshal(raw, &v) != nil { // want `; open`
			continue
		}
		out = append(out, v)
	}
	return out
}

// Mutual recursion, closures that hold themselves, a goto.
func a(b []byte) []byte { return c(b) }
func c(b []byte) []byte {
	if len(b) > 3 {
		return a(b[1:])
	}
	return b
}

func recursive(b []byte) (v any) {
	var f func([]byte) []byte
	f = func(x []byte) []byte {
		if len(x) == 0 {
			return x
		}
		return f(x[1:])
	}
again:
	if Unmarshal(a(f(b)), &v) != nil { // want `; open`
		b = append(b, '}')
		goto again
	}
	return v
}

func deferred(b []byte) (v any, err error) {
	defer func() {
		if recover() != nil {
			err = Unmarshal(b, &v) // want `parameter.*; open`
		}
	}()
	select {}
}

var table = [...]func([]byte) error{func(b []byte) error { return Unmarshal(b, new(int)) }} // want `parameter; open`

type embeds struct{ *embeds }

func (e embeds) loop() (v any) {
	for e.embeds != nil {
		e = *e.embeds
	}
	return v
}

func named(m struct{ b []byte }) (err error) {
	for err = range errs() {
		_ = err
	}
	return Unmarshal(m.b, new(any)) // want `parameter; open`
}

func errs() iter.Seq[error] { return func(func(error) bool) {} }
