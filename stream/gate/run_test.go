package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The test binary is the command that RunJUnit runs, when told so.
func TestMain(m *testing.M) {
	switch os.Getenv("GATE_TEST_COMMAND") {
	case "":
		os.Exit(m.Run())
	case "write":
		fmt.Println("running")
		fmt.Fprintln(os.Stderr, "on stderr")
		if text := os.Getenv("GATE_TEST_REPORT"); text != "" {
			if err := os.WriteFile(os.Args[1], []byte(text), 0o600); err != nil {
				panic(err)
			}
		}
		code := 0
		fmt.Sscan(os.Getenv("GATE_TEST_EXIT"), &code)
		os.Exit(code)
	case "hang":
		// A child that holds the pipes open, as a test binary does under go test.
		time.Sleep(time.Hour)
	}
}

func goFile(pkg, body string) string {
	return "package " + pkg + "\n\nimport (\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar _, _ = os.Exit, time.Now\n\n" + body
}

var module = map[string]string{
	"go.mod":              "module job\n\ngo 1.25.0\n",
	"pass/a_test.go":      goFile("pass", "func TestA(t *testing.T) { t.Run(\"x\", func(t *testing.T) {}); t.Run(\"y/z\", func(t *testing.T) { t.Skip() }) }\nfunc TestB(t *testing.T) {}\nfunc FuzzC(f *testing.F) { f.Add(1); f.Fuzz(func(t *testing.T, i int) {}) }\nfunc BenchmarkD(b *testing.B) {}\n"),
	"none/a.go":           "package none\n",
	"bench/a_test.go":     goFile("bench", "func BenchmarkA(b *testing.B) {}\n"),
	"empty/readme.txt":    "no Go here\n",
	"skip/a_test.go":      goFile("skip", "func TestA(t *testing.T) { t.Skip() }\nfunc TestB(t *testing.T) { t.Run(\"x\", func(t *testing.T) { t.Skip() }) }\n"),
	"fail/a_test.go":      goFile("fail", "func TestA(t *testing.T) {}\nfunc TestB(t *testing.T) { t.Error(1) }\n"),
	"panics/a_test.go":    goFile("panics", "func TestA(t *testing.T) { panic(1) }\nfunc TestB(t *testing.T) {}\n"),
	"build/a_test.go":     goFile("build", "func TestA(t *testing.T) { undefined() }\n"),
	"exit/a_test.go":      goFile("exit", "func TestMain(m *testing.M) { os.Exit(0) }\nfunc TestA(t *testing.T) {}\n"),
	"norun/a_test.go":     goFile("norun", "func TestMain(m *testing.M) { if len(os.Args) > 1 && os.Getenv(\"LIST\") == \"\" { for _, a := range os.Args { if len(a) > 10 && a[:10] == \"-test.list\" { m.Run(); return } } }; os.Exit(0) }\nfunc TestA(t *testing.T) {}\n"),
	"late/a_test.go":      goFile("late", "func TestMain(m *testing.M) { m.Run(); for _, a := range os.Args { if len(a) > 10 && a[:10] == \"-test.list\" { return } }; os.Exit(3) }\nfunc TestA(t *testing.T) {}\n"),
	"slow/a_test.go":      goFile("slow", "func TestA(t *testing.T) { time.Sleep(time.Hour) }\n"),
	"sub/go.mod":          "module sub\n\ngo 1.25.0\n",
	"sub/deep/a_test.go":  goFile("deep", "func TestA(t *testing.T) {}\n"),
	"sub/deep2/a_test.go": goFile("deep2", "func TestA(t *testing.T) { t.Skip() }\n"),
}

// TestGoTest runs the go command on real packages.
func TestGoTest(t *testing.T) {
	r, dir := tree(t, module)
	if runtime.GOOS != "windows" {
		if err := os.Symlink(t.TempDir(), filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		path string
		o    GoTest
		kind Kind
		want Report
	}{
		{"pass", GoTest{}, "", Report{Collected: 3, Started: 6, Passed: 3, Skipped: 1, Packages: 1}},
		{"pass", GoTest{Run: "TestA"}, "", Report{Collected: 1, Started: 3, Passed: 1, Skipped: 1, Packages: 1}},
		{"pass", GoTest{Run: "TestA/x"}, "", Report{Collected: 1, Started: 2, Passed: 1, Packages: 1}},
		{"pass", GoTest{Run: "TestA/y"}, OnlySkips, Report{Collected: 1, Started: 2, Skipped: 1, Packages: 1}},
		{"pass", GoTest{Run: "TestNone"}, NoTests, Report{}},
		{"sub", GoTest{Recursive: true}, "", Report{Collected: 2, Started: 2, Passed: 1, Skipped: 1, Packages: 2}},
		{"sub/deep2", GoTest{}, OnlySkips, Report{Collected: 1, Started: 1, Skipped: 1, Packages: 1}},
		{"none", GoTest{}, NoTests, Report{}},
		{"bench", GoTest{}, NoTests, Report{}},
		{"skip", GoTest{}, OnlySkips, Report{Collected: 2, Started: 3, Skipped: 2, Packages: 1}},
		{"fail", GoTest{}, TestsFailed, Report{Collected: 2, Started: 2, Passed: 1, Failed: 1, Packages: 1, Failures: []string{"job/fail.TestB"}}},
		{"panics", GoTest{}, TestsFailed, Report{Collected: 2, Started: 1, Failed: 1, Packages: 1, Failures: []string{"job/panics.TestA"}}},
		{"build", GoTest{}, BuildFailed, Report{}},
		// os.Exit(0) in TestMain: the go command says ok, exit code 0.
		{"exit", GoTest{}, NoTests, Report{}},
		{"norun", GoTest{}, NoTests, Report{Collected: 1, Packages: 1}},
		// And other filters that leave nothing to run.
		{"pass", GoTest{Env: []string{"GOFLAGS=-skip=TestB"}}, Incomplete, Report{Collected: 3, Started: 5, Passed: 2, Skipped: 1, Packages: 1}},
		{"late", GoTest{}, TestsFailed, Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
		{"slow", GoTest{Timeout: 100 * time.Millisecond}, TestsFailed, Report{Collected: 1, Started: 1, Failed: 1, Packages: 1, Failures: []string{"job/slow.TestA"}}},
		{"", GoTest{}, EmptyPath, Report{}},
		{"..", GoTest{}, PathEscapes, Report{}},
		{"link", GoTest{}, PathEscapes, Report{}},
		{"gone", GoTest{}, NoSuchPath, Report{}},
		{"pass", GoTest{Go: "no-such-go-command"}, NotRun, Report{}},
	} {
		t.Run(strings.Join([]string{tt.path, tt.o.Run}, " "), func(t *testing.T) {
			got, err := r.GoTest(t.Context(), tt.path, tt.o)
			check(t, got, err, tt.kind, tt.want)
		})
	}
	t.Run("empty", func(t *testing.T) { // which kind differs by version of the go command
		if got, err := r.GoTest(t.Context(), "empty", GoTest{}); err == nil || got.Started != 0 {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("output", func(t *testing.T) {
		var out bytes.Buffer
		if _, err := r.GoTest(t.Context(), "pass", GoTest{Run: "TestB", Output: &out}); err != nil || !strings.Contains(out.String(), `"Test":"TestB"`) {
			t.Errorf("%v, %s", err, &out)
		}
	})
}

func TestGoTestCanceled(t *testing.T) {
	r, _ := tree(t, module)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("job given up")
	started := &trigger{on: "=== RUN", f: func() { cancel(why) }}
	begin := time.Now()
	_, err := r.GoTest(ctx, "slow", GoTest{Output: started})
	if !errors.Is(err, Canceled) || !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
	if took := time.Since(begin); took > 5*time.Minute {
		t.Errorf("took %v", took)
	}
}

// trigger calls f when text passes by.
type trigger struct {
	on   string
	f    func()
	seen bytes.Buffer
}

func (t *trigger) Write(p []byte) (int, error) {
	t.seen.Write(p)
	if t.f != nil && strings.Contains(t.seen.String(), t.on) {
		t.f()
		t.f = nil
	}
	return len(p), nil
}

func TestRunJUnit(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pass := Report{Collected: 3, Started: 2, Passed: 2, Skipped: 1, Packages: 1}
	for _, tt := range []struct {
		name, path, file string
		command          string
		report, exit     string
		kind             Kind
		want             Report
	}{
		{name: "pass", path: "tests", file: "report.xml", report: pytestReport, want: pass},
		{name: "report in a directory", path: ".", file: "tests/report.xml", report: pytestReport, want: pass},
		{name: "exit code says no", path: "tests", file: "report.xml", report: pytestReport, exit: "1", kind: Mismatch, want: pass},
		{name: "no tests", path: "tests", file: "report.xml", report: "<testsuites/>", exit: "5", kind: NoTests},
		{name: "exit 0 and no tests", path: "tests", file: "report.xml", report: "<testsuites/>", kind: NoTests},
		{name: "cut report", path: "tests", file: "report.xml", report: pytestReport[:len(pytestReport)-10], kind: Incomplete, want: Report{Collected: 3, Started: 2, Passed: 2, Skipped: 1, Packages: 1}},
		// The green report of an earlier run must not do.
		{name: "no report", path: "tests", file: "old.xml", kind: NotRun},
		{name: "no report and an exit code", path: "tests", file: "old.xml", exit: "2", kind: NotRun},
		{name: "no command", path: "tests", file: "report.xml", command: "no-such-command", kind: NotRun},
		{name: "empty path", file: "report.xml", kind: EmptyPath},
		{name: "empty report path", path: "tests", kind: EmptyPath},
		{name: "path outside", path: "..", file: "report.xml", kind: PathEscapes},
		{name: "report outside", path: "tests", file: "../report.xml", kind: PathEscapes},
		{name: "report through a link", path: "tests", file: "link/report.xml", kind: PathEscapes},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, dir := tree(t, map[string]string{"tests/x": "", "old.xml": pytestReport})
			if runtime.GOOS != "windows" {
				if err := os.Symlink("..", filepath.Join(dir, "link")); err != nil {
					t.Fatal(err)
				}
			}
			command := tt.command
			if command == "" {
				command = self
			}
			var out bytes.Buffer
			got, err := r.RunJUnit(t.Context(), tt.path, JUnit{
				Command: command, Args: []string{filepath.Join(dir, tt.file)}, Report: tt.file, Output: &out,
				Env: []string{"GATE_TEST_COMMAND=write", "GATE_TEST_REPORT=" + tt.report, "GATE_TEST_EXIT=" + tt.exit},
			})
			check(t, got, err, tt.kind, tt.want)
			if tt.exit != "" && tt.kind != NoTests && !strings.Contains(err.Error(), "on stderr") {
				t.Errorf("the command's own words are lost: %v", err)
			}
			if tt.kind == "" && out.String() != "running\n" {
				t.Errorf("output %q", &out)
			}
		})
	}
	t.Run("canceled", func(t *testing.T) {
		r, _ := tree(t, map[string]string{"tests/x": ""})
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		_, err := r.RunJUnit(ctx, "tests", JUnit{Command: self, Report: "r.xml", Env: []string{"GATE_TEST_COMMAND=hang"}})
		if !errors.Is(err, Canceled) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
	})
}

func TestTail(t *testing.T) {
	var tl tail
	for i := range 1000 {
		fmt.Fprintf(&tl, "line %d of many\n", i)
	}
	got := tl.String()
	if !strings.HasPrefix(got, "line ") || !strings.HasSuffix(got, "line 999 of many\n") || len(got) > tailSize {
		t.Errorf("%q", got)
	}
}
