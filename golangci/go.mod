module github.com/streamlint/streamlint/golangci

go 1.25.0

require (
	github.com/golangci/plugin-module-register v0.1.2
	github.com/streamlint/streamlint v0.0.0
	golang.org/x/tools v0.48.0
)

// The release of both modules is one (see docs/release.md); until there is one, and
// for work on the checks, this module goes with the checkout around it.
replace github.com/streamlint/streamlint => ../
