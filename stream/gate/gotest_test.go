package gate

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// lines makes a stream: "run p TestA" is an event, anything else a line as it is.
func lines(in ...string) string {
	var b strings.Builder
	for _, l := range in {
		f := strings.Fields(l)
		switch {
		case strings.HasPrefix(l, "{") || strings.HasPrefix(l, "#"):
			b.WriteString(l)
		case len(f) == 2:
			fmt.Fprintf(&b, `{"Time":"2026-11-30T12:00:00Z","Action":%q,"Package":%q,"Elapsed":0.01}`, f[0], f[1])
		default:
			fmt.Fprintf(&b, `{"Action":%q,"Package":%q,"Test":%q}`, f[0], f[1], f[2])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

var passing = lines("start p", "run p TestA", `{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}`,
	"run p TestA/x", "pass p TestA/x", "run p TestA/y", "skip p TestA/y", "pass p TestA", "run p FuzzB", "run p FuzzB/seed#0",
	"pass p FuzzB/seed#0", "pass p FuzzB", "run p ExampleC", "pass p ExampleC", "pass p")

var goStreams = []struct {
	name string
	in   string
	kind Kind // "" is a pass
	want Report
}{
	{"pass", passing, "", Report{Collected: 3, Started: 6, Passed: 3, Skipped: 1, Packages: 1}},
	{"two packages", lines("start p", "start q", "run p TestA", "run q TestA", "pass q TestA", "pass p TestA", "pass q", "pass p"), "", Report{Collected: 2, Started: 2, Passed: 2, Packages: 2}},
	{"one package without tests", lines("start p", "skip p", "start q", "run q TestA", "pass q TestA", "pass q"), "", Report{Collected: 1, Started: 1, Passed: 1, Packages: 2}},
	{"messages between", "go: downloading x\n\n" + lines("start p", "# p", "run p TestA", "pass p TestA", "pass p"), "", Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
	{"pause and cont", lines("start p", "run p TestA", "pause p TestA", "cont p TestA", "pass p TestA", "pass p"), "", Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
	{"count 2", lines("start p", "run p TestA", "pass p TestA", "run p TestA", "pass p TestA", "pass p"), "", Report{Collected: 1, Started: 2, Passed: 2, Packages: 1}},
	{"slash in a name", lines("start p", "run p TestA", "run p TestA/a/b", "pass p TestA/a/b", "pass p TestA", "pass p"), "", Report{Collected: 1, Started: 2, Passed: 1, Packages: 1}},
	{"benchmark beside a test", lines("start p", "run p BenchmarkA", "bench p BenchmarkA", "run p TestA", "pass p TestA", "pass p"), "", Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},

	{"nothing", "", NoTests, Report{}},
	{"messages only", "ok  \tp\t0.01s\n", NoTests, Report{}},
	{"no test files", lines("start p", "skip p"), NoTests, Report{Packages: 1}},
	{"no tests to run", lines("start p", `{"Action":"output","Package":"p","Output":"testing: warning: no tests to run\n"}`, "pass p"), NoTests, Report{Packages: 1}},
	{"benchmarks only", lines("start p", "run p BenchmarkA", "bench p BenchmarkA", "pass p"), NoTests, Report{Packages: 1}},
	{"only skips", lines("start p", "run p TestA", "skip p TestA", "run p TestB", "skip p TestB", "pass p"), OnlySkips, Report{Collected: 2, Started: 2, Skipped: 2, Packages: 1}},
	{"only skips below a parent", lines("start p", "run p TestA", "run p TestA/x", "skip p TestA/x", "pass p TestA", "pass p"), OnlySkips, Report{Collected: 1, Started: 2, Skipped: 1, Packages: 1}},
	{"only skips two levels down", lines("start p", "run p TestA", "run p TestA/x", "run p TestA/x/y", "skip p TestA/x/y", "pass p TestA/x", "pass p TestA", "pass p"), OnlySkips, Report{Collected: 1, Started: 3, Skipped: 1, Packages: 1}},

	{"failed", lines("start p", "run p TestA", "pass p TestA", "run p TestB", "fail p TestB", "fail p"), TestsFailed, Report{Collected: 2, Started: 2, Passed: 1, Failed: 1, Packages: 1, Failures: []string{"p.TestB"}}},
	{"subtest failed", lines("start p", "run p TestA", "run p TestA/x", "fail p TestA/x", "fail p TestA", "fail p"), TestsFailed, Report{Collected: 1, Started: 2, Failed: 1, Packages: 1, Failures: []string{"p.TestA/x"}}},
	{"subtest failed two levels down", lines("start p", "run p TestA", "run p TestA/x", "run p TestA/x/y", "fail p TestA/x/y", "fail p TestA/x", "fail p TestA", "fail p"), TestsFailed, Report{Collected: 1, Started: 3, Failed: 1, Packages: 1, Failures: []string{"p.TestA/x/y"}}},
	{"parent failed on its own", lines("start p", "run p TestA", "run p TestA/x", "pass p TestA/x", "fail p TestA", "fail p"), TestsFailed, Report{Collected: 1, Started: 2, Passed: 1, Failed: 1, Packages: 1, Failures: []string{"p.TestA"}}},
	{"running when the package failed", lines("start p", "run p TestA", "pass p TestA", "run p TestB", "fail p"), TestsFailed, Report{Collected: 2, Started: 2, Passed: 1, Failed: 1, Packages: 1, Failures: []string{"p.TestB"}}},
	{"first of two runs failed", lines("start p", "run p TestA", "fail p TestA", "run p TestA", "pass p TestA", "fail p"), TestsFailed, Report{Collected: 1, Started: 2, Passed: 1, Failed: 1, Packages: 1, Failures: []string{"p.TestA"}}},
	{"package failed outside of tests", lines("start p", "run p TestA", "pass p TestA", "fail p"), TestsFailed, Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
	{"build", lines(`{"ImportPath":"p [p.test]","Action":"build-output","Output":"x.go:1: undefined: y\n"}`, `{"ImportPath":"p [p.test]","Action":"build-fail"}`, "start p", `{"Action":"fail","Package":"p","FailedBuild":"p [p.test]"}`), BuildFailed, Report{Packages: 1}},

	{"cut in a test", lines("start p", "run p TestA", "pass p TestA", "run p TestB"), Incomplete, Report{Collected: 2, Started: 2, Passed: 1, Packages: 1}},
	{"cut before the package's result", lines("start p", "run p TestA", "pass p TestA"), Incomplete, Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
	{"passed with a test that has no result", lines("start p", "run p TestA", "pass p TestA", "run p TestB", "pass p"), Incomplete, Report{Collected: 2, Started: 2, Passed: 1, Packages: 1}},
	{"passed with a failed test", lines("start p", "run p TestA", "pass p TestA", "run p TestB", "fail p TestB", "pass p"), Mismatch, Report{Collected: 2, Started: 2, Passed: 1, Failed: 1, Packages: 1, Failures: []string{"p.TestB"}}},
	{"result without a start", lines("start p", "pass p TestA", "pass p"), Malformed, Report{Packages: 1}},
	{"two results", lines("start p", "run p TestA", "fail p TestA", "pass p TestA", "pass p"), Malformed, Report{Collected: 1, Started: 1, Failed: 1, Packages: 1, Failures: []string{"p.TestA"}}},
	{"two results of a package", lines("start p", "run p TestA", "pass p TestA", "fail p", "pass p"), Malformed, Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
	{"no JSON", lines("start p", "{oops", "pass p"), Malformed, Report{Packages: 1}},
	{"no action", lines("start p", "{}", "pass p"), Malformed, Report{Packages: 1}},
}

func same(a, b Report) bool { return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b) }

func check(t *testing.T, got Report, err error, kind Kind, want Report) {
	t.Helper()
	var e *Error
	switch {
	case (err == nil) != (kind == ""):
		t.Errorf("%+v, %v; want %q", got, err, kind)
	case err != nil && (!errors.Is(err, kind) || !errors.As(err, &e) || e.Kind != kind || !same(e.Report, got)):
		t.Errorf("%v; want %s", err, kind)
	case !same(got, want):
		t.Errorf("%+v (%v); want %+v", got, err, want)
	}
}

func TestReadGoTest(t *testing.T) {
	for _, tt := range goStreams {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReadGoTest(strings.NewReader(tt.in))
			check(t, got, err, tt.kind, tt.want)
			got, err = ReadGoTest(iotest.OneByteReader(strings.NewReader(tt.in)))
			check(t, got, err, tt.kind, tt.want)
		})
	}
}

// TestReadGoTestEveryCut: a green stream that ends too early is not green.
func TestReadGoTestEveryCut(t *testing.T) {
	whole := strings.TrimSuffix(passing, "\n")
	for n := range whole {
		if rep, err := ReadGoTest(strings.NewReader(whole[:n])); err == nil {
			t.Fatalf("%d of %d bytes pass: %+v", n, len(whole), rep)
		}
	}
	if _, err := ReadGoTest(strings.NewReader(whole)); err != nil {
		t.Error(err)
	}
}

func TestReadGoTestErrors(t *testing.T) {
	broken := errors.New("pipe broke")
	rep, err := ReadGoTest(io.MultiReader(strings.NewReader(passing), iotest.ErrReader(broken)))
	if !errors.Is(err, Incomplete) || !errors.Is(err, broken) || rep.Passed != 3 {
		t.Errorf("%+v, %v", rep, err)
	}
	long := `{"Action":"output","Package":"p","Output":"` + strings.Repeat("x", 1<<20) + `"}` + "\n"
	if _, err := ReadGoTest(strings.NewReader(long + passing)); err != nil {
		t.Errorf("a line of 1 MiB: %v", err)
	}
	var e *Error
	if _, err := ReadGoTest(io.MultiReader(strings.NewReader("\n{"), endless{})); !errors.Is(err, TooLarge) || !errors.As(err, &e) || e.Line != 2 {
		t.Errorf("%v", err)
	}
	_, err = ReadGoTest(strings.NewReader(lines("start p", "{oops", "pass p")))
	if got := err.Error(); !strings.HasPrefix(got, "gate: malformed in line 2: ") {
		t.Error(got)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestIsTestName(t *testing.T) {
	for name, want := range map[string]bool{
		"TestA": true, "Test": true, "Test_a": true, "Test1": true, "Example": true, "ExampleX_y": true, "FuzzÄ": true,
		"Testing": false, "BenchmarkA": false, "ok  \tp\t0.01s": false, "TestA is slow": false, "": false, "Examples": false,
	} {
		if isTestName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

func FuzzReadGoTest(f *testing.F) {
	for _, s := range goStreams {
		f.Add(s.in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		rep, err := ReadGoTest(strings.NewReader(in))
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%v", err)
			}
		} else if rep.Passed < 1 || rep.Failed != 0 || rep.Started < rep.Passed || rep.Collected < 1 {
			t.Fatalf("%+v passes", rep)
		}
		again, err2 := ReadGoTest(iotest.HalfReader(strings.NewReader(in)))
		if !same(rep, again) || fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("%+v, %v; in halves %+v, %v", rep, err, again, err2)
		}
	})
}

func BenchmarkReadGoTest(b *testing.B) {
	var s strings.Builder
	s.WriteString(lines("start p"))
	for i := range 2000 {
		n := fmt.Sprintf("p TestA%d", i)
		s.WriteString(lines("run "+n, "pass "+n))
	}
	s.WriteString(lines("pass p"))
	b.SetBytes(int64(s.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadGoTest(strings.NewReader(s.String())); err != nil {
			b.Fatal(err)
		}
	}
}
