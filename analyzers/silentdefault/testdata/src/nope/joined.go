package nope

import (
	"encoding/json"
	"strings"
)

// All that has arrived is tried again with each piece: nothing is left out. That it
// is tried so early is for perchunkdecode to say.
func nopeAccumulating(pieces <-chan string, run func(map[string]any)) {
	acc := ""
	for p := range pieces {
		acc += p
		var v map[string]any
		if err := json.Unmarshal([]byte(acc), &v); err != nil {
			continue
		}
		run(v)
	}
}

// A function that looks for a string in a text gives "" where there is none.
func nopeExtract(input string) string {
	if !strings.Contains(input, "query") {
		return ""
	}
	var v struct{ Query string }
	if err := json.Unmarshal([]byte(input), &v); err != nil {
		return ""
	}
	return v.Query
}

// The same bytes in a second shape, after they were decoded with the error returned.
func nopeSecondLook(data []byte, special bool) (m map[string]any, err error) {
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	if special {
		var s struct{ Content []string }
		if err := json.Unmarshal(data, &s); err == nil && len(s.Content) > 0 {
			m = map[string]any{"content": s.Content}
		}
	}
	return m, nil
}
