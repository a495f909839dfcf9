// Package parse holds helpers that another package hands its data to.
package parse

import "encoding/json"

// Args decodes its parameter.
func Args(raw string) (m map[string]any, err error) {
	err = json.Unmarshal([]byte(raw), &m)
	return m, err
}

// Raw is a call not decoded yet.
type Raw struct{ Name, Args string }

// Call decodes a part of its parameter.
func Call(r Raw) (map[string]any, error) { return Args(r.Args) }

// Quote encodes.
func Quote(raw string) []byte {
	b, _ := json.Marshal(raw)
	return b
}

// Event decodes only when it is told that the end is there.
func Event(data []byte, final bool) (m map[string]any, err error) {
	if final {
		err = json.Unmarshal(data, &m)
	}
	return m, err
}
