package driver

import (
	"context"
	"flag"
	"fmt"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"golang.org/x/tools/go/analysis"
)

// help prints the overview, or the pages of the named checks and subcommands.
func (c *Command) help(ctx context.Context, names []string) int {
	if len(names) == 0 {
		c.overview()
		return exitClean
	}
	for i, name := range names {
		a, sub := c.analyzer(name), c.subcommand(name)
		if a == nil && sub == nil {
			return c.usageError("no check is called %q", name)
		}
		if i > 0 {
			fmt.Fprintln(c.Stdout)
		}
		if a == nil {
			if status := sub.Run(ctx, []string{"-h"}); status != exitClean {
				return status
			}
			continue
		}
		c.page(a)
	}
	return exitClean
}

func (c *Command) analyzer(name string) *analysis.Analyzer {
	for _, a := range c.Analyzers {
		if a.Name == name {
			return a
		}
	}
	return nil
}

func (c *Command) overview() {
	fmt.Fprintf(c.Stdout, `%[2]s

Usage:
	%[1]s [flags] [packages]             check packages (default: the one in this directory)
	go vet -vettool=/path/to/%[1]s ./... the same, through the go command
	%[1]s help NAME                      what a check reports, and why
	%[1]s version                        print the version
`, c.Name, c.Summary)
	for _, sub := range c.Subcommands {
		fmt.Fprintf(c.Stdout, "\t%-*s%s\n", 32+len(c.Name), c.Name+" "+sub.Name+" [flags] [args]", sub.Summary)
	}
	fmt.Fprint(c.Stdout, "\nChecks:\n")
	tw := tabwriter.NewWriter(c.Stdout, 0, 8, 2, ' ', 0)
	for _, a := range c.Analyzers {
		fmt.Fprintf(tw, "\t%s\t%s\n", a.Name, summary(a))
	}
	_ = tw.Flush()
	fmt.Fprint(c.Stdout, `
All checks run unless some are chosen (-NAME) or left out (-NAME=false).
Exit status: 0 nothing found, 1 findings, 2 wrong usage or packages that could not be checked.

Flags:
`)
	fs, _, _ := c.flags()
	fs.SetOutput(c.Stdout)
	fs.PrintDefaults()
}

// page prints a check's documentation, laid out for a terminal.
func (c *Command) page(a *analysis.Analyzer) {
	fmt.Fprintf(c.Stdout, "%s: %s\n", a.Name, summary(a))
	if _, rest, ok := strings.Cut(strings.TrimSpace(a.Doc), "\n"); ok {
		fmt.Fprintf(c.Stdout, "\n%s", render(rest))
	}
	if a.URL != "" {
		fmt.Fprintf(c.Stdout, "\nMore: %s\n", a.URL)
	}
	var settings flag.FlagSet
	settings.SetOutput(c.Stdout)
	any := false
	a.Flags.VisitAll(func(f *flag.Flag) {
		any = true
		settings.Var(f.Value, a.Name+"."+f.Name, f.Usage)
	})
	if any {
		fmt.Fprint(c.Stdout, "\nFlags:\n")
		settings.PrintDefaults()
	}
}

// summary is the first line of a check's documentation without its name.
func summary(a *analysis.Analyzer) string {
	line, _, _ := strings.Cut(strings.TrimSpace(a.Doc), "\n")
	return strings.TrimSpace(strings.TrimPrefix(line, a.Name+":"))
}

// printVersion prints what the go command recorded about the build.
func (c *Command) printVersion() int {
	version, revision, modified := "(devel)", "", ""
	info, ok := debug.ReadBuildInfo()
	if ok {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				revision = s.Value
			case "vcs.modified":
				if s.Value == "true" {
					modified = ", modified"
				}
			}
		}
	}
	fmt.Fprintf(c.Stdout, "%s %s", c.Name, version)
	if revision != "" {
		fmt.Fprintf(c.Stdout, " (%s%s)", revision, modified)
	}
	if ok {
		fmt.Fprintf(c.Stdout, " built with %s", info.GoVersion)
	}
	fmt.Fprintln(c.Stdout)
	return exitClean
}
