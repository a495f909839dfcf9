// Package limits is looked at with lower limits than usual.
package limits

import (
	"bufio"
	"context"
	"net/http"
	"time"
)

func short(parent context.Context, url string, on func(string)) error {
	ctx, cancel := context.WithTimeout(parent, 30*time.Second) // want `the context ends 30s`
	defer cancel()
	return follow(ctx, &http.Client{
		Timeout: 20 * time.Second, // want `http.Client.Timeout \(20s\)`
	}, url, on)
}

func nopeLonger(parent context.Context, url string, on func(string)) error {
	ctx, cancel := context.WithTimeout(parent, 31*time.Second)
	defer cancel()
	return follow(ctx, &http.Client{Timeout: 31 * time.Second}, url, on)
}

func follow(ctx context.Context, c *http.Client, url string, on func(string)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		on(sc.Text())
	}
	return sc.Err()
}
