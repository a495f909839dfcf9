// Package loops has requests that are sent again blindly, in all the forms that
// need no library.
package loops

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"strings"
	"time"
)

type doer interface {
	Do(*http.Request) (*http.Response, error)
}

func once(ctx context.Context, url string, line func(string)) error {
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

func known(ctx context.Context, url string, line func(string)) (err error) {
	for range 3 {
		if err = once(ctx, url, line); err == nil { // want `blindretry: loops.once is called again .*\(to line\)`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func nested(url string, c doer, out chan<- string) error {
	var last error
	for range 5 {
		req, err := http.NewRequest("POST", url, nil)
		if err != nil {
			return err
		}
		resp, err := c.Do(req) // want `blindretry: doer.Do sends the request again`
		if err != nil {
			last = err
			continue
		}
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() {
			out <- sc.Text()
		}
		resp.Body.Close()
		last = sc.Err()
		if last == nil {
			return nil
		}
	}
	return last
}

func builder(ctx context.Context, url string) (string, error) {
	var sb strings.Builder
	var err error
	for range 3 {
		err = once(ctx, url, func(s string) { sb.WriteString(s) }) // want `blindretry: `
		if err == nil {
			break
		}
	}
	return sb.String(), err
}

func captured(ctx context.Context, url string) (text string, err error) {
	for range 3 {
		err = once(ctx, url, func(s string) { text += s }) // want `blindretry: `
		if err == nil {
			return text, nil
		}
	}
	return "", err
}

func recursive(ctx context.Context, url string, left int, line func(string)) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		line(sc.Text())
	}
	if err := sc.Err(); err != nil {
		if left > 0 {
			return recursive(ctx, url, left-1, line) // want `blindretry: `
		}
		return err
	}
	return nil
}

// reader replaces the stream that broke, two functions away.
type reader struct {
	url    string
	client *http.Client
	resp   *http.Response
	sc     *bufio.Scanner
	out    chan string
	stop   chan struct{}
}

func (r *reader) run() {
	defer close(r.out)
	tries := 0
	for {
		if !r.sc.Scan() {
			if r.sc.Err() != nil && tries < 3 {
				tries++
				if r.reconnect() { // want `blindretry: `
					continue
				}
			}
			return
		}
		select {
		case r.out <- r.sc.Text():
			tries = 0
		case <-r.stop:
			return
		}
	}
}

func (r *reader) reconnect() bool {
	r.resp.Body.Close()
	resp, err := r.client.Get(r.url)
	if err != nil {
		return false
	}
	r.resp = resp
	r.sc = bufio.NewScanner(resp.Body)
	return true
}

// header sends a Last-Event-ID that no event updates.
type header struct {
	lastID string
	out    chan []byte
}

func (h *header) listen(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Last-Event-ID", h.lastID)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	br := bufio.NewReader(resp.Body)
	for {
		line, err := br.ReadBytes('\n')
		if err != nil {
			return err
		}
		h.out <- bytes.TrimSpace(line)
	}
}

func (h *header) forever(ctx context.Context, url string) {
	for {
		if err := h.listen(ctx, url); err != nil { // want `blindretry: `
			fmt.Fprintln(os.Stderr, err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
	}
}

func iterator(url string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for try := 0; ; try++ {
			resp, err := http.Get(url) // want `blindretry: `
			if err == nil {
				dec := json.NewDecoder(resp.Body)
				for {
					var m struct{ Text string }
					if err = dec.Decode(&m); err != nil {
						break
					}
					if !yield(m.Text, nil) {
						return
					}
				}
				resp.Body.Close()
			}
			if err == io.EOF {
				return
			}
			if try == 3 {
				yield("", err)
				return
			}
		}
	}
}

func toWriter(url string, w io.Writer) (err error) {
	for range 3 {
		if err = copyTo(url, w); err == nil { // want `blindretry: `
			return nil
		}
	}
	return err
}

func copyTo(url string, w io.Writer) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(w, resp.Body)
	return err
}

type provider interface {
	Stream(ctx context.Context, prompt string, token func(string) error) error
}

// fallback asks the next model after the first has spoken.
func fallback(ctx context.Context, list []provider, prompt string, token func(string) error) (err error) {
	for _, p := range list {
		if err = p.Stream(ctx, prompt, token); err == nil { // want `blindretry: `
			return nil
		}
	}
	return err
}

func secondModel(ctx context.Context, a, b provider, prompt string, token func(string) error) error {
	if err := a.Stream(ctx, prompt, token); err != nil {
		return b.Stream(ctx, prompt, token) // want `blindretry: `
	}
	return nil
}

type next func(ctx context.Context, prompt string, token func(string) error) error

func middleware(n next) next {
	return func(ctx context.Context, prompt string, token func(string) error) error {
		err := n(ctx, prompt, token)
		if err != nil {
			err = n(ctx, prompt, token) // want `blindretry: `
		}
		return err
	}
}

// own is a retry helper of the program.
func own(times int, f func() error) (err error) {
	for range times {
		if err = f(); err == nil {
			return nil
		}
	}
	return err
}

func byOwn(ctx context.Context, url string, line func(string)) error {
	return own(3, func() error { return once(ctx, url, line) }) // want `blindretry: `
}
