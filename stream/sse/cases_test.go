package sse

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"testing"
	"time"
)

// sseCase is a byte stream with what the standard makes of it.
type sseCase struct {
	Name   string `json:"name"`
	Stream []byte `json:"stream_base64"`
	Parts  []struct {
		Base64 string `json:"base64"`
		Repeat int    `json:"repeat"`
	} `json:"stream_parts"`
	Events []struct {
		Type   string `json:"type"`
		Data   string `json:"data"`
		ID     string `json:"id"`
		Len    int    `json:"data_len"`
		SHA256 string `json:"data_sha256"`
	} `json:"events"`
	Repeat int          `json:"events_repeat"` // all of Events, this often
	Retry  *json.Number `json:"retry"`         // milliseconds
	LastID string       `json:"last_event_id"`
	Source string       `json:"source"`
}

func loadCases(t testing.TB) []sseCase {
	t.Helper()
	name := "testdata/sse-cases.json"
	if other := os.Getenv("STREAMLINT_SSE_CASES"); other != "" {
		name = other
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var cases []sseCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(cases) == 0 {
		t.Fatalf("%s: no cases", name)
	}
	for i := range cases {
		c := &cases[i]
		for _, p := range c.Parts {
			b, err := base64.StdEncoding.DecodeString(p.Base64)
			if err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			c.Stream = append(c.Stream, bytes.Repeat(b, p.Repeat)...)
		}
	}
	return cases
}

// verify reads the stream from r and compares it with the case.
func (c *sseCase) verify(r io.Reader, opts ...Option) error {
	// The standard knows no limit.
	d := NewDecoder(r, append(opts, WithMaxEventSize(1<<30))...)
	n, repeat := 0, max(c.Repeat, 1)
	for {
		ev, err := d.Next()
		if err != nil {
			if err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
				return err
			}
			break
		}
		if n == len(c.Events)*repeat {
			return fmt.Errorf("event %d is one too many: %.100q", n+1, ev.Data)
		}
		want := c.Events[n%len(c.Events)]
		n++
		if ev.Type != want.Type || ev.ID != want.ID {
			return fmt.Errorf("event %d: type %q id %q, want %q and %q", n, ev.Type, ev.ID, want.Type, want.ID)
		}
		text := ev.Text()
		if d.policy == UTF8Replace && text != string(ev.Data) {
			return fmt.Errorf("event %d: data %q was not made valid", n, ev.Data)
		}
		if want.SHA256 != "" {
			sum := sha256.Sum256([]byte(text))
			if len(text) != want.Len || hex.EncodeToString(sum[:]) != want.SHA256 {
				return fmt.Errorf("event %d: data of %d bytes, want %d of another hash", n, len(text), want.Len)
			}
		} else if text != want.Data {
			return fmt.Errorf("event %d: data %.200q, want %.200q", n, text, want.Data)
		}
	}
	if n != len(c.Events)*repeat {
		return fmt.Errorf("%d events, want %d", n, len(c.Events)*repeat)
	}
	if d.LastEventID() != c.LastID {
		return fmt.Errorf("last event id %q, want %q", d.LastEventID(), c.LastID)
	}
	return c.verifyRetry(d.Retry())
}

func (c *sseCase) verifyRetry(got time.Duration, ok bool) error {
	if ok != (c.Retry != nil) {
		return fmt.Errorf("retry set: %v, want %v", ok, c.Retry != nil)
	}
	if !ok {
		return nil
	}
	want, valid := new(big.Float).SetString(c.Retry.String())
	if !valid {
		return fmt.Errorf("retry %q in the case is no number", *c.Retry)
	}
	// The longest time there is stands for all that are longer.
	most, _ := digits([]byte("9223372036854775807000"))
	if limit := new(big.Float).SetInt64(most.Milliseconds()); want.Cmp(limit) > 0 {
		want = limit
	}
	if new(big.Float).SetInt64(got.Milliseconds()).Cmp(want) != 0 {
		return fmt.Errorf("retry %v, want %s ms", got, want)
	}
	return nil
}

// twoParts gives b in two reads, cut at i, and the end with the second or
// after it.
type twoParts struct {
	b       []byte
	i, off  int
	withEOF bool
}

func (r *twoParts) Read(p []byte) (int, error) {
	if r.off == len(r.b) {
		return 0, io.EOF
	}
	stop := len(r.b)
	if r.off < r.i {
		stop = r.i
	}
	n := copy(p, r.b[r.off:stop])
	r.off += n
	if r.withEOF && r.off == len(r.b) {
		return n, io.EOF
	}
	return n, nil
}

// cutsOf gives every offset of a short stream; of a long one those at both
// ends, at the borders of buffers, and a spread of the rest.
func cutsOf(n int) []int {
	var cuts []int
	const every = 8 << 10
	step, ends := max(1, n/16), 32
	if n > 1<<20 {
		step, ends = n/8, 12
	}
	for i := 0; i <= n; i++ {
		border := i%(64<<10) <= 1 && n < 1<<20
		if n <= every || i < ends || n-i < ends || border || i%step == 0 {
			cuts = append(cuts, i)
		}
	}
	return cuts
}

func TestDecoderCases(t *testing.T) {
	for _, c := range loadCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for _, p := range []UTF8Policy{UTF8Raw, UTF8Replace} {
				if err := c.verify(bytes.NewReader(c.Stream), WithUTF8(p)); err != nil {
					t.Errorf("whole, policy %d: %v", p, err)
				}
			}
			if err := c.verify(&sizedReader{c.Stream, 1}); err != nil {
				t.Errorf("byte by byte: %v", err)
			}
			for _, size := range []int{3, 1400, 4 << 10} {
				if err := c.verify(&sizedReader{c.Stream, size}); err != nil {
					t.Errorf("in reads of %d bytes: %v", size, err)
				}
			}
			for _, i := range cutsOf(len(c.Stream)) {
				for _, withEOF := range []bool{false, true} {
					if err := c.verify(&twoParts{b: c.Stream, i: i, withEOF: withEOF}); err != nil {
						t.Fatalf("cut at %d (EOF with the data: %v): %v", i, withEOF, err)
					}
				}
			}
		})
	}
}
