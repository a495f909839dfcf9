// Package global keeps the marker in a variable.
package global

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

var end = []byte("[DONE]")

type chunk struct {
	Choices []struct {
		Delta struct {
			Content string `json:"content"`
		} `json:"delta"`
	} `json:"choices"`
}

func read(body io.Reader, on func(chunk)) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		data, ok := bytes.CutPrefix(sc.Bytes(), []byte("data: "))
		if !ok {
			continue
		}
		if bytes.Equal(data, end) {
			return nil
		}
		var c chunk
		if err := json.Unmarshal(data, &c); err != nil {
			return err
		}
		on(c)
	}
	return sc.Err()
}
