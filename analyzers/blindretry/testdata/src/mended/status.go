package mended

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
)

type refusal struct{ StatusCode int }

func (*refusal) Error() string { return "status" }

type tokens struct{ client *http.Client }

func (t *tokens) once(ctx context.Context, url, prompt string, out chan<- string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(prompt))
	if err != nil {
		return err
	}
	resp, err := t.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return &refusal{resp.StatusCode}
	}
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		out <- sc.Text()
	}
	return sc.Err()
}

func (t *tokens) shouldRetry(attempt int, err error) (bool, error) {
	var status *refusal
	if !errors.As(err, &status) || status.StatusCode != 429 {
		return false, err
	}
	return true, nil
}

// Only a status is retried, which comes before the first token; the verdict is
// bounded on its way.
func (t *tokens) nopeByStatus(ctx context.Context, url, prompt string, out chan<- string) error {
	for attempt := 0; ; attempt++ {
		err := t.once(ctx, url, prompt, out)
		if err == nil {
			return nil
		}
		retry, retryErr := t.shouldRetry(attempt, err)
		if retryErr != nil {
			return retryErr
		}
		if attempt > 3 {
			retry = false
		}
		if retry {
			continue
		}
		return err
	}
}

// What goes to io.Discard has no consumer.
func (t *tokens) nopeDiscard(ctx context.Context, url string) (err error) {
	for range 3 {
		var resp *http.Response
		if resp, err = t.client.Get(url); err != nil {
			continue
		}
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err == nil {
			return nil
		}
	}
	return err
}

func (t *tokens) copies(ctx context.Context, url string, w io.Writer) (err error) {
	for range 3 {
		var resp *http.Response
		if resp, err = t.client.Get(url); err != nil { // want `blindretry: Client.Get sends the request again`
			continue
		}
		_, err = io.Copy(w, resp.Body)
		resp.Body.Close()
		if err == nil {
			return nil
		}
	}
	return err
}
