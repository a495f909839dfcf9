// Package lib is what other packages of the tests use.
package lib

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"time"
)

// NewHTTPClient makes a client with a total limit.
func NewHTTPClient() *http.Client {
	c := &http.Client{}
	c.Timeout = 15 * time.Second
	return c
}

// Config has a default.
type Config struct{ Timeout time.Duration }

// Default gives the default settings.
func Default() *Config { return &Config{Timeout: 30 * time.Second} }

// Each reads a body as a stream.
func Each(r io.Reader, on func(string)) error {
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		on(sc.Text())
	}
	return sc.Err()
}

// All reads it whole.
func All(r io.Reader) (string, error) {
	b, err := io.ReadAll(r)
	return string(b), err
}

// Client keeps an HTTP client.
type Client struct{ http *http.Client }

// New keeps the client it is given.
func New(c *http.Client) *Client { return &Client{http: c} }

func (c *Client) do(ctx context.Context, url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return c.http.Do(req)
}

// Follow receives a stream.
func (c *Client) Follow(ctx context.Context, url string, on func(string)) error {
	resp, err := c.do(ctx, url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return Each(resp.Body, on)
}

// Fetch gets one answer.
func (c *Client) Fetch(ctx context.Context, url string) (string, error) {
	resp, err := c.do(ctx, url)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	return All(resp.Body)
}

// Open gives an unread body.
func (c *Client) Open(ctx context.Context, url string) (io.ReadCloser, error) {
	resp, err := c.do(ctx, url)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}
