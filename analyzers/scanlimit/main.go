//go:build ignore

// Command main runs scanlimit alone, for work on the check.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/streamlint/streamlint/analyzers/scanlimit"
)

func main() { singlechecker.Main(scanlimit.Analyzer) }
