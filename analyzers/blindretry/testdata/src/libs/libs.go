// Package libs hands operations to retry libraries.
package libs

import (
	"bufio"
	"context"
	"net/http"
	"strings"

	avast "github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	seth "github.com/sethvargo/go-retry"
	"k8s.io/apimachinery/pkg/util/wait"
)

func once(url string, line func(string)) error {
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

func withBackoff(url string, line func(string)) error {
	return backoff.Retry(func() error { // want `blindretry: backoff.Retry runs its operation again`
		return once(url, line)
	}, backoff.NewExponentialBackOff())
}

func withVariable(url string, out chan<- string) error {
	op := func() error {
		resp, err := http.Get(url)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() {
			out <- sc.Text()
		}
		return sc.Err()
	}
	return backoff.Retry(op, backoff.NewExponentialBackOff()) // want `blindretry: `
}

func withAvast(url string) (string, error) {
	var sb strings.Builder
	err := avast.Do(func() error { // want `blindretry: `
		return once(url, func(s string) { sb.WriteString(s) })
	})
	return sb.String(), err
}

func withSeth(ctx context.Context, url string, line func(string)) error {
	return seth.Do(ctx, nil, func(ctx context.Context) error { // want `blindretry: `
		if err := once(url, line); err != nil {
			return seth.RetryableError(err)
		}
		return nil
	})
}

func withWait(url string, line func(string)) error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 3}, func() (bool, error) { // want `blindretry: `
		if err := once(url, line); err != nil {
			return false, nil
		}
		return true, nil
	})
}

type puller struct {
	url  string
	line func(string)
}

func (p *puller) pull() error { return once(p.url, p.line) }

func methodValue(p *puller) error {
	return backoff.Retry(p.pull, backoff.NewExponentialBackOff()) // want `blindretry: `
}

func nopePermanent(url string, line func(string)) error {
	return backoff.Retry(func() error {
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
			return backoff.Permanent(err)
		}
		return nil
	}, backoff.NewExponentialBackOff())
}

func nopeConnecting(url string, line func(string)) error {
	var resp *http.Response
	err := backoff.Retry(func() (err error) {
		resp, err = http.Get(url)
		return err
	}, backoff.NewExponentialBackOff())
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

func nopeResetFirst(url string) (string, error) {
	var sb strings.Builder
	err := avast.Do(func() error {
		sb.Reset()
		return once(url, func(s string) { sb.WriteString(s) })
	})
	return sb.String(), err
}

func nopeLocal(url string) (text string, err error) {
	err = avast.Do(func() error {
		var sb strings.Builder
		if err := once(url, func(s string) { sb.WriteString(s) }); err != nil {
			return err
		}
		text = sb.String()
		return nil
	})
	return text, err
}

func nopeNotRetryable(ctx context.Context, url string, line func(string)) error {
	return seth.Do(ctx, nil, func(ctx context.Context) error {
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
	})
}
