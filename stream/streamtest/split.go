package streamtest

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
)

// Parts is a payload as it arrives: one element a read, in order. Elements may
// be empty. Together they are the payload.
type Parts [][]byte

// Reader returns a reader that gives one part a Read (more only if the buffer
// is smaller than the part) and io.EOF after the last.
func (p Parts) Reader() io.Reader { return &partsReader{rest: p} }

// String shows where the cuts are.
func (p Parts) String() string {
	var b strings.Builder
	for i, part := range p {
		if i > 0 {
			b.WriteByte('|')
		}
		if i == 8 && len(p) > 10 {
			fmt.Fprintf(&b, "... %d more", len(p)-i)
			break
		}
		if len(part) > 48 {
			fmt.Fprintf(&b, "%q..%d..%q", part[:16], len(part)-32, part[len(part)-16:])
			continue
		}
		fmt.Fprintf(&b, "%q", part)
	}
	return b.String()
}

type partsReader struct {
	rest Parts
	off  int
}

func (r *partsReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	n := copy(p, r.rest[0][r.off:])
	if r.off += n; r.off == len(r.rest[0]) {
		r.rest, r.off = r.rest[1:], 0
	}
	return n, nil
}

// SplitAt cuts payload at the given offsets, which must not decrease and must
// lie within it.
func SplitAt(payload []byte, offsets ...int) Parts {
	var parts Parts
	from := 0
	for _, to := range offsets {
		parts = append(parts, payload[from:to:to])
		from = to
	}
	return append(parts, payload[from:])
}

// SplitBytes cuts payload into single bytes.
func SplitBytes(payload []byte) Parts {
	parts := make(Parts, len(payload))
	for i := range payload {
		parts[i] = payload[i : i+1 : i+1]
	}
	return parts
}

// SplitBy cuts payload into parts of the sizes that the bytes of sizes say,
// taken in turn and around again: a fuzz target's way to choose the cuts. A
// zero is an empty part. Without a size above zero the payload stays whole.
func SplitBy(payload, sizes []byte) Parts {
	some := false
	for _, n := range sizes {
		some = some || n > 0
	}
	if !some {
		return Parts{payload}
	}
	var parts Parts
	for i := 0; len(payload) > 0; i++ {
		n := min(int(sizes[i%len(sizes)]), len(payload))
		parts = append(parts, payload[:n:n])
		payload = payload[n:]
	}
	return parts
}

// maxReports is how many failures EveryCut and EverySplit report one by one.
const maxReports = 5

// EverySplit calls f with payload whole, byte by byte, cut in two at every
// offset, with every single byte on its own, and with empty parts around it,
// and fails the test for each way whose result or error (by its text) differs
// from that of the whole. It returns the whole's result, for the test to check.
//
// It calls f about twice for each byte of the payload. Results are compared
// with reflect.DeepEqual after f has returned, so that f must not return memory
// it goes on writing to. The parts lie in the payload, which f must not change.
func EverySplit[T any](t testing.TB, payload []byte, f func(Parts) (T, error)) T {
	t.Helper()
	unchanged := guard(t, payload)
	want, wantErr := f(Parts{payload})
	unchanged()
	failed := 0
	check := func(p Parts) {
		t.Helper()
		got, err := f(p)
		unchanged()
		if errText(err) == errText(wantErr) && reflect.DeepEqual(got, want) {
			return
		}
		if failed++; failed <= maxReports {
			t.Errorf("split %v:\n got %+v, %v\nwant %+v, %v (whole)", p, got, err, want, wantErr)
		}
	}
	check(SplitBytes(payload))
	check(Parts{nil, payload, nil})
	for i := 1; i < len(payload); i++ {
		check(SplitAt(payload, i))
		check(SplitAt(payload, i-1, i))
	}
	if failed > maxReports {
		t.Errorf("%d splits in all gave another result than the whole", failed)
	}
	return want
}

// guard returns a function that ends the test if the payload is not what it was:
// every later call would be about other bytes.
func guard(t testing.TB, payload []byte) func() {
	was := bytes.Clone(payload)
	return func() {
		t.Helper()
		if !bytes.Equal(payload, was) {
			copy(payload, was)
			t.Fatalf("the function under test changed the payload")
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return "error: " + err.Error()
}

// EveryCut calls f with every truncation of payload, from nothing to all but
// the last byte, and fails the test for each that f accepts by returning nil.
// It also calls f with the whole payload, which must be accepted: a consumer
// that refuses everything proves nothing.
//
// Where nothing of a truncated payload may reach a consumer, or only whole
// items may, f is the place to check that. A cut lies in the payload, which f
// must not change.
func EveryCut(t testing.TB, payload []byte, f func(cut []byte) error) {
	t.Helper()
	unchanged := guard(t, payload)
	if err := f(payload[:len(payload):len(payload)]); err != nil {
		t.Errorf("the whole payload of %d bytes was refused: %v", len(payload), err)
	}
	unchanged()
	accepted := 0
	for n := range len(payload) {
		err := f(payload[:n:n])
		unchanged()
		if err != nil {
			continue
		}
		if accepted++; accepted <= maxReports {
			t.Errorf("cut after %d of %d bytes was accepted: ...%q", n, len(payload), payload[max(0, n-32):n])
		}
	}
	if accepted > maxReports {
		t.Errorf("%d cuts in all were accepted", accepted)
	}
}
