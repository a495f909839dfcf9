package toolcall_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"testing/iotest"

	"github.com/streamlint/streamlint/stream/sse"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/ollama"
)

// body writes a case as the server sends it, and gives the offset at which the
// frame with index terminal is complete.
func (c scripted) body(terminal int) (body []byte, end int) {
	var b bytes.Buffer
	for i, f := range c.Frames {
		if c.Wire == "ollama" {
			if json.Compact(&b, f.data()) != nil {
				b.Write(f.data())
			}
			if i == terminal {
				// A last line needs no newline: its JSON shows that it is whole.
				end = b.Len()
			}
			b.WriteString("\n")
			continue
		}
		if f.Event != "" {
			fmt.Fprintf(&b, "event: %s\n", f.Event)
		}
		for _, line := range bytes.Split(f.data(), []byte("\n")) {
			fmt.Fprintf(&b, "data: %s\n", line)
		}
		b.WriteString("\n")
		if i == terminal {
			end = b.Len()
		}
	}
	return b.Bytes(), end
}

// readBody runs a turn over the bytes of a response, with the decoder that
// belongs to the wire.
func readBody(c scripted, tools *toolcall.Set, r io.Reader) ([]toolcall.Call, error) {
	turn := wires[c.Wire](tools)
	if c.Wire == "ollama" {
		for f, err := range ollama.Lines(r, 0) {
			if err != nil {
				return turn.End(err)
			}
			turn.Frame(f.Event, f.Data)
		}
	} else {
		d := sse.NewDecoder(r)
		for {
			e, err := d.Next()
			if err != nil {
				return turn.End(err)
			}
			turn.Frame(e.Type, e.Data)
		}
	}
	return turn.End(nil)
}

// TestAssemblerByteCases runs the cases as bytes: whole, byte by byte, cut in
// two reads at every offset, and truncated at every offset. A truncated turn
// gives no calls before its last reason has arrived whole.
func TestAssemblerByteCases(t *testing.T) {
	f, tools := loadCases(t, casePath())
	for _, c := range f.Cases {
		t.Run(c.Name, func(t *testing.T) {
			terminal := -1
			// Where the last reason is, is known by its spelling in our own file.
			truncate := c.Expect.Error == "" && casePath() == ownCases
			if truncate {
				if terminal = lastReason(c); terminal < 0 {
					t.Fatal("no terminal frame found")
				}
			}
			body, end := c.body(terminal)
			check := func(how string, r io.Reader) {
				t.Helper()
				if c.End == "reset" {
					r = io.MultiReader(r, iotest.ErrReader(errReset))
				}
				calls, err := readBody(c, tools, r)
				if msg := c.verdict(calls, err); msg != "" {
					t.Fatalf("%s: %s", how, msg)
				}
			}
			check("whole", bytes.NewReader(body))
			check("byte by byte", iotest.OneByteReader(bytes.NewReader(body)))
			step := 1
			if c.Expect.Error != "" || testing.Short() {
				step = 7
			}
			for k := 0; k <= len(body); k += step {
				check(fmt.Sprintf("cut in two at %d", k), io.MultiReader(bytes.NewReader(body[:k]), bytes.NewReader(body[k:])))
				if !truncate {
					continue
				}
				calls, err := readBody(c, tools, bytes.NewReader(body[:k]))
				if k < end && (err == nil || calls != nil) {
					t.Fatalf("truncated at %d of %d: %d calls, %v", k, len(body), len(calls), err)
				}
				if k >= end {
					if msg := c.verdict(calls, err); msg != "" {
						t.Fatalf("truncated at %d, after the last reason: %s", k, msg)
					}
				}
			}
		})
	}
}
