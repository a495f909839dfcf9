package channels

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRecipes follows CONTRIBUTING.md to the letter in a copy of the checkout: the check
// it shows, with its page and tests, and the line for an SDK.
func TestRecipes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	page := read(t, root(t), "CONTRIBUTING.md")
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "README.md", "analyzers", "cmd", "docs", "internal"} {
		from := filepath.Join(root(t), name)
		to := filepath.Join(dir, name)
		if info, err := os.Stat(from); err != nil {
			t.Fatal(err)
		} else if info.IsDir() {
			if err := os.CopyFS(to, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(to, []byte(read(t, root(t), name)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := shell{dir, []string{"GOFLAGS=", "GOWORK=off"}}

	// Each file stands in a block below its name.
	block := regexp.MustCompile("(?ms)`([a-z/_]+\\.(?:go|md))`:\n\n(````?)[a-z]+\n(.*?)^````?$")
	files := 0
	for _, m := range block.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(m[1], "numberchunk") {
			continue
		}
		text := m[3]
		if m[2] == "````" { // holds blocks of its own
			_, rest, _ := strings.Cut(page, "````markdown\n")
			text, _, _ = strings.Cut(rest, "````\n")
		}
		file := filepath.Join(dir, m[1])
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		files++
	}
	if files != 4 {
		t.Fatalf("%d files of the example were found, want 4", files)
	}
	s.must(t, 0, `test -z "$(gofmt -l analyzers/numberchunk)"`)
	s.must(t, 0, "go vet ./analyzers/numberchunk && go test ./analyzers/numberchunk")

	// Into the command.
	line := regexp.MustCompile("`(numberchunk\\.Analyzer,)`").FindStringSubmatch(page)
	row := regexp.MustCompile("`(\\| \\[numberchunk\\].*)`").FindStringSubmatch(page)
	if line == nil || row == nil {
		t.Fatal("the page has no line for analyzers.go, or no row for the README")
	}
	insert(t, dir, "analyzers/analyzers.go", "\t\tpartialapply.Analyzer,\n", "\t\t"+line[1]+"\n")
	insert(t, dir, "analyzers/analyzers.go", "\t\"github.com/streamlint/streamlint/analyzers/partialapply\"\n",
		"\t\"github.com/streamlint/streamlint/analyzers/numberchunk\"\n")
	insert(t, dir, "README.md", "| [partialapply](", row[1]+"\n")
	s.must(t, 0, "go test -run 'TestAll|TestReadme' ./analyzers")

	// The line for an SDK, whose function no check knew before it.
	app := sampleApp(t)
	stub := filepath.Join(app.dir, "dep/you")
	for name, text := range map[string]string{
		filepath.Join(stub, "go.mod"):        "module github.com/you/codec\n\ngo 1.25.0\n",
		filepath.Join(stub, "codec.go"):      "package codec\n\n// Unmarshal is compiled elsewhere.\nvar decode func([]byte, any) error\n\nfunc Unmarshal(data []byte, v any) error { return decode(data, v) }\n",
		filepath.Join(app.dir, "sdk/sdk.go"): "package sdk\n\nimport (\n\t\"io\"\n\n\t\"github.com/you/codec\"\n)\n\nfunc Read(r io.Reader) (v map[string]any, err error) {\n\tbuf := make([]byte, 4096)\n\tn, err := r.Read(buf)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\terr = codec.Unmarshal(buf[:n], &v)\n\treturn v, err\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	app.must(t, 0, "go mod edit -require=github.com/you/codec@v1.2.0 -replace=github.com/you/codec=./dep/you")
	tool := filepath.Join(t.TempDir(), "streamlint")
	s.must(t, 0, "go build -o "+tool+" ./cmd/streamlint && "+tool+" help numberchunk")
	app.must(t, 0, tool+" -perchunkdecode ./sdk")
	entry := regexp.MustCompile(`(?m)^\{Func: "github.com/you/codec.*\},$`).FindString(page)
	if entry == "" {
		t.Fatal("the page has no line for an SDK")
	}
	insert(t, dir, "internal/model/decoders.go", "\t{Func: \"encoding/json.Unmarshal\"", "\t"+entry+"\n")
	s.must(t, 0, "go build -o "+tool+" ./cmd/streamlint")
	out := app.must(t, 1, tool+" -perchunkdecode ./sdk")
	if got := findings(out.stderr); !slices.Equal(got, []string{"sdk/sdk.go:15 perchunkdecode"}) {
		t.Errorf("after the line for the SDK: %v", got)
	}
}

// insert puts text in front of the first place of a file that begins with before.
func insert(t *testing.T, dir, name, before, text string) {
	t.Helper()
	old := read(t, dir, name)
	i := strings.Index(old, before)
	if i < 0 {
		t.Fatalf("%s has no %q", name, before)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(old[:i]+text+old[i:]), 0o666); err != nil {
		t.Fatal(err)
	}
}
