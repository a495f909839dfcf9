// Package crosslib streams for package cross.
package crosslib

import (
	"bufio"
	"context"
	"net/http"
	"time"
)

func Lines(url string, line func(string)) error { // want Lines:"emits.1."
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		line(sc.Text())
	}
	return sc.Err()
}

func Into(url string, out chan<- string) error { // want Into:"emits.1."
	return Lines(url, func(s string) { out <- s })
}

func Whole(url string) (*http.Response, error) { return http.Get(url) } // want Whole:"gives.0."

func Again(ctx context.Context, f func() error) (err error) { // want Again:"repeats.1."
	for range 3 {
		if err = f(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
