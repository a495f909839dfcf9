package review

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/streamlint/streamlint/internal/driver"
	"github.com/streamlint/streamlint/internal/gitdiff"
)

// listDirs gives the directories of the packages that the user named.
func listDirs(ctx context.Context, cfg *Config) ([]string, error) {
	pkgs, err := goList(ctx, cfg.Dir, cfg.BuildFlags, cfg.Patterns)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, p := range pkgs {
		if p.Dir != "" {
			dirs = append(dirs, p.Dir)
		} else if p.Error != nil {
			return nil, errors.New(p.Error.Err)
		}
	}
	return dirs, nil
}

// listed is what "go list" tells of a package.
type listed struct {
	Dir                                       string
	GoFiles, CgoFiles, IgnoredGoFiles         []string
	TestGoFiles, XTestGoFiles, InvalidGoFiles []string
	Error                                     *struct{ Err string }
}

func goList(ctx context.Context, dir string, flags, patterns []string) ([]listed, error) {
	args := append([]string{"list", "-e", "-json=Dir,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles,InvalidGoFiles,Error"}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), patterns...)...)
	cmd.Dir = dir
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(said.String()); text != "" {
			return nil, errors.New(text)
		}
		return nil, fmt.Errorf("go list: %w", err)
	}
	var pkgs []listed
	dec := json.NewDecoder(&out)
	for {
		var p listed
		switch err := dec.Decode(&p); err {
		case nil:
			pkgs = append(pkgs, p)
		case io.EOF:
			return pkgs, nil
		default:
			return nil, fmt.Errorf("go list: %w", err)
		}
	}
}

// analyse runs the checks and the search for places over the packages in the
// directories, which are relative to root. Directories that hold no package of the
// build are left out: what of theirs is not looked at shows in side.seen.
func (r *review) analyse(ctx context.Context, root string, dirs []string) (*side, error) {
	s := newSide()
	modules := make(map[string][]string)
	var order []string
	for _, dir := range dirs {
		if !holdsGo(filepath.Join(root, filepath.FromSlash(dir)), r.cfg.Tests) {
			continue
		}
		mod := moduleOf(root, dir)
		if modules[mod] == nil {
			order = append(order, mod)
		}
		modules[mod] = append(modules[mod], dir)
	}
	for _, mod := range order {
		if err := r.analyseModule(ctx, s, root, mod, modules[mod]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (r *review) analyseModule(ctx context.Context, s *side, root, mod string, dirs []string) error {
	at := filepath.Join(root, filepath.FromSlash(mod))
	var patterns []string
	for _, dir := range dirs {
		rel := "."
		if dir != mod {
			rel = "./" + strings.TrimPrefix(strings.TrimPrefix(dir, mod), "/")
			if mod == "." {
				rel = "./" + dir
			}
		}
		patterns = append(patterns, rel)
	}
	pkgs, err := goList(ctx, at, r.cfg.BuildFlags, patterns)
	if err != nil {
		return r.failed(ctx, s, err)
	}
	// A directory whose files all belong to other systems is no failure.
	var build []string
	for i, p := range pkgs {
		if len(p.GoFiles)+len(p.CgoFiles)+len(p.InvalidGoFiles) == 0 && len(p.IgnoredGoFiles) > 0 ||
			len(p.GoFiles)+len(p.CgoFiles) == 0 && !r.cfg.Tests && len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			continue
		}
		if len(pkgs) == len(patterns) {
			build = append(build, patterns[i])
		}
	}
	if len(pkgs) != len(patterns) {
		build = patterns
	}
	if len(build) == 0 {
		return nil
	}
	result, err := driver.Run(ctx, &driver.Config{
		Analyzers:    append(slices.Clone(r.cfg.Analyzers), places),
		Dir:          at,
		Patterns:     build,
		BuildFlags:   r.cfg.BuildFlags,
		Tests:        r.cfg.Tests,
		MayHoldFacts: r.cfg.MayHoldFacts,
	})
	if err != nil {
		return r.failed(ctx, s, err)
	}
	s.problems = append(s.problems, result.Problems...)
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		real = root
	}
	for _, f := range result.Findings {
		name, ok := within(root, real, f.Pos.Filename)
		if !ok {
			continue
		}
		x := found{f, Lines{f.Pos.Line, max(f.Pos.Line, f.End.Line)}}
		switch {
		case f.Analyzer != places.Name:
			s.findings[name] = append(s.findings[name], x)
		case f.Category == file:
			s.seen[name] = true
		case f.Category == function:
			s.functions[name] = append(s.functions[name], extent{f.Message, x.lines})
		default:
			s.places[name] = append(s.places[name], x)
		}
	}
	return nil
}

// failed turns what is wrong with one module into a problem; a cancelled run ends
// the review.
func (r *review) failed(ctx context.Context, s *side, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.problems = append(s.problems, err.Error())
	return nil
}

// within gives a file's name relative to a root, which may have two names.
func within(root, real, name string) (string, bool) {
	for _, dir := range []string{root, real} {
		if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// holdsGo reports whether a directory has a Go file to look at.
func holdsGo(dir string, tests bool) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return strings.HasSuffix(e.Name(), ".go") && (tests || !strings.HasSuffix(e.Name(), "_test.go")) && !e.IsDir()
	})
}

// moduleOf gives the nearest directory at or above dir that has a go.mod, or the
// root of the repository.
func moduleOf(root, dir string) string {
	for d := dir; ; d = path.Dir(d) {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(d), "go.mod")); err == nil {
			return d
		}
		if d == "." {
			return d
		}
	}
}

// analyseBase looks at the base's version of the changed packages where it can
// tell something: when there are findings, which may have been there before, and
// when lines went away, which may have been stream code.
func (r *review) analyseBase(ctx context.Context) error {
	dirs := r.dirsBase()
	if len(dirs) == 0 || !r.needsBase(ctx) {
		return nil
	}
	tmp, err := os.MkdirTemp("", "streamlint-review-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := r.diff.Checkout(ctx, tmp); err != nil {
		return err
	}
	base, err := r.analyse(ctx, tmp, dirs)
	if err != nil {
		return err
	}
	if len(base.problems) > 0 {
		r.notef("the base could not be checked whole, so a finding in a changed function counts as new there, and what was removed is not known: %s",
			strings.ReplaceAll(firstLines(strings.ReplaceAll(base.problems[0], tmp, "BASE"), 2), "\n", " "))
		if base.empty() {
			return nil
		}
	}
	r.base = base
	return nil
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(strings.TrimSpace(s), "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

func (r *review) needsBase(ctx context.Context) bool {
	if len(r.now.findings) > 0 {
		return true
	}
	for _, f := range r.files {
		if f.Old == "" || f.Status != gitdiff.Deleted && !slices.ContainsFunc(f.Hunks, func(h gitdiff.Hunk) bool { return h.Old.Lines > 0 }) {
			continue
		}
		if len(r.now.places[f.New]) > 0 || r.mayStream(ctx, f) {
			return true
		}
	}
	return false
}

// mayStream reports whether the base's version of a file imports anything that
// stream code needs.
func (r *review) mayStream(ctx context.Context, f *gitdiff.File) bool {
	src, err := r.diff.OldText(ctx, f)
	if err != nil {
		return true
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if err != nil {
		return false // it did not build
	}
	var imports []string
	for _, spec := range parsed.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			imports = append(imports, p)
		}
	}
	return r.cfg.MayHoldFacts == nil || r.cfg.MayHoldFacts(imports)
}
