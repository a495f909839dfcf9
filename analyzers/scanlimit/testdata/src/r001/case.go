// Package r001 holds a case of public bug reports.
// One event carries a big JSON payload; the line scanner's 64 KiB default ends the stream.
package r001

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// readEvents hands each data line of an event stream to emit.
func readEvents(body io.Reader, emit func(payload string)) error {
	sc := bufio.NewScanner(body) // want `bufio.Scanner over body stops`
	for sc.Scan() {
		if data, ok := strings.CutPrefix(sc.Text(), "data:"); ok {
			emit(strings.TrimSpace(data))
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("event stream: %w", err)
	}
	return nil
}
