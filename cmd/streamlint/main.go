// Streamlint finds bugs in the handling of streams in Go programs: pieces
// decoded as if they were whole, failed decodes taken for empty values, text
// cut inside a character, requests repeated after half the answer went out.
//
// It runs by itself,
//
//	streamlint [flags] [packages]
//
// or through the go command:
//
//	go vet -vettool=$(command -v streamlint) ./...
//
// Both report the same. "streamlint help" lists the checks and flags, and
// "streamlint help NAME" tells what a check reports, and why.
//
// The exit status is 0 if nothing was found, 1 if something was, and 2 if the
// command line is wrong or a package could not be checked.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/streamlint/streamlint/analyzers"
	"github.com/streamlint/streamlint/internal/driver"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	review := &reviewCommand{analyzers: analyzers.All(), stdout: os.Stdout, stderr: os.Stderr}
	c := &driver.Command{
		Name:          "streamlint",
		Summary:       "streamlint finds bugs in the handling of streams in Go programs.",
		URL:           "https://github.com/streamlint/streamlint",
		Analyzers:     analyzers.All(),
		Fixable:       analyzers.Fixable(),
		MayHoldFacts:  streamflow.MayHoldFacts,
		UnusedIgnores: report.Unused,
		Subcommands:   []driver.Subcommand{{Name: "review", Summary: "sort a change's stream code: trust, revert, test", Run: review.run}},
		Stdout:        os.Stdout,
		Stderr:        os.Stderr,
	}
	if driver.IsVetCall(os.Args[1:]) {
		c.VetMain(os.Args[1:]) // exits
	}
	c.Subcommands = append(c.Subcommands, filesCommand(c))
	status := c.Main(ctx, os.Args[1:])
	stop()
	os.Exit(status)
}
