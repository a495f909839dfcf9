//go:build ignore

// Command main runs unfinished alone, for work on the check.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/streamlint/streamlint/analyzers/unfinished"
)

func main() { singlechecker.Main(unfinished.Analyzer) }
