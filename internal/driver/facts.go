package driver

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/types"
	"reflect"
	"sort"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/objectpath"
)

// savedFact is a fact as it outlives its package: bound to a path inside the
// package instead of an object, since the objects its importers see come from
// export data and are others. Under go vet facts take the same way from one
// process to the next, so what cannot make it there is lost here too.
type savedFact struct {
	Object objectpath.Path // "" for a fact about the package
	Fact   analysis.Fact
}

type factKey struct {
	obj types.Object // nil for a fact about the package
	typ reflect.Type
}

// factStore keeps the facts of all packages analysed so far, by package ID.
type factStore struct {
	packages map[string]*packageFacts
}

type packageFacts struct {
	data    []byte
	objects map[*types.Package]*boundFacts
}

// boundFacts are a package's facts with their objects found again.
type boundFacts struct {
	names   int // in the package's scope when last searched
	found   map[factKey]analysis.Fact
	missing []savedFact // no such object in the part of the package read so far
}

// encodeFacts turns the facts a pass exported about its own package and
// objects into the form kept. Facts about objects that no other package can
// reach are dropped.
func encodeFacts(facts map[factKey]analysis.Fact) ([]byte, error) {
	if len(facts) == 0 {
		return nil, nil
	}
	saved := make([]savedFact, 0, len(facts))
	paths := new(objectpath.Encoder)
	for key, fact := range facts {
		var path objectpath.Path
		if key.obj != nil {
			p, err := paths.For(key.obj)
			if err != nil {
				continue
			}
			path = p
		}
		saved = append(saved, savedFact{path, fact})
	}
	if len(saved) == 0 {
		return nil, nil
	}
	sort.Slice(saved, func(i, j int) bool {
		if saved[i].Object != saved[j].Object {
			return saved[i].Object < saved[j].Object
		}
		return reflect.TypeOf(saved[i].Fact).String() < reflect.TypeOf(saved[j].Fact).String()
	})
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(saved); err != nil {
		return nil, fmt.Errorf("facts cannot be encoded: %w", err)
	}
	return buf.Bytes(), nil
}

// bound returns the facts of a package as seen through pkg, which was read
// from export data.
func (f *packageFacts) bound(pkg *types.Package) (*boundFacts, error) {
	if len(f.data) == 0 {
		return &boundFacts{}, nil
	}
	b := f.objects[pkg]
	if b == nil {
		b = &boundFacts{names: -1, found: make(map[factKey]analysis.Fact)}
		if err := gob.NewDecoder(bytes.NewReader(f.data)).Decode(&b.missing); err != nil {
			return nil, fmt.Errorf("facts of %s: %w", pkg.Path(), err)
		}
		if f.objects == nil {
			f.objects = make(map[*types.Package]*boundFacts)
		}
		f.objects[pkg] = b
	}
	// A package that was only referred to so far grows when it, or another
	// one that refers to it, is read.
	if n := pkg.Scope().Len(); n != b.names && len(b.missing) > 0 {
		b.names = n
		rest := b.missing[:0]
		for _, s := range b.missing {
			key := factKey{typ: reflect.TypeOf(s.Fact)}
			if s.Object != "" {
				obj, err := objectpath.Object(pkg, s.Object)
				if err != nil {
					rest = append(rest, s)
					continue
				}
				key.obj = obj
			}
			b.found[key] = s.Fact
		}
		b.missing = rest
	}
	return b, nil
}

// copyFact sets *ptr to the fact's value.
func copyFact(ptr, fact analysis.Fact) {
	reflect.ValueOf(ptr).Elem().Set(reflect.ValueOf(fact).Elem())
}
