package mergegate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/streamlint/streamlint/stream/gate"
	"github.com/streamlint/streamlint/stream/sse"
	"github.com/streamlint/streamlint/stream/streamtest"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/testdata/lab/mergegate"
	"github.com/streamlint/streamlint/testdata/lab/mergegate/durable"
	"github.com/streamlint/streamlint/testdata/lab/mergegate/naive"
)

const joined = `{"path":"tests/"}`

// record is a line of a program's log.
type record struct {
	Msg          string `json:"msg"`
	ToolName     string `json:"tool_name"`
	ToolIndex    int    `json:"tool_index"`
	FinishReason string `json:"finish_reason"`
	ArgBytes     int    `json:"arg_bytes"`
	BufferID     string `json:"buffer_id"`
	DispatchOK   bool   `json:"dispatch_ok"`
	Started      int    `json:"tests_started"`
	Collected    int    `json:"collected"`
	GateOK       bool   `json:"gate_ok"`
	Record       *record
}

func records(t testing.TB, log *bytes.Buffer, msg string) []record {
	t.Helper()
	var all []record
	for d := json.NewDecoder(log); ; {
		var r record
		err := d.Decode(&r)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Msg == msg {
			if r.Record != nil {
				r = *r.Record
			}
			all = append(all, r)
		}
	}
}

// passing is what go test -json says of one test that passed.
const passing = `{"Action":"start","Package":"job/tests"}
{"Action":"run","Package":"job/tests","Test":"TestLogin"}
{"Action":"pass","Package":"job/tests","Test":"TestLogin"}
{"Action":"pass","Package":"job/tests"}
`

// recordedRun stands for the test process, so that a thousand streams need no
// thousand processes. TestEndToEnd starts real ones.
func recordedRun(ran *[]string) func(context.Context, string) (gate.Report, error) {
	return func(_ context.Context, path string) (gate.Report, error) {
		*ran = append(*ran, path)
		return gate.ReadGoTest(strings.NewReader(passing))
	}
}

// TestNaive: however the stream is split and wherever it is cut, the gate is green,
// and no test process was ever started: there is no such directory to start it in.
func TestNaive(t *testing.T) {
	check := func(s *streamtest.Server) (naive.Report, []record, error) {
		var log bytes.Buffer
		g := naive.Gate{Client: s.Client(), URL: s.URL, Dir: "does/not/exist", Logger: slog.New(slog.NewJSONHandler(&log, nil))}
		report, err := g.Check(t.Context())
		return report, records(t, &log, "tool call"), err
	}
	green := naive.Report{Failures: 0}

	var parts streamtest.Parts
	s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
		return streamtest.Stream(streamtest.Send(parts...))
	})
	streamtest.EverySplit(t, mergegate.Recorded, func(p streamtest.Parts) (naive.Report, error) {
		parts = p
		report, calls, err := check(s)
		if err != nil || report != green {
			t.Errorf("%v: %+v %v", p, report, err)
		}
		if len(calls) != 1 || calls[0].ToolName != "run_tests" || calls[0].ArgBytes != 0 || !calls[0].DispatchOK {
			t.Errorf("%v: the incident's record is missing: %+v", p, calls)
		}
		return report, err
	})
	for n := range mergegate.Recorded {
		parts = streamtest.Parts{mergegate.Recorded[:n]}
		if report, _, err := check(s); err != nil || report != green {
			t.Errorf("cut at %d: %+v %v", n, report, err)
		}
	}
}

// TestDurableEverySplit: one call with its whole arguments, whatever the network did.
func TestDurableEverySplit(t *testing.T) {
	var parts streamtest.Parts
	s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
		return streamtest.Stream(streamtest.Send(parts...))
	})
	got := streamtest.EverySplit(t, mergegate.Recorded, func(p streamtest.Parts) (record, error) {
		parts = p
		var ran []string
		var log bytes.Buffer
		g := durable.Gate{Client: s.Client(), URL: s.URL, Test: recordedRun(&ran), Logger: slog.New(slog.NewJSONHandler(&log, nil))}
		if _, err := g.Check(t.Context()); err != nil {
			return record{}, err
		}
		if len(ran) != 1 || ran[0] != "tests/" {
			return record{}, fmt.Errorf("ran %q", ran)
		}
		rs := records(t, &log, "tests")
		if len(rs) != 1 {
			return record{}, fmt.Errorf("%d records", len(rs))
		}
		return rs[0], nil
	})
	want := record{
		ToolName: "run_tests", FinishReason: "tool_calls", ArgBytes: len(joined), BufferID: "04d0cc49e100",
		DispatchOK: true, Started: 1, Collected: 1, GateOK: true,
	}
	if got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// TestDurableEveryCut: each is refused, and nothing ran. The connection breaks in
// three ways: as an error, as an end that the length of the body shows to be none,
// and as an end like any other. It runs in a bubble, where waiting before the next
// attempt takes no time.
func TestDurableEveryCut(t *testing.T) {
	ways := map[string]func(cut []byte) streamtest.Reply{
		"reset": func(cut []byte) streamtest.Reply { return streamtest.Stream(streamtest.Send(cut), streamtest.Cut()) },
		"clean": func(cut []byte) streamtest.Reply { return streamtest.Stream(streamtest.Send(cut)) },
		"closed": func(cut []byte) streamtest.Reply {
			return streamtest.Reply{Steps: []streamtest.Step{streamtest.Send(cut), streamtest.Cut()}, CloseDelimited: true}
		},
	}
	for name, reply := range ways {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var cut []byte
				s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
					if len(cut) == len(mergegate.Recorded) {
						return streamtest.Stream(streamtest.Send(cut))
					}
					return reply(cut)
				})
				streamtest.EveryCut(t, mergegate.Recorded, func(c []byte) error {
					cut = c
					var ran []string
					var log bytes.Buffer
					g := durable.Gate{Client: s.Client(), URL: s.URL, Test: recordedRun(&ran), Logger: slog.New(slog.NewJSONHandler(&log, nil))}
					_, err := g.Check(t.Context())
					if err != nil && len(ran) > 0 {
						t.Errorf("cut at %d: ran %q", len(c), ran)
					}
					if err != nil && !errors.Is(err, toolcall.Truncated) && !errors.Is(err, sse.ErrIncomplete) && !isRetry(err) {
						t.Errorf("cut at %d: %v", len(c), err)
					}
					return err
				})
			})
		})
	}
}

func isRetry(err error) bool {
	var e *sse.RetryError
	return errors.As(err, &e)
}

// TestDurableTable is the incident's decision table from the finish event on.
func TestDurableTable(t *testing.T) {
	noTests := func(context.Context, string) (gate.Report, error) {
		return gate.ReadGoTest(strings.NewReader(`{"Action":"start","Package":"job/tests"}
{"Action":"pass","Package":"job/tests"}
`))
	}
	skipped := func(context.Context, string) (gate.Report, error) {
		return gate.ReadGoTest(strings.NewReader(strings.Replace(passing, `"pass","Package":"job/tests","Test"`, `"skip","Package":"job/tests","Test"`, 1)))
	}
	noProcess := func(context.Context, string) (gate.Report, error) { return gate.Report{}, nil }
	cases := []struct {
		name   string
		args   []string // the fragments
		reason string
		test   func(context.Context, string) (gate.Report, error)
		want   error // nil: merge
	}{
		{name: "whole after join", args: []string{`{"`, `path`, `":"`, `tests/`, `"}`}, reason: "tool_calls"},
		{name: "empty deltas between", args: []string{"", `{"path"`, "", `:"tests/"}`, ""}, reason: "tool_calls"},
		{name: "empty arguments", args: []string{""}, reason: "tool_calls", want: toolcall.EmptyArguments},
		{name: "blank arguments", args: []string{" ", "\n"}, reason: "tool_calls", want: toolcall.EmptyArguments},
		{name: "missing path", args: []string{`{`, `}`}, reason: "tool_calls", want: toolcall.MissingRequired},
		{name: "empty path", args: []string{`{"path":"`, `"}`}, reason: "tool_calls", want: toolcall.Schema},
		{name: "no object", args: []string{`["tests/"]`}, reason: "tool_calls", want: toolcall.NotObject},
		{name: "parse error", args: []string{`{"path":"te`}, reason: "tool_calls", want: toolcall.InvalidJSON},
		{name: "length", args: []string{`{"path":"tests/"}`}, reason: "length", want: toolcall.Length},
		{name: "no finish reason", args: []string{`{"path":"tests/"}`}, want: toolcall.Truncated},
		{name: "outside of the job", args: []string{`{"path":"../tests"}`}, reason: "tool_calls", want: gate.PathEscapes},
		{name: "zero tests", args: []string{`{"path":"tests/"}`}, reason: "tool_calls", test: noTests, want: gate.NoTests},
		{name: "only skips", args: []string{`{"path":"tests/"}`}, reason: "tool_calls", test: skipped, want: gate.OnlySkips},
		{name: "no test process", args: []string{`{"path":"tests/"}`}, reason: "tool_calls", test: noProcess, want: gate.NoTests},
	}
	root, err := gate.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := streamtest.Serve(t, streamtest.Stream(streamtest.Send(chat(t, c.args, c.reason))))
			var ran []string
			test := c.test
			switch {
			case c.want == gate.PathEscapes:
				test = durable.InRoot(root)
			case test == nil:
				test = recordedRun(&ran)
			}
			var log bytes.Buffer
			g := durable.Gate{Client: s.Client(), URL: s.URL, Test: test, Logger: slog.New(slog.NewJSONHandler(&log, nil))}
			_, err := g.Check(t.Context())
			if c.want == nil {
				if err != nil || len(ran) != 1 {
					t.Errorf("%v, ran %q", err, ran)
				}
				return
			}
			if !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if len(ran) > 0 {
				t.Errorf("ran %q", ran)
			}
			msg := "tests"
			if _, ok := c.want.(toolcall.Kind); ok {
				msg = "job rejected"
			}
			rs := records(t, &log, msg)
			if len(rs) != 1 {
				t.Fatalf("%d records of the call", len(rs))
			}
			if r := rs[0]; r.GateOK || r.ToolName != "run_tests" || r.DispatchOK && (r.ArgBytes == 0 || msg == "job rejected") {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestDurableNoCall: a model that asks for no tests has not let the job pass.
func TestDurableNoCall(t *testing.T) {
	s := streamtest.Serve(t, streamtest.Stream(streamtest.Send(chat(t, nil, "stop"))))
	g := durable.Gate{Client: s.Client(), URL: s.URL, Test: recordedRun(new([]string)), Logger: slog.New(slog.DiscardHandler)}
	if _, err := g.Check(t.Context()); !errors.Is(err, durable.ErrNoCall) {
		t.Errorf("%v, want %v", err, durable.ErrNoCall)
	}
}

// chat writes a stream with one call, or none without fragments.
func chat(t *testing.T, args []string, reason string) []byte {
	var b bytes.Buffer
	frame := func(delta any, reason any) {
		choice := map[string]any{"index": 0, "delta": delta, "finish_reason": reason}
		data, err := json.Marshal(map[string]any{"choices": []any{choice}})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "data: %s\n\n", data)
	}
	for i, a := range args {
		call := map[string]any{"index": 0, "function": map[string]any{"arguments": a}}
		if i == 0 {
			call["id"] = "call_1"
			call["function"] = map[string]any{"arguments": a, "name": "run_tests"}
		}
		frame(map[string]any{"tool_calls": []any{call}}, nil)
	}
	if reason != "" {
		frame(map[string]any{}, reason)
	}
	b.WriteString("data: [DONE]\n\n")
	return b.Bytes()
}

// TestEndToEnd runs both gates over a job whose tests fail, with a real go test.
func TestEndToEnd(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module job\n\ngo 1.25\n")
	body := `package tests

import "testing"

func TestLogin(t *testing.T) { t.%s("login") }
`
	write("tests/login_test.go", fmt.Sprintf(body, "Error"))

	root, err := gate.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s := streamtest.ServeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
		return streamtest.Stream(streamtest.Send(mergegate.Recorded))
	})
	quiet := slog.New(slog.DiscardHandler)

	n := naive.Gate{Client: s.Client(), URL: s.URL, Dir: dir, Logger: quiet}
	if report, err := n.Check(t.Context()); err != nil || report.Failures != 0 {
		t.Errorf("the naive gate saw a failing test: %+v %v", report, err)
	}
	d := durable.Gate{Client: s.Client(), URL: s.URL, Test: durable.InRoot(root), Logger: quiet}
	if _, err := d.Check(t.Context()); !errors.Is(err, gate.TestsFailed) {
		t.Errorf("%v, want %v", err, gate.TestsFailed)
	}
	write("tests/login_test.go", fmt.Sprintf(body, "Log"))
	if report, err := d.Check(t.Context()); err != nil || report.Started != 1 || report.Passed != 1 {
		t.Errorf("%+v %v", report, err)
	}
	write("tests/login_test.go", fmt.Sprintf(body, "Skip"))
	if _, err := d.Check(t.Context()); !errors.Is(err, gate.OnlySkips) {
		t.Errorf("%v, want %v", err, gate.OnlySkips)
	}
	if err := os.Remove(filepath.Join(dir, "tests/login_test.go")); err != nil {
		t.Fatal(err)
	}
	write("tests/doc.go", "package tests\n")
	if _, err := d.Check(t.Context()); !errors.Is(err, gate.NoTests) {
		t.Errorf("%v, want %v", err, gate.NoTests)
	}
}
