// Package more has a defect for each of the other checks.
package more

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

type chunk struct {
	Choices []struct {
		Delta struct {
			Content   string `json:"content"`
			ToolCalls []struct {
				Index    int    `json:"index"`
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"delta"`
	} `json:"choices"`
}

// Preview cuts a text at a byte count.
func Preview(answer string) ([]byte, error) {
	if len(answer) > 80 {
		answer = answer[:80]
	}
	return json.Marshal(map[string]string{"preview": answer})
}

type call struct{ ID, Name, Arguments string }

// Collect adds a fragment to whichever call came last.
func Collect(chunks []chunk) []call {
	var calls []call
	for _, chunk := range chunks {
		for _, c := range chunk.Choices {
			for _, tc := range c.Delta.ToolCalls {
				if tc.ID != "" {
					calls = append(calls, call{ID: tc.ID, Name: tc.Function.Name})
				}
				calls[len(calls)-1].Arguments += tc.Function.Arguments
			}
		}
	}
	return calls
}

// Deltas decodes the end marker as if it were a chunk.
func Deltas(body io.Reader, show func(string)) error {
	sc := bufio.NewScanner(body)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok {
			continue
		}
		var c chunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			return fmt.Errorf("bad frame: %w", err)
		}
		for _, choice := range c.Choices {
			show(choice.Delta.Content)
		}
	}
	return sc.Err()
}

// Verdict mends a broken answer and takes the result for what was said.
func Verdict(resp *http.Response) (string, error) {
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	var v struct{ Verdict string }
	if json.Unmarshal(raw, &v) != nil {
		mended := strings.TrimSuffix(strings.TrimSpace(string(raw)), ",") + "}"
		if err := json.Unmarshal([]byte(mended), &v); err != nil {
			return "", err
		}
	}
	return v.Verdict, nil
}

// Lines ends at a line over 64 KiB.
func Lines(resp *http.Response, use func(line []byte)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		use(sc.Bytes())
	}
	return sc.Err()
}

// Answer gives whatever had come when the connection broke.
func Answer(resp *http.Response) string {
	var text strings.Builder
	sc := bufio.NewScanner(resp.Body)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		if data, ok := strings.CutPrefix(sc.Text(), "data: "); ok {
			text.WriteString(data)
		}
	}
	return text.String()
}
