package driver

import (
	"bytes"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestColor(t *testing.T) {
	for _, c := range []struct {
		flag     colorFlag
		terminal bool
		env      map[string]string
		want     bool
	}{
		{colorAuto, true, nil, true},
		{colorAuto, false, nil, false},
		{colorAuto, true, map[string]string{"NO_COLOR": "1"}, false},
		{colorAuto, true, map[string]string{"NO_COLOR": ""}, true},
		{colorAuto, true, map[string]string{"TERM": "dumb"}, false},
		{colorAuto, true, map[string]string{"TERM": "xterm"}, true},
		{colorAlways, false, map[string]string{"NO_COLOR": "1"}, true},
		{colorNever, true, nil, false},
	} {
		if got := c.flag.on(c.terminal, func(k string) string { return c.env[k] }); got != c.want {
			t.Errorf("%s on a terminal (%v) with %v: %v", c.flag, c.terminal, c.env, got)
		}
	}
}

func TestIsTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if isTerminal(null) || isTerminal(w) {
		t.Error("the null device or a pipe is taken for a terminal")
	}
	var c Command
	if c.terminal(new(bytes.Buffer)) {
		t.Error("a buffer is taken for a terminal")
	}
}

type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func TestProgress(t *testing.T) {
	var out safeBuffer
	p := startProgress(&out, "tool", time.Millisecond, time.Millisecond)
	wait := func(text string) {
		t.Helper()
		for range 5000 {
			if strings.Contains(out.String(), text) {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Fatalf("never showed %q: %q", text, out.String())
	}
	wait("\r\x1b[Ktool: listing and compiling packages")
	p.set(3, 12)
	wait("\r\x1b[Ktool: 3/12 packages")
	p.stop()
	if !strings.HasSuffix(out.String(), "packages\r\x1b[K") {
		t.Errorf("the line was not cleared: %q", out.String())
	}
}

// A run that is over soon shows nothing.
func TestNoProgress(t *testing.T) {
	var out safeBuffer
	p := startProgress(&out, "tool", time.Hour, time.Millisecond)
	p.set(1, 2)
	p.stop()
	if out.String() != "" {
		t.Errorf("showed %q", out.String())
	}
}

func TestSummaryLine(t *testing.T) {
	find := func(names ...string) []Finding {
		var out []Finding
		for _, n := range names {
			out = append(out, Finding{Analyzer: n})
		}
		return out
	}
	for _, c := range []struct {
		o    outcome
		want string
	}{
		{outcome{Result: &Result{Packages: 1}}, "no findings in 1 package"},
		{outcome{Result: &Result{Packages: 3, Findings: find("b", "a", "b")}}, "3 findings (a 1, b 2) in 3 packages"},
		{outcome{Result: &Result{Packages: 2, Findings: find("a")}, fixed: 1, known: 4, unchanged: 5},
			"1 finding (a 1) in 2 packages; 1 fix applied; 4 known by the baseline; 5 on lines that did not change"},
	} {
		if got := summaryLine(&c.o); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestBoolArg(t *testing.T) {
	for args, want := range map[string]bool{
		"":                         false,
		"-x":                       true,
		"--x":                      true,
		"-x=true":                  true,
		"-x=1":                     true,
		"-x=false":                 false,
		"-x -x=false":              false,
		"-x=false -x":              true,
		"-xy x -y=x":               false,
		"-test -x unit.cfg":        true,
		"-x=perhaps":               false,
		"--x=true":                 true,
		"---x":                     false,
		"-a.b=1 -x /tmp/b/vet.cfg": true,
	} {
		if got := boolArg(strings.Fields(args), "x"); got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}

func TestVersion(t *testing.T) {
	for _, c := range []struct {
		info debug.BuildInfo
		want string
	}{
		{debug.BuildInfo{}, "(devel) built with go"},
		{debug.BuildInfo{GoVersion: "go1.30", Main: debug.Module{Path: "m", Version: "v1.2.3"}}, "v1.2.3 (m) built with go1.30 for "},
		{debug.BuildInfo{GoVersion: "go1.30", Main: debug.Module{Path: "m", Version: "(devel)"}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "true"},
		}}, "(devel) (m, revision abc, of 2026-01-02T03:04:05Z, modified) built with go1.30 for "},
	} {
		if got := readBuild(&c.info).String(); !strings.HasPrefix(got, c.want) {
			t.Errorf("got %q, want %q...", got, c.want)
		}
	}
}
