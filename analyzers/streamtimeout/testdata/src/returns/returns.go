package returns

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"iter"
	"net/http"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

func response(parent context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(parent, time.Hour)
	defer cancel() // want `the deferred cancel ends the context when the function returns`
	return c.Do(req.WithContext(ctx))
}

func body(parent context.Context, c *http.Client, url string) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel() // want `the deferred cancel ends the context when the function returns`
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		msg, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		return nil, errors.New(string(msg))
	}
	return resp.Body, nil
}

func stream(parent context.Context, c *openai.Client) (*openai.ChatCompletionStream, error) {
	ctx, cancel := context.WithTimeout(parent, time.Minute)
	defer cancel() // want `the deferred cancel ends the context when the function returns`
	return c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
}

func conditional(parent context.Context, c *http.Client, req *http.Request, limit time.Duration) (*http.Response, error) {
	ctx := parent
	if limit > 0 {
		limited, cancel := context.WithTimeout(parent, limit)
		defer cancel() // want `the deferred cancel ends the context when the function returns`
		ctx = limited
	}
	return send(c, req.WithContext(ctx))
}

func send(c *http.Client, req *http.Request) (*http.Response, error) { return c.Do(req) }

// Wrapped, or put where the caller looks for it.

type Events struct {
	sc   *bufio.Scanner
	body io.Closer
}

func wrapped(parent context.Context, c *http.Client, req *http.Request) (*Events, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel() // want `the deferred cancel ends the context when the function returns`
	resp, err := c.Do(req.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	return &Events{sc: bufio.NewScanner(resp.Body), body: resp.Body}, nil
}

func filled[T any](parent context.Context, c *http.Client, req *http.Request, out *Events) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel() // want `the deferred cancel ends the context when the function returns`
	resp, err := send(c, req.WithContext(ctx))
	if err != nil {
		return err
	}
	return fill(resp, out)
}

func good(resp *http.Response) bool { return resp.StatusCode < 300 }

func fill(resp *http.Response, out *Events) error {
	if !good(resp) {
		defer resp.Body.Close()
		return errors.New(resp.Status)
	}
	out.sc = bufio.NewScanner(resp.Body)
	out.body = resp.Body
	return nil
}

func rows(parent context.Context, db *sql.DB) (*sql.Rows, error) {
	ctx, cancel := context.WithTimeout(parent, 5*time.Second)
	defer cancel() // want `the deferred cancel ends the context when the function returns`
	return db.QueryContext(ctx, "select 1")
}

func channel(parent context.Context, c *openai.Client) (<-chan string, error) {
	ctx, cancel := context.WithTimeout(parent, time.Minute)
	defer cancel() // want `the deferred cancel ends the context when the function returns`
	out := make(chan string)
	go func() {
		defer close(out)
		st, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
		if err != nil {
			return
		}
		for {
			r, err := st.Recv()
			if err != nil {
				return
			}
			out <- r.Choices[0].Delta.Content
		}
	}()
	return out, nil
}

func iterator(parent context.Context, c *openai.Client) iter.Seq[string] {
	ctx, cancel := context.WithCancel(parent)
	defer cancel() // want `the deferred cancel ends the context when the function returns`
	return func(yield func(string) bool) {
		st, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
		if err != nil {
			return
		}
		for {
			r, err := st.Recv()
			if err != nil || !yield(r.Choices[0].Delta.Content) {
				return
			}
		}
	}
}

// The twins.

// nopeRead returns what it has read.
func nopeRead(parent context.Context, c *http.Client, req *http.Request) ([]byte, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	resp, err := c.Do(req.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// nopeReplaced has read the body of the answer that it returns.
func nopeReplaced(parent context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	resp, err := c.Do(req.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(b))
	return resp, nil
}

// nopeClosed returns an answer for its header.
func nopeClosed(parent context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	resp, err := c.Do(req.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return resp, nil
}

type cancelling struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (c cancelling) Close() error { defer c.cancel(); return c.ReadCloser.Close() }

// nopeWithClose cancels when the body is closed.
func nopeWithClose(parent context.Context, c *http.Client, req *http.Request) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancel(parent)
	resp, err := c.Do(req.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	return cancelling{resp.Body, cancel}, nil
}

// nopeOnError cancels on an error only.
func nopeOnError(parent context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	ctx, cancel := context.WithCancel(parent)
	defer func() {
		if err != nil {
			cancel()
		}
	}()
	resp, err = c.Do(req.WithContext(ctx))
	return resp, err
}

// nopeInside reads the stream itself.
func nopeInside(parent context.Context, c *openai.Client, show func(string)) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	st, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
	if err != nil {
		return err
	}
	for {
		r, err := st.Recv()
		if err != nil {
			return err
		}
		show(r.Choices[0].Delta.Content)
	}
}

// nopeRows reads them.
func nopeRows(parent context.Context, db *sql.DB) (names []string, err error) {
	ctx, cancel := context.WithTimeout(parent, 5*time.Second)
	defer cancel()
	rs, err := db.QueryContext(ctx, "select name")
	if err != nil {
		return nil, err
	}
	defer rs.Close()
	for rs.Next() {
		var n string
		if err := rs.Scan(&n); err != nil {
			return nil, err
		}
		names = append(names, n)
	}
	return names, rs.Err()
}

// nopeGoroutine cancels where the stream is read.
func nopeGoroutine(parent context.Context, c *openai.Client) <-chan string {
	ctx, cancel := context.WithCancel(parent)
	out := make(chan string)
	go func() {
		defer cancel()
		defer close(out)
		st, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
		if err != nil {
			return
		}
		for {
			r, err := st.Recv()
			if err != nil {
				return
			}
			out <- r.Choices[0].Delta.Content
		}
	}()
	return out
}

// nopeRanged goes over maps of what it has opened, and of what it was sent.
func nopeRanged(parent context.Context, c *http.Client, reqs map[string]*http.Request, on func(string, []string)) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	open := make(map[string]*http.Response)
	for name, req := range reqs {
		resp, err := c.Do(req.WithContext(ctx))
		if err != nil {
			return err
		}
		open[name] = resp
	}
	for _, resp := range open {
		for k, v := range resp.Header {
			on(k, v)
		}
		resp.Body.Close()
	}
	return nil
}
