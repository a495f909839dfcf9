// Package r012: SamSaffron/term-llm#448, QuantumNous/new-api#5367. A frame that does
// not decode is skipped; when it is the last one, a cut stream ends as success.
package r012

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

type chunk struct {
	Text string `json:"text"`
	Done bool   `json:"done"`
}

func relay(body io.Reader, out chan<- string) error {
	sc := bufio.NewScanner(body)
	sc.Buffer(nil, 4<<20)
	done := false
	for sc.Scan() {
		line := bytes.TrimSpace(sc.Bytes())
		if len(line) == 0 {
			continue
		}
		var c chunk
		if err := json.Unmarshal(line, &c); err != nil { // want silentdefault
			continue
		}
		out <- c.Text
		done = done || c.Done
	}
	if err := sc.Err(); err != nil {
		return err
	}
	if !done {
		return io.ErrUnexpectedEOF
	}
	return nil
}
