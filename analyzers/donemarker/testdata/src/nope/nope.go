// Package nope knows the marker, or a protocol without one.
package nope

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

func trimmed(body io.Reader, on func(chunk)) error {
	r := bufio.NewReader(body)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return err
		}
		data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		if !ok {
			continue
		}
		data = bytes.TrimSpace(data)
		if string(data) == "[DONE]" {
			return nil
		}
		var c chunk
		if err := json.Unmarshal(data, &c); err != nil {
			return err
		}
		on(c)
	}
}

func withLineEnd(r *bufio.Reader) (bool, error) {
	line, err := r.ReadString('\n')
	return line == "data: [DONE]\n", err
}

func scanned(body io.Reader, on func(chunk)) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		line := sc.Text()
		if !strings.HasPrefix(line, "data: ") {
			continue
		}
		data := strings.TrimPrefix(line, "data: ")
		if data == "[DONE]" {
			break
		}
		var c chunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			return err
		}
		on(c)
	}
	return sc.Err()
}

// Both forms are asked for.
func both(data string) bool {
	data = strings.TrimPrefix(data, "data:")
	return data == "[DONE]" || data == " [DONE]"
}

// A helper asks.
func isEnd(data string) bool { return strings.HasPrefix(data, "[DONE]") }

func helped(body io.Reader, on func(chunk)) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok || isEnd(data) {
			continue
		}
		var c chunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			return err
		}
		on(c)
	}
	return sc.Err()
}

// The caller asks.
func decode(data string) (c chunk, err error) {
	err = json.Unmarshal([]byte(data), &c)
	return c, err
}

func loop(body io.Reader, on func(chunk)) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok {
			continue
		}
		if data == "[DONE]" {
			return nil
		}
		c, err := decode(data)
		if err != nil {
			return err
		}
		on(c)
	}
	return sc.Err()
}

// A protocol without the marker.
type generated struct {
	Candidates []struct {
		Content string `json:"content"`
	} `json:"candidates"`
}

func other(body io.Reader, on func(generated)) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok {
			continue
		}
		var g generated
		if err := json.Unmarshal([]byte(data), &g); err != nil {
			return err
		}
		on(g)
	}
	return sc.Err()
}

// Lines of JSON without "data:".
func lines(body io.Reader, on func(chunk)) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		var c chunk
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			return err
		}
		on(c)
	}
	return sc.Err()
}

// Left at the finish reason.
func leaves(body io.Reader, on func(chunk)) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok {
			continue
		}
		var c chunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			return err
		}
		on(c)
		if c.Choices[0].FinishReason != "" {
			return nil
		}
	}
	return io.ErrUnexpectedEOF
}

// Only objects are decoded.
func objects(body io.Reader, on func(chunk)) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok || !strings.HasPrefix(data, "{") {
			continue
		}
		var c chunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			return err
		}
		on(c)
	}
	return sc.Err()
}

// The end is told apart.
func token(data []byte) (string, error) {
	if string(data) == "[DONE]" {
		return "", io.EOF
	}
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return "", err
	}
	return c.Choices[0].Delta.Content, nil
}
