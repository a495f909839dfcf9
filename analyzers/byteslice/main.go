//go:build ignore

// Command main runs byteslice alone, for work on the check.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/streamlint/streamlint/analyzers/byteslice"
)

func main() { singlechecker.Main(byteslice.Analyzer) }
