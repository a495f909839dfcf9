package channels

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEditorScript runs the script of the page on editors and reads its output as an
// editor does: each line a place and a text, and a line that is none would be lost or
// be added to the one before.
func TestEditorScript(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	bin := filepath.Dir(build(t))
	s := sampleApp(t, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	script := filepath.Join(t.TempDir(), "streamlint-editor")
	if err := os.WriteFile(script, []byte(example(t, "editors.md", "#!/bin/sh")), 0o777); err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`^([^:]+):(\d+):(\d+): ([^\t].*)$`)
	for _, dir := range []string{"./...", "./agent"} {
		var got []string
		for _, text := range strings.Split(strings.TrimSpace(s.run(t, script+" "+dir).stdout), "\n") {
			m := line.FindStringSubmatch(text)
			switch {
			case m != nil:
				check, _, _ := strings.Cut(m[4], ": ")
				got = append(got, strings.TrimPrefix(m[1], "./")+":"+m[2]+" "+check)
			case !strings.HasPrefix(text, "#"): // the go command's headings of packages
				t.Errorf("no place in %q", text)
			}
		}
		slices.Sort(got)
		wanted := want
		if dir == "./agent" {
			wanted = without(want, func(f string) bool { return !strings.HasPrefix(f, "agent/") })
		}
		same(t, dir, got, wanted)
	}
	s.env = append(s.env, "PATH="+os.Getenv("PATH"))
	if out := s.run(t, script+" ./..."); out.status == 0 || out.stdout != "" {
		t.Errorf("without the tool: status %d, %q", out.status, out.stdout)
	}
}
