// Package r026 holds a case of public bug reports. The socket closes, and the half
// answer is returned with a nil error.
package r026

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
)

type chatChunk struct {
	Choices []struct {
		Delta struct {
			Content string `json:"content"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
}

func complete(body io.Reader) (string, error) {
	br := bufio.NewReader(body)
	var sb strings.Builder
	for {
		line, err := br.ReadString('\n')
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data:"); ok {
			data = strings.TrimSpace(data)
			if data == "[DONE]" {
				return sb.String(), nil
			}
			var c chatChunk
			if uerr := json.Unmarshal([]byte(data), &c); uerr != nil {
				return "", uerr
			}
			for _, ch := range c.Choices {
				sb.WriteString(ch.Delta.Content)
			}
		}
		if err == io.EOF {
			return sb.String(), nil // want `unfinished`
		}
		if err != nil {
			return "", err
		}
	}
}
