package gitdiff

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// lines gives numbered lines, so that git sees each of them as different.
func lines(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

// show writes a change in one line a file.
func show(d *Diff) []string {
	var out []string
	for _, f := range d.Files {
		s := fmt.Sprintf("%s %s>%s", f.Status, f.Old, f.New)
		for _, h := range f.Hunks {
			s += fmt.Sprintf(" %d,%d:%d,%d", h.Old.Start, h.Old.Lines, h.New.Start, h.New.Lines)
		}
		if f.Binary {
			s += " binary"
		}
		if f.Submodule {
			s += " submodule"
		}
		out = append(out, s)
	}
	return out
}

func wantFiles(t *testing.T, d *Diff, want ...string) {
	t.Helper()
	if got := show(d); !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func TestStatuses(t *testing.T) {
	r := newRepo(t)
	r.write("mod.go", lines(1, 20))
	r.write("gone.go", lines(100, 103))
	r.write("old.go", lines(200, 220))
	r.write("same.go", lines(300, 303))
	r.write("mode.go", lines(400, 403))
	base := r.commit()
	r.write("mod.go", lines(1, 4)+"new\n"+lines(6, 9)+lines(12, 20)+"end\n")
	r.git("rm", "-q", "gone.go")
	r.git("mv", "old.go", "new.go")
	r.write("new.go", lines(200, 209)+"x\n"+lines(210, 220))
	r.write("added.go", lines(500, 502))
	r.write("empty.go", "")
	if err := os.Chmod(r.path("mode.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"added >added.go 0,0:1,3",
		"added >empty.go",
		"deleted gone.go> 1,4:0,0",
		"modified mod.go>mod.go 5,1:5,1 10,2:9,0 20,0:19,1",
		"modified mode.go>mode.go",
		"renamed old.go>new.go 10,0:11,1",
	}
	t.Run("dirty", func(t *testing.T) { wantFiles(t, r.changes(base), want...) })
	t.Run("head", func(t *testing.T) { wantFiles(t, r.changes(""), want...) })
	r.git("add", "-A")
	t.Run("staged", func(t *testing.T) { wantFiles(t, r.changes(base), want...) })
	r.commit()
	d := r.changes(base)
	t.Run("committed", func(t *testing.T) { wantFiles(t, d, want...) })
	if d.Base != base {
		t.Errorf("base %s, want %s", d.Base, base)
	}

	for _, c := range []struct {
		file string
		line int
		want bool
		old  int // 0 for none
	}{
		{"mod.go", 4, false, 4},
		{"mod.go", 5, true, 0},
		{"mod.go", 6, false, 6},
		{"mod.go", 9, false, 9},
		{"mod.go", 10, false, 12},
		{"mod.go", 18, false, 20},
		{"mod.go", 19, true, 0},
		{"new.go", 11, true, 0},
		{"new.go", 12, false, 11},
		{"added.go", 2, true, 0},
		{"same.go", 1, false, 0},
		{"old.go", 1, false, 0},
		{"gone.go", 1, false, 0},
		{"../mod.go", 5, false, 0},
	} {
		if got := d.Changed(r.path(c.file), c.line); got != c.want {
			t.Errorf("Changed(%s, %d) = %v", c.file, c.line, got)
		}
		if f := d.File(r.path(c.file)); f != nil {
			if old, ok := f.OldLine(c.line); old != c.old || ok != (c.old != 0) {
				t.Errorf("%s: OldLine(%d) = %d, %v, want %d", c.file, c.line, old, ok, c.old)
			}
		}
	}
}

// A branch is compared with the place where it left its base: what others did
// there since is not its change.
func TestMergeBase(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", lines(1, 10))
	fork := r.commit()
	r.git("checkout", "-q", "-b", "topic")
	r.write("b.go", lines(1, 2))
	r.commit()
	r.git("checkout", "-q", "main")
	r.write("a.go", lines(1, 9))
	r.commit()
	r.git("checkout", "-q", "topic")
	d := r.changes("main")
	wantFiles(t, d, "added >b.go 0,0:1,2")
	if d.Base != fork {
		t.Errorf("base %s, want %s", d.Base, fork)
	}
	r.git("tag", "-a", "-m", "x", "v1", "main")
	wantFiles(t, r.changes("v1"), "added >b.go 0,0:1,2")

	r.git("checkout", "-q", "--orphan", "other")
	r.git("rm", "-q", "-rf", ".")
	r.write("c.go", "else\n")
	t.Run("orphan branch without a commit", func(t *testing.T) {
		wantFiles(t, r.changes("topic"), "deleted a.go> 1,10:0,0", "deleted b.go> 1,2:0,0", "added >c.go 0,0:1,1")
	})
	r.commit()
	t.Run("no common commit", func(t *testing.T) {
		wantFiles(t, r.changes("topic"), "deleted a.go> 1,10:0,0", "deleted b.go> 1,2:0,0", "added >c.go 0,0:1,1")
	})
}

func TestUnborn(t *testing.T) {
	r := newRepo(t)
	wantFiles(t, r.changes(""))
	r.write("a.go", lines(1, 3))
	r.write("data.txt", lines(1, 3))
	for _, rev := range []string{"", "HEAD", "@", "main", "refs/heads/main", "heads/main"} {
		wantFiles(t, r.changes(rev), "added >a.go 0,0:1,3", "added >data.txt")
	}
	r.git("add", "-A")
	wantFiles(t, r.changes(""), "added >a.go 0,0:1,3", "added >data.txt 0,0:1,3")
	if _, err := Changes(t.Context(), r.dir, "elsewhere"); !errors.Is(err, ErrUnknownRevision) {
		t.Errorf("an unknown revision: %v", err)
	}
	r.commit()
	empty := r.git("hash-object", "-t", "tree", "/dev/null")
	wantFiles(t, r.changes(empty), "added >a.go 0,0:1,3", "added >data.txt 0,0:1,3")
	wantFiles(t, r.changes("HEAD^{tree}"))
}

// A rename nobody told git about is one all the same, and asking leaves no trace.
func TestUntracked(t *testing.T) {
	r := newRepo(t)
	r.write("pkg/old.go", lines(1, 20))
	r.write(".gitignore", "ignored.go\n")
	base := r.commit()
	if err := os.Rename(r.path("pkg/old.go"), r.path("pkg/new.go")); err != nil {
		t.Fatal(err)
	}
	r.write("pkg/new.go", lines(1, 9)+"x\n"+lines(10, 20))
	r.write("ignored.go", lines(1, 2))
	r.write("sub/inner/a.go", lines(1, 1))
	r.write("nested/a.go", lines(1, 1))
	gitIn(t, r.path("nested"), "init", "-q")
	before := r.git("status", "--porcelain") + r.git("count-objects", "-v")
	d := r.changes(base)
	wantFiles(t, d, "renamed pkg/old.go>pkg/new.go 9,0:10,1", "added >sub/inner/a.go 0,0:1,1")
	if after := r.git("status", "--porcelain") + r.git("count-objects", "-v"); after != before {
		t.Errorf("the repository changed from\n%s\nto\n%s", before, after)
	}
	if d.Changed(r.path("ignored.go"), 1) || d.Changed(r.path("nested/a.go"), 1) {
		t.Error("a file that is none of the repository's is changed")
	}
}

func TestNames(t *testing.T) {
	r := newRepo(t)
	names := []string{
		"with space.go", "tab\there.go", "quo\"te.go", "back\\slash.go", "ünïcode.go", "new\nline.go",
		"-dash.go", ":(glob)x.go", "bad\xffbyte.go", "a b/b b.go", "b/a/b.go", " lead.go", "bell\a.go", "trail .go ",
	}
	for _, n := range names {
		r.write(n, lines(1, 12))
	}
	r.write("old name.go", lines(50, 70))
	base := r.commit()
	for _, n := range names {
		r.write(n, lines(1, 11))
	}
	r.git("mv", "old name.go", "nëw\tname.go")
	check := func(t *testing.T) {
		t.Helper()
		d := r.changes(base)
		got := make(map[string]string)
		for i, f := range d.Files {
			got[f.New] = show(d)[i]
		}
		want := map[string]string{"nëw\tname.go": "renamed old name.go>nëw\tname.go"}
		for _, n := range names {
			want[n] = "modified " + n + ">" + n + " 12,1:11,0"
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	check(t)
	r.git("config", "core.quotePath", "true")
	check(t)
	t.Run("untracked", func(t *testing.T) {
		r.git("rm", "-q", "-r", "--cached", ".")
		r.git("commit", "-q", "-m", "x")
		d := r.changes("")
		for _, n := range names {
			if f := d.byName[n]; f == nil || f.Status != Added {
				t.Errorf("%q is %v", n, f)
			}
		}
	})
}

// Whatever a user has set for his own diffs changes nothing.
func TestSettings(t *testing.T) {
	r := newRepo(t)
	r.write("sub/a.go", lines(1, 30))
	r.write("sub/b.go", lines(100, 130))
	r.write(".gitattributes", "*.go diff=tool\nhidden.go -diff\n")
	r.write("hidden.go", lines(200, 230))
	base := r.commit()
	r.write("sub/a.go", lines(1, 9)+"x\n"+lines(11, 19)+"y\n"+lines(21, 30))
	r.git("mv", "sub/b.go", "c.go")
	r.write("hidden.go", lines(200, 204)+"z\n"+lines(206, 230))
	want := []string{"renamed sub/b.go>c.go", "modified hidden.go>hidden.go 6,1:6,1", "modified sub/a.go>sub/a.go 10,1:10,1 20,1:20,1"}
	for _, s := range [][2]string{
		{"diff.noprefix", "true"}, {"diff.mnemonicPrefix", "true"}, {"diff.external", "false"}, {"color.ui", "always"},
		{"color.diff", "always"}, {"diff.context", "5"}, {"diff.interHunkContext", "50"}, {"diff.renames", "false"},
		{"diff.renames", "copies"}, {"diff.tool.textconv", "false"}, {"diff.tool.command", "false"}, {"diff.relative", "true"},
		{"diff.submodule", "log"}, {"diff.algorithm", "patience"}, {"diff.orderFile", "/dev/null"}, {"diff.wordRegex", "."},
		{"diff.colorMoved", "zebra"}, {"core.pager", "false"}, {"diff.srcPrefix", "x/"}, {"diff.dstPrefix", "y/"},
		{"diff.ignoreSubmodules", "none"}, {"diff.suppressBlankEmpty", "true"}, {"core.fsmonitor", "false"},
	} {
		t.Run(s[0]+"="+s[1], func(t *testing.T) {
			r.git("config", s[0], s[1])
			defer r.git("config", "--unset", s[0])
			d, err := Changes(t.Context(), r.path("sub"), base)
			if err != nil {
				t.Fatal(err)
			}
			got := show(d)
			slices.Sort(got)
			sorted := slices.Sorted(slices.Values(want))
			if !slices.Equal(got, sorted) {
				t.Errorf("got %q", got)
			}
		})
	}
	for _, kv := range [][2]string{{"GIT_DIFF_OPTS", "--unified=7"}, {"GIT_EXTERNAL_DIFF", "false"}, {"GIT_PAGER", "false"}, {"LC_ALL", "de_DE.UTF-8"}} {
		t.Run(kv[0], func(t *testing.T) {
			t.Setenv(kv[0], kv[1])
			wantFiles(t, r.changes(base), want...)
		})
	}
}

func TestSubmodule(t *testing.T) {
	lib := newRepo(t)
	lib.write("lib.go", lines(1, 3))
	lib.commit()
	r := newRepo(t)
	r.write("a.go", lines(1, 3))
	base := r.commit()
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.dir, "lib")
	d := r.changes(base)
	wantFiles(t, d, "added >.gitmodules 0,0:1,3", "added >lib 0,0:1,1 submodule")
	if d.Changed(r.path("lib/lib.go"), 1) || d.Changed(r.path("lib"), 1) {
		t.Error("a submodule's line is changed")
	}
	second := r.commit()
	gitIn(t, r.path("lib"), "commit", "-q", "--allow-empty", "-m", "x")
	r.write("lib/lib.go", lines(1, 2))
	wantFiles(t, r.changes(second), "modified lib>lib 1,1:1,1 submodule")
	r.git("rm", "-q", "-f", "lib")
	wantFiles(t, r.changes(second), "modified .gitmodules>.gitmodules 1,3:0,0", "deleted lib> 1,1:0,0 submodule")
}

func TestShallow(t *testing.T) {
	r := newRepo(t)
	for i := range 4 {
		r.write("a.go", lines(1, 10+i))
		r.commit()
	}
	r.git("checkout", "-q", "-b", "topic", "HEAD~1")
	r.write("b.go", lines(1, 2))
	r.commit()
	clone := t.TempDir()
	gitIn(t, clone, "clone", "-q", "--depth=1", "--no-single-branch", "--branch=topic", "file://"+r.dir, ".")

	_, err := Changes(t.Context(), clone, "origin/main")
	if !errors.Is(err, ErrShallow) || !strings.Contains(err.Error(), "git fetch --deepen=100") {
		t.Errorf("no common commit: %v", err)
	}
	_, err = Changes(t.Context(), clone, "HEAD~1")
	if !errors.Is(err, ErrShallow) || !errors.Is(err, ErrUnknownRevision) || !strings.Contains(err.Error(), "git fetch --unshallow") {
		t.Errorf("a commit that was not fetched: %v", err)
	}
	if d, err := Changes(t.Context(), clone, "HEAD"); err != nil || len(d.Files) != 0 {
		t.Errorf("HEAD is there: %v, %v", d, err)
	}
	gitIn(t, clone, "fetch", "-q", "--deepen=5")
	d, err := Changes(t.Context(), clone, "origin/main")
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, d, "added >b.go 0,0:1,2")
}

func TestErrors(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", lines(1, 3))
	r.commit()
	for _, rev := range []string{"nosuch", "HEAD~1", "0123456789012345678901234567890123456789", "HEAD..main", "--output=x", "HEAD:a.go", " "} {
		if _, err := Changes(t.Context(), r.dir, rev); !errors.Is(err, ErrUnknownRevision) || errors.Is(err, ErrShallow) {
			t.Errorf("%q: %v", rev, err)
		}
	}
	if _, err := Changes(t.Context(), filepath.Join(r.dir, "nosuch"), ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	if _, err := Changes(t.Context(), r.path(".git"), ""); err == nil {
		t.Error("no error inside .git")
	}
	outside := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(outside))
	if _, err := Changes(t.Context(), outside, ""); !errors.Is(err, ErrNoRepository) {
		t.Errorf("no repository: %v", err)
	}
	t.Setenv("PATH", "")
	if _, err := Changes(t.Context(), r.dir, ""); !errors.Is(err, ErrNoGit) {
		t.Errorf("no git: %v", err)
	}
}

func TestSymlinkedRoot(t *testing.T) {
	r := newRepo(t)
	r.write("pkg/a.go", lines(1, 3))
	base := r.commit()
	r.write("pkg/a.go", lines(1, 4))
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(r.dir, link); err != nil {
		t.Skip(err)
	}
	d, err := Changes(t.Context(), link, base)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{link, r.dir, d.Root} {
		if !d.Changed(filepath.Join(dir, "pkg", "a.go"), 4) || d.Changed(filepath.Join(dir, "pkg", "a.go"), 3) {
			t.Errorf("below %s", dir)
		}
	}
}

func TestWorktree(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", lines(1, 3))
	r.commit()
	dir := filepath.Join(t.TempDir(), "with:colon")
	r.git("worktree", "add", "-q", dir, "-b", "topic")
	if err := os.WriteFile(filepath.Join(dir, "b.go"), []byte("b\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	d, err := Changes(t.Context(), dir, "main")
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, d, "added >b.go 0,0:1,1")
}

func TestConflict(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", "one\n")
	r.commit()
	r.git("checkout", "-q", "-b", "topic")
	r.write("a.go", "two\n")
	r.commit()
	r.git("checkout", "-q", "main")
	r.write("a.go", "three\n")
	r.commit()
	if _, err := (&git{path: "git", root: r.dir, env: environment()}).run(t.Context(), nil, "merge", "topic"); err == nil {
		t.Fatal("no conflict")
	}
	wantFiles(t, r.changes(""), "modified a.go>a.go 0,0:1,1 1,0:3,3")
}

func TestCheckout(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", "old\n")
	r.write("dir/b.txt", "b\n")
	r.write(".gitattributes", "dir export-ignore\n")
	base := r.commit()
	r.write("a.go", "new\n")
	r.git("rm", "-q", "dir/b.txt")
	before := r.git("status", "--porcelain")
	d := r.changes(base)
	dir := t.TempDir()
	if err := d.Checkout(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.go": "old\n", "dir/b.txt": "b\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if after := r.git("status", "--porcelain"); after != before {
		t.Errorf("the repository changed from\n%s\nto\n%s", before, after)
	}
}
