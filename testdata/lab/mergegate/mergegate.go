// Package mergegate holds the stream of incident a: a model that asks for
// run_tests(path="tests/"), the arguments in five pieces of which none is JSON.
package mergegate

import _ "embed"

// Recorded is the stream.
//
//go:embed recorded.sse
var Recorded []byte
