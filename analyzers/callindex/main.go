//go:build ignore

// Command main runs callindex alone, for work on the check.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/streamlint/streamlint/analyzers/callindex"
)

func main() { singlechecker.Main(callindex.Analyzer) }
