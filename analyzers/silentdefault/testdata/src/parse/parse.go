// Package parse is another package's decoding helpers.
package parse

import "encoding/json"

// Args decodes and says so when it cannot.
func Args(s string) (map[string]any, error) { // want Args:`parses\(0\)`
	var m map[string]any
	if err := json.Unmarshal([]byte(s), &m); err != nil {
		return nil, err
	}
	return m, nil
}

// Into fills what the caller has.
func Into(data []byte, v any) error { return json.Unmarshal(data, v) } // want Into:`parses\(0\)`

// Codec is what several parsers share.
type Codec interface {
	Parse(data []byte) (string, error) // want Parse:`parses\(1\)`
}

// JSON is one of them.
type JSON struct{}

// Parse gives the text of a message.
func (JSON) Parse(data []byte) (string, error) { // want Parse:`parses\(1\)`
	var m struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return "", err
	}
	return m.Text, nil
}

// Safe never fails: there is no error to lose.
func Safe(s string) (string, error) { return s, nil }
