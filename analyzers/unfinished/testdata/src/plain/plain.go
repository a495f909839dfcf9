// Package plain is looked at with -scannererr: the plain case is left to go vet.
package plain

import (
	"bufio"
	"net/http"
)

func nopePlain(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		emit(sc.Text())
	}
	return nil
}

// go vet sees a call of Err and is content.
func inside(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() { // want `only while there is data`
		if err := sc.Err(); err != nil {
			return err
		}
		emit(sc.Text())
	}
	return nil
}

type client struct{ sc *bufio.Scanner }

func (c *client) open(resp *http.Response) { c.sc = bufio.NewScanner(resp.Body) }

func (c *client) each(emit func(string)) error {
	for c.sc.Scan() { // want `nobody asks`
		emit(c.sc.Text())
	}
	return nil
}

func helper(resp *http.Response, emit func(string)) error {
	return each(bufio.NewScanner(resp.Body), emit)
}

func each(sc *bufio.Scanner, emit func(string)) error {
	for sc.Scan() { // want `nobody asks`
		emit(sc.Text())
	}
	return nil
}
