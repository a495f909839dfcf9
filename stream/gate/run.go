package gate

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// GoTest says how [Root.GoTest] runs tests. The zero value runs the tests of one
// package with the go command in PATH.
type GoTest struct {
	// Recursive takes the packages of the directories below too.
	Recursive bool
	// Run is the value of -run: only these tests count as collected.
	Run string
	// Race turns on the race detector.
	Race bool
	// Timeout is the value of -timeout; zero leaves the go command's ten minutes.
	Timeout time.Duration
	// Env is added to the environment.
	Env []string
	// Go is the go command, "go" if empty.
	Go string
	// Output, if not nil, receives the stream of the run as it comes.
	Output io.Writer
}

// GoTest runs the Go tests in a directory of the root. First it lists them, which
// builds them, and refuses with NoTests if there is none; then it runs them anew
// (-count=1) and judges the stream. The tests pass only if each that was listed
// has started, all results are there and the exit code is 0.
func (r *Root) GoTest(ctx context.Context, path string, o GoTest) (Report, error) {
	dir, err := r.Dir(path)
	if err != nil {
		return Report{}, err
	}
	pattern := "."
	if o.Recursive {
		pattern = "./..."
	}
	// -list knows no subtests: what is before the first slash.
	top, _, _ := strings.Cut(o.Run, "/")
	if top == "" {
		top = "."
	}
	listed := map[string][]string{} // by package
	list, exit, err := o.run(ctx, dir, nil, func(pkg, text string) {
		if name := strings.TrimSuffix(text, "\n"); isTestName(name) {
			listed[pkg] = append(listed[pkg], name)
		}
	}, "-list="+top, pattern)
	if err != nil {
		return Report{}, err
	}
	var rep Report
	for _, names := range listed {
		rep.Collected += len(names)
	}
	if err := list.flaw(rep); err != nil {
		return rep, err
	}
	if exit != nil {
		return rep, &Error{Kind: NotRun, Report: rep, Detail: exit.detail(), Err: exit.err}
	}
	if rep.Collected == 0 {
		return rep, &Error{Kind: NoTests, Report: rep, Detail: "none in " + path}
	}

	args := []string{"-count=1"}
	if o.Run != "" {
		args = append(args, "-run="+o.Run)
	}
	if o.Timeout > 0 {
		args = append(args, "-timeout="+o.Timeout.String())
	}
	collected := rep.Collected
	s, exit, err := o.run(ctx, dir, o.Output, nil, append(args, pattern)...)
	rep = s.report()
	rep.Collected = collected
	if err == nil {
		err = s.flaw(rep)
	}
	if err == nil {
		err = rep.verdict()
	}
	if err == nil {
		err = s.missing(rep, listed)
	}
	if err == nil && exit != nil {
		err = &Error{Kind: Mismatch, Detail: "all tests passed and the command failed: " + exit.detail(), Err: exit.err}
	}
	var e *Error
	if errors.As(err, &e) {
		e.Report = rep
	}
	return rep, err
}

// missing finds a listed test that did not start.
func (s *goStream) missing(r Report, listed map[string][]string) error {
	for _, pkg := range slices.Sorted(maps.Keys(listed)) {
		p := s.current[pkg]
		for _, name := range listed[pkg] {
			if p == nil || p.current[name] == nil {
				return &Error{Kind: Incomplete, Report: r, Detail: name + " of " + pkg + " was collected and did not start"}
			}
		}
	}
	return nil
}

// run runs go test -json. A nil exit is exit code 0.
func (o GoTest) run(ctx context.Context, dir string, output io.Writer, onOutput func(pkg, text string), args ...string) (*goStream, *exit, error) {
	name := o.Go
	if name == "" {
		name = "go"
	}
	full := []string{"test", "-json"}
	if o.Race {
		full = append(full, "-race")
	}
	var s *goStream
	var readErr error
	ex, err := start(ctx, dir, o.Env, name, append(full, args...), func(stdout io.Reader) {
		if output != nil {
			stdout = io.TeeReader(stdout, output)
		}
		s, readErr = readEvents(stdout, onOutput)
	})
	if s == nil {
		s = &goStream{}
	}
	if err == nil {
		err = readErr
	}
	return s, ex, err
}

// JUnit says how [Root.RunJUnit] runs tests.
type JUnit struct {
	// Command and Args are run in the directory, as in exec.Command.
	Command string
	Args    []string
	// Report is the file that the command writes, relative to the root. An older
	// one is removed before the run.
	Report string
	// Env is added to the environment.
	Env []string
	// Output, if not nil, receives the command's standard output.
	Output io.Writer
}

// RunJUnit runs a command in a directory of the root, as
//
//	root.RunJUnit(ctx, "tests", gate.JUnit{
//		Command: "pytest", Args: []string{"--junitxml=../report.xml"}, Report: "report.xml",
//	})
//
// and judges the report that it writes. The tests pass only if the report says so
// and the exit code is 0.
func (r *Root) RunJUnit(ctx context.Context, path string, j JUnit) (Report, error) {
	dir, err := r.Dir(path)
	if err != nil {
		return Report{}, err
	}
	if strings.TrimSpace(j.Report) == "" {
		return Report{}, &Error{Kind: EmptyPath, Detail: "no report file"}
	}
	if !filepath.IsLocal(j.Report) {
		return Report{}, &Error{Kind: PathEscapes, Path: j.Report}
	}
	if err := r.root.Remove(j.Report); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Report{}, &Error{Kind: PathEscapes, Path: j.Report, Detail: "an older report cannot be removed", Err: err}
	}
	ex, err := start(ctx, dir, j.Env, j.Command, j.Args, func(stdout io.Reader) {
		out := j.Output
		if out == nil {
			out = io.Discard
		}
		// Drained in any case, or the command would block on a full pipe.
		if _, err := io.Copy(out, stdout); err != nil {
			io.Copy(io.Discard, stdout)
		}
	})
	if err != nil {
		return Report{}, err
	}
	f, err := r.openReport(j.Report)
	if err != nil {
		e := &Error{Kind: NotRun, Path: j.Report, Detail: "the command wrote no report", Err: err}
		if ex != nil {
			e.Detail += ": " + ex.detail()
		}
		return Report{}, e
	}
	defer f.Close()
	rep, err := ReadJUnit(f)
	if err == nil && ex != nil {
		err = &Error{Kind: Mismatch, Report: rep, Detail: "all tests passed and the command failed: " + ex.detail(), Err: ex.err}
	}
	return rep, err
}

// openReport opens a file that a command wrote. To open a named pipe could wait
// for ever for somebody to write to it.
func (r *Root) openReport(name string) (*os.File, error) {
	switch info, err := r.root.Stat(name); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	return r.root.Open(name)
}

// exit is how a command ended that did not end well.
type exit struct {
	err    error
	stderr string
}

func (e *exit) detail() string {
	if e.stderr == "" {
		return e.err.Error()
	}
	return e.stderr
}

// waitDelay is how long a command's pipes may stay open after it was killed.
const waitDelay = 5 * time.Second

// start runs a command, with read for its standard output, and waits for it.
func start(ctx context.Context, dir string, env []string, name string, args []string, read func(io.Reader)) (*exit, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	// The go command and most runners start processes of their own.
	killGroup(cmd)
	cmd.WaitDelay = waitDelay
	var stderr tail
	cmd.Stderr = &stderr
	pr, pw := io.Pipe()
	cmd.Stdout = pw
	if err := cmd.Start(); err != nil {
		return nil, &Error{Kind: NotRun, Detail: "cannot start", Err: err}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		read(pr)
		// A reader that gave up early must not stop the command.
		io.Copy(io.Discard, pr)
	}()
	err := cmd.Wait()
	pw.Close()
	<-done
	if ctx.Err() != nil {
		return nil, &Error{Kind: Canceled, Err: context.Cause(ctx)}
	}
	if err != nil {
		return &exit{err, strings.TrimSpace(stderr.String())}, nil
	}
	return nil, nil
}

// tail keeps the last bytes of what is written to it.
type tail struct{ buf []byte }

const tailSize = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if extra := len(t.buf) - tailSize; extra > 0 {
		t.buf = slices.Delete(t.buf, 0, extra)
	}
	return len(p), nil
}

func (t *tail) write(s string) { t.Write([]byte(s)) }

// String returns whole lines where it can: a first one that was cut is left out.
func (t *tail) String() string {
	b := t.buf
	if len(b) == tailSize {
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			b = b[i+1:]
		}
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}
