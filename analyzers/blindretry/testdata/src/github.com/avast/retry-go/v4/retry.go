// Package retry has the names of avast/retry-go that the tests use.
package retry

type RetryableFunc func() error

type Option func()

func Do(f RetryableFunc, opts ...Option) error { return f() }

func Unrecoverable(err error) error { return err }
