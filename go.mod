module github.com/streamlint/streamlint

go 1.25.0

require (
	github.com/rogpeppe/go-internal v1.14.1
	golang.org/x/tools v0.48.0
)
