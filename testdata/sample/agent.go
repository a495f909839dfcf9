// Package sample is a small program that consumes model streams the way many
// programs do: each function holds one of the bugs that streamlint finds.
package sample

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
)

type chunk struct {
	Choices []struct {
		Delta struct {
			Content   string `json:"content"`
			ToolCalls []struct {
				Index    int `json:"index"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
}

// RunTools decodes each fragment of the arguments as if it were all of them, and
// runs the tool with an empty map where that fails.
func RunTools(body io.Reader, run func(name string, args map[string]any)) error {
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok {
			continue
		}
		var c chunk
		if err := json.Unmarshal(data, &c); err != nil {
			continue
		}
		for _, call := range c.Choices[0].Delta.ToolCalls {
			var args map[string]any
			if err := json.Unmarshal([]byte(call.Function.Arguments), &args); err != nil {
				args = map[string]any{}
			}
			run(call.Function.Name, args)
		}
	}
	return lines.Err()
}

// progress sends each piece of a child's output as its own JSON event; a
// character that the pipe's buffer cuts in two is lost.
type progress struct{ events *json.Encoder }

func (p progress) Write(b []byte) (int, error) {
	err := p.events.Encode(map[string]string{"text": string(b)})
	return len(b), err
}

// Watch runs a command and shows its output.
func Watch(cmd *exec.Cmd, out io.Writer) error {
	cmd.Stdout = progress{json.NewEncoder(out)}
	return cmd.Run()
}

// Ask sends the prompt again when the stream breaks, although half of the answer
// has been printed.
func Ask(ctx context.Context, url, prompt string, print func(text string)) error {
	var err error
	for range 3 {
		if err = ask(ctx, url, prompt, print); err == nil {
			return nil
		}
	}
	return err
}

func ask(ctx context.Context, url, prompt string, print func(text string)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(prompt))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		print(lines.Text())
	}
	return lines.Err()
}
