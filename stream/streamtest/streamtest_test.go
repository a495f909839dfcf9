package streamtest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/streamlint/streamlint/stream/streamtest"
)

// recorder is a test that only takes note of its failures.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func strictJSON(b []byte) error {
	var v struct{ Path string }
	return json.Unmarshal(b, &v)
}

func TestEveryCut(t *testing.T) {
	payload := []byte(`{"path":"tests/"}`)
	streamtest.EveryCut(t, payload, strictJSON)

	tests := []struct {
		name string
		f    func([]byte) error
		want []string
	}{
		{"accepts all", func([]byte) error { return nil },
			[]string{"cut after 0 of 17", "after 1 of", "after 2 of", "after 3 of", "after 4 of", "17 cuts in all"}},
		{"refuses all", func([]byte) error { return io.ErrUnexpectedEOF }, []string{"the whole payload of 17 bytes was refused"}},
		{"repairs", func(b []byte) error {
			if strictJSON(b) != nil {
				return strictJSON(append(slices.Clone(b), `"}`...))
			}
			return nil
			// `{"path":"` and every longer cut but the last two parse now.
		}, []string{"cut after 9 of 17", "after 10", "after 11", "after 12", "after 13", "7 cuts in all"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &recorder{TB: t}
			streamtest.EveryCut(r, payload, tt.f)
			wantFailures(t, r.failures, tt.want)
		})
	}
}

// fatal is a recorder that also stands an end of the test.
type fatal struct{ recorder }

func (f *fatal) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	panic(f)
}

// TestChangedPayload checks that a consumer which writes into what it was given
// is told so, and not that its results differ.
func TestChangedPayload(t *testing.T) {
	for name, run := range map[string]func(testing.TB, []byte){
		"split": func(t testing.TB, payload []byte) {
			streamtest.EverySplit(t, payload, func(p streamtest.Parts) (int, error) {
				for _, b := range p {
					clear(b)
				}
				return 0, nil
			})
		},
		"cut": func(t testing.TB, payload []byte) {
			streamtest.EveryCut(t, payload, func(b []byte) error {
				if len(b) == len(payload) {
					return nil
				}
				clear(b)
				return io.ErrUnexpectedEOF
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fatal{recorder{TB: t}}
			payload := []byte("abc")
			func() {
				defer func() {
					if r := recover(); r != f {
						t.Errorf("the test went on, or broke: %v", r)
					}
				}()
				run(f, payload)
			}()
			wantFailures(t, f.failures, []string{"changed the payload"})
			if string(payload) != "abc" {
				t.Errorf("the payload is %q afterwards", payload)
			}
		})
	}
}

func wantFailures(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d failures, want %d: %q", len(got), len(want), got)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("failure %d is %q, want %q in it", i, got[i], want[i])
		}
	}
}

func TestEverySplit(t *testing.T) {
	payload := []byte("café done")
	joined := func(p streamtest.Parts) (string, error) {
		b, err := io.ReadAll(p.Reader())
		return string(b), err
	}
	if got := streamtest.EverySplit(t, payload, joined); got != "café done" {
		t.Errorf("got %q", got)
	}

	// The incident's client: each read decoded alone, invalid bytes dropped.
	lossy := func(p streamtest.Parts) (string, error) {
		var out string
		for _, part := range p {
			out += strings.ToValidUTF8(string(part), "")
		}
		return out, nil
	}
	r := &recorder{TB: t}
	streamtest.EverySplit(r, payload, lossy)
	// Byte by byte, cut in the character, and its two bytes each on their own.
	if len(r.failures) != 4 || !strings.Contains(r.failures[1], `split "caf\xc3"|"\xa9 done"`) {
		t.Errorf("failures %q", r.failures)
	}

	r = &recorder{TB: t}
	streamtest.EverySplit(r, payload, func(p streamtest.Parts) (int, error) {
		if len(p) > 1 {
			return 0, errors.New("two reads")
		}
		return 0, nil
	})
	if n := len(r.failures); n != 6 || !strings.Contains(r.failures[5], "20 splits in all") {
		t.Errorf("a differing error gave failures %q", r.failures)
	}
}

func TestSplits(t *testing.T) {
	payload := []byte("abcdef")
	tests := []struct {
		name  string
		parts streamtest.Parts
		want  string
	}{
		{"at", streamtest.SplitAt(payload, 0, 2, 2, 6), `""|"ab"|""|"cdef"|""`},
		{"bytes", streamtest.SplitBytes(payload), `"a"|"b"|"c"|"d"|"e"|"f"`},
		{"by", streamtest.SplitBy(payload, []byte{2, 0, 1}), `"ab"|""|"c"|"de"|""|"f"`},
		{"by nothing", streamtest.SplitBy(payload, []byte{0, 0}), `"abcdef"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.parts.String() != tt.want {
				t.Errorf("got %v, want %s", tt.parts, tt.want)
			}
			if b, err := io.ReadAll(tt.parts.Reader()); err != nil || string(b) != string(payload) {
				t.Errorf("read %q, %v", b, err)
			}
			for _, p := range tt.parts {
				if cap(p) != len(p) && len(p) > 0 && &p[:cap(p)][cap(p)-1] != &payload[len(payload)-1] {
					t.Errorf("appending to part %q would write into the next", p)
				}
			}
		})
	}
}

func FuzzSplitBy(f *testing.F) {
	f.Add([]byte("abcdef"), []byte{2, 0, 1})
	f.Fuzz(func(t *testing.T, payload, sizes []byte) {
		b, err := io.ReadAll(streamtest.SplitBy(payload, sizes).Reader())
		if err != nil || !bytes.Equal(b, payload) {
			t.Errorf("read %q, %v", b, err)
		}
	})
}

func FuzzBlocks(f *testing.F) {
	for _, name := range streamtest.Transcripts() {
		f.Add(streamtest.Transcript(name))
	}
	f.Add([]byte("data: a\r\n\r\rdata: b\n\r\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		blocks := streamtest.Blocks(raw)
		if !bytes.Equal(bytes.Join(blocks, nil), raw) {
			t.Errorf("blocks %q of %q", blocks, raw)
		}
		for i, b := range blocks {
			if len(b) == 0 || len(streamtest.Blocks(b)) != 1 && !bytes.HasPrefix(b, []byte("\n")) {
				t.Errorf("block %d is %q", i, b)
			}
		}
	})
}

func TestInterleave(t *testing.T) {
	a, b := []string{"a1", "a2", "a3"}, []string{"b1", "b2"}
	seen := map[string]int{}
	for seed := range uint64(4000) {
		got := streamtest.Interleave(seed, a, nil, b)
		if !slices.Equal(got, streamtest.Interleave(seed, a, nil, b)) {
			t.Fatalf("seed %d gives two orders", seed)
		}
		seen[strings.Join(got, " ")]++
	}
	all := 0
	for got := range streamtest.Interleavings(a, nil, b) {
		all++
		key := strings.Join(got, " ")
		// 10 merges, each as likely: about 400 of 4000.
		if n := seen[key]; n < 300 || n > 500 {
			t.Errorf("merge %q came %d times of 4000", key, n)
		}
		for _, call := range [][]string{a, b} {
			var own []string
			for _, x := range got {
				if x[0] == call[0][0] {
					own = append(own, x)
				}
			}
			if !slices.Equal(own, call) {
				t.Errorf("%q is out of order in %q", call, got)
			}
		}
	}
	if all != 10 || len(seen) != 10 {
		t.Errorf("%d merges in all, %d at random, want 10", all, len(seen))
	}
	for range streamtest.Interleavings(a, b) {
		break // must not go on after the loop has ended
	}
}

func TestTranscriptChanges(t *testing.T) {
	raw := streamtest.Transcript("dropped-socket")
	if n := len(streamtest.Blocks(raw)); n != 5 {
		t.Errorf("%d blocks, want retry, three events and [DONE]", n)
	}
	if got := streamtest.OmitDone(raw); bytes.Contains(got, []byte("[DONE]")) || len(raw)-len(got) != len("data: [DONE]\n\n") {
		t.Errorf("without [DONE]: %q", got)
	}
	if got := streamtest.RepeatID(raw, "2"); bytes.Count(got, []byte("id: 2\n")) != 2 || bytes.Count(got, []byte("id: ")) != 4 {
		t.Errorf("with 2 repeated: %q", got)
	}
	if got := streamtest.After(raw, "2"); !bytes.HasPrefix(got, []byte("id: 3\n")) {
		t.Errorf("after 2: %q", got)
	}
	for _, id := range []string{"", "9"} {
		if got := streamtest.After(raw, id); !bytes.Equal(got, raw) {
			t.Errorf("after %q: %q", id, got)
		}
	}
	// What would leave a test without its fault must not pass in silence.
	for want, f := range map[string]func(){
		"openai-chat":       func() { streamtest.Transcript("nosuch") },
		`the id "9"`:        func() { streamtest.RepeatID(raw, "9") },
		"no [DONE] to omit": func() { streamtest.OmitDone(streamtest.Transcript("anthropic-messages")) },
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), want) {
					t.Errorf("got %v, want %q", r, want)
				}
			}()
			f()
		}()
	}
}

// get reads one whole reply.
func get(t *testing.T, s *streamtest.Server) (*http.Response, string, error) {
	t.Helper()
	resp, err := s.Client().Get(s.URL + "/x?y=1")
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp, string(b), err
}

func TestServer(t *testing.T) {
	kinds := []struct {
		name  string
		serve func(testing.TB, ...streamtest.Reply) *streamtest.Server
	}{{"loopback", streamtest.Serve}, {"pipe", streamtest.ServePipe}}
	ab := [][]byte{[]byte("a"), []byte("b")}
	tests := []struct {
		name   string
		reply  streamtest.Reply
		status int
		body   string
		ok     func(error) bool
	}{
		{"whole", streamtest.Stream(streamtest.Send(ab...)), 200, "ab", isNil},
		{"empty", streamtest.Reply{}, 200, "", isNil},
		{"spread", streamtest.Stream(streamtest.Spread(time.Millisecond, ab...), streamtest.Pause(time.Millisecond)), 200, "ab", isNil},
		{"cut", streamtest.Stream(streamtest.Send(ab...), streamtest.Cut()), 200, "ab", is(io.ErrUnexpectedEOF)},
		{"cut, close delimited", streamtest.Reply{Steps: []streamtest.Step{streamtest.Send(ab...), streamtest.Cut()}, CloseDelimited: true}, 200, "ab", isNil},
		{"reset", streamtest.Stream(streamtest.Send(ab...), streamtest.Pause(10*time.Millisecond), streamtest.Reset()), 200, "ab", is(syscall.ECONNRESET, io.ErrUnexpectedEOF)},
		{"refused", streamtest.Refuse(503, 1500*time.Millisecond, "later"), 503, "later", isNil},
		{"no content", streamtest.Reply{Status: 204}, 204, "", isNil},
	}
	for _, k := range kinds {
		for _, tt := range tests {
			t.Run(k.name+"/"+tt.name, func(t *testing.T) {
				s := k.serve(t, tt.reply)
				resp, body, err := get(t, s)
				if resp == nil {
					t.Fatal(err)
				}
				if resp.StatusCode != tt.status || body != tt.body || !tt.ok(err) {
					t.Errorf("got %d %q, %v", resp.StatusCode, body, err)
				}
				ct, after := resp.Header.Get("Content-Type"), resp.Header.Get("Retry-After")
				switch tt.status {
				case 200:
					if ct != "text/event-stream" {
						t.Errorf("content type %q", ct)
					}
				case 503:
					if after != "2" {
						t.Errorf("Retry-After %q, want 2: seconds are rounded up", after)
					}
				}
				reqs := s.Requests()
				if len(reqs) != 1 || reqs[0].Method != "GET" || reqs[0].Path != "/x?y=1" {
					t.Errorf("requests %+v", reqs)
				}
			})
		}
	}
}

func isNil(err error) bool { return err == nil }

func is(targets ...error) func(error) bool {
	return func(err error) bool {
		return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
	}
}

func TestRequestBeyondScript(t *testing.T) {
	r := &recorder{TB: t}
	s := streamtest.Serve(r, streamtest.Reply{})
	for _, want := range []int{200, 410} {
		resp, _, err := get(t, s)
		if err != nil || resp.StatusCode != want {
			t.Fatalf("got %v, %v, want status %d", resp, err, want)
		}
	}
	wantFailures(t, r.failures, []string{"request 2 (GET /x?y=1"})
}

// TestHour is an hour of a stalled and a beating server in no time, with nothing
// left running: a bubble ends only when its goroutines have.
func TestHour(t *testing.T) {
	for _, step := range []streamtest.Step{streamtest.Stall(), streamtest.Beat(time.Minute, []byte(":\n"))} {
		t.Run(step.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := streamtest.ServePipe(t, streamtest.Stream(step))
				start := time.Now()
				resp, err := s.Client().Get(s.URL)
				if err != nil {
					t.Fatal(err)
				}
				time.AfterFunc(time.Hour, func() { resp.Body.Close() })
				b, err := io.ReadAll(resp.Body)
				if err == nil || time.Since(start) != time.Hour {
					t.Errorf("read %q, %v after %v", b, err, time.Since(start))
				}
				if n := bytes.Count(b, []byte(":")); step.String() != "stall" && math.Abs(float64(n)-60) > 1 {
					t.Errorf("%d beats in an hour", n)
				}
				synctest.Wait()
				if n := s.Active(); n != 0 {
					t.Errorf("%d replies still run", n)
				}
			})
		})
	}
}

func TestPipeKeepsPieces(t *testing.T) {
	pieces := streamtest.SplitBytes([]byte("café"))
	s := streamtest.ServePipe(t, streamtest.Stream(streamtest.Send(pieces...)))
	resp, err := s.Client().Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var reads []string
	for buf := make([]byte, 64); ; {
		n, err := resp.Body.Read(buf)
		if n > 0 {
			reads = append(reads, string(buf[:n]))
		}
		if err != nil {
			break
		}
	}
	if want := []string{"c", "a", "f", "\xc3", "\xa9"}; !slices.Equal(reads, want) {
		t.Errorf("read %q, want %q", reads, want)
	}
}

func TestResumable(t *testing.T) {
	raw := streamtest.Transcript("dropped-socket")
	f := streamtest.Resumable(raw, 60)
	s := streamtest.ServeFunc(t, f)
	if _, body, err := get(t, s); body != string(raw[:60]) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("first: %q, %v", body, err)
	}
	req, _ := http.NewRequest("GET", s.URL, nil)
	req.Header.Set("Last-Event-ID", "1")
	resp, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, err := io.ReadAll(resp.Body); err != nil || !bytes.HasPrefix(b, []byte("id: 2\n")) {
		t.Errorf("second: %q, %v", b, err)
	}
}

func BenchmarkEverySplit(b *testing.B) {
	payload := streamtest.Transcript("openai-chat")
	b.ReportAllocs()
	for b.Loop() {
		streamtest.EverySplit(b, payload, func(p streamtest.Parts) (int, error) {
			n := 0
			for _, part := range p {
				n += len(part)
			}
			return n, nil
		})
	}
}
