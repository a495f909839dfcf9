package driver

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"maps"
	"os"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
)

// change is what fixes make of one file.
type change struct {
	file       string
	old, fixed []byte
}

// fixer merges the fixes of all findings, file by file.
type fixer struct {
	accepted map[string][]Edit // by file, not overlapping
	applied  int
	skipped  int       // in conflict with one applied; a second run can apply them
	left     []Finding // without a fix that is made now
}

// plan selects the first fix of each finding, in the order of the findings.
// A fix is taken as a whole or not at all. Those that touch a file we must
// not write are left out, and so are those that overlap one already taken.
// An edit several fixes have in common, such as a new import, is made once.
func plan(findings []Finding) *fixer {
	fx := &fixer{accepted: make(map[string][]Edit)}
	for _, f := range findings {
		if len(f.Fixes) == 0 || len(f.Fixes[0].Edits) == 0 {
			fx.left = append(fx.left, f)
			continue
		}
		edits := f.Fixes[0].Edits
		if slices.ContainsFunc(edits, func(e Edit) bool { return e.locked }) {
			fx.left = append(fx.left, f)
			continue
		}
		if slices.ContainsFunc(edits, fx.conflicts) {
			fx.left = append(fx.left, f)
			fx.skipped++
			continue
		}
		fx.applied++
		for _, e := range edits {
			if !slices.Contains(fx.accepted[e.File], e) {
				fx.accepted[e.File] = append(fx.accepted[e.File], e)
			}
		}
	}
	return fx
}

// conflicts reports whether an edit cannot be made beside those accepted. Two
// different insertions at one point conflict, as their order would be a guess.
func (fx *fixer) conflicts(e Edit) bool {
	return slices.ContainsFunc(fx.accepted[e.File], func(a Edit) bool {
		if a == e {
			return false
		}
		if a.Start == a.End && e.Start == e.End {
			return a.Start == e.Start
		}
		return a.Start < e.End && e.Start < a.End
	})
}

// changes applies the plan to the files' contents, in the order of their
// names. What a file's fixes make of it must still be Go, or it is left alone.
func (fx *fixer) changes() (out []change, errs []error) {
	for _, file := range slices.Sorted(maps.Keys(fx.accepted)) {
		c, err := fixFile(file, fx.accepted[file])
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if !bytes.Equal(c.old, c.fixed) {
			out = append(out, c)
		}
	}
	return out, errs
}

func fixFile(file string, edits []Edit) (change, error) {
	old, err := os.ReadFile(file)
	if err != nil {
		return change{}, err
	}
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, compareEdits)
	var buf bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.size != len(old) {
			return change{}, fmt.Errorf("%s: not fixed, it was changed while being checked", file)
		}
		buf.Write(old[at:e.Start])
		buf.WriteString(e.New)
		at = e.End
	}
	buf.Write(old[at:])
	fixed, err := format.Source(buf.Bytes())
	if err != nil {
		return change{}, fmt.Errorf("%s: not fixed, the fixes do not give a valid file: %w", file, err)
	}
	return change{file: file, old: old, fixed: fixed}, nil
}

// fix makes the fixes, or prints them when only a diff is wanted, and gives what is
// left to report. Once files have changed everything is looked at again: what remains
// stands on other lines then, a fix may have brought the next finding to light, and
// one that did not help must not be silent about it.
func (k *check) fix(ctx context.Context, o *outcome) (*outcome, int, error) {
	fx := plan(o.Findings)
	changes, errs := fx.changes()
	status, written := exitClean, 0
	for _, ch := range changes {
		if k.opts.diff {
			name := shortPath(k.cwd, ch.file)
			if _, err := k.Stdout.Write(diff.Diff(name+".orig", ch.old, name, ch.fixed)); err != nil {
				errs = append(errs, err)
			}
			status = exitFindings
			continue
		}
		if err := os.WriteFile(ch.file, ch.fixed, 0o644); err != nil { // an existing file keeps its mode
			errs = append(errs, err)
			continue
		}
		written++
	}
	if fx.skipped > 0 {
		k.errorf("%d of %d fixes overlap others and were left out; run again for them", fx.skipped, fx.applied+fx.skipped)
		status = max(status, exitFindings)
	}
	for _, err := range errs {
		k.errorf("%v", err)
		status = exitFailed
	}
	if written == 0 {
		o.Findings = fx.left
		return o, status, nil
	}
	again, err := k.look(ctx)
	if err != nil {
		return nil, status, err
	}
	again.fixed = fx.applied
	return again, status, nil
}
