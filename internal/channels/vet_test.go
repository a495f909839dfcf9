package channels

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const vetPage = "go-vet.md"

// TestGoTool follows the page of the go command from the first line on: the tool comes
// from a module proxy into a mod file of its own, and go vet runs it.
func TestGoTool(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command in an empty module cache")
	}
	s := sampleApp(t, "GOPROXY="+proxy(t), "GOMODCACHE="+filepath.Join(t.TempDir(), "mod"))
	before := read(t, s.dir, "go.mod")
	for _, line := range []string{
		`echo 'module tools' > tools.mod`,
		`go get -modfile=tools.mod -tool github.com/streamlint/streamlint/cmd/streamlint@latest`,
	} {
		s.must(t, 0, documented(t, vetPage, line))
	}
	if after := read(t, s.dir, "go.mod"); after != before {
		t.Errorf("go.mod was changed:\n%s", after)
	}

	vet := documented(t, vetPage, `T=$(go tool -modfile=tools.mod -n streamlint) && go vet -vettool="$T" ./...`)
	out := s.must(t, 1, vet)
	same(t, "go vet", findings(out.stderr), want)

	// By itself the tool finds the same, installed or run through the go command.
	out = s.must(t, 1, documented(t, vetPage, `go tool -modfile=tools.mod streamlint ./...`))
	same(t, "go tool", findings(out.stderr), want)
	s.env = append(s.env, "GOBIN="+t.TempDir())
	s.must(t, 0, documented(t, vetPage, `go install github.com/streamlint/streamlint/cmd/streamlint@latest`))
	out = s.must(t, 1, `"$GOBIN/streamlint" ./...`)
	same(t, "streamlint", findings(out.stderr), want)
	out = s.must(t, 0, `"$GOBIN/streamlint" -version`)
	if !strings.Contains(out.stdout, version) {
		t.Errorf("the version is %q", out.stdout)
	}
	out = s.must(t, 1, documented(t, vetPage, `go run github.com/streamlint/streamlint/cmd/streamlint@latest ./...`))
	same(t, "go run", findings(out.stderr), want)

	// A tool that is missing must not look like a clean run.
	out = s.run(t, strings.Replace(vet, "-n streamlint", "-n nosuchtool", 1))
	if out.status == 0 || len(findings(out.stderr)) > 0 {
		t.Errorf("without the tool: status %d, %s", out.status, out.stderr)
	}

	// The tool directive in the user's own mod file.
	own := sampleApp(t, s.env...)
	own.must(t, 0, documented(t, vetPage, `go get -tool github.com/streamlint/streamlint/cmd/streamlint@latest`))
	out = own.must(t, 1, documented(t, vetPage, `T=$(go tool -n streamlint) && go vet -vettool="$T" ./...`))
	same(t, "go vet with a tool line", findings(out.stderr), want)
}

// build gives the command built from this checkout.
func build(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "streamlint")
	s := shell{root(t), []string{"GOFLAGS=-buildvcs=false"}}
	s.must(t, 0, "go build -o "+file+" ./cmd/streamlint")
	return file
}

// TestVet tries what the page says of flags, JSON, fixes and workspaces.
func TestVet(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	s := sampleApp(t, "T="+build(t))
	out := s.must(t, 1, `"$T" ./...`)
	same(t, "by itself", findings(out.stderr), want)
	out = s.must(t, 1, documented(t, vetPage, `go vet -vettool="$T" ./...`))
	same(t, "go vet", findings(out.stderr), want)

	t.Run("flags", func(t *testing.T) {
		// Other flags are other results, of all dependencies too: without net/http these
		// are half as many.
		s := sampleApp(t, s.env...)
		var want = without(want, func(f string) bool { return strings.HasPrefix(f, "more/") || strings.HasPrefix(f, "retry/") })
		for _, name := range []string{"more", "retry"} {
			if err := os.RemoveAll(filepath.Join(s.dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		out := s.must(t, 1, documented(t, vetPage, `go vet -vettool="$T" -silentdefault ./...`))
		same(t, "one check", findings(out.stderr), without(want, func(f string) bool { return !strings.HasSuffix(f, " silentdefault") }))
		out = s.must(t, 1, documented(t, vetPage, `go vet -vettool="$T" -silentdefault=false -lossyutf8=false ./...`))
		same(t, "without two checks", findings(out.stderr), without(want, func(f string) bool {
			return strings.HasSuffix(f, " silentdefault") || strings.HasSuffix(f, " lossyutf8")
		}))
		out = s.must(t, 1, documented(t, vetPage, `go vet -vettool="$T" -perchunkdecode.tests ./...`))
		if !strings.Contains(strings.Join(findings(out.stderr), "\n"), "agent/agent_test.go:19 perchunkdecode") {
			t.Errorf("nothing in the test file: %s", out.stderr)
		}
		out = s.must(t, 1, documented(t, vetPage, `GOFLAGS=-perchunkdecode.generated go vet -vettool="$T" ./...`))
		if !strings.Contains(strings.Join(findings(out.stderr), "\n"), "agent/zz_generated.go:17 perchunkdecode") {
			t.Errorf("nothing in the generated file: %s", out.stderr)
		}
		if out := s.run(t, `go vet -vettool="$T" -nosuchflag ./...`); out.status == 0 {
			t.Error("an unknown flag passes")
		}
	})

	t.Run("json", func(t *testing.T) {
		out := s.must(t, 0, documented(t, vetPage, `go vet -vettool="$T" -json ./...`))
		same(t, "-json", jsonFindings(t, s.dir, out.stdout), want)
		out = s.must(t, 0, `"$T" -json ./...`)
		same(t, "-json by itself", jsonFindings(t, s.dir, out.stdout), want)
	})

	t.Run("fix", func(t *testing.T) {
		for _, form := range []struct{ diff, fix string }{
			{`go vet -vettool="$T" -fix -diff ./...`, `go vet -vettool="$T" -fix ./...`},
			{`go fix -fixtool="$T" -diff ./...`, `go fix -fixtool="$T" ./...`},
			{`"$T" -fix -diff ./...`, `"$T" -fix ./...`},
		} {
			s := sampleApp(t, s.env...)
			if !strings.HasPrefix(form.diff, `"`) {
				documented(t, vetPage, form.diff)
				documented(t, vetPage, form.fix)
			}
			before := read(t, s.dir, "agent/agent.go")
			out := s.run(t, form.diff)
			if out.status != 1 || !strings.Contains(out.stdout, "+	if err := json.Unmarshal(data, &s); err != nil {") {
				t.Errorf("%s: status %d\n%s%s", form.diff, out.status, out.stdout, out.stderr)
			}
			if read(t, s.dir, "agent/agent.go") != before {
				t.Errorf("%s changed a file", form.diff)
			}
			s.run(t, form.fix) // its status is told on the page: it says nothing of what is left
			if read(t, s.dir, "agent/agent.go") == before {
				t.Errorf("%s changed nothing", form.fix)
			}
			s.must(t, 0, "go build ./...")
			for _, f := range findings(s.must(t, 1, `"$T" ./...`).stderr) {
				if strings.HasPrefix(f, "agent/agent.go:22 ") {
					t.Errorf("%s left %s", form.fix, f)
				}
			}
		}
	})

	t.Run("workspace", func(t *testing.T) {
		ws := shell{filepath.Dir(s.dir), s.env}
		ws.must(t, 0, "go work init ./app ./app/dep")
		out := ws.must(t, 1, documented(t, vetPage, `go vet -vettool="$T" work`))
		var got []string
		for _, f := range findings(out.stderr) {
			got = append(got, strings.TrimPrefix(f, "app/"))
		}
		same(t, "go vet work", got, want)
	})

	// What the page warns of: an empty value runs Go's own vet, which finds nothing.
	out = s.run(t, `go vet -vettool= ./...`)
	if out.status != 0 {
		t.Errorf("an empty -vettool no longer passes (%d): the warning on the page is out of date", out.status)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// jsonFindings gives the findings in the output of -json: objects by package and check.
func jsonFindings(t *testing.T, dir, text string) []string {
	t.Helper()
	var lines []string
	for dec := json.NewDecoder(strings.NewReader(text)); ; {
		var part map[string]map[string][]struct{ Posn, Message string }
		if err := dec.Decode(&part); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, checks := range part {
			for check, all := range checks {
				for _, d := range all {
					if !strings.HasPrefix(d.Message, check+": ") {
						t.Errorf("%s says %q", check, d.Message)
					}
					rel, err := filepath.Rel(dir, strings.SplitN(d.Posn, ":", 2)[0])
					if err != nil {
						t.Fatal(err)
					}
					lines = append(lines, rel+":"+strings.SplitN(d.Posn, ":", 2)[1]+": "+d.Message)
				}
			}
		}
	}
	return findings(strings.Join(lines, "\n"))
}
