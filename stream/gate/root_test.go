package gate

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// tree makes files below a new directory and opens it as a root.
func tree(t testing.TB, files map[string]string) (*Root, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "job")
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r, dir
}

func TestDir(t *testing.T) {
	r, dir := tree(t, map[string]string{"tests/a.txt": "", "tests/deep/b.txt": "", "job2/c.txt": ""})
	outside := filepath.Join(filepath.Dir(dir), "job-outside") // a name that starts like the root's
	if err := os.Mkdir(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	links := map[string]string{
		"in": "tests/deep", "out": "../job-outside", "up": "..", "abs": outside, "tests/back": "../job2",
		"tests/deep/far": "../../../job-outside", "chain": "out", "circle": "circle", "nowhere": "none",
	}
	if runtime.GOOS == "windows" {
		links = nil
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path string
		want string // below the root
		kind Kind
	}{
		{"tests", "tests", ""},
		{"tests/", "tests", ""},
		{"./tests/deep", "tests/deep", ""},
		{"tests/../job2", "job2", ""},
		{".", "", ""},
		{"in", "tests/deep", ""},
		{"tests/back", "job2", ""},
		{"", "", EmptyPath},
		{" \t\n", "", EmptyPath},
		{"..", "", PathEscapes},
		{"../job", "", PathEscapes},
		{"../job-outside", "", PathEscapes},
		{"tests/../../job", "", PathEscapes},
		{"/", "", PathEscapes},
		{outside, "", PathEscapes},
		{dir, "", PathEscapes},
		{"out", "", PathEscapes},
		{"up", "", PathEscapes},
		{"up/job/tests", "", PathEscapes},
		{"abs", "", PathEscapes},
		{"chain", "", PathEscapes},
		{"tests/deep/far", "", PathEscapes},
		{"circle", "", PathEscapes},
		{"nowhere", "", NoSuchPath},
		{"none", "", NoSuchPath},
		{"tests/a.txt", "", NoSuchPath},
		{"tests\x00", "", NoSuchPath},
		{"-exec=rm", "", NoSuchPath},
		{"./...", "", NoSuchPath},
	} {
		if runtime.GOOS == "windows" && (tt.kind == PathEscapes || links == nil && tt.want == "") {
			continue
		}
		got, err := r.Dir(tt.path)
		var e *Error
		switch {
		case tt.kind == "" && (err != nil || got != filepath.Join(real, tt.want)):
			t.Errorf("%q: %q, %v", tt.path, got, err)
		case tt.kind != "" && (!errors.Is(err, tt.kind) || got != "" || !errors.As(err, &e) || e.Path != tt.path):
			t.Errorf("%q: %q, %v; want %s", tt.path, got, err, tt.kind)
		}
	}
}

func TestOpenRootRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, kind := range map[string]Kind{"": EmptyPath, " ": EmptyPath, file: NoSuchPath, file + "/none": NoSuchPath} {
		if r, err := OpenRoot(dir); r != nil || !errors.Is(err, kind) {
			t.Errorf("%q: %v", dir, err)
		}
	}
}

func FuzzDir(f *testing.F) {
	for _, p := range []string{"tests", "", "..", "a/../../b", "/", "in", "out", "tests/./deep//", "\x00", "-x"} {
		f.Add(p)
	}
	r, dir := tree(f, map[string]string{"tests/deep/b.txt": ""})
	os.Symlink("tests", filepath.Join(dir, "in"))
	os.Symlink("..", filepath.Join(dir, "out"))
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		f.Fatal(err)
	}
	inside := map[string]bool{real: true, filepath.Join(real, "tests"): true, filepath.Join(real, "tests", "deep"): true}
	f.Fuzz(func(t *testing.T, path string) {
		got, err := r.Dir(path)
		if err == nil && !inside[got] {
			t.Fatalf("%q leads to %q", path, got)
		}
		var e *Error
		if err != nil && (!errors.As(err, &e) || got != "") {
			t.Fatalf("%q: %q, %v", path, got, err)
		}
	})
}
