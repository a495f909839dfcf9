// Package modelcheck compares the tables of package model with the libraries
// they speak of: does every name exist at the version the line gives, under the
// name the linter will see, with arguments, results and fields of the kind the
// line says. It is a module of its own, so that nobody who uses streamlint has
// those libraries in a go.sum.
//
// To add a library: write its lines, its module in mods.go and its packages in
// imports.go, run go mod tidy and then go test here.
package modelcheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// listed is what is used of an answer of "go list -json".
type listed struct {
	ImportPath string
	Dir        string
	Standard   bool
	GoFiles    []string
	ImportMap  map[string]string
	Module     *struct {
		Path    string
		Version string
		Replace *struct{ Path, Version string }
	}
}

// mod gives the module as the tables write it: "path@version", or "std".
func (p *listed) mod() string {
	switch {
	case p.Standard:
		return "std"
	case p.Module == nil:
		return ""
	case p.Module.Replace != nil && p.Module.Replace.Version != "":
		return p.Module.Replace.Path + "@" + p.Module.Replace.Version
	}
	return p.Module.Path + "@" + p.Module.Version
}

// library is the declarations of a set of packages and of what they import.
// They are read from source with function bodies left out: compiling the same
// packages for their export data would cost minutes, this costs seconds.
type library struct {
	fset   *token.FileSet
	listed map[string]*listed
	typed  map[string]*types.Package
	// errs holds what the type checker said of a package; wanted or not is the
	// caller's to decide.
	errs map[string][]error
}

// load asks the go command for the packages named by args and everything under
// them, with a Go experiment or "". The test's own environment decides the
// platform; cgo is off, because a file that needs it has no plain source.
func load(experiment string, args ...string) (*library, error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-e",
		"-json=ImportPath,Dir,Standard,GoFiles,ImportMap,Module"}, args...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOEXPERIMENT="+experiment)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %v\n%s", err, stderr.Bytes())
	}
	l := &library{
		fset:   token.NewFileSet(),
		listed: make(map[string]*listed),
		typed:  map[string]*types.Package{"unsafe": types.Unsafe},
		errs:   make(map[string][]error),
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return l, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		l.listed[p.ImportPath] = p
	}
}

// importer resolves the imports of one package: a vendored path of the standard
// library has another name than the one written in the file.
type importer struct {
	l *library
	p *listed
}

func (i importer) Import(path string) (*types.Package, error) {
	if mapped, ok := i.p.ImportMap[path]; ok {
		path = mapped
	}
	return i.l.check(path)
}

// check gives the declarations of a package.
func (l *library) check(path string) (*types.Package, error) {
	if pkg, ok := l.typed[path]; ok {
		if pkg == nil {
			return nil, fmt.Errorf("import cycle through %s", path)
		}
		return pkg, nil
	}
	p, ok := l.listed[path]
	if !ok || len(p.GoFiles) == 0 {
		return nil, fmt.Errorf("no package %s", path)
	}
	l.typed[path] = nil
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(l.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			l.errs[path] = append(l.errs[path], err)
		}
		if f != nil {
			files = append(files, f)
		}
	}
	conf := types.Config{
		Importer:         importer{l, p},
		IgnoreFuncBodies: true,
		Sizes:            types.SizesFor("gc", "amd64"),
		Error: func(err error) {
			// Without bodies most imports look unused; that is no fault.
			var terr types.Error
			if errors.As(err, &terr) && terr.Soft {
				return
			}
			l.errs[path] = append(l.errs[path], err)
		},
	}
	pkg, _ := conf.Check(path, l.fset, files, nil)
	l.typed[path] = pkg
	return pkg, nil
}
