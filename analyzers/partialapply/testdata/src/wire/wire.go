// Package wire holds tool calls in messages that the program decodes itself.
package wire

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
)

type call struct {
	Function struct {
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	} `json:"function"`
}

type chunk struct {
	Message struct {
		Content string `json:"content"`
		Calls   []call `json:"tool_calls"`
	} `json:"message"`
	Done bool `json:"done"`
}

type tools map[string]func(map[string]any) error

func lines(resp *http.Response, t tools) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		var c chunk
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			return err
		}
		for _, tc := range c.Message.Calls {
			if err := t[tc.Function.Name](tc.Function.Arguments); err != nil { // want `this tool call is run`
				return err
			}
		}
	}
	return sc.Err()
}

func decoder(resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	for {
		var c chunk
		err := dec.Decode(&c)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for _, tc := range c.Message.Calls {
			line, _ := tc.Function.Arguments["command"].(string)
			if err := exec.Command("sh", "-c", line).Run(); err != nil { // want `this tool call is run .Cmd.Run.`
				return err
			}
		}
	}
}

func nopeAfter(resp *http.Response, t tools) error {
	var calls []call
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		var c chunk
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			return err
		}
		calls = append(calls, c.Message.Calls...)
	}
	if err := sc.Err(); err != nil {
		return err
	}
	for _, tc := range calls {
		if err := t[tc.Function.Name](tc.Function.Arguments); err != nil {
			return err
		}
	}
	return nil
}

func nopeDone(resp *http.Response, t tools) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		var c chunk
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			return err
		}
		if !c.Done {
			continue
		}
		for _, tc := range c.Message.Calls {
			if err := t[tc.Function.Name](tc.Function.Arguments); err != nil {
				return err
			}
		}
	}
	return sc.Err()
}

// The loop of an agent: each answer is whole.
func nopeWhole(ask func() (*http.Response, error), t tools) error {
	for {
		resp, err := ask()
		if err != nil {
			return err
		}
		var c chunk
		err = json.NewDecoder(resp.Body).Decode(&c)
		resp.Body.Close()
		if err != nil {
			return err
		}
		if len(c.Message.Calls) == 0 {
			return nil
		}
		for _, tc := range c.Message.Calls {
			if err := t[tc.Function.Name](tc.Function.Arguments); err != nil {
				return err
			}
		}
	}
}

func nopeRead(ask func() (*http.Response, error), t tools) error {
	for {
		resp, err := ask()
		if err != nil {
			return err
		}
		raw, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			return err
		}
		var c chunk
		if err := json.Unmarshal(raw, &c); err != nil {
			return err
		}
		for _, tc := range c.Message.Calls {
			if err := t[tc.Function.Name](tc.Function.Arguments); err != nil {
				return err
			}
		}
	}
}

// A server of tools: each line is a request.
type request struct {
	Method string `json:"method"`
	Params struct {
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	} `json:"params"`
}

func nopeServer(t tools) error {
	sc := bufio.NewScanner(os.Stdin)
	for sc.Scan() {
		var r request
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			return err
		}
		if err := t[r.Params.Name](r.Params.Arguments); err != nil {
			return err
		}
	}
	return sc.Err()
}
