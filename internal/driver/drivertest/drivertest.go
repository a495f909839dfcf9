// Package drivertest runs scripts of command lines against a checker built on
// the driver, by itself and as a vettool.
package drivertest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Run runs the scripts in dir. The named tool must be one of the commands of
// the test binary (see testscript.Main); scripts find its file as $TOOL. They
// need no network: what their modules depend on is replaced by directories
// beside them. Beyond testscript's own commands they can use
//
//	exits STATUS PROGRAM [ARG...]   run a program that must end with that status
//	samefindings FILE1 FILE2        compare two texts of findings
//	samejson FILE1 FILE2            compare two outputs of -json
//
// and the condition [cgo], for a C compiler being there. With UPDATE_SCRIPTS
// set in the environment, files compared with an output are rewritten.
func Run(t *testing.T, dir, tool string) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	testscript.Run(t, testscript.Params{
		Dir:           dir,
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup:         func(env *testscript.Env) error { return offline(env, tool) },
		Condition:     condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":        exits,
			"samefindings": sameFindings,
			"samejson":     sameJSON,
		},
	})
}

// offline lets the go command work without a network and without modules from
// elsewhere, on the build cache of whoever runs the test.
func offline(env *testscript.Env, tool string) error {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return err
	}
	env.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
	env.Setenv("GOMODCACHE", filepath.Join(env.WorkDir, ".modcache"))
	env.Setenv("GOPROXY", "off")
	env.Setenv("GOSUMDB", "off")
	env.Setenv("GOTOOLCHAIN", "local")
	env.Setenv("GOFLAGS", "")
	env.Setenv("GOTELEMETRY", "off")
	for _, dir := range filepath.SplitList(env.Getenv("PATH")) {
		if file := filepath.Join(dir, tool); isFile(file) {
			env.Setenv("TOOL", file)
			return nil
		}
	}
	return fmt.Errorf("no %s in PATH", tool)
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

func condition(cond string) (bool, error) {
	switch cond {
	case "cgo":
		out, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
		if err != nil {
			return false, err
		}
		enabled, cc, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		_, err = exec.LookPath(cc)
		return enabled == "1" && err == nil, nil
	}
	return false, fmt.Errorf("unknown condition %q", cond)
}

// exits runs a command that must end with the given status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits status program [args...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// sameFindings compares two outputs line by line, in any order. The headings
// go vet may print above a package's part are not compared.
func sameFindings(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: samefindings file1 file2")
	}
	a, b := findingLines(ts.ReadFile(args[0])), findingLines(ts.ReadFile(args[1]))
	if len(a) == 0 {
		ts.Fatalf("%s holds no findings", args[0])
	}
	if !slices.Equal(a, b) {
		ts.Fatalf("findings differ\n%s:\n%s\n%s:\n%s", args[0], strings.Join(a, "\n"), args[1], strings.Join(b, "\n"))
	}
}

// sameJSON compares two outputs of -json: streams of objects by package and
// analyzer, which go vet prints one a package and we print at once.
func sameJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: samejson file1 file2")
	}
	var trees [2]map[string]map[string]any
	for i, name := range args {
		trees[i] = make(map[string]map[string]any)
		dec := json.NewDecoder(strings.NewReader(ts.ReadFile(name)))
		for {
			var part map[string]map[string]any
			if err := dec.Decode(&part); err == io.EOF {
				break
			} else if err != nil {
				ts.Fatalf("%s: %v", name, err)
			}
			maps.Copy(trees[i], part)
		}
		if len(trees[i]) == 0 {
			ts.Fatalf("%s holds no findings", name)
		}
	}
	if !reflect.DeepEqual(trees[0], trees[1]) {
		ts.Fatalf("%s and %s differ", args[0], args[1])
	}
}

func findingLines(text string) []string {
	var out []string
	for line := range bytes.Lines([]byte(text)) {
		if s := strings.TrimRight(string(line), "\n"); s != "" && !strings.HasPrefix(s, "#") {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}
