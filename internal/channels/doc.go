// Package channels holds the tests of the ways in which people run streamlint: the
// go command, golangci-lint, pre-commit, Bazel's nogo and a shared build cache. They
// run the real tools on the module in testdata/app, and the commands that they run
// are those the pages in docs/integrations show.
//
// What needs a network or minutes is left to the stages of .ci/run that say so.
package channels
