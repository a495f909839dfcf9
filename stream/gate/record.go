package gate

import (
	"errors"
	"log/slog"

	"github.com/streamlint/streamlint/stream/toolcall"
)

// Record is the line to log for a tool call that ran tests. The zero Record is that
// of a call that nothing is known of, and says so.
type Record struct {
	call   toolcall.Call
	report Report
	err    error
	set    bool
}

// NewRecord joins a call with what came of it: the results of [Root.GoTest] and the
// like. For a call that was refused give the zero Call, the zero Report and the
// *toolcall.Error.
func NewRecord(call toolcall.Call, report Report, err error) Record {
	return Record{call, report, err, true}
}

// LogValue gives the attributes of the call's own record (tool_name, tool_index,
// finish_reason, arg_bytes, buffer_id, decoded_ok, dispatch_ok), those of the
// report (collected, tests_started, tests_passed, tests_skipped, tests_failed), and
// gate_ok, which is true only for a verified call whose tests passed. A gate that
// did not pass adds gate_error, its [Kind].
func (r Record) LogValue() slog.Value {
	err := r.Err()
	about := r.call.LogValue()
	var refused *toolcall.Error
	if r.call.Verify() != nil && errors.As(r.err, &refused) {
		about = refused.LogValue() // knows more of the call than the zero Call
	}
	attrs := append(about.Resolve().Group(), r.report.attrs()...)
	attrs = append(attrs, slog.Bool("gate_ok", err == nil))
	if err != nil {
		attrs = append(attrs, slog.String("gate_error", kindOf(err)))
	}
	return slog.GroupValue(attrs...)
}

// Err is nil only if the call is a verified one and the tests passed. The counts are
// judged once more: a report without tests is no pass, whatever error came with it.
func (r Record) Err() error {
	if !r.set {
		return &Error{Kind: NotRun, Detail: "the zero Record"}
	}
	if r.err != nil {
		return r.err
	}
	if err := r.call.Verify(); err != nil {
		return err
	}
	return r.report.verdict()
}

func kindOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return string(e.Kind)
	}
	var te *toolcall.Error
	if errors.As(err, &te) {
		return string(te.Kind)
	}
	return "error"
}
