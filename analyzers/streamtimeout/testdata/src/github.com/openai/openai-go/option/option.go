// Package option has the names of openai-go that the tests use.
package option

import (
	"net/http"
	"time"
)

type RequestOption interface{ Apply() }

func WithHTTPClient(c *http.Client) RequestOption { return nil }

func WithRequestTimeout(d time.Duration) RequestOption { return nil }

func WithMaxRetries(n int) RequestOption { return nil }
