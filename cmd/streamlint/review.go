package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/internal/driver"
	"github.com/streamlint/streamlint/internal/review"
	"github.com/streamlint/streamlint/internal/streamflow"
)

const reviewUsage = `usage: streamlint review [flags] [packages]

Review sorts what a change does to stream code: what is recognised as right
(trust), what has a finding (revert), and what no check can settle (test). The
change is the work tree, what is not committed included, against the commit where
HEAD left the base. Without packages all that changed are looked at.

Exit status: 0 nothing to revert, 1 something to revert, 2 it could not run or
not everything could be checked.

Flags, beside -NAME and -NAME.flag of the checks (see "streamlint help"):
`

// reviewCommand is "streamlint review".
type reviewCommand struct {
	analyzers      []*analysis.Analyzer
	stdout, stderr io.Writer
}

func (c *reviewCommand) run(ctx context.Context, args []string) int {
	own := flag.NewFlagSet("review", flag.ContinueOnError)
	own.SetOutput(io.Discard)
	base := own.String("base", "HEAD", "compare with the commit where HEAD left `REV`, such as origin/main; HEAD gives what is not committed")
	format := own.String("format", "text", "write the review as text, markdown or json")
	dir := own.String("C", "", "change to directory `DIR` first")
	tags := own.String("tags", "", "comma-separated `list` of build tags")
	tests := own.Bool("test", false, "review _test.go files too")

	all := flag.NewFlagSet("review", flag.ContinueOnError)
	all.SetOutput(io.Discard)
	own.VisitAll(func(f *flag.Flag) { all.Var(f.Value, f.Name, f.Usage) })
	chosen := driver.AnalyzerFlags(all, c.analyzers)
	if err := all.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(c.stdout, reviewUsage)
			own.SetOutput(c.stdout)
			own.PrintDefaults()
			return 0
		}
		return c.failed(err)
	}
	print, ok := map[string]func(io.Writer, *review.Report) error{
		"text": review.PrintText, "markdown": review.PrintMarkdown, "json": review.PrintJSON,
	}[*format]
	if !ok {
		return c.failed(fmt.Errorf("-format: %q is none of text, markdown and json", *format))
	}
	if *dir != "" {
		if err := os.Chdir(*dir); err != nil {
			return c.failed(fmt.Errorf("-C: %w", err))
		}
	}
	cfg := &review.Config{
		Base:         *base,
		Patterns:     all.Args(),
		Analyzers:    chosen(),
		MayHoldFacts: streamflow.MayHoldFacts,
		Tests:        *tests,
	}
	if *tests {
		for _, a := range cfg.Analyzers {
			_ = a.Flags.Set("tests", "true") // a check without the flag has nothing to leave out
		}
	}
	if *tags != "" {
		cfg.BuildFlags = append(cfg.BuildFlags, "-tags="+*tags)
	}
	report, err := review.Run(ctx, cfg)
	if err != nil {
		return c.failed(err)
	}
	if err := print(c.stdout, report); err != nil {
		return c.failed(err)
	}
	for _, p := range report.Problems {
		fmt.Fprintf(c.stderr, "streamlint review: %s\n", p)
	}
	switch {
	case len(report.Problems) > 0:
		return 2
	case report.Count(review.Revert) > 0:
		return 1
	}
	return 0
}

func (c *reviewCommand) failed(err error) int {
	fmt.Fprintf(c.stderr, "streamlint review: %v\n", err)
	return 2
}
