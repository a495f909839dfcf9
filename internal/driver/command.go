package driver

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
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
	URL          string // where it is described; may be ""
	Analyzers    []*analysis.Analyzer
	MayHoldFacts func(imports []string) bool
	Subcommands  []Subcommand
	Stdout       io.Writer
	Stderr       io.Writer

	// Fixable names the checks that suggest fixes, for the list of checks.
	Fixable []string

	// UnusedIgnores makes the analyzer behind -unused-ignores, which requires the
	// given checks; every says that these are all there are. Without it there is no
	// such flag.
	UnusedIgnores func(checks []*analysis.Analyzer, every bool) *analysis.Analyzer

	isTerminal func(io.Writer) bool // in place of the real question, for tests
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
	format         formatFlag
	json           bool
	output         string
	fix            bool
	diff           bool
	quiet          bool
	verbose        bool
	color          colorFlag
	tests          testsFlag
	unused         bool
	baseline       string
	baselineWrite  bool
	baselineShrink bool
	newFrom        string
	version        bool
	context        int
	dir            string
	tags           string
}

// Main runs the command with the arguments that follow the program's name and
// returns its exit status.
func (c *Command) Main(ctx context.Context, args []string) int {
	if len(args) > 0 {
		if w := c.word(args[0]); w != nil {
			return w.run(ctx, args[1:])
		}
	}
	fs, opts, chosen := c.flags()
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return c.help(ctx, nil)
		}
		return c.usageError("%s", hintedFlag(err.Error(), fs))
	}
	if opts.version {
		return c.printVersion()
	}
	if err := opts.settle(); err != nil {
		return c.usageError("%v", err)
	}
	if opts.dir != "" {
		if err := os.Chdir(opts.dir); err != nil {
			return c.usageError("-C: %v", err)
		}
	}
	if bad := missingDirectory(fs.Args()); bad != "" {
		return c.usageError("%s", bad)
	}
	cfg := &Config{
		Analyzers:    chosen(),
		Patterns:     fs.Args(),
		Tests:        opts.tests.wanted(),
		MayHoldFacts: c.MayHoldFacts,
	}
	if opts.unused {
		every := len(cfg.Analyzers) == len(c.Analyzers)
		cfg.Analyzers = append(slices.Clip(cfg.Analyzers), c.UnusedIgnores(cfg.Analyzers, every))
	}
	if opts.tags != "" {
		cfg.BuildFlags = append(cfg.BuildFlags, "-tags="+opts.tags)
	}
	k := &check{Command: c, opts: opts, cfg: cfg}
	var err error
	if k.cwd, err = os.Getwd(); err != nil {
		k.cwd = "" // names stay absolute
	}
	return k.run(ctx)
}

// settle tells of flags that make no sense together.
func (o *options) settle() error {
	if o.json {
		if o.format != formatText && o.format != formatJSON {
			return fmt.Errorf("-json and -format=%s exclude each other", o.format)
		}
		o.format = formatJSON
	}
	excluded := func(a bool, nameA string, b bool, nameB string) error {
		if a && b {
			return fmt.Errorf("%s and %s exclude each other", nameA, nameB)
		}
		return nil
	}
	needs := func(a bool, nameA string, b bool, nameB string) error {
		if a && !b {
			return fmt.Errorf("%s needs %s", nameA, nameB)
		}
		return nil
	}
	form := "-format=" + string(o.format)
	if o.json {
		form = "-json"
	}
	return cmp.Or(
		needs(o.diff, "-diff", o.fix, "-fix"),
		needs(o.baselineWrite, "-baseline-write", o.baseline != "", "-baseline FILE"),
		needs(o.baselineShrink, "-baseline-shrink", o.baseline != "", "-baseline FILE"),
		excluded(o.baselineWrite, "-baseline-write", o.baselineShrink, "-baseline-shrink"),
		excluded(o.baselineWrite, "-baseline-write", o.newFrom != "", "-new-from"),
		excluded(o.baselineWrite, "-baseline-write", o.fix, "-fix"),
		excluded(o.format != formatText, form, o.fix, "-fix"),
		excluded(o.fix, "-fix", o.context >= 0, "-c"),
	)
}

// flags defines the command's flags. Each call gives a fresh set, as help
// needs one too.
func (c *Command) flags() (*flag.FlagSet, *options, func() []*analysis.Analyzer) {
	fs := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // Parse would print the whole usage text after each mistake
	o := &options{format: formatText, color: colorAuto}
	fs.Var(&o.format, "format", "print findings as `FORM`: "+strings.Join(formatNames(), ", "))
	fs.BoolVar(&o.json, "json", false, "short for -format=json, the form of go vet -json; the exit status is then 0")
	fs.StringVar(&o.output, "o", "", "write findings to `FILE`, and print them as text besides")
	fs.BoolVar(&o.fix, "fix", false, "apply the first suggested fix of each finding, and print what is left")
	fs.BoolVar(&o.diff, "diff", false, "with -fix, print the changes as a unified diff instead of making them; exit status 1 if there are any")
	fs.BoolVar(&o.quiet, "q", false, "print no findings; the exit status tells whether there are any")
	fs.BoolVar(&o.verbose, "v", false, "end with a summary, as on a terminal")
	fs.Var(&o.color, "color", "use colours `WHEN`: auto, always, never")
	fs.StringVar(&o.baseline, "baseline", "", "leave out the findings that `FILE` lists")
	fs.BoolVar(&o.baselineWrite, "baseline-write", false, "write all findings to the -baseline file instead of printing them")
	fs.BoolVar(&o.baselineShrink, "baseline-shrink", false, "drop the entries of the -baseline file that match no finding any more")
	fs.StringVar(&o.newFrom, "new-from", "", "report only on lines changed since the git revision `REV`, uncommitted changes included")
	o.tests.analyzers = c.Analyzers
	fs.Var(&o.tests, "test", testUsage)
	if c.UnusedIgnores != nil {
		fs.BoolVar(&o.unused, unusedFlag, false, unusedUsage)
	}
	fs.BoolVar(&o.version, "version", false, "print the version and exit")
	fs.IntVar(&o.context, "c", -1, "print the lines a finding is about and `N` lines around them")
	fs.StringVar(&o.dir, "C", "", "change to directory `DIR` first")
	fs.StringVar(&o.tags, "tags", "", "comma-separated `list` of build tags")
	return fs, o, AnalyzerFlags(fs, c.Analyzers)
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
