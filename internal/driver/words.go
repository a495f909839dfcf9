package driver

import (
	"context"
	"fmt"
	"text/tabwriter"
)

// word is a first argument that is no package but a command.
type word struct {
	name, args string
	summary    string
	run        func(ctx context.Context, args []string) int
	sub        bool // of the program, with help of its own
}

// words lists the commands, those of the program behind the driver's own.
func (c *Command) words() []word {
	out := []word{
		{"help", "[NAME]", "this text, or what a check reports and why", c.help, false},
		{"checks", "", "list the checks", c.listChecks, false},
		{"explain", "NAME", "what a check reports and why", c.explain, false},
		{"completion", "SHELL", "a script that completes command lines in bash, zsh or fish", c.completion, false},
		{"version", "", "print the version", func(context.Context, []string) int { return c.printVersion() }, false},
	}
	for _, sub := range c.Subcommands {
		out = append(out, word{sub.Name, "[flags] [args]", sub.Summary, sub.Run, true})
	}
	return out
}

func (c *Command) word(name string) *word {
	for _, w := range c.words() {
		if w.name == name {
			return &w
		}
	}
	return nil
}

// explain prints the pages of checks.
func (c *Command) explain(ctx context.Context, names []string) int {
	if len(names) == 0 || len(names[0]) > 0 && names[0][0] == '-' {
		return c.usageError("explain needs the name of a check")
	}
	return c.help(ctx, names)
}

// listChecks prints the checks as a table.
func (c *Command) listChecks(_ context.Context, args []string) int {
	if len(args) > 0 {
		return c.usageError("checks takes no arguments; %s tells about one", c.Name+" explain NAME")
	}
	_, _, chosen := c.flags()
	byDefault := make(map[string]bool)
	for _, a := range chosen() {
		byDefault[a.Name] = true
	}
	fixable := make(map[string]bool)
	for _, name := range c.Fixable {
		fixable[name] = true
	}
	tw := tabwriter.NewWriter(c.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "NAME\tDEFAULT\tFIX\tREPORTS")
	for _, a := range c.Analyzers {
		on, fix := "off", ""
		if byDefault[a.Name] {
			on = "on"
		}
		if fixable[a.Name] {
			fix = "some"
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", a.Name, on, fix, summary(a))
	}
	_ = tw.Flush()
	return exitClean
}
