package bench

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	anthropic "github.com/anthropics/anthropic-sdk-go/packages/ssestream"
	"github.com/launchdarkly/eventsource"
	openai "github.com/openai/openai-go/v3/packages/ssestream"
	r3labs "github.com/r3labs/sse/v2"
	gosse "github.com/tmaxmax/go-sse"

	"github.com/streamlint/streamlint/stream/sse"
)

// chat is a stream as OpenAI-like servers send it: 64 MiB, or as many MiB as
// STREAMLINT_BENCH_MIB says.
var chat = sync.OnceValue(func() []byte {
	mib, err := strconv.Atoi(os.Getenv("STREAMLINT_BENCH_MIB"))
	if err != nil || mib < 1 {
		mib = 64
	}
	var b bytes.Buffer
	b.Grow(mib<<20 + 1024)
	for i := 0; b.Len() < mib<<20; i++ {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-9aBcDeFgHiJkLmNoPqRsTuVwXyZ01","object":"chat.completion.chunk","created":1760000000,"model":"gpt-4o-mini-2024-07-18","service_tier":"default","system_fingerprint":"fp_0123456789","choices":[{"index":0,"delta":{"content":" word%d"},"logprobs":null,"finish_reason":null}],"obfuscation":"aB3dE5fG7"}`+"\n\n", i%1000)
	}
	return b.Bytes()
})

// reader gives at most size bytes a read. It hides that it is in memory.
type reader struct {
	b    []byte
	size int
}

func (r *reader) Read(p []byte) (int, error) {
	if len(r.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.b[:min(r.size, len(r.b))])
	r.b = r.b[n:]
	return n, nil
}

func response(r io.Reader) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(r),
	}
}

type transport struct{ r io.Reader }

func (t transport) RoundTrip(*http.Request) (*http.Response, error) { return response(t.r), nil }

const maxEvent = 64 << 20 // for those that have a limit to set

// decoders read a stream to its end and return how many events it had and how
// many bytes of data.
var decoders = []struct {
	name   string
	decode func(r io.Reader) (events, size int, err error)
}{
	{"streamlint", func(r io.Reader) (n, size int, err error) {
		d := sse.NewDecoder(r, sse.WithMaxEventSize(maxEvent))
		for {
			ev, err := d.Next()
			if err == io.EOF {
				return n, size, nil
			}
			if err != nil {
				return n, size, err
			}
			n, size = n+1, size+len(ev.Data)
		}
	}},
	{"streamlint-range", func(r io.Reader) (n, size int, err error) {
		for ev, err := range sse.NewDecoder(r, sse.WithMaxEventSize(maxEvent)).Events() {
			if err != nil {
				return n, size, err
			}
			n, size = n+1, size+len(ev.Data)
		}
		return n, size, nil
	}},
	{"openai-go", func(r io.Reader) (n, size int, err error) {
		d := openai.NewDecoder(response(r))
		for d.Next() {
			n, size = n+1, size+len(bytes.TrimSuffix(d.Event().Data, []byte("\n")))
		}
		return n, size, d.Err()
	}},
	{"anthropic-sdk-go", func(r io.Reader) (n, size int, err error) {
		d := anthropic.NewDecoder(response(r))
		for d.Next() {
			n, size = n+1, size+len(bytes.TrimSuffix(d.Event().Data, []byte("\n")))
		}
		return n, size, d.Err()
	}},
	{"go-sse", func(r io.Reader) (n, size int, err error) {
		for ev, err := range gosse.Read(r, &gosse.ReadConfig{MaxEventSize: maxEvent}) {
			if err != nil {
				return n, size, err
			}
			n, size = n+1, size+len(ev.Data)
		}
		return n, size, nil
	}},
	{"launchdarkly", func(r io.Reader) (n, size int, err error) {
		d := eventsource.NewDecoder(r)
		for {
			ev, err := d.Decode()
			if err == io.EOF {
				return n, size, nil
			}
			if err != nil {
				return n, size, err
			}
			n, size = n+1, size+len(ev.Data())
		}
	}},
	{"r3labs", func(r io.Reader) (n, size int, err error) {
		c := r3labs.NewClient("http://bench.invalid", r3labs.ClientMaxBufferSize(maxEvent))
		c.Connection = &http.Client{Transport: transport{r}}
		err = c.SubscribeRaw(func(ev *r3labs.Event) { n, size = n+1, size+len(ev.Data) })
		return n, size, err
	}},
}

// TestSSESameWork checks that all decoders find the same events, so that the
// benchmarks compare like with like.
func TestSSESameWork(t *testing.T) {
	raw := chat()[:1<<20]
	raw = raw[:bytes.LastIndex(raw, []byte("\n\n"))+2]
	wantN, wantSize := bytes.Count(raw, []byte("\n\n")), len(raw)-8*bytes.Count(raw, []byte("\n\n"))
	for _, d := range decoders {
		if n, size, err := d.decode(&reader{raw, 16 << 10}); err != nil || n != wantN || size != wantSize {
			t.Errorf("%s: %d events with %d bytes, %v, want %d and %d", d.name, n, size, err, wantN, wantSize)
		}
	}
}

func run(b *testing.B, raw []byte, size int, decode func(io.Reader) (int, int, error)) {
	b.Helper()
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	events, before := 0, cpuTime()
	for b.Loop() {
		n, _, err := decode(&reader{raw, size})
		if err != nil {
			b.Fatal(err)
		}
		events = n
	}
	reportCPU(b, before, len(raw))
	b.ReportMetric(float64(events), "events/op")
}

func reportCPU(b *testing.B, before time.Duration, size int) {
	used := cpuTime() - before
	b.ReportMetric(float64(size)*float64(b.N)/(1<<20)/used.Seconds(), "MiB/cpu-s")
}

// BenchmarkSSEChat is the main comparison: a long answer in reads as from a
// socket.
func BenchmarkSSEChat(b *testing.B) {
	b.Run("scan-limit", scanLimit)
	for _, d := range decoders {
		b.Run(d.name, func(b *testing.B) { run(b, chat(), 16<<10, d.decode) })
	}
}

// scanLimit is what no decoder can do without: copy the bytes and look at each
// for a line feed and for a carriage return.
func scanLimit(b *testing.B) {
	raw := chat()
	b.SetBytes(int64(len(raw)))
	buf := make([]byte, 64<<10)
	lines, before := 0, cpuTime()
	for b.Loop() {
		r := &reader{raw, 16 << 10}
		for {
			n, err := r.Read(buf)
			if err != nil {
				break
			}
			lines += count(buf[:n], '\n') + count(buf[:n], '\r')
		}
	}
	reportCPU(b, before, len(raw))
	if lines == 0 {
		b.Fatal("no lines")
	}
}

func count(b []byte, c byte) (n int) {
	for {
		i := bytes.IndexByte(b, c)
		if i < 0 {
			return n
		}
		b = b[i+1:]
		n++
	}
}

// BenchmarkSSELongLine reads one line in small pieces: the time a byte takes
// must not grow with the line.
func BenchmarkSSELongLine(b *testing.B) {
	for _, mib := range []int{1, 10} {
		raw := []byte("data: " + strings.Repeat("0123456789abcdef", mib<<16) + "\n\n")
		for _, d := range decoders {
			b.Run(fmt.Sprintf("%s/%dMiB", d.name, mib), func(b *testing.B) { run(b, raw, 4<<10, d.decode) })
		}
	}
}

// BenchmarkSSEManyLines reads one event of many data lines: the time a line
// takes must not grow with their number.
func BenchmarkSSEManyLines(b *testing.B) {
	for _, lines := range []int{10_000, 100_000} {
		raw := []byte(strings.Repeat("data: 0123456789\n", lines) + "\n")
		for _, d := range decoders {
			b.Run(fmt.Sprintf("%s/%d", d.name, lines), func(b *testing.B) { run(b, raw, 4<<10, d.decode) })
		}
	}
}
