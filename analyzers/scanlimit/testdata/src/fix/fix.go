// Package fix holds scanners that the fix repairs.
package fix

import (
	"bufio"
	"net/http"
	"os/exec"
)

func body(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body) // want `bufio.Scanner`
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func two(a, b *http.Response, emit func(string)) error {
	x := bufio.NewScanner(a.Body) // want `bufio.Scanner`
	y := bufio.NewScanner(b.Body) // want `bufio.Scanner`
	for x.Scan() && y.Scan() {
		emit(x.Text() + y.Text())
	}
	if err := x.Err(); err != nil {
		return err
	}
	return y.Err()
}

type client struct{ out *bufio.Scanner }

func (c *client) start(cmd *exec.Cmd) error {
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	switch {
	default:
		c.out = bufio.NewScanner(stdout) // want `bufio.Scanner`
	}
	return cmd.Start()
}

func (c *client) next() (string, error) {
	if c.out.Scan() {
		return c.out.Text(), nil
	}
	return "", c.out.Err()
}

type reader struct{ lines *bufio.Scanner }

func (r *reader) next() (string, error) {
	if r.lines.Scan() {
		return r.lines.Text(), nil
	}
	return "", r.lines.Err()
}

// The literal has no statement of its own: no fix.
func literal(resp *http.Response) *reader {
	return &reader{lines: bufio.NewScanner(resp.Body)} // want `bufio.Scanner`
}
