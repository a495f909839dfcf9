// Package r005 holds a case of public bug reports.
// The client caps a line, the answer is longer, the method returns nil and
// the callback never ran: "no error, no answer".
package r005

import (
	"bufio"
	"encoding/json"
	"io"
)

const maxLine = 512 << 10

func stream[T any](body io.Reader, fn func(T) error) error {
	scanner := bufio.NewScanner(body)
	scanner.Buffer(make([]byte, 0, maxLine), maxLine)
	for scanner.Scan() { // want `unfinished`
		var v T
		if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
			return err
		}
		if err := fn(v); err != nil {
			return err
		}
	}
	return nil
}
