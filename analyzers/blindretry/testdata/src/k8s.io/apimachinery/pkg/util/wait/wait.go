// Package wait has the names of k8s wait that the tests use.
package wait

type Backoff struct{ Steps int }

type ConditionFunc func() (done bool, err error)

func ExponentialBackoff(b Backoff, f ConditionFunc) error { _, err := f(); return err }
