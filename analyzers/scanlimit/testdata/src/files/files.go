// Package files is looked at with -files.
package files

import (
	"bufio"
	"os"
	"strings"
)

func file(name string) (n int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f) // want `bufio.Scanner`
	for sc.Scan() {
		n += len(sc.Text())
	}
	return n, sc.Err()
}

func stdin() (text string, err error) {
	sc := bufio.NewScanner(os.Stdin) // want `bufio.Scanner`
	for sc.Scan() {
		text += sc.Text() + "\n"
	}
	return text, sc.Err()
}

func nopeMemory(s string) (n int) {
	sc := bufio.NewScanner(strings.NewReader(s))
	for sc.Scan() {
		n += len(sc.Text())
	}
	return n
}
