package channels

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamlint/streamlint/analyzers"
)

// shell is a directory in which commands are run.
type shell struct {
	dir string
	env []string
}

// sampleApp copies the sample module to where it can be changed.
func sampleApp(t *testing.T, env ...string) shell {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "app")
	if err := os.CopyFS(dir, os.DirFS("testdata/app")); err != nil {
		t.Fatal(err)
	}
	// A setting of whoever runs the tests may not reach the tools.
	return shell{dir, append([]string{"GOFLAGS=-modcacherw", "GOTOOLCHAIN=local", "GOSUMDB=off", "GOWORK=", "GOPROXY=off"}, env...)}
}

type output struct {
	stdout, stderr string
	status         int
}

// run runs a command line as a user types it.
func (s shell) run(t *testing.T, line string) output {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), s.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", line, err)
	}
	return output{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// must runs a command line that has to end with the status.
func (s shell) must(t *testing.T, status int, line string) output {
	t.Helper()
	out := s.run(t, line)
	if out.status != status {
		t.Fatalf("%s\nexit status %d, want %d\n%s%s", line, out.status, status, out.stdout, out.stderr)
	}
	return out
}

// documented makes sure that a page shows the command line.
func documented(t *testing.T, page, line string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs/integrations", page))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(strings.Split(string(text), "\n"), line) {
		t.Errorf("%s does not show the line\n%s", page, line)
	}
	return line
}

// finding matches a finding as all tools print it, with the check's name in front of
// the message. What is related to a finding is set in by a tab.
var finding = regexp.MustCompile(`(?m)^(?:\./)?([^\s:]+\.go):(\d+)(?::\d+)?: ([a-z0-9]+): `)

// findings gives the set of "file:line check" that an output tells of.
func findings(text string) []string {
	set := make(map[string]bool)
	for _, m := range finding.FindAllStringSubmatch(text, -1) {
		set[filepath.ToSlash(m[1])+":"+m[2]+" "+m[3]] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// want is what the sample module holds.
var want = []string{
	"agent/agent.go:22 silentdefault",
	"agent/agent.go:34 perchunkdecode",
	"agent/agent.go:51 perchunkdecode",
	"agent/agent.go:70 perchunkdecode",
	"agent/agent.go:77 silentdefault",
	"agent/agent.go:86 lossyutf8",
	"more/late.go:25 partialapply",
	"more/late.go:31 streamtimeout",
	"more/more.go:105 unfinished",
	"more/more.go:32 byteslice",
	"more/more.go:48 callindex",
	"more/more.go:65 donemarker",
	"more/more.go:84 jsonrepair",
	"more/more.go:93 scanlimit",
	"quiet/directive.go:3 directive",
	"quiet/quiet.go:30 silentdefault",
	"retry/retry.go:16 blindretry",
}

// A check that is not in the sample is one that no channel was tried with.
func TestSampleHasEveryCheck(t *testing.T) {
	for _, a := range analyzers.All() {
		if !slices.ContainsFunc(want, func(f string) bool { return strings.HasSuffix(f, " "+a.Name) }) {
			t.Errorf("testdata/app has no finding of %s", a.Name)
		}
	}
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func without(list []string, drop func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(list), drop)
}
