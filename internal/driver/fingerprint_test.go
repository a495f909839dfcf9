package driver

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEnclosing(t *testing.T) {
	const src = `package p

import "fmt"

func plain() { fmt.Println(1) }

func (t T) value() { func() { fmt.Println(2) }() }

func (t *T) pointer() { fmt.Println(3) }

func (t *G[K, V]) generic() { fmt.Println(4) }

func (G1[K]) generic1() { fmt.Println(5) }

func (*(T)) odd() { fmt.Println(6) }

var a, b = func() int { fmt.Println(7); return 1 }(), 2

var (
	c = 8
	d = fmt.Sprint(8)
)

type T struct{ f [9]int }
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pos := func(text string) token.Pos { return f.FileStart + token.Pos(strings.Index(src, text)) }
	for text, want := range map[string]string{
		"Println(1)": "plain",
		"Println(2)": "T.value",
		"Println(3)": "(*T).pointer",
		"Println(4)": "(*G).generic",
		"Println(5)": "G1.generic1",
		"Println(6)": "(*T).odd",
		"Println(7)": "var a",
		"Sprint(8)":  "var d",
		"[9]int":     "type T",
		`"fmt"`:      "",
		"package":    "",
	} {
		if got := enclosing([]*ast.File{f}, pos(text)); got != want {
			t.Errorf("%s is in %q, want %q", text, got, want)
		}
	}
	if got := enclosing(nil, pos("Println(1)")); got != "" {
		t.Errorf("no files: %q", got)
	}
}

// A fingerprint stays when lines move and when the layout changes; it changes with
// the check, the file, the function and the text, and with nothing else.
func TestFingerprint(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	a := write("a.go", "use(x)\nuse(x)\nuse(y)\n")
	moved := write("b.go", "// new\n\n\tuse(x)  \n\tuse(x)\n\tuse(y)\n")
	find := func(file string, line int, change func(*Finding)) Finding {
		f := Finding{Package: "m/p", Analyzer: "check", Function: "F", Message: "says", Pos: token.Position{Filename: file, Line: line, Column: 1}}
		if change != nil {
			change(&f)
		}
		return f
	}
	prints := func(fs ...Finding) []string {
		fingerprint(fs, newSources())
		var out []string
		for _, f := range fs {
			out = append(out, f.Fingerprint)
		}
		return out
	}
	before := prints(find(a, 1, nil), find(a, 2, nil), find(a, 3, nil))
	if before[0] == before[1] || before[1] == before[2] || len(before[0]) != 32 {
		t.Errorf("not told apart: %q", before)
	}
	if err := os.Rename(moved, a); err != nil {
		t.Fatal(err)
	}
	after := prints(find(a, 3, nil), find(a, 4, nil), find(a, 5, nil))
	for i := range before {
		if before[i] != after[i] {
			t.Errorf("finding %d changed from %s to %s by moving", i, before[i], after[i])
		}
	}
	if got := prints(find(a, 3, func(f *Finding) { f.Message = "says better"; f.Pos.Column = 5 })); got[0] != before[0] {
		t.Error("it changed with the message or the column")
	}
	for name, change := range map[string]func(*Finding){
		"check":    func(f *Finding) { f.Analyzer = "other" },
		"package":  func(f *Finding) { f.Package = "m/q" },
		"function": func(f *Finding) { f.Function = "G" },
	} {
		if got := prints(find(a, 3, change)); got[0] == before[0] {
			t.Errorf("it stayed though the %s changed", name)
		}
	}
}

func TestHome(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("go.mod", "// a module\nmodule \"example.test/m\" // its name\n\ngo 1.25\n")
	write("sub/go.mod", "module example.test/sub\n")
	for _, c := range []struct{ pkg, file, want string }{
		{"example.test/p", write("a/b/c.go", ""), "example.test/p"},
		{filesPackage, write("c.go", ""), "example.test/m"},
		{filesPackage, write("a/b/c.go", ""), "example.test/m/a/b"},
		{filesPackage, write("sub/x/c.go", ""), "example.test/sub/x"},
		{filesPackage, "/nowhere/c.go", filesPackage},
	} {
		if got := home(c.pkg, c.file); got != c.want {
			t.Errorf("home of %s in %s is %s, want %s", c.file, c.pkg, got, c.want)
		}
	}
}
