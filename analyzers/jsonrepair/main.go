//go:build ignore

// Command main runs jsonrepair alone, for work on the check.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/streamlint/streamlint/analyzers/jsonrepair"
)

func main() { singlechecker.Main(jsonrepair.Analyzer) }
