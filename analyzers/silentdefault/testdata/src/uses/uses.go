package uses

import (
	"bufio"
	"io"

	"parse"
)

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func run(name string, args map[string]any) {}

func helper(f function) {
	args, _ := parse.Args(f.Arguments) // want `the error of parse.Args is dropped`
	run(f.Name, args)
}

func into(f function) {
	var args map[string]any
	parse.Into([]byte(f.Arguments), &args) // want `the error of parse.Into is dropped`
	run(f.Name, args)
}

func throughInterface(c parse.Codec, body io.Reader, out chan<- string) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		text, err := c.Parse(sc.Bytes()) // want `the piece .* is left out`
		if err != nil {
			continue
		}
		out <- text
	}
	return sc.Err()
}

func nopeReturned(f function) error {
	args, err := parse.Args(f.Arguments)
	if err != nil {
		return err
	}
	run(f.Name, args)
	return nil
}

func nopeSafe(f function) string {
	s, _ := parse.Safe(f.Arguments)
	return s
}
