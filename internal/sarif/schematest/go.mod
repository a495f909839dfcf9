module github.com/streamlint/streamlint/internal/sarif/schematest

go 1.25.0

require (
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/streamlint/streamlint v0.0.0
)

require (
	github.com/rogpeppe/go-internal v1.14.1 // indirect
	golang.org/x/text v0.14.0 // indirect
	golang.org/x/tools v0.48.0 // indirect
)

replace github.com/streamlint/streamlint => ../../..
