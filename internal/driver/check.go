package driver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/streamlint/streamlint/internal/baseline"
)

// check is one run of the command over packages.
type check struct {
	*Command
	opts    *options
	cfg     *Config
	cwd     string // names are shown relative to it; "" leaves them absolute
	changed changes
}

// outcome is what a run of the analyzers came to once the findings nobody wants to
// see are taken out.
type outcome struct {
	*Result
	src       *sources
	fixed     int // fixes applied
	known     int // findings in the baseline
	unchanged int // findings on lines that did not change
	base      *baseline.File
	stale     []baseline.Entry
}

// run checks the packages and reports.
func (k *check) run(ctx context.Context) int {
	o, err := k.look(ctx)
	if err != nil {
		k.errorf("%v", err)
		return exitFailed
	}
	status := exitClean
	if k.opts.fix {
		if o, status, err = k.fix(ctx, o); err != nil {
			k.errorf("%v", err)
			return exitFailed
		}
	}
	if k.opts.baselineWrite {
		status = max(status, k.writeBaseline(o))
		o.known += len(o.Findings)
		o.Findings = nil
	}
	status = max(status, k.report(o))
	if k.opts.baseline != "" && !k.opts.baselineWrite {
		status = max(status, k.tendBaseline(o))
	}
	for _, p := range o.Problems {
		k.errorf("%s", k.hinted(p))
		status = exitFailed
	}
	if k.opts.verbose || !k.opts.quiet && k.terminal(k.Stderr) {
		k.errorf("%s", summaryLine(o))
	}
	return status
}

// look runs the analyzers and takes out what is known or not new.
func (k *check) look(ctx context.Context) (*outcome, error) {
	o := &outcome{src: newSources()}
	var err error
	if k.opts.baseline != "" {
		if o.base, err = k.readBaseline(); err != nil {
			return nil, err
		}
	}
	if k.opts.newFrom != "" {
		// Before the run: a wrong revision need not wait for it.
		if k.changed, err = changesSince(ctx, k.opts.newFrom); err != nil {
			return nil, err
		}
	}
	cfg := *k.cfg
	if k.progressWanted() {
		p := startProgress(k.Stderr, k.Name, progressDelay, progressEvery)
		cfg.Progress = p.set
		o.Result, err = Run(ctx, &cfg)
		p.stop()
	} else {
		o.Result, err = Run(ctx, &cfg)
	}
	if err != nil {
		return nil, err
	}
	fingerprint(o.Findings, o.src)
	k.judgeBaseline(o)
	if k.opts.newFrom != "" {
		all := len(o.Findings)
		o.Findings = slices.DeleteFunc(o.Findings, func(f Finding) bool { return !k.changed.touch(&f) })
		o.unchanged = all - len(o.Findings)
	}
	return o, nil
}

func (k *check) progressWanted() bool {
	return !k.opts.quiet && k.terminal(k.Stderr) && !dumb(os.Getenv)
}

// report prints the findings in the form the user wants, and gives the status that
// tells of them.
func (k *check) report(o *outcome) int {
	format, to := string(k.opts.format), k.Stderr
	plainText := format == formatText && k.opts.output == ""
	if !k.opts.quiet && (plainText || k.opts.output != "" || format == formatGitHub) {
		PrintText(to, style(k.opts.color.on(k.terminal(to), os.Getenv)), k.cwd, k.opts.context, o.Findings)
	}
	if !plainText {
		if err := k.printDocument(o, format); err != nil {
			k.errorf("%v", err)
			return exitFailed
		}
	}
	if len(o.Findings) == 0 || format == formatJSON {
		return exitClean
	}
	return exitFindings
}

// printDocument writes the findings to standard output, or the file that -o names.
func (k *check) printDocument(o *outcome, format string) (err error) {
	out := k.Stdout
	if k.opts.output != "" {
		f, err := os.Create(k.opts.output)
		if err != nil {
			return fmt.Errorf("-o: %w", err)
		}
		defer func() {
			if e := f.Close(); err == nil {
				err = e
			}
		}()
		out = f
	}
	if format == formatText {
		var text bytes.Buffer
		PrintText(&text, false, k.cwd, k.opts.context, o.Findings)
		_, err := out.Write(text.Bytes())
		return err
	}
	d := &document{
		tool:      toolInfo{k.Name, buildInfo().version, k.URL},
		analyzers: k.cfg.Analyzers,
		findings:  o.Findings,
		problems:  o.Problems,
		root:      repositoryRoot(k.cwd),
		src:       o.src,
	}
	return d.write(out, format)
}

// terminal reports whether a stream of the command is a terminal.
func (c *Command) terminal(w io.Writer) bool {
	if c.isTerminal != nil {
		return c.isTerminal(w)
	}
	f, ok := w.(*os.File)
	return ok && isTerminal(f)
}

// relative gives a file's name relative to a directory, with slashes, where there is
// such a name.
func relative(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file)
}
