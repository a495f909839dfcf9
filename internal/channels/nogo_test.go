package channels

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// listed is a package as go list tells of it.
type listed struct {
	Dir, ImportPath, Export string
	Standard                bool
	GoFiles, Imports        []string
	ImportMap               map[string]string
	Module                  *struct{ Path string }
}

// TestNogo does what Bazel's rules do with nogo: a process for each package, of the
// dependencies for their facts alone, which travel in files. Packages of the standard
// library are not analysed at all there. The program is that of rules_go, made by
// scripts/test-nogo.sh.
func TestNogo(t *testing.T) {
	nogo := os.Getenv("STREAMLINT_NOGO")
	if nogo == "" {
		t.Skip("STREAMLINT_NOGO names no nogo with the checks: scripts/test-nogo.sh makes one")
	}
	s := sampleApp(t)
	out := s.must(t, 0, "go list -export -deps -json ./...")
	packages := make(map[string]*listed)
	var order []*listed
	for dec := json.NewDecoder(strings.NewReader(out.stdout)); ; {
		p := new(listed)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages[p.ImportPath] = p
		order = append(order, p)
	}
	work := t.TempDir()
	facts := make(map[string]string)
	var got []string
	for i, p := range order {
		if p.Standard {
			continue
		}
		// As in Bazel: what a package imports itself, and no more.
		var config strings.Builder
		args := []string{"-p", p.ImportPath, "-go_version", "1.25.0"}
		for _, path := range p.Imports {
			if mapped, ok := p.ImportMap[path]; ok {
				path = mapped
			}
			if path == "unsafe" {
				continue
			}
			fmt.Fprintf(&config, "packagefile %s=%s\n", path, packages[path].Export)
			if file := facts[path]; file != "" {
				args = append(args, "-fact", path+"="+file)
			}
		}
		cfg := filepath.Join(work, fmt.Sprint(i, ".importcfg"))
		if err := os.WriteFile(cfg, []byte(config.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		facts[p.ImportPath] = filepath.Join(work, fmt.Sprint(i, ".facts"))
		args = append(args, "-importcfg", cfg, "-x", facts[p.ImportPath], "-fix_dir", work)
		own := strings.HasPrefix(p.ImportPath, "example.test/app/")
		if !own {
			args = append(args, "-facts_only")
		}
		for _, file := range p.GoFiles {
			rel, err := filepath.Rel(s.dir, filepath.Join(p.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, rel)
		}
		res := s.run(t, nogo+" '"+strings.Join(args, "' '")+"'")
		found := findings(nogoName.ReplaceAllString(res.stderr, ""))
		status := 0
		if len(found) > 0 {
			status = 3 // a violation, in nogo's words
		}
		if res.status != status {
			t.Fatalf("%s: status %d\n%s%s", p.ImportPath, res.status, res.stdout, res.stderr)
		}
		got = append(got, found...)
	}
	slices.Sort(got)
	same(t, "nogo", got, want)
	for _, f := range facts {
		if _, err := os.Stat(f); err != nil {
			t.Error(err)
		}
	}
}

// nogoName is the analyzer's name, which nogo puts at the end of a line.
var nogoName = regexp.MustCompile(`(?m) \([a-z0-9]+\)$`)
