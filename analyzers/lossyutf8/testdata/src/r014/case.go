// Package r014: esengine/DeepSeek-Reasonix#7285, alpacax/alpamon#320. os/exec calls Write
// with pieces cut anywhere; each piece is encoded as its own JSON event.
package r014

import (
	"encoding/json"
	"io"
	"os/exec"
)

type progress struct {
	Stream string `json:"stream"`
	Text   string `json:"text"`
}

type progressWriter struct {
	out    io.Writer
	stream string
}

func (w *progressWriter) Write(p []byte) (int, error) {
	err := json.NewEncoder(w.out).Encode(progress{w.stream, string(p)}) // want `lossyutf8: `
	return len(p), err
}

func run(cmd *exec.Cmd, ui io.Writer) error {
	cmd.Stdout = &progressWriter{out: ui, stream: "stdout"}
	cmd.Stderr = &progressWriter{out: ui, stream: "stderr"}
	return cmd.Run()
}
