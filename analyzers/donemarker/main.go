//go:build ignore

// Command main runs donemarker alone, for work on the check.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/streamlint/streamlint/analyzers/donemarker"
)

func main() { singlechecker.Main(donemarker.Analyzer) }
