package parallelcalls_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/streamlint/streamlint/stream/streamtest"
	"github.com/streamlint/streamlint/stream/toolcall"
	pc "github.com/streamlint/streamlint/testdata/lab/parallelcalls"
	"github.com/streamlint/streamlint/testdata/lab/parallelcalls/durable"
	"github.com/streamlint/streamlint/testdata/lab/parallelcalls/naive"
	"github.com/streamlint/streamlint/testdata/lab/parallelcalls/tools"
)

// outcome is what a form has done with a stream.
type outcome struct {
	Text string
	Done []string
	Log  string
}

func (o outcome) wanted() bool { return (&tools.Office{Done: o.Done}).Wanted() }

// form runs one of the forms against what serve sends.
type form func(t *testing.T, s *streamtest.Server) (outcome, error)

func runNaive(t *testing.T, s *streamtest.Server) (outcome, error) {
	var o outcome
	var log bytes.Buffer
	office := &tools.Office{}
	a := naive.Agent{Client: s.Client(), URL: s.URL, Office: office, Text: func(s string) { o.Text += s },
		Logger: slog.New(slog.NewTextHandler(&log, nil))}
	err := a.Turn(t.Context())
	o.Done, o.Log = office.Done, log.String()
	return o, err
}

func runDurable(t *testing.T, s *streamtest.Server) (outcome, error) {
	var o outcome
	office := &tools.Office{}
	a := durable.Agent{Client: s.Client(), URL: s.URL, Office: office, Text: func(s string) { o.Text += s },
		Logger: slog.New(slog.DiscardHandler)}
	_, err := a.Turn(t.Context())
	o.Done = office.Done
	return o, err
}

// replay runs a form over a stream in the given parts.
func replay(t *testing.T, f form, parts ...[]byte) (outcome, error) {
	t.Helper()
	s := streamtest.ServePipe(t, streamtest.Stream(streamtest.Send(parts...)))
	defer s.Close()
	return f(t, s)
}

const mixed = `created "lan@example.com", 60 minutes`

// TestNaiveIncident: an event named by an address, a contact never looked up, and no
// error but a line in the log.
func TestNaiveIncident(t *testing.T) {
	o, err := replay(t, runNaive, pc.Stream(pc.Incident, "tool_calls"))
	if err != nil {
		t.Errorf("%v", err)
	}
	if want := []string{mixed, `created "Sync", 30 minutes`}; !slices.Equal(o.Done, want) {
		t.Errorf("done %q, want %q", o.Done, want)
	}
	if !strings.Contains(o.Log, "unexpected end of JSON input") {
		t.Errorf("log: %s", o.Log)
	}
}

// TestNaiveEverySplit: the incident does not depend on how the bytes were split.
func TestNaiveEverySplit(t *testing.T) {
	raw := pc.Stream(pc.Incident, "tool_calls")
	var parts streamtest.Parts
	s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
		return streamtest.Stream(streamtest.Send(parts...))
	})
	done := streamtest.EverySplit(t, raw, func(p streamtest.Parts) ([]string, error) {
		parts = p
		o, err := runNaive(t, s)
		return o.Done, err
	})
	if !slices.Contains(done, mixed) {
		t.Errorf("%q", done)
	}
}

// TestNaiveEveryCut: no cut gives an error, though from some offset on tools ran.
func TestNaiveEveryCut(t *testing.T) {
	raw := pc.Stream(pc.Incident, "tool_calls")
	n := 0
	s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
		return streamtest.Stream(streamtest.Send(raw[:n]), streamtest.Cut())
	})
	ran := 0
	for n = range len(raw) {
		o, err := runNaive(t, s)
		if err != nil {
			t.Errorf("cut at %d: %v", n, err)
		}
		if len(o.Done) > 0 {
			ran++
		}
	}
	if ran == 0 {
		t.Error("no cut stream ran a tool")
	}
	t.Logf("%d of %d truncations ran a tool", ran, len(raw))
}

// TestNaiveLength: a limit cuts the turn, and what had parsed by then has run.
func TestNaiveLength(t *testing.T) {
	o, err := replay(t, runNaive, pc.Stream(pc.Incident[:5], "length"))
	if err != nil || len(o.Done) == 0 {
		t.Errorf("%+v %v", o, err)
	}
}

// TestInterleavings: of the twenty orders that keep each call's own, the naive form
// gets some wrong and says so for none; the durable form does the same for all.
func TestInterleavings(t *testing.T) {
	orders, wrong := 0, 0
	for order := range streamtest.Interleavings(pc.Contact, pc.Event) {
		orders++
		raw := pc.Stream(order, "tool_calls")
		o, err := replay(t, runNaive, raw)
		if err != nil {
			t.Errorf("naive, %q: %v", order, err)
		}
		if !o.wanted() {
			wrong++
		}
		o, err = replay(t, runDurable, raw)
		if err != nil || o.Text != pc.Text || !o.wanted() {
			t.Errorf("durable, %q: %+v %v", order, o, err)
		}
	}
	if orders != 20 || wrong == 0 {
		t.Errorf("%d of %d orders went wrong", wrong, orders)
	}
	t.Logf("naive: %d of %d orders went wrong", wrong, orders)
}

// TestDurableRandomSplits re-splits recorded chunks at random points, with the calls
// interleaved at random.
func TestDurableRandomSplits(t *testing.T) {
	for seed := range uint64(200) {
		raw := pc.Stream(streamtest.Interleave(seed, pc.Contact, pc.Event), "tool_calls")
		r := rand.New(rand.NewPCG(seed, 0))
		sizes := make([]byte, 1+r.IntN(40))
		for i := range sizes {
			sizes[i] = byte(r.IntN(60))
		}
		o, err := replay(t, runDurable, streamtest.SplitBy(raw, sizes)...)
		if err != nil || o.Text != pc.Text || !o.wanted() {
			t.Fatalf("seed %d: %+v %v", seed, o, err)
		}
	}
}

func TestDurableEverySplit(t *testing.T) {
	var parts streamtest.Parts
	s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
		return streamtest.Stream(streamtest.Send(parts...))
	})
	o := streamtest.EverySplit(t, pc.Stream(pc.Incident, "tool_calls"), func(p streamtest.Parts) (outcome, error) {
		parts = p
		return runDurable(t, s)
	})
	if o.Text != pc.Text || !o.wanted() {
		t.Errorf("%+v", o)
	}
}

// TestDurableEveryCut: nothing runs.
func TestDurableEveryCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		raw := pc.Stream(pc.Incident, "tool_calls")
		var cut []byte
		s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
			if len(cut) == len(raw) {
				return streamtest.Stream(streamtest.Send(cut))
			}
			return streamtest.Stream(streamtest.Send(cut), streamtest.Cut())
		})
		streamtest.EveryCut(t, raw, func(c []byte) error {
			cut = c
			o, err := runDurable(t, s)
			if err != nil && len(o.Done) > 0 {
				t.Errorf("cut at %d: %q", len(c), o.Done)
			}
			return err
		})
	})
}

// TestDurableRefuses: turns that end, but not well.
func TestDurableRefuses(t *testing.T) {
	cases := []struct {
		name   string
		frames []string
		reason string
		want   error
	}{
		{"length, all there", pc.Incident, "length", toolcall.Length},
		{"length, one cut", pc.Incident[:5], "length", toolcall.Length},
		{"content filter", pc.Incident, "content_filter", toolcall.ContentFilter},
		{"one call cut", pc.Incident[:5], "tool_calls", toolcall.InvalidJSON},
		{"one call without arguments", pc.Incident[:4], "tool_calls", toolcall.EmptyArguments},
		{"arguments of the other", []string{pc.Event[0], strings.Replace(pc.Contact[1], `"index":0`, `"index":1`, 1), strings.Replace(pc.Contact[2], `"index":0`, `"index":1`, 1)}, "tool_calls", toolcall.MissingRequired},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o, err := replay(t, runDurable, pc.Stream(c.frames, c.reason))
			if !errors.Is(err, c.want) || len(o.Done) > 0 {
				t.Errorf("%v, done %q; want %v", err, o.Done, c.want)
			}
		})
	}
}

// TestDurableTextAtOnce: the text is out while the calls are open, five minutes
// before the end of the turn.
func TestDurableTextAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := streamtest.ServePipe(t, streamtest.Stream(
			streamtest.Send(pc.Opening()), streamtest.Pause(5*time.Minute), streamtest.Send(pc.Calls(pc.Incident, "tool_calls"))))
		start := time.Now()
		var heard time.Duration
		office := &tools.Office{}
		a := durable.Agent{Client: s.Client(), URL: s.URL, Office: office, Logger: slog.New(slog.DiscardHandler),
			Text: func(string) {
				heard = time.Since(start)
				if len(office.Done) > 0 {
					t.Errorf("done before the text: %q", office.Done)
				}
			}}
		if _, err := a.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
		if total := time.Since(start); heard != 0 || total != 5*time.Minute || !office.Wanted() {
			t.Errorf("text after %v, end after %v, done %q", heard, total, office.Done)
		}
	})
}

// TestDurableHash: the record made when a call runs names the bytes that were decoded.
func TestDurableHash(t *testing.T) {
	s := streamtest.ServePipe(t, streamtest.Stream(streamtest.Send(pc.Stream(pc.Incident, "tool_calls"))))
	var log bytes.Buffer
	a := durable.Agent{Client: s.Client(), URL: s.URL, Office: &tools.Office{}, Text: func(string) {},
		Logger: slog.New(slog.NewJSONHandler(&log, nil))}
	if _, err := a.Turn(t.Context()); err != nil {
		t.Fatal(err)
	}
	type record struct {
		Call struct {
			Tool     string `json:"tool_name"`
			Index    int    `json:"tool_index"`
			Bytes    int    `json:"arg_bytes"`
			BufferID string `json:"buffer_id"`
			OK       bool   `json:"dispatch_ok"`
		}
	}
	var got []record
	for d := json.NewDecoder(&log); ; {
		var r record
		err := d.Decode(&r)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	var want [2]record
	want[0].Call.Tool, want[0].Call.Index, want[0].Call.Bytes, want[0].Call.BufferID, want[0].Call.OK =
		"lookup_contact", 0, len(`{"name": "Lan"}`), short(`{"name": "Lan"}`), true
	want[1].Call.Tool, want[1].Call.Index, want[1].Call.Bytes, want[1].Call.BufferID, want[1].Call.OK =
		"create_event", 1, len(`{"title": "Sync", "minutes": 30}`), short(`{"title": "Sync", "minutes": 30}`), true
	if !slices.Equal(got, want[:]) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// short is the buffer id of some arguments, computed apart from the package.
func short(args string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(args)))[:12]
}
