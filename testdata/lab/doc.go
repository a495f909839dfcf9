// Package lab replays five incidents of programs that consume model streams. Each
// is a directory with the recorded bytes, the program as it was (naive), the same
// program over the packages of stream/ (durable), a test that runs both against
// every cut and every split of the bytes, and a command to try it by hand:
//
//   - mergegate: every delta of a tool call decoded on its own, no test ran, green
//   - patchgate: a verdict cut by the network, repaired with a brace, merged
//   - parallelcalls: one tool run with the arguments of another
//   - schemaapply: six of eleven statements applied, status success
//   - sseclient: half a character lost, an answer printed twice
//
// The test of this package runs streamlint over all of it: testdata/findings.golden
// lists check and line of what it finds in the naive forms; in the durable forms
// and in stream/ it finds nothing. The code of docs/companion.md is in companion/.
//
// It is a module of its own because of the database driver.
package lab
