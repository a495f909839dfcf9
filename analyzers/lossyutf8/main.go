//go:build ignore

// Command main runs lossyutf8 alone, for work on the check.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/streamlint/streamlint/analyzers/lossyutf8"
)

func main() { singlechecker.Main(lossyutf8.Analyzer) }
