// Package retry has the names of sethvargo/go-retry that the tests use.
package retry

import "context"

type Backoff interface{ Next() }

type RetryFunc func(ctx context.Context) error

func Do(ctx context.Context, b Backoff, f RetryFunc) error { return f(ctx) }

func RetryableError(err error) error { return err }
