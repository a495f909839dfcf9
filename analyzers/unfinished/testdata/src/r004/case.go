// Package r004 holds a case of public bug reports.
// The reading goroutine reports "done" with the process status only; a line over the
// limit makes a cut stream look complete.
package r004

import (
	"bufio"
	"io"
)

// Line is one line of a child's output, or its end.
type Line struct {
	Text string
	Done bool
	Err  error
}

func pump(out io.Reader, wait func() error) <-chan Line {
	lines := make(chan Line)
	go func() {
		defer close(lines)
		sc := bufio.NewScanner(out)
		sc.Buffer(nil, 1<<20)
		for sc.Scan() { // want `unfinished`
			lines <- Line{Text: sc.Text()}
		}
		lines <- Line{Done: true, Err: wait()}
	}()
	return lines
}
