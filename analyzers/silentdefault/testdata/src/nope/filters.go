package nope

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
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

// "" with no error is how the function says that there is none.
func nopeNone(client *http.Client, url string) (string, error) {
	resp, err := client.Get(url)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode == 404 {
		return "", nil
	}
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	var emails []struct{ Email string }
	if err := json.Unmarshal(content, &emails); err != nil {
		return "", nil
	}
	for _, e := range emails {
		if e.Email != "" {
			return e.Email, nil
		}
	}
	return "", nil
}

// Each brace of a text is tried; "" means that no object was found.
func nopeSearch(response string) string {
	for start := strings.IndexByte(response, '{'); start >= 0; {
		var value json.RawMessage
		if err := json.NewDecoder(strings.NewReader(response[start:])).Decode(&value); err == nil && len(value) > 0 {
			return string(value)
		}
		next := strings.IndexByte(response[start+1:], '{')
		if next < 0 {
			break
		}
		start += next + 1
	}
	return ""
}

// A part of a document that was decoded, looked at as an object.
func nopeRawPart(body io.Reader, keep func(map[string]any)) error {
	var doc struct {
		Content []json.RawMessage `json:"content"`
	}
	if err := json.NewDecoder(body).Decode(&doc); err != nil {
		return err
	}
	for i := range doc.Content {
		var m map[string]any
		if err := json.Unmarshal(doc.Content[i], &m); err == nil {
			keep(m)
		}
	}
	return nil
}
