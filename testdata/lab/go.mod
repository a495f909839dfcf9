module github.com/streamlint/streamlint/testdata/lab

go 1.25.0

require github.com/streamlint/streamlint v0.0.0

replace github.com/streamlint/streamlint => ../..
