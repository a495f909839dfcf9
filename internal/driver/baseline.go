package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/streamlint/streamlint/internal/baseline"
)

// readBaseline reads the baseline. One that is to be written need not be there.
func (k *check) readBaseline() (*baseline.File, error) {
	name := k.opts.baseline
	data, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && k.opts.baselineWrite:
		return baseline.New(nil), nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("-baseline: %s does not exist; -baseline-write makes it", name)
	case err != nil:
		return nil, fmt.Errorf("-baseline: %w", err)
	}
	base, err := baseline.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("-baseline: %s: %w", name, err)
	}
	return base, nil
}

// judgeBaseline takes the known findings out and notes which entries have none any
// more. When the baseline is about to be written, all stay.
func (k *check) judgeBaseline(o *outcome) {
	if o.base == nil {
		return
	}
	prints := make([]string, len(o.Findings))
	for i, f := range o.Findings {
		prints[i] = f.Fingerprint
	}
	known, rest := o.base.Match(prints)
	for _, e := range rest {
		if k.judged(o, e) {
			o.stale = append(o.stale, e)
		}
	}
	if k.opts.baselineWrite {
		return
	}
	all := len(o.Findings)
	o.Findings = slices.DeleteFunc(o.Findings, func(f Finding) bool { return known[f.Fingerprint] })
	o.known = all - len(o.Findings)
}

// judged reports whether the run would have found what an entry stands for: its
// check ran over its file, or the file is gone. A file of another package, system or
// build tag is there but was not checked, and its entries wait for a run that does.
func (k *check) judged(o *outcome, e baseline.Entry) bool {
	if !slices.ContainsFunc(k.cfg.Analyzers, named(e.Check)) {
		return k.analyzer(e.Check) == nil // a check that there is no more
	}
	file := filepath.FromSlash(e.File)
	if !filepath.IsAbs(file) {
		file = filepath.Join(k.baselineDir(), file)
	}
	if o.Checked[file] {
		return true
	}
	_, err := os.Stat(file)
	return errors.Is(err, fs.ErrNotExist)
}

func (k *check) baselineDir() string {
	abs, err := filepath.Abs(k.opts.baseline)
	if err != nil {
		abs = k.opts.baseline
	}
	return filepath.Dir(abs)
}

// writeBaseline makes a baseline of all that was found, and of the entries that the
// run could not judge. An entry that is known stays word for word as it was.
func (k *check) writeBaseline(o *outcome) int {
	stale := make(map[string]bool)
	for _, e := range o.stale {
		stale[e.Fingerprint] = true
	}
	was := make(map[string]baseline.Entry)
	var entries []baseline.Entry
	found := make(map[string]bool)
	for _, f := range o.Findings {
		found[f.Fingerprint] = true
	}
	kept := 0
	for _, e := range o.base.Entries {
		was[e.Fingerprint] = e
		if !found[e.Fingerprint] && !stale[e.Fingerprint] {
			entries = append(entries, e)
			kept++
		}
	}
	dir := k.baselineDir()
	for _, f := range o.Findings {
		e := baseline.Entry{
			Check:       f.Analyzer,
			File:        relative(dir, f.Pos.Filename),
			Function:    f.Function,
			Message:     f.text(),
			Fingerprint: f.Fingerprint,
		}
		if old, ok := was[f.Fingerprint]; ok && old.File == e.File {
			e = old
		}
		entries = append(entries, e)
	}
	base := baseline.New(entries)
	if status := k.saveBaseline(base); status != exitClean {
		return status
	}
	if !k.opts.quiet {
		more := ""
		if kept > 0 {
			more = fmt.Sprintf(", %d of them of files or checks that this run left out", kept)
		}
		k.errorf("%s: %s written%s", k.opts.baseline, plural2(len(base.Entries), "entry", "entries"), more)
	}
	return exitClean
}

// tendBaseline tells of entries that have lost their finding, or drops them.
func (k *check) tendBaseline(o *outcome) int {
	n := len(o.stale)
	if n == 0 {
		return exitClean
	}
	if k.opts.baselineShrink {
		if status := k.saveBaseline(o.base.Without(o.stale)); status != exitClean {
			return status
		}
		if !k.opts.quiet {
			k.errorf("%s: %s dropped, %d left", k.opts.baseline, plural2(n, "entry", "entries"), len(o.base.Entries)-n)
		}
		return exitClean
	}
	if !k.opts.quiet {
		verb := "match no finding any more"
		if n == 1 {
			verb = "matches no finding any more"
		}
		k.errorf("%s: %s %s (-baseline-shrink drops them):", k.opts.baseline, plural2(n, "entry", "entries"), verb)
		const shown = 5
		for i, e := range o.stale {
			if i == shown {
				fmt.Fprintf(k.Stderr, "\tand %d more\n", n-shown)
				break
			}
			fmt.Fprintf(k.Stderr, "\t%s: %s in %s\n", e.File, e.Check, orText(e.Function, "the file"))
		}
	}
	return exitClean
}

func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// saveBaseline puts the file in its place as a whole or not at all.
func (k *check) saveBaseline(base *baseline.File) int {
	if err := replaceFile(k.opts.baseline, base.Format()); err != nil {
		k.errorf("-baseline: %v", err)
		return exitFailed
	}
	return exitClean
}

func replaceFile(name string, data []byte) error {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real // a link stays one
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // when it was not renamed
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
