//go:build ignore

// Command main runs partialapply alone, for work on the check.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/streamlint/streamlint/analyzers/partialapply"
)

func main() { singlechecker.Main(partialapply.Analyzer) }
