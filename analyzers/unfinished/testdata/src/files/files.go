// Package files is looked at with -files.
package files

import (
	"bufio"
	"os"
	"strings"
)

func readLines(name string) (out []string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() { // want `nobody asks`
		out = append(out, sc.Text())
	}
	return out, nil
}

func nopeMemory(text string) (out []string, err error) {
	sc := bufio.NewScanner(strings.NewReader(text))
	for sc.Scan() {
		out = append(out, sc.Text())
	}
	return out, nil
}
