package gitdiff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// What Changes cannot do without; errors.Is tells them apart.
var (
	ErrNoGit           = errors.New("the git program is needed")
	ErrNoRepository    = errors.New("not in a git repository")
	ErrShallow         = errors.New("this clone is shallow")
	ErrUnknownRevision = errors.New("no such revision")
)

// git runs commands in one work tree.
type git struct {
	path string
	root string
	env  []string
}

// open finds the work tree around a directory.
func open(ctx context.Context, dir string) (*git, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoGit, err)
	}
	if dir == "" {
		dir = "."
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	g := &git{path: path, root: dir, env: environment()}
	out, err := g.run(ctx, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		if strings.Contains(err.Error(), "not a git repository") {
			abs, _ := filepath.Abs(dir)
			return nil, fmt.Errorf("%s: %w", abs, ErrNoRepository)
		}
		return nil, err
	}
	g.root = filepath.FromSlash(strings.TrimSuffix(out, "\n"))
	return g, nil
}

// environment is the process's own, without what changes the form of a diff, and
// with messages in the language that is looked for here.
func environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		switch name {
		case "GIT_DIFF_OPTS", "GIT_EXTERNAL_DIFF", "LANGUAGE", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS":
			return true
		}
		return false
	})
	return append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_LITERAL_PATHSPECS=1")
}

func (g *git) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, g.path, args...)
	cmd.Dir = g.root
	cmd.Env = g.env
	return cmd
}

// run gives what a command prints. The error says what git said.
func (g *git) run(ctx context.Context, stdin io.Reader, args ...string) (string, error) {
	cmd := g.command(ctx, args...)
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &said
	if err := cmd.Run(); err != nil {
		return "", g.failed(ctx, args, err, said.String())
	}
	return out.String(), nil
}

func (g *git) failed(ctx context.Context, args []string, err error, said string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if said = strings.TrimSpace(said); said != "" {
		return fmt.Errorf("git %s: %s", args[0], said)
	}
	return fmt.Errorf("git %s: %w", args[0], err)
}

// base gives the hash of what the work tree is compared with.
func (g *git) base(ctx context.Context, rev string) (string, error) {
	if strings.HasPrefix(rev, "-") {
		return "", fmt.Errorf("%q: %w", rev, ErrUnknownRevision)
	}
	head, headErr := g.resolve(ctx, "HEAD^{commit}")
	commit, err := g.resolve(ctx, rev+"^{commit}")
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil && headErr != nil:
		return commit, nil // a branch that has no commit yet leaves no other
	case err == nil:
		return g.mergeBase(ctx, commit, head, rev)
	}
	if headErr != nil && g.unborn(ctx, rev) {
		return g.emptyTree(ctx)
	}
	if tree, err := g.resolve(ctx, rev+"^{tree}"); err == nil {
		return tree, nil
	}
	if empty, err := g.emptyTree(ctx); err == nil && rev == empty {
		return empty, nil // it need not be stored to be known
	}
	if g.shallow(ctx) {
		return "", fmt.Errorf("%s: %w, and %w: run \"git fetch --unshallow\", or fetch the base too (with GitHub's actions/checkout, set fetch-depth: 0)",
			rev, ErrUnknownRevision, ErrShallow)
	}
	return "", fmt.Errorf("%s: %w in %s", rev, ErrUnknownRevision, g.root)
}

func (g *git) resolve(ctx context.Context, rev string) (string, error) {
	out, err := g.run(ctx, nil, "rev-parse", "--verify", "--quiet", rev)
	return strings.TrimSpace(out), err
}

// unborn reports whether rev names the branch that HEAD is on and that has no
// commit yet.
func (g *git) unborn(ctx context.Context, rev string) bool {
	out, err := g.run(ctx, nil, "symbolic-ref", "HEAD")
	if err != nil {
		return false
	}
	ref := strings.TrimSpace(out)
	return rev == "HEAD" || rev == "@" || rev == ref || "refs/heads/"+rev == ref || "refs/"+rev == ref
}

func (g *git) emptyTree(ctx context.Context) (string, error) {
	out, err := g.run(ctx, nil, "hash-object", "-t", "tree", "--stdin")
	return strings.TrimSpace(out), err
}

func (g *git) mergeBase(ctx context.Context, commit, head, rev string) (string, error) {
	out, err := g.run(ctx, nil, "merge-base", commit, head)
	if err == nil {
		return strings.TrimSpace(out), nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if g.shallow(ctx) {
		return "", fmt.Errorf("%w and does not reach the commit where HEAD left %s: run \"git fetch --unshallow\", or \"git fetch --deepen=100\" until it does (with GitHub's actions/checkout, set fetch-depth: 0)",
			ErrShallow, rev)
	}
	return commit, nil // two histories without a common commit
}

func (g *git) shallow(ctx context.Context) bool {
	out, err := g.run(ctx, nil, "rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(out) == "true"
}

// changes lists the changed files: tracked ones, and new ones that nobody has
// added yet.
func (g *git) changes(ctx context.Context, base string) ([]File, error) {
	out, err := g.run(ctx, nil, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	var source, other []string
	for name := range strings.SplitSeq(out, "\x00") {
		switch {
		case name == "" || strings.HasSuffix(name, "/"): // a repository inside this one
		case strings.HasSuffix(name, ".go"):
			source = append(source, name)
		default:
			other = append(other, name)
		}
	}
	diff := g
	if len(source) > 0 {
		var done func()
		if diff, done, err = g.adding(ctx, source); err != nil {
			return nil, err
		}
		defer done()
	}
	files, err := diff.diff(ctx, base, nil)
	if err != nil {
		return nil, err
	}
	if files, err = diff.showHidden(ctx, base, files); err != nil {
		return nil, err
	}
	for _, name := range other {
		// Data of any size may lie about: such files are named, not read.
		files = append(files, File{New: name, Status: Added})
	}
	return files, nil
}

// adding gives a git whose index knows of the named files, so that a diff shows
// them and finds what they were renamed from. The repository stays as it is: the
// index is a copy, and what git stores goes to a directory of its own.
func (g *git) adding(ctx context.Context, names []string) (*git, func(), error) {
	out, err := g.run(ctx, nil, "rev-parse", "--git-path", "index", "--git-path", "objects")
	if err != nil {
		return nil, nil, err
	}
	index, objects, ok := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	if !ok {
		return nil, nil, fmt.Errorf("git rev-parse: %q where two paths should be", out)
	}
	dir, err := os.MkdirTemp("", "gitdiff-")
	if err != nil {
		return nil, nil, err
	}
	done := func() { _ = os.RemoveAll(dir) }
	copied := filepath.Join(dir, "index")
	err = copyFile(copied, g.abs(index))
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, "objects"), 0o700)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	alternates := quotePath(g.abs(objects))
	if more := os.Getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES"); more != "" {
		alternates += string(os.PathListSeparator) + more
	}
	added := *g
	added.env = append(slices.Clone(g.env),
		"GIT_INDEX_FILE="+copied,
		"GIT_OBJECT_DIRECTORY="+filepath.Join(dir, "objects"),
		"GIT_ALTERNATE_OBJECT_DIRECTORIES="+alternates)
	in := strings.NewReader(strings.Join(names, "\x00"))
	if _, err := added.run(ctx, in, "add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"); err != nil {
		done()
		return nil, nil, err
	}
	return &added, done, nil
}

// quotePath writes a path for a list of paths: one that holds the list's
// separator would be taken for two.
func quotePath(path string) string {
	if !strings.ContainsAny(path, string(os.PathListSeparator)+`"`) {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
}

func (g *git) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(g.root, path)
}

// copyFile copies a file; one that is not there yet has nothing to copy.
func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// diffArgs ask for the one form that parse reads, whatever the user's settings
// say about colours, prefixes, context, renames, submodules and tools.
var diffArgs = []string{
	"-c", "core.quotePath=false", "diff",
	"--patch", "--unified=0", "--inter-hunk-context=0", "--no-color", "--no-ext-diff", "--no-textconv",
	"--find-renames", "--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--ignore-submodules=dirty",
	"--diff-algorithm=myers", "--indent-heuristic", "--no-function-context", "--no-relative", "--ita-invisible-in-index",
}

// diff runs git diff against base, over the named files or, without any, over all.
func (g *git) diff(ctx context.Context, base string, names []string, more ...string) ([]File, error) {
	args := slices.Concat(diffArgs, more, []string{base, "--"}, names)
	cmd := g.command(ctx, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	files, parseErr := parse(stdout)
	if parseErr != nil {
		_, _ = io.Copy(io.Discard, stdout) // lets the command end; its own error tells more
	}
	if err := cmd.Wait(); err != nil {
		return nil, g.failed(ctx, []string{"diff"}, err, said.String())
	}
	return files, parseErr
}

// showHidden asks once more for Go files that git takes for binary: attributes
// such as "*.pb.go -diff" hide their lines, and a rename hides behind them too.
func (g *git) showHidden(ctx context.Context, base string, files []File) ([]File, error) {
	var names []string
	hidden := func(f File) bool {
		return f.Binary && (strings.HasSuffix(f.New, ".go") || f.New == "" && strings.HasSuffix(f.Old, ".go"))
	}
	for _, f := range files {
		if hidden(f) {
			for _, name := range []string{f.Old, f.New} {
				if name != "" {
					names = append(names, name)
				}
			}
		}
	}
	if len(names) == 0 {
		return files, nil
	}
	shown, err := g.diff(ctx, base, names, "--text")
	if err != nil {
		return nil, err
	}
	return append(slices.DeleteFunc(files, hidden), shown...), nil
}

// Checkout writes the files of Base into an empty directory, as they would lie in
// a fresh clone without submodules and large-file storage.
func (d *Diff) Checkout(ctx context.Context, dir string) error {
	index, err := os.MkdirTemp("", "gitdiff-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(index)
	g := *d.git
	g.env = append(slices.Clone(g.env), "GIT_INDEX_FILE="+filepath.Join(index, "index"))
	if _, err := g.run(ctx, nil, "read-tree", d.Base); err != nil {
		return err
	}
	prefix := filepath.ToSlash(dir) + "/"
	_, err = g.run(ctx, nil, "-c", "filter.lfs.smudge=", "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false",
		"checkout-index", "--all", "--force", "--quiet", "--prefix="+prefix)
	return err
}

// OldText gives the text of a file's old version as git keeps it, without the
// changes that a checkout makes to it.
func (d *Diff) OldText(ctx context.Context, f *File) ([]byte, error) {
	if f.Old == "" {
		return nil, fmt.Errorf("%s: the base has no such file", f.New)
	}
	out, err := d.git.run(ctx, nil, "cat-file", "blob", d.Base+":"+f.Old)
	return []byte(out), err
}
