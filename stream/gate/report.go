package gate

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// Report is what a test run did.
type Report struct {
	// Collected is the number of tests that there are to run: top-level tests,
	// examples and fuzz targets of Go, test cases of a JUnit report.
	Collected int
	// Started is the number of tests that began, subtests and their parents
	// included. A JUnit report does not tell it; there it is the number of cases
	// that were not skipped.
	Started int
	// Passed, Skipped and Failed count tests without subtests, and parents that
	// failed on their own.
	Passed, Skipped, Failed int
	// Packages is the number of Go packages, or of JUnit test suites with cases.
	Packages int
	// Failures names failed tests, at most the first 100.
	Failures []string
}

const maxFailures = 100

func (r *Report) fail(name string) {
	r.Failed++
	if len(r.Failures) < maxFailures {
		r.Failures = append(r.Failures, name)
	}
}

// attrs are the report's attributes in a log.
func (r Report) attrs() []slog.Attr {
	return []slog.Attr{
		slog.Int("collected", r.Collected),
		slog.Int("tests_started", r.Started),
		slog.Int("tests_passed", r.Passed),
		slog.Int("tests_skipped", r.Skipped),
		slog.Int("tests_failed", r.Failed),
	}
}

// LogValue gives collected, tests_started, tests_passed, tests_skipped and
// tests_failed.
func (r Report) LogValue() slog.Value { return slog.GroupValue(r.attrs()...) }

// verdict is nil if the counts are those of a pass.
func (r Report) verdict() error {
	switch {
	case r.Failed > 0:
		return &Error{Kind: TestsFailed, Report: r, Detail: strings.Join(r.Failures[:min(3, len(r.Failures))], ", ")}
	case r.Collected == 0 || r.Started == 0 && r.Skipped == 0:
		return &Error{Kind: NoTests, Report: r}
	case r.Passed == 0:
		return &Error{Kind: OnlySkips, Report: r}
	}
	return nil
}

// judge gives a report that was read, with the error of reading it or else its
// verdict; either knows the report.
func judge(rep Report, err error) (Report, error) {
	if err == nil {
		err = rep.verdict()
	}
	var e *Error
	if errors.As(err, &e) {
		e.Report = rep
	}
	return rep, err
}

// Kind says why a gate did not pass. It is an error, so that errors.Is(err,
// gate.NoTests) asks for one.
type Kind string

// The kinds.
const (
	NoTests     Kind = "no_tests"     // nothing was collected, or nothing started
	OnlySkips   Kind = "only_skips"   // every test was skipped
	TestsFailed Kind = "tests_failed" // a test or a package failed
	BuildFailed Kind = "build_failed" // the tests could not be built
	Incomplete  Kind = "incomplete"   // the report ends too early, or a test has no result
	Malformed   Kind = "malformed"    // the report is not of its format
	TooLarge    Kind = "too_large"    // the report, or a line of it, is over the cap
	Mismatch    Kind = "mismatch"     // the report contradicts itself or the exit code
	NotRun      Kind = "not_run"      // the command could not be run, or gave up before the tests
	Canceled    Kind = "canceled"     // the context ended first
	EmptyPath   Kind = "empty_path"   // no path was given
	PathEscapes Kind = "path_escapes" // the path leaves the root
	NoSuchPath  Kind = "no_such_path" // nothing is there, or no directory
)

// Error makes a Kind a target for errors.Is.
func (k Kind) Error() string { return string(k) }

// Error is a gate that did not pass.
type Error struct {
	Kind   Kind
	Report Report // as far as it goes
	Path   string // as it was given, where the path is at fault
	Detail string // for people: the failed tests, the last lines of the command
	Line   int    // of the report, from 1; 0 where there is none
	Err    error  // the cause, if there is one
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "gate: %s", e.Kind)
	if e.Path != "" {
		fmt.Fprintf(&b, " %q", e.Path)
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, " in line %d", e.Line)
	}
	if r := e.Report; r.Collected+r.Started > 0 {
		fmt.Fprintf(&b, " (%d collected, %d started, %d passed, %d skipped, %d failed)", r.Collected, r.Started, r.Passed, r.Skipped, r.Failed)
	}
	if e.Detail != "" {
		fmt.Fprintf(&b, ": %s", e.Detail)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is matches the [Kind].
func (e *Error) Is(target error) bool {
	k, ok := target.(Kind)
	return ok && k == e.Kind
}
