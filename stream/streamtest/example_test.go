package streamtest_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/streamlint/streamlint/stream/streamtest"
)

// A test gets these from the testing package; an example has to bring its own.
var t = exampleT{}

type exampleT struct{ testing.TB }

func (exampleT) Helper()                           {}
func (exampleT) Cleanup(f func())                  {}
func (exampleT) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func ExampleEveryCut() {
	// A consumer that takes anything that ends in a brace.
	accept := func(cut []byte) error {
		if len(cut) == 0 || cut[len(cut)-1] != '}' {
			return io.ErrUnexpectedEOF
		}
		return nil
	}
	streamtest.EveryCut(t, []byte(`{"a":{"b":1}}`), accept)
	// Output:
	// cut after 12 of 13 bytes was accepted: ..."{\"a\":{\"b\":1}"
}

func ExampleServe() {
	raw := streamtest.Transcript("dropped-socket")
	s := streamtest.Serve(t,
		streamtest.Refuse(503, 0, "starting"),
		streamtest.Stream(streamtest.Send(raw[:40]), streamtest.Cut()),
	)
	defer s.Close()
	for range 2 {
		resp, err := s.Client().Get(s.URL)
		if err != nil {
			fmt.Println(err)
			return
		}
		b, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Println(resp.StatusCode, len(b), err)
	}
	// Output:
	// 503 8 <nil>
	// 200 40 unexpected EOF
}

func ExampleInterleave() {
	contact := []string{`{"na`, `me":"Lan"}`}
	event := []string{`{"title":`, `"Sync"}`}
	fmt.Printf("%q\n", streamtest.Interleave(6, contact, event))
	for range streamtest.Interleavings(contact, event) {
		// every one of the six merges
	}
	// Output:
	// ["{\"na" "{\"title\":" "me\":\"Lan\"}" "\"Sync\"}"]
}
