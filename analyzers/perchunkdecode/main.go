//go:build ignore

// Command main runs perchunkdecode alone, for work on the check.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/streamlint/streamlint/analyzers/perchunkdecode"
)

func main() { singlechecker.Main(perchunkdecode.Analyzer) }
