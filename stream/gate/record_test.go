package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/openaichat"
)

var tools = toolcall.MustSet(
	toolcall.Tool{
		Name:   "run_tests",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","minLength":1}},"required":["path"]}`),
	},
	toolcall.Tool{Name: "run_all", Schema: json.RawMessage(`{"type":"object","properties":{}}`)},
)

// turn streams one call with these argument fragments.
func turn(name, reason string, fragments ...string) ([]toolcall.Call, error) {
	t := openaichat.New(tools)
	first := fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":%q,"arguments":""}}]}}]}`, name)
	frames := []string{first}
	for _, f := range fragments {
		frames = append(frames, fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":%q}}]}}]}`, f))
	}
	if reason != "" {
		frames = append(frames, fmt.Sprintf(`{"choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, reason))
	}
	for _, f := range append(frames, "[DONE]") {
		if _, err := t.Frame("", []byte(f)); err != nil {
			break
		}
	}
	return t.End(nil)
}

func fields(t testing.TB, r Record) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, a := range r.LogValue().Group() {
		if _, twice := out[a.Key]; twice {
			t.Errorf("%s is there twice", a.Key)
		}
		out[a.Key] = a.Value.Any()
	}
	return out
}

var green = Report{Collected: 2, Started: 3, Passed: 3, Packages: 1}

func TestRecord(t *testing.T) {
	calls, err := turn("run_tests", "tool_calls", `{"`, `path`, `":"`, `tests/`, `"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"tool_name": "run_tests", "tool_index": int64(0), "finish_reason": "tool_calls", "arg_bytes": int64(17),
		"buffer_id": calls[0].BufferID(), "decoded_ok": true, "dispatch_ok": true,
		"collected": int64(2), "tests_started": int64(3), "tests_passed": int64(3), "tests_skipped": int64(0), "tests_failed": int64(0),
		"gate_ok": true,
	}
	if got := fields(t, NewRecord(calls[0], green, nil)); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", got, want)
	}

	none := &Error{Kind: NoTests}
	for _, tt := range []struct {
		name     string
		record   Record
		dispatch bool
		gate     string
	}{
		{"no tests", NewRecord(calls[0], Report{}, none), true, "no_tests"},
		// An error that was lost on the way does not make a pass.
		{"no tests, no error", NewRecord(calls[0], Report{}, nil), true, "no_tests"},
		{"only skips, no error", NewRecord(calls[0], Report{Collected: 1, Started: 1, Skipped: 1}, nil), true, "only_skips"},
		{"failures, no error", NewRecord(calls[0], Report{Collected: 2, Started: 2, Passed: 1, Failed: 1}, nil), true, "tests_failed"},
		{"green report, error", NewRecord(calls[0], green, &Error{Kind: Mismatch}), true, "mismatch"},
		{"another error", NewRecord(calls[0], green, errors.New("x")), true, "error"},
		{"zero call", NewRecord(toolcall.Call{}, green, nil), false, "truncated"},
		{"zero record", Record{}, false, "not_run"},
	} {
		got := fields(t, tt.record)
		if got["dispatch_ok"] != tt.dispatch || got["gate_ok"] != false || got["gate_error"] != tt.gate || tt.record.Err() == nil {
			t.Errorf("%s: %v, %v", tt.name, got, tt.record.Err())
		}
	}
}

// TestRecordOfTheIncident: dispatch_ok=true with arg_bytes=0 was what the log of the
// incident would have said. For a tool with required keys no stream, whole or cut,
// and no report can bring that about.
func TestRecordOfTheIncident(t *testing.T) {
	streams := [][]string{
		nil, {""}, {"", "", ""}, {" "}, {"\n\t"}, {"{}"}, {"{", "}"}, {"null"}, {"[]"}, {`""`}, {"{}", "{}"},
		{`{"`}, {`{"`, `path`}, {`{"path":""}`}, {`{"path":null}`}, {`{"path":7}`}, {`{"Path":"tests/"}`},
		{`{"path":"tests/"}`}, {`{"`, `path`, `":"`, `tests/`, `"}`}, {`{"path":"a","path":"b"}`},
	}
	reports := []struct {
		r   Report
		err error
	}{{green, nil}, {Report{}, nil}, {Report{}, &Error{Kind: NoTests}}, {green, &Error{Kind: Mismatch}}}
	dispatched := 0
	for _, reason := range []string{"tool_calls", "stop", "length", "content_filter", ""} {
		for _, fragments := range streams {
			for _, rep := range reports {
				var records []Record
				calls, err := turn("run_tests", reason, fragments...)
				for _, c := range calls {
					records = append(records, NewRecord(c, rep.r, rep.err))
				}
				if err != nil {
					// What a careless caller might log: the error, or the zero
					// call with a green report.
					records = append(records, NewRecord(toolcall.Call{}, rep.r, err), NewRecord(toolcall.Call{}, rep.r, rep.err))
				}
				if len(records) == 0 {
					t.Fatalf("%s %q: neither a call nor an error", reason, fragments)
				}
				for _, r := range records {
					got := fields(t, r)
					if got["dispatch_ok"] == true {
						dispatched++
						if got["arg_bytes"] == int64(0) {
							t.Errorf("%s %q: %v", reason, fragments, got)
						}
					}
					if got["gate_ok"] == true && (got["dispatch_ok"] != true || got["tests_started"] == int64(0) || got["collected"] == int64(0)) {
						t.Errorf("%s %q: %v", reason, fragments, got)
					}
					if err != nil && (got["dispatch_ok"] != false || got["gate_ok"] != false) {
						t.Errorf("%s %q: refused, and %v", reason, fragments, got)
					}
				}
			}
		}
	}
	if dispatched == 0 {
		t.Error("no stream was dispatched, so this shows nothing")
	}
	// The tool without required keys may, and says so.
	calls, err := turn("run_all", "tool_calls")
	if err != nil {
		t.Fatal(err)
	}
	if got := fields(t, NewRecord(calls[0], green, nil)); got["arg_bytes"] != int64(0) || got["dispatch_ok"] != true || got["gate_ok"] != true {
		t.Errorf("%v", got)
	}
	// A refused call is logged with what is known of it.
	_, err = turn("run_tests", "length", `{"path":"te`)
	got := fields(t, NewRecord(toolcall.Call{}, Report{}, err))
	if got["tool_name"] != "run_tests" || got["finish_reason"] != "length" || got["arg_bytes"] != int64(11) || got["gate_error"] != "length" {
		t.Errorf("%v", got)
	}
}

func TestReportLogValue(t *testing.T) {
	if got := green.LogValue().String(); got != "[collected=2 tests_started=3 tests_passed=3 tests_skipped=0 tests_failed=0]" {
		t.Error(got)
	}
	var _ slog.LogValuer = Record{}
}
