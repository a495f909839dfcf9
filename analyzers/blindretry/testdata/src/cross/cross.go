// Package cross retries what another package streams.
package cross

import (
	"context"

	"crosslib"
)

func channel(url string, out chan<- string) (err error) {
	for range 3 {
		if err = crosslib.Into(url, out); err == nil { // want `blindretry: crosslib.Into is called again`
			return nil
		}
	}
	return err
}

func helper(ctx context.Context, url string, line func(string)) error {
	return crosslib.Again(ctx, func() error { return crosslib.Lines(url, line) }) // want `blindretry: `
}

func nopeCollected(url string) (out []string, err error) {
	for range 3 {
		var got []string
		if err = crosslib.Lines(url, func(s string) { got = append(got, s) }); err == nil {
			return got, nil
		}
	}
	return nil, err
}

func nopeHelper(ctx context.Context, url string) error {
	return crosslib.Again(ctx, func() error {
		resp, err := crosslib.Whole(url)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}
