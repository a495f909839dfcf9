package channels

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSharedCache runs go vet on three machines that share nothing but the store of a
// cache program. The first analyses everything, the second one nothing, and a third one,
// with the module in another place, the module's own packages alone.
func TestSharedCache(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles part of the standard library")
	}
	dir := t.TempDir()
	prog := filepath.Join(dir, "cacheprog")
	shell{root(t), []string{"GOFLAGS=-buildvcs=false"}}.must(t, 0, "go build -o "+prog+" ./internal/channels/testdata/cacheprog")

	// What the go command calls notes the packages and runs the real tool.
	tool := filepath.Join(dir, "vettool")
	script := fmt.Sprintf(`#!/bin/sh
case $* in
*.cfg) for cfg; do :; done; sed -n 's/^\t"ID": "\(.*\)",$/\1/p' "$cfg" >>"$VET_LOG" ;;
esac
exec %s "$@"
`, build(t))
	if err := os.WriteFile(tool, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}

	s := sampleApp(t)
	packages := "./agent ./quiet ./wire"
	var wanted []string
	for _, f := range want {
		if !strings.HasPrefix(f, "more/") && !strings.HasPrefix(f, "retry/") {
			wanted = append(wanted, f)
		}
	}
	machine := func(name string, s shell) []string {
		log := filepath.Join(dir, name+".log")
		m := shell{s.dir, append(slices.Clone(s.env),
			"VET_LOG="+log,
			"GOCACHE="+filepath.Join(dir, name+"-gocache"),
			"GOCACHEPROG="+prog+" -store="+filepath.Join(dir, "store")+" -local="+filepath.Join(dir, name+"-local"),
		)}
		out := m.must(t, 1, "go vet -vettool="+tool+" "+packages)
		same(t, name, findings(out.stderr), wanted)
		data, err := os.ReadFile(log)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' })
	}
	first := len(machine("first", s))
	if first < 30 {
		t.Errorf("the first machine analysed %d packages: the cache was not empty", first)
	}
	if again := machine("second", s); len(again) > 0 {
		t.Errorf("the second machine analysed %d of %d packages again: %q", len(again), first, again)
	}
	third := machine("third", sampleApp(t))
	std := slices.DeleteFunc(slices.Clone(third), func(id string) bool { return strings.HasPrefix(id, "example.test/") })
	if len(std) > 0 || len(third) == 0 {
		t.Errorf("with the module in another place these were analysed: %q, want the module's own packages", third)
	}
	t.Logf("%d packages analysed on the first machine", first)
}
