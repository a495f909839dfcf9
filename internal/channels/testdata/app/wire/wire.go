// Package wire is the part of the sample whose functions are called from other
// packages.
package wire

import (
	"encoding/json"
	"io"

	"example.test/dep/codec"
)

// Args decodes the arguments of a call.
func Args(data []byte) (args map[string]any, err error) {
	err = json.Unmarshal(data, &args)
	return args, err
}

// Event decodes an event with the help of another module.
func Event(data []byte, into any) error { return codec.Decode(data, into) }

// Pump hands on what it reads as it comes.
func Pump(r io.Reader, show func(text string)) error {
	buf := make([]byte, 4096)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			show(string(buf[:n]))
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
