package lab

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommands runs what README.md tells people to try.
func TestCommands(t *testing.T) {
	dir := t.TempDir()
	plan, err := os.ReadFile("schemaapply/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	cut := plan[:1882]
	cases := []struct {
		command string
		args    []string
		stdin   []byte
		ok      bool
		want    string // in standard output
	}{
		{"mergegate", []string{"-form", "naive"}, nil, true, "merge\n"},
		{"mergegate", nil, nil, false, ""},
		{"mergegate", []string{"-form", "naive", "-cut", "700"}, nil, true, "merge\n"},
		{"mergegate", []string{"-cut", "700"}, nil, false, ""},
		{"patchgate", []string{"-form", "naive", "-cut", "34"}, nil, true, "merge\n"},
		{"patchgate", []string{"-cut", "34"}, nil, false, "incomplete\n"},
		{"patchgate", nil, nil, true, "merge\n"},
		{"parallelcalls", []string{"-form", "naive"}, nil, true, `created "lan@example.com"`},
		{"parallelcalls", nil, nil, true, "looked up Lan\ncreated \"Sync\", 30 minutes\n"},
		{"parallelcalls", []string{"-reason", "length"}, nil, false, ""},
		{"schemaapply", []string{"-form", "naive"}, cut, true, "status=success statements=6"},
		{"schemaapply", nil, cut, false, "status=truncated"},
		{"schemaapply", nil, plan[:120], false, "status=truncated"},
		{"schemaapply", nil, plan, true, "status=applied"},
		{"sseclient", []string{"-form", "naive"}, nil, true, "caf café done\n"},
		{"sseclient", []string{"-form", "naive", "-drop", "40"}, nil, true, "café café done\n"},
		{"sseclient", nil, nil, true, "café done\n"},
		{"sseclient", []string{"-drop", "40"}, nil, false, "café \n"},
		{"sseclient", []string{"-drop", "40", "-resumes"}, nil, true, "café done\n"},
	}
	for _, c := range cases {
		t.Run(strings.Join(append([]string{c.command}, c.args...), " "), func(t *testing.T) {
			exe := filepath.Join(dir, c.command)
			if _, err := os.Stat(exe); err != nil {
				if out, err := exec.Command("go", "build", "-o", exe, "./"+c.command+"/cmd").CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			cmd := exec.Command(exe, c.args...)
			cmd.Stdin = bytes.NewReader(c.stdin)
			var log bytes.Buffer
			cmd.Stderr = &log
			out, err := cmd.Output()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if (err == nil) != c.ok || !strings.Contains(string(out), c.want) {
				t.Errorf("%v\n%s\n%s\nwant %q", err, out, &log, c.want)
			}
			if c.command == "sseclient" && string(out) != c.want { // all of it: nothing twice
				t.Errorf("%q, want %q", out, c.want)
			}
		})
	}
}
