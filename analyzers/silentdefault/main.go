//go:build ignore

// Command main runs silentdefault alone, for work on the check.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/streamlint/streamlint/analyzers/silentdefault"
)

func main() { singlechecker.Main(silentdefault.Analyzer) }
