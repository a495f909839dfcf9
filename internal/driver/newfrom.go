package driver

import (
	"context"
	"fmt"

	"github.com/streamlint/streamlint/internal/gitdiff"
)

// changes are the lines that a work tree changed since a revision.
type changes struct{ diff *gitdiff.Diff }

func changesSince(ctx context.Context, rev string) (changes, error) {
	diff, err := gitdiff.Changes(ctx, "", rev)
	if err != nil {
		return changes{}, fmt.Errorf("-new-from: %w", err)
	}
	return changes{diff}, nil
}

// touch reports whether a line of the finding was changed. Lines that only explain
// it do not count.
func (c changes) touch(f *Finding) bool {
	last := f.Pos.Line
	if f.End.Filename == f.Pos.Filename {
		last = max(last, f.End.Line)
	}
	for line := f.Pos.Line; line <= last; line++ {
		if c.diff.Changed(f.Pos.Filename, line) {
			return true
		}
	}
	return false
}
