// Package local runs the fault server of package streamtest in a program, where
// there is no test to fail.
package local

import (
	"fmt"
	"os"
	"testing"

	"github.com/streamlint/streamlint/stream/streamtest"
)

// Serve starts a fault server. What would fail a test goes to standard error.
func Serve(replies ...streamtest.Reply) *streamtest.Server {
	return streamtest.Serve(program{}, replies...)
}

// ServeFunc starts one whose replies f chooses.
func ServeFunc(f func(n int, r *streamtest.Request) streamtest.Reply) *streamtest.Server {
	return streamtest.ServeFunc(program{}, f)
}

// Cut is a reply that sends the first n bytes of a recording and then closes the
// connection, or all of it if n is negative or too large.
func Cut(recorded []byte, n int) streamtest.Reply {
	if n < 0 || n >= len(recorded) {
		return streamtest.Stream(streamtest.Send(recorded))
	}
	return streamtest.Stream(streamtest.Send(recorded[:n]), streamtest.Cut())
}

// program is the part of a test that a server needs. Calling any other method is
// a nil pointer dereference, and rightly so.
type program struct{ testing.TB }

func (program) Helper()        {}
func (program) Cleanup(func()) {}
func (program) Errorf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}
func (program) Fatalf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}
func (program) Fatal(args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	os.Exit(1)
}
