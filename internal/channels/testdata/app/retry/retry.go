// Package retry asks again, with the reading of the answer in another package.
package retry

import (
	"context"
	"net/http"
	"strings"

	"example.test/app/wire"
)

// Ask sends the prompt again although half of the answer went out.
func Ask(ctx context.Context, url, prompt string, show func(text string)) error {
	var err error
	for range 3 {
		if err = ask(ctx, url, prompt, show); err == nil {
			return nil
		}
	}
	return err
}

func ask(ctx context.Context, url, prompt string, show func(text string)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(prompt))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return wire.Pump(resp.Body, show)
}
