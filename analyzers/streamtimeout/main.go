//go:build ignore

// Command main runs streamtimeout alone, for work on the check.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/streamlint/streamlint/analyzers/streamtimeout"
)

func main() { singlechecker.Main(streamtimeout.Analyzer) }
