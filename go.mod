module github.com/streamlint/streamlint

go 1.25.0

require (
	github.com/rogpeppe/go-internal v1.14.1
	golang.org/x/tools v0.48.0
)

require (
	golang.org/x/mod v0.38.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)
