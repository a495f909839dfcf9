// Package gate makes a green test run mean that tests ran. A program that lets a
// model or a pipeline "run the tests" must not take an exit code of 0 for a pass:
// it is also the exit code of a run that found no tests, skipped them all, or was
// given no path to look in.
//
// A gate passes, which means that the error is nil, only if
//
//   - the report is whole: every test that started has a result, every package too,
//   - at least one test was collected, started and passed,
//   - no test failed, and
//   - the exit code, where there is one, agrees.
//
// Anything else is an [*Error] whose [Kind] says what was missing; the [Report]
// comes with it as far as it goes.
//
// [ReadGoTest] reads the stream of go test -json, [ReadJUnit] a JUnit XML report
// (pytest --junitxml, and most other runners). [Root.GoTest] and [Root.RunJUnit]
// run the tests too, and are stronger: they know the exit code, they count what
// there is to run before running it, and they never see a cached or an old result.
//
// # Paths
//
// A [Root] is a directory that no path leaves. Paths are relative to it; empty
// ones, absolute ones, those with too many "..", and symbolic links that lead out
// are refused, the links by [os.Root]. The path becomes the working directory of
// the command and never one of its arguments, so that it cannot be taken for a
// flag. That is no sandbox: the tests themselves do what they like, and so does
// whoever can change the directory between the check and the run.
//
// # Counting
//
// A test with subtests counts by its subtests: a parent that passes because each
// of its subtests was skipped has not passed. A parent that fails on its own, with
// no failed subtest, counts as failed.
//
// # Record
//
// A [Record] joins the record of the tool call that asked for the tests (package
// toolcall) with the counts, as one slog group. Its dispatch_ok comes from the
// verified call and cannot be set.
package gate
