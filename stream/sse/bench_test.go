package sse

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// chatStream is n bytes or a little more of a stream as OpenAI-like servers
// send it.
func chatStream(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-9aBcDeFgHiJkLmNoPqRsTuVwXyZ01","object":"chat.completion.chunk","created":1760000000,"model":"gpt-4o-mini-2024-07-18","service_tier":"default","system_fingerprint":"fp_0123456789","choices":[{"index":0,"delta":{"content":" word%d"},"logprobs":null,"finish_reason":null}],"obfuscation":"aB3dE5fG7"}`+"\n\n", i%1000)
	}
	b.WriteString("data: [DONE]\n\n")
	return b.Bytes()
}

// sizedReader gives at most size bytes a read, as a socket would.
type sizedReader struct {
	b    []byte
	size int
}

func (r *sizedReader) Read(p []byte) (int, error) {
	if len(r.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.b[:min(r.size, len(r.b))])
	r.b = r.b[n:]
	return n, nil
}

func benchNext(b *testing.B, raw []byte, size int) {
	b.Helper()
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	d := NewDecoder(nil)
	var events int64
	for b.Loop() {
		d.Reset(&sizedReader{raw, size})
		for {
			if _, err := d.Next(); err != nil {
				if err != io.EOF {
					b.Fatal(err)
				}
				break
			}
		}
		events += d.Count()
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkNext(b *testing.B) {
	raw := chatStream(8 << 20)
	crlf := bytes.ReplaceAll(raw, []byte("\n"), []byte("\r\n"))
	var ids strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&ids, "id: %d\nevent: update\ndata: {\"n\":%d}\n\n", i, i)
	}
	for _, size := range []int{1400, 16 << 10} {
		b.Run(fmt.Sprintf("chat/read=%d", size), func(b *testing.B) { benchNext(b, raw, size) })
		b.Run(fmt.Sprintf("chat-crlf/read=%d", size), func(b *testing.B) { benchNext(b, crlf, size) })
		b.Run(fmt.Sprintf("ids/read=%d", size), func(b *testing.B) { benchNext(b, []byte(ids.String()), size) })
	}
}

// BenchmarkScanLimit is the least that any decoder has to do: copy what was
// read and look at every byte for LF and for CR.
func BenchmarkScanLimit(b *testing.B) {
	raw := chatStream(8 << 20)
	b.SetBytes(int64(len(raw)))
	buf := make([]byte, 64<<10)
	for b.Loop() {
		r := &sizedReader{raw, 16 << 10}
		for {
			n, err := r.Read(buf)
			if err != nil {
				break
			}
			for rest := buf[:n]; ; {
				i := bytes.IndexByte(rest, '\n')
				if i < 0 {
					break
				}
				rest = rest[i+1:]
			}
			if bytes.IndexByte(buf[:n], '\r') >= 0 {
				b.Fatal("no CR is in there")
			}
		}
	}
}

// BenchmarkLongLine must take twice the time for twice the line.
func BenchmarkLongLine(b *testing.B) {
	for _, mib := range []int{1, 5, 10} {
		raw := []byte("data: " + strings.Repeat("0123456789abcdef", mib<<16) + "\n\n")
		b.Run(fmt.Sprintf("%dMiB", mib), func(b *testing.B) { benchNext(b, raw, 4<<10) })
	}
}

// BenchmarkManyLines must take ten times the time for ten times the lines.
func BenchmarkManyLines(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		raw := []byte(strings.Repeat("data: line\n", n) + "\n")
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) { benchNext(b, raw, 4<<10) })
	}
}

func BenchmarkEvents(b *testing.B) {
	raw := chatStream(8 << 20)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range NewDecoder(bytes.NewReader(raw)).Events() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
