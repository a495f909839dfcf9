// Package fix holds loops that the fix repairs.
package fix

import (
	"bufio"
	"net/http"
)

type result struct{ n int }

func nothing(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() { // want `nobody asks`
		emit(sc.Text())
	}
	return nil
}

func values(resp *http.Response) (*result, string, int, result, error) {
	sc := bufio.NewScanner(resp.Body)
	text := ""
	for sc.Scan() { // want `nobody asks`
		text += sc.Text()
	} // all of it

	return &result{}, text, len(text), result{}, nil
}

type client struct{ sc *bufio.Scanner }

func (c *client) open(resp *http.Response) { c.sc = bufio.NewScanner(resp.Body) }

func (c *client) each(emit func(string)) (err error) {
	if emit != nil {
		for c.sc.Scan() { // want `nobody asks`
			emit(c.sc.Text())
		}
	}
	return nil
}

// No error result: no fix.
func channel(resp *http.Response, ch chan string) {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() { // want `nobody asks`
		ch <- sc.Text()
	}
	close(ch)
}

// The scanner is not in scope behind the loop: no fix.
func scoped(resp *http.Response, emit func(string)) error {
	for sc := bufio.NewScanner(resp.Body); sc.Scan(); { // want `nobody asks`
		emit(sc.Text())
	}
	return nil
}
