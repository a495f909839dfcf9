package nope

import (
	"encoding/json"
	"log"
	"strings"
)

// json.Valid picks one of several candidates; "" says that this one is none.
func nopeCandidate(content, start string) string {
	_, after, ok := strings.Cut(content, start)
	if !ok {
		return ""
	}
	if json.Valid([]byte(after)) {
		return after
	}
	return ""
}

// The helper that decodes logs the failure itself.
func decodeAndLog(data []byte) (*struct{ A int }, error) {
	v := new(struct{ A int })
	if err := json.Unmarshal(data, v); err != nil {
		log.Print("bad message: ", err)
		return nil, err
	}
	return v, nil
}

func nopeLoggedInside(messages <-chan []byte, use func(int)) {
	for m := range messages {
		v, err := decodeAndLog(m)
		if err != nil {
			continue
		}
		use(v.A)
	}
}

// Any object decodes into a map, and that these bytes are one was shown.
func nopeSecondMap(data []byte, run func(string, map[string]any)) error {
	var head struct{ Name string }
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	var all map[string]any
	_ = json.Unmarshal(data, &all)
	run(head.Name, all)
	return nil
}
