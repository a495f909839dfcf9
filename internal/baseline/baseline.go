// Package baseline keeps a list of findings that are known, so that a big old code
// base can take a linter up and be told of new ones only.
//
// The list is a JSON file that people read and merge: sorted, one entry a block of
// lines, and an entry changes only when its finding does. Entries are found again
// by the finding's fingerprint, never by its line.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Version is that of the file's form.
const Version = 1

// File is a baseline.
type File struct {
	Entries []Entry // sorted, each fingerprint once
}

// Entry is a known finding. All but the fingerprint is for people, and File for
// telling whether the entry's file was looked at.
type Entry struct {
	Check       string `json:"check"`
	File        string `json:"file"` // relative to the baseline, with slashes
	Function    string `json:"function,omitempty"`
	Message     string `json:"message"` // as of when the entry was made
	Fingerprint string `json:"fingerprint"`
}

type form struct {
	Version int     `json:"version"`
	Entries []Entry `json:"entries"`
}

// New makes a baseline of entries in any order.
func New(entries []Entry) *File {
	entries = slices.Clone(entries)
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Function, b.Function),
			cmp.Compare(a.Check, b.Check),
			cmp.Compare(a.Fingerprint, b.Fingerprint),
		)
	})
	seen := make(map[string]bool)
	return &File{slices.DeleteFunc(entries, func(e Entry) bool {
		again := seen[e.Fingerprint]
		seen[e.Fingerprint] = true
		return again
	})}
}

// Parse reads a baseline. The error says what is wrong in terms of the file.
func Parse(data []byte) (*File, error) {
	for n, line := range bytes.Split(data, []byte("\n")) {
		for _, mark := range []string{"<<<<<<< ", ">>>>>>> ", "||||||| "} {
			if bytes.HasPrefix(line, []byte(mark)) {
				return nil, fmt.Errorf("line %d: a merge conflict that nobody has resolved", n+1)
			}
		}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var f form
	if err := dec.Decode(&f); err != nil {
		var other struct{ Version int }
		if json.Unmarshal(data, &other) == nil && other.Version > Version {
			return nil, newer(other.Version)
		}
		return nil, located(data, dec, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("line %d: something follows the baseline", lineAt(data, dec.InputOffset()))
	}
	if f.Version > Version {
		return nil, newer(f.Version)
	}
	if f.Version != Version {
		return nil, fmt.Errorf("no baseline: want \"version\": %d", Version)
	}
	for i, e := range f.Entries {
		if e.Check == "" || e.File == "" || e.Fingerprint == "" {
			return nil, fmt.Errorf("entry %d has no check, file or fingerprint", i+1)
		}
	}
	return New(f.Entries), nil
}

func newer(version int) error {
	return fmt.Errorf("it was written by a newer release: version %d, and this one knows %d", version, Version)
}

func located(data []byte, dec *json.Decoder, err error) error {
	at := dec.InputOffset()
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends in the middle")
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
	}
	return fmt.Errorf("line %d: %s", lineAt(data, at), strings.TrimPrefix(err.Error(), "json: "))
}

func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
}

// Format gives the file's text.
func (f *File) Format() []byte {
	out := form{Version, f.Entries}
	if out.Entries == nil {
		out.Entries = []Entry{}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		panic(err) // strings and a number
	}
	return buf.Bytes()
}

// Match tells the known findings, by fingerprint, from new ones, and gives the
// entries that no finding matched.
func (f *File) Match(fingerprints []string) (known map[string]bool, rest []Entry) {
	there := make(map[string]bool, len(fingerprints))
	for _, p := range fingerprints {
		there[p] = true
	}
	known = make(map[string]bool)
	for _, e := range f.Entries {
		if there[e.Fingerprint] {
			known[e.Fingerprint] = true
		} else {
			rest = append(rest, e)
		}
	}
	return known, rest
}

// Without gives the baseline less the given entries.
func (f *File) Without(entries []Entry) *File {
	gone := make(map[string]bool, len(entries))
	for _, e := range entries {
		gone[e.Fingerprint] = true
	}
	return &File{slices.DeleteFunc(slices.Clone(f.Entries), func(e Entry) bool { return gone[e.Fingerprint] })}
}
