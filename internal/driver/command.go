package driver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Exit statuses of the command. Findings give the status go vet gives for
// them, so that scripts can use either form.
const (
	exitClean    = 0
	exitFindings = 1
	exitFailed   = 2 // wrong usage, or something could not be checked
)

// Command is the command line of a checker built on this driver.
type Command struct {
	Name         string // of the program, for its messages
	Summary      string // what it is, in a sentence
	Analyzers    []*analysis.Analyzer
	MayHoldFacts func(imports []string) bool
	Subcommands  []Subcommand
	Stdout       io.Writer
	Stderr       io.Writer
}

// Subcommand is a further command of the program, "name ARG...", with a command
// line of its own.
type Subcommand struct {
	Name    string
	Summary string // what it does, in a few words for the overview
	// Run runs it with the arguments that follow its name and returns the exit
	// status. With -h as the only argument it prints its usage.
	Run func(ctx context.Context, args []string) int
}

type options struct {
	json    bool
	fix     bool
	diff    bool
	quiet   bool
	tests   testsFlag
	version bool
	context int
	dir     string
	tags    string
}

// Main runs the command with the arguments that follow the program's name and
// returns its exit status.
func (c *Command) Main(ctx context.Context, args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "help":
			return c.help(ctx, args[1:])
		case "version":
			return c.printVersion()
		}
		if sub := c.subcommand(args[0]); sub != nil {
			return sub.Run(ctx, args[1:])
		}
	}
	fs, opts, chosen := c.flags()
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return c.help(ctx, nil)
		}
		return c.usageError("%v", err)
	}
	switch {
	case opts.version:
		return c.printVersion()
	case opts.diff && !opts.fix:
		return c.usageError("-diff needs -fix")
	case opts.json && opts.fix:
		return c.usageError("-json and -fix exclude each other")
	case opts.fix && opts.context >= 0:
		return c.usageError("-c and -fix exclude each other")
	}
	if opts.dir != "" {
		if err := os.Chdir(opts.dir); err != nil {
			return c.usageError("-C: %v", err)
		}
	}
	cfg := &Config{
		Analyzers:    chosen(),
		Patterns:     fs.Args(),
		Tests:        opts.tests.wanted(),
		MayHoldFacts: c.MayHoldFacts,
	}
	if opts.tags != "" {
		cfg.BuildFlags = append(cfg.BuildFlags, "-tags="+opts.tags)
	}
	result, err := Run(ctx, cfg)
	if err != nil {
		c.errorf("%v", err)
		return exitFailed
	}
	status := c.report(opts, result)
	for _, p := range result.Problems {
		c.errorf("%s", p)
		status = exitFailed
	}
	return status
}

func (c *Command) subcommand(name string) *Subcommand {
	for i := range c.Subcommands {
		if c.Subcommands[i].Name == name {
			return &c.Subcommands[i]
		}
	}
	return nil
}

// flags defines the command's flags. Each call gives a fresh set, as help
// needs one too.
func (c *Command) flags() (*flag.FlagSet, *options, func() []*analysis.Analyzer) {
	fs := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // Parse would print the whole usage text after each mistake
	o := new(options)
	fs.BoolVar(&o.json, "json", false, "print findings as JSON on standard output; the exit status is then 0")
	fs.BoolVar(&o.fix, "fix", false, "apply the first suggested fix of each finding instead of printing it")
	fs.BoolVar(&o.diff, "diff", false, "with -fix, print the changes as a unified diff instead of making them; exit status 1 if there are any")
	fs.BoolVar(&o.quiet, "q", false, "print no findings; the exit status tells whether there are any")
	o.tests.analyzers = c.Analyzers
	fs.Var(&o.tests, "test", testUsage)
	fs.BoolVar(&o.version, "version", false, "print the version and exit")
	fs.IntVar(&o.context, "c", -1, "print the lines a finding is about and `N` lines around them")
	fs.StringVar(&o.dir, "C", "", "change to directory `DIR` first")
	fs.StringVar(&o.tags, "tags", "", "comma-separated `list` of build tags")
	return fs, o, AnalyzerFlags(fs, c.Analyzers)
}

func (c *Command) report(opts *options, result *Result) int {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "" // names stay absolute
	}
	if opts.fix {
		return c.applyFixes(opts, cwd, result)
	}
	if opts.json {
		if err := PrintJSON(c.Stdout, result.Findings); err != nil {
			c.errorf("%v", err)
			return exitFailed
		}
		return exitClean
	}
	if !opts.quiet {
		PrintText(c.Stderr, cwd, opts.context, result.Findings)
	}
	if len(result.Findings) > 0 {
		return exitFindings
	}
	return exitClean
}

// errorf prints a message under the program's name. The go command's own
// reports, which begin with "# package", are passed on as they are.
func (c *Command) errorf(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), "\n")
	if !strings.HasPrefix(text, "# ") {
		text = c.Name + ": " + text
	}
	fmt.Fprintln(c.Stderr, text)
}

func (c *Command) usageError(format string, args ...any) int {
	c.errorf("%s (see %q)", fmt.Sprintf(format, args...), c.Name+" help")
	return exitFailed
}
