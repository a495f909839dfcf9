package agent

import (
	"encoding/json"
	"io"
	"testing"
)

func TestCalls(t *testing.T) {
	r, w := io.Pipe()
	go w.CloseWithError(io.EOF)
	buf := make([]byte, 64)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		var v map[string]any
		if err := json.Unmarshal(buf[:n], &v); err != nil { // reported only where tests are asked for
			t.Fatal(err)
		}
	}
}
