package apply

import (
	"fmt"
	"log/slog"
	"strings"
)

// Outcome is what became of a delivery. It is an error, so that
// errors.Is(err, apply.Truncated) asks for one.
type Outcome uint8

const (
	// Applied: all statements and the job row are committed.
	Applied Outcome = iota + 1
	// AlreadyApplied: the same job id with the same tool and statements was
	// applied before. Nothing was done, and that is success.
	AlreadyApplied
	// Truncated: what arrived is no whole plan, or the read failed.
	Truncated
	// CountMismatch: the plan does not have as many statements as it says.
	CountMismatch
	// DigestMismatch: the digest is not that of the statements, or a key was
	// configured and the plan has no keyed digest, or the reverse.
	DigestMismatch
	// IdleTimeout: nothing arrived for the idle time, with no end of the stream.
	// Whether the plan was whole is unknown.
	IdleTimeout
	// Canceled: the context ended before the stream did.
	Canceled
	// Refused: the plan is whole but breaks a rule, or is larger than the cap.
	// The same plan would be refused again.
	Refused
	// Failed: a statement or the commit failed and everything was rolled back.
	Failed
	// JobSpent: the job id belongs to another plan or to one that was not applied.
	JobSpent
	// Unavailable: the database could not be reached, or could not take the job
	// row. Nothing was written; the job id may be used again.
	Unavailable
	// Unknown: the connection was lost at the commit and the database could not
	// be asked since. [Applier.Lookup] tells, once it can be.
	Unknown
	// Torn: a statement failed after something that a statement called had ended
	// the transaction, so that a part of the plan is committed. The databases
	// named in the package documentation do not allow that; others may. The job
	// row says torn, and a person must look.
	Torn
)

var outcomeNames = [...]string{
	Applied: "applied", AlreadyApplied: "already_applied", Truncated: "truncated",
	CountMismatch: "count_mismatch", DigestMismatch: "digest_mismatch",
	IdleTimeout: "idle_timeout", Canceled: "canceled", Refused: "refused",
	Failed: "failed", JobSpent: "job_spent", Unavailable: "unavailable", Unknown: "unknown", Torn: "torn",
}

// String is the outcome's name, as in the status column of a job row.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) && outcomeNames[o] != "" {
		return outcomeNames[o]
	}
	return fmt.Sprintf("Outcome(%d)", uint8(o))
}

// Error makes an Outcome a target for errors.Is.
func (o Outcome) Error() string { return o.String() }

// Ack reports whether the message that held the plan may be acknowledged: the
// plan's effects are in the database.
func (o Outcome) Ack() bool { return o == Applied || o == AlreadyApplied }

// SameJobID reports whether the same plan may be tried again under its job id.
func (o Outcome) SameJobID() bool { return o == Unavailable }

// Result is what happened, whether or not it is what was wanted.
type Result struct {
	Outcome Outcome
	// JobID is the plan's, or what a refused plan's bytes say it is; "" if that
	// cannot be read.
	JobID string
	// Statements is the number of statements committed by this call: all or 0.
	Statements int
	// Bytes is the length of the plan's JSON as it arrived, 0 for a plan that was
	// never JSON.
	Bytes int64
	// SHA256 is, in hex, the plan's framed digest, or the hash of the bytes that
	// arrived when they are no plan.
	SHA256 string
	// Recorded says that the job table has a row for this outcome.
	Recorded bool
	// Quarantined is where the bytes of a DigestMismatch are kept; "" if nowhere.
	Quarantined string
}

// LogValue gives job_id, outcome, ack, statements, bytes, sha256, recorded and,
// where there is one, quarantined.
func (r Result) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.String("job_id", r.JobID),
		slog.String("outcome", r.Outcome.String()),
		slog.Bool("ack", r.Outcome.Ack()),
		slog.Int("statements", r.Statements),
		slog.Int64("bytes", r.Bytes),
		slog.String("sha256", r.SHA256),
		slog.Bool("recorded", r.Recorded),
	}
	if r.Quarantined != "" {
		attrs = append(attrs, slog.String("quarantined", r.Quarantined))
	}
	return slog.GroupValue(attrs...)
}

// Error is a delivery that was not applied. It matches its [Outcome] in errors.Is
// and unwraps to the cause: an *envelope.IncompleteError, a [*StatementError], an
// error of the database or the context.
type Error struct {
	Result Result
	Err    error
	// Also is what went wrong while dealing with it: a failed rollback, a row
	// that could not be written, bytes that could not be quarantined. It is nil
	// in general.
	Also error
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "apply: %v", e.Result.Outcome)
	if e.Result.JobID != "" {
		fmt.Fprintf(&b, ": job %s", e.Result.JobID)
	}
	if e.Result.Bytes > 0 {
		fmt.Fprintf(&b, ", %d bytes", e.Result.Bytes)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if e.Also != nil {
		fmt.Fprintf(&b, " (and then: %v)", e.Also)
	}
	return b.String()
}

// Unwrap returns the cause and what followed from it.
func (e *Error) Unwrap() []error {
	var errs []error
	for _, err := range []error{e.Err, e.Also} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// Is matches the [Outcome].
func (e *Error) Is(target error) bool {
	o, ok := target.(Outcome)
	return ok && o == e.Result.Outcome
}
