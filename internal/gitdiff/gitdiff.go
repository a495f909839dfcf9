// Package gitdiff tells which lines of a work tree changed since a revision. It
// runs the git binary, so that everything git knows of a repository (worktrees,
// attributes, alternates, partial clones) holds here too.
//
// The comparison is the one a reviewer means: the files as they lie on the disk,
// what is not committed and what git does not track yet included, against the
// commit where the current branch left the revision (their merge base). Where the
// revision is an ancestor of HEAD, that commit is the revision itself; where the
// two have no common ancestor, it is the revision. A repository without a commit
// is compared with the empty tree.
package gitdiff

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// Status says what happened to a file.
type Status uint8

// The statuses. A file whose mode alone changed is Modified and has no hunks.
const (
	Modified Status = iota
	Added
	Deleted
	Renamed
)

var statusNames = [...]string{"modified", "added", "deleted", "renamed"}

func (s Status) String() string { return statusNames[s] }

// Range is a run of lines. Start counts from 1; where Lines is 0 the range is the
// gap behind line Start (before the first line if Start is 0).
type Range struct {
	Start, Lines int
}

// Contains reports whether a line lies in the range; none lies in a gap.
func (r Range) Contains(line int) bool { return line >= r.Start && line < r.Start+r.Lines }

// Hunk is one place of a change: the old lines that the new lines took the place
// of. There is no context in it, so every line of New is an added line.
type Hunk struct {
	Old, New Range
}

// File is one changed file. Names are relative to the repository's root, with
// slashes; Old is "" for an added file, New for a deleted one.
type File struct {
	Old, New  string
	Status    Status
	Binary    bool // git shows no lines of it
	Submodule bool // an entry that names a commit of another repository
	Hunks     []Hunk
}

// OldLine gives the line of the old file that an unchanged line of the new one
// was. It reports false for a line that the change brought.
func (f *File) OldLine(line int) (int, bool) {
	if f.Status == Added {
		return 0, false
	}
	shift := 0
	for _, h := range f.Hunks {
		if h.New.Contains(line) {
			return 0, false
		}
		if line <= h.New.Start {
			break
		}
		shift += h.Old.Lines - h.New.Lines
	}
	return line + shift, true
}

// Diff is a change: from Base to the files on the disk.
type Diff struct {
	Root  string // of the work tree, absolute, as git names it: symbolic links resolved
	Base  string // the hash of the commit or tree that the files are compared with
	Files []File // by new name, deleted ones by their old name

	git    *git
	byName map[string]*File
	dirs   map[string]string // directories as callers name them -> below Root, "" for none
}

// Changes compares the work tree that holds dir with the merge base of rev and
// HEAD; see the package comment. An empty dir is the current directory, an empty
// rev is HEAD. The errors are told apart with errors.Is: ErrNoGit,
// ErrNoRepository, ErrShallow, ErrUnknownRevision; all others are git's own words.
func Changes(ctx context.Context, dir, rev string) (*Diff, error) {
	g, err := open(ctx, dir)
	if err != nil {
		return nil, err
	}
	base, err := g.base(ctx, cmp.Or(rev, "HEAD"))
	if err != nil {
		return nil, err
	}
	d := &Diff{Root: g.root, Base: base, git: g}
	if d.Files, err = g.changes(ctx, base); err != nil {
		return nil, err
	}
	slices.SortStableFunc(d.Files, func(a, b File) int {
		return cmp.Compare(cmp.Or(a.New, a.Old), cmp.Or(b.New, b.Old))
	})
	d.byName = make(map[string]*File, len(d.Files))
	for i := range d.Files {
		if f := &d.Files[i]; f.New != "" && !f.Submodule {
			d.byName[f.New] = f
		}
	}
	d.dirs = make(map[string]string)
	return d, nil
}

// Changed reports whether the change added or changed the line of the file, given
// by its absolute name. Every line of a new file is changed; no line of a file
// outside the work tree is, and none of an ignored one. It is not safe for
// concurrent use.
func (d *Diff) Changed(absFile string, line int) bool {
	f := d.File(absFile)
	if f == nil {
		return false
	}
	if f.Status == Added {
		return true
	}
	return slices.ContainsFunc(f.Hunks, func(h Hunk) bool { return h.New.Contains(line) })
}

// File gives the entry of a file that is there now, by its absolute name, or nil
// when the file did not change. It is not safe for concurrent use.
func (d *Diff) File(absFile string) *File {
	name, ok := d.Name(absFile)
	if !ok {
		return nil
	}
	return d.byName[name]
}

// Name gives a file's name in the repository, and false for one outside the work
// tree. Git resolves symbolic links in the name of the root and the go command
// does not: a file below a link is found all the same.
func (d *Diff) Name(absFile string) (string, bool) {
	dir, base := filepath.Split(filepath.Clean(absFile))
	below, ok := d.dirs[dir]
	if !ok {
		below = d.below(dir)
		d.dirs[dir] = below
	}
	if below == "" {
		return "", false
	}
	return strings.TrimPrefix(filepath.ToSlash(filepath.Join(below, base)), "./"), true
}

// below gives a directory relative to the root, "" if it lies elsewhere.
func (d *Diff) below(dir string) string {
	if rel, err := filepath.Rel(d.Root, dir); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return ""
	}
	if rel, err := filepath.Rel(d.Root, real); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return ""
}
