// Package r003 holds a case of public bug reports. Err() is asked inside the loop,
// where it is always nil; a failed read ends the loop as if the stream were over.
// (The vet pass scannererr stays silent here: Err is called somewhere.)
package r003

import (
	"bufio"
	"encoding/json"
	"io"
)

type record struct {
	ID string `json:"id"`
}

func follow(body io.Reader, handle func(record) error) error {
	sc := bufio.NewScanner(body)
	sc.Buffer(nil, 8<<20)
	for sc.Scan() { // want `unfinished`
		if err := sc.Err(); err != nil {
			return err
		}
		var rec record
		if err := json.Unmarshal(sc.Bytes(), &rec); err != nil {
			return err
		}
		if err := handle(rec); err != nil {
			return err
		}
	}
	return nil
}
