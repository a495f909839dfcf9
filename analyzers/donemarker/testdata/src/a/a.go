// Package a misses the end marker.
package a

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

type chunk struct {
	Choices []struct {
		Delta struct {
			Content string `json:"content"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
}

// The marker's error becomes an empty text.
func text(line string) string {
	obj := "{}"
	if strings.Contains(line, "data: ") {
		obj = strings.Split(line, "data: ")[1]
	}
	var d chunk
	if err := json.Unmarshal([]byte(obj), &d); err != nil { // want `the end marker \[DONE\] included`
		return ""
	}
	if len(d.Choices) > 0 {
		return d.Choices[0].Delta.Content
	}
	return ""
}

// The line end is still on.
func lineEnd(body io.Reader, out chan<- string) error {
	r := bufio.NewReader(body)
	var err error
	for {
		var line []byte
		if line, err = r.ReadBytes('\n'); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		if bytes.HasPrefix(line, []byte("data: ")) {
			line = bytes.TrimPrefix(line, []byte("data: "))
		}
		if string(line) == "[DONE]" { // want `still has its line end`
			return nil
		}
		var result map[string]any
		if err = json.Unmarshal(line, &result); err != nil {
			continue
		}
		choices, ok := result["choices"].([]any)
		if !ok || len(choices) == 0 {
			continue
		}
		delta, ok := choices[0].(map[string]any)["delta"].(map[string]any)
		if !ok {
			continue
		}
		if s, _ := delta["content"].(string); s != "" {
			out <- s
		}
	}
}

func done(line string) bool { return line == "data: [DONE]" } // want `still has its line end`

func wholeLine(body io.Reader, on func(string)) error {
	r := bufio.NewReader(body)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return err
		}
		if done(line) {
			return nil
		}
		on(line)
	}
}

// The blank behind the colon is still on.
func blank(body io.Reader, on func(chunk)) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data:")
		if !ok {
			continue
		}
		if data == "[DONE]" { // want `still has the blank`
			break
		}
		var c chunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			continue
		}
		on(c)
	}
	return sc.Err()
}

// A map in the place of a struct, the data cut out by hand.
func asMap(body io.Reader, on func(string)) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		line := sc.Text()
		if !strings.HasPrefix(line, "data: ") {
			continue
		}
		var m map[string]any
		if err := json.Unmarshal([]byte(line[6:]), &m); err != nil { // want `the end marker \[DONE\] included`
			return err
		}
		choices, _ := m["choices"].([]any)
		for _, ch := range choices {
			delta, _ := ch.(map[string]any)["delta"].(map[string]any)
			s, _ := delta["content"].(string)
			on(s)
		}
	}
	return sc.Err()
}

// A helper that decodes, called with the data.
func decode(data string) (c chunk, err error) {
	err = json.NewDecoder(strings.NewReader(data)).Decode(&c) // want `the end marker \[DONE\] included`
	return c, err
}

func loop(body io.Reader, on func(chunk)) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		if data, ok := strings.CutPrefix(sc.Text(), "data: "); ok {
			c, err := decode(data)
			if err != nil {
				return err
			}
			on(c)
		}
	}
	return sc.Err()
}

// The end is an empty text.
func token(data []byte) (string, error) {
	if len(data) == 0 || string(data) == "[DONE]" { // want `turned into an empty text`
		return "", nil
	}
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return "", err
	}
	return c.Choices[0].Delta.Content, nil
}
