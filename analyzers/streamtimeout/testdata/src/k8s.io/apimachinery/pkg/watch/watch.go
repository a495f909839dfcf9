// Package watch has the names of apimachinery that the tests use.
package watch

type Event struct{ Type string }

type Interface interface {
	Stop()
	ResultChan() <-chan Event
}
