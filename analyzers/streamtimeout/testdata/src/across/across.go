package across

import (
	"context"
	"io"
	"net/http"
	"time"

	"lib"
)

func made(req *http.Request, on func(string)) error {
	c := lib.NewHTTPClient() // want `the Timeout of the client from lib.NewHTTPClient \(15s\)`
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return lib.Each(resp.Body, on)
}

func helper(req *http.Request, on func(string)) error {
	c := &http.Client{Timeout: time.Minute} // want `http.Client.Timeout \(1m\)`
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return lib.Each(resp.Body, on)
}

func handed(ctx context.Context, on func(string)) error {
	c := lib.New(&http.Client{Timeout: time.Minute}) // want `http.Client.Timeout \(1m\)`
	return c.Follow(ctx, "http://example.org", on)
}

func setting(req *http.Request, cfg *lib.Config, on func(string)) error {
	c := &http.Client{Timeout: cfg.Timeout} // want `http.Client.Timeout \(30s\)`
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return lib.Each(resp.Body, on)
}

func bound(parent context.Context, c *lib.Client, on func(string)) error {
	ctx, cancel := context.WithTimeout(parent, 10*time.Second) // want `the context ends 10s after it was made`
	defer cancel()
	return c.Follow(ctx, "http://example.org", on)
}

func returned(parent context.Context, c *lib.Client) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel() // want `the deferred cancel ends the context when the function returns`
	return c.Open(ctx, "http://example.org")
}

func nopeMade(req *http.Request) (string, error) {
	c := lib.NewHTTPClient()
	resp, err := c.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	return lib.All(resp.Body)
}

func nopeHanded(ctx context.Context) (string, error) {
	c := lib.New(&http.Client{Timeout: time.Minute})
	return c.Fetch(ctx, "http://example.org")
}

func nopeBound(parent context.Context, c *lib.Client) (string, error) {
	ctx, cancel := context.WithTimeout(parent, 10*time.Second)
	defer cancel()
	return c.Fetch(ctx, "http://example.org")
}

func nopeReturned(parent context.Context, c *lib.Client) (string, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	body, err := c.Open(ctx, "http://example.org")
	if err != nil {
		return "", err
	}
	defer body.Close()
	return lib.All(body)
}
