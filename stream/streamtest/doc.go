// Package streamtest tests code that consumes streams.
//
// What breaks such code is rarely in a fixture: a character cut by a packet
// border, a connection that closes one byte too early, an event sent again
// after a reconnect, an end marker that never comes. This package makes those
// cheap to have in a test.
//
//   - [Serve] is a real HTTP server on the loopback interface that follows a
//     script: split at any byte, cut at any offset, repeat, stall, reset the
//     connection, answer 429 or 503 with Retry-After.
//   - [ServePipe] is the same server over in-memory connections, for bubbles of
//     testing/synctest, where an hour of backoff takes no time.
//   - [EveryCut] and [EverySplit] run a consumer over every truncation and every
//     split of a payload: each truncation must be refused, and each split must
//     give what the whole gives.
//   - [Interleave] and [Interleavings] mix the fragments of parallel calls.
//   - [Transcript] has streams in the wire formats of several model APIs, and
//     [Blocks], [RepeatID], [OmitDone] and [After] change them.
//
// A server checks that its script fits: a request that the script has no reply
// for fails the test, since that is how a blind retry shows.
package streamtest
