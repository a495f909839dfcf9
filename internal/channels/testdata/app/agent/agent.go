// Package agent holds one defect a function, most of them visible only with what
// is known of other packages.
package agent

import (
	"encoding/json"
	"io"
	"os/exec"

	"example.test/app/wire"
)

type status struct{ Page string }

// Status drops an error that it could return: streamlint offers the fix.
func Status(body io.Reader) (status, error) {
	var s status
	data, err := io.ReadAll(body)
	if err != nil {
		return s, err
	}
	json.Unmarshal(data, &s)
	return s, nil
}

// Calls decodes each read as a document, two packages away.
func Calls(body io.Reader, run func(map[string]any)) error {
	buf := make([]byte, 4096)
	for {
		n, err := body.Read(buf)
		if err != nil {
			return err
		}
		args, err := wire.Args(buf[:n])
		if err != nil {
			return err
		}
		run(args)
	}
}

// Events does so through a package of another module.
func Events(body io.Reader, run func(map[string]any)) error {
	buf := make([]byte, 4096)
	for {
		n, err := body.Read(buf)
		if err != nil {
			return err
		}
		var event map[string]any
		if err := wire.Event(buf[:n], &event); err != nil {
			return err
		}
		run(event)
	}
}

// Once takes one Read for the whole message; the place where it is decoded is
// related information.
func Once(body io.Reader) (map[string]any, error) {
	data, err := first(body)
	if err != nil {
		return nil, err
	}
	return wire.Args(data)
}

func first(body io.Reader) ([]byte, error) {
	buf := make([]byte, 4096)
	n, err := body.Read(buf)
	return buf[:n], err
}

// Args runs a tool with nothing where its arguments are broken.
func Args(raw string, run func(map[string]any)) {
	var args map[string]any
	if err := json.Unmarshal([]byte(raw), &args); err != nil {
		args = map[string]any{}
	}
	run(args)
}

type progress struct{ events *json.Encoder }

func (p progress) Write(b []byte) (int, error) {
	err := p.events.Encode(map[string]string{"text": string(b)})
	return len(b), err
}

// Watch cuts characters at the borders of a pipe's buffer.
func Watch(cmd *exec.Cmd, out io.Writer) error {
	cmd.Stdout = progress{json.NewEncoder(out)}
	return cmd.Run()
}
