package driver

import (
	"context"
	"flag"
	"fmt"
	"slices"
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
		a, w := c.analyzer(name), c.word(name)
		if a == nil && w == nil {
			return c.usageError("%s", c.unknownName(name))
		}
		if i > 0 {
			fmt.Fprintln(c.Stdout)
		}
		switch {
		case a != nil:
			c.page(a)
		case w.sub:
			if status := w.run(ctx, []string{"-h"}); status != exitClean {
				return status
			}
		default:
			fmt.Fprintf(c.Stdout, "%s: %s\n", strings.TrimSpace(c.Name+" "+w.name+" "+w.args), w.summary)
		}
	}
	return exitClean
}

func (c *Command) analyzer(name string) *analysis.Analyzer {
	if i := slices.IndexFunc(c.Analyzers, named(name)); i >= 0 {
		return c.Analyzers[i]
	}
	return nil
}

func named(name string) func(*analysis.Analyzer) bool {
	return func(a *analysis.Analyzer) bool { return a.Name == name }
}

func (c *Command) overview() {
	fmt.Fprintf(c.Stdout, "%s\n\nUsage:\n", c.Summary)
	tw := tabwriter.NewWriter(c.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(tw, "\t%s [flags] [packages]\tcheck packages (default: the one in this directory)\n", c.Name)
	fmt.Fprintf(tw, "\tgo vet -vettool=/path/to/%s ./...\tthe same, through the go command\n", c.Name)
	for _, w := range c.words() {
		fmt.Fprintf(tw, "\t%s\t%s\n", strings.TrimSpace(c.Name+" "+w.name+" "+w.args), w.summary)
	}
	_ = tw.Flush()
	fmt.Fprint(c.Stdout, "\nChecks:\n")
	tw = tabwriter.NewWriter(c.Stdout, 0, 8, 2, ' ', 0)
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
