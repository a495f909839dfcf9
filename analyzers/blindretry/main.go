//go:build ignore

// Command main runs blindretry alone, for work on the check.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/streamlint/streamlint/analyzers/blindretry"
)

func main() { singlechecker.Main(blindretry.Analyzer) }
