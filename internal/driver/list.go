package driver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// listed is the part of "go list -json" the driver needs of a package.
type listed struct {
	ImportPath      string // with " [p.test]" behind it for a test variant: the package's ID
	Name            string
	Dir             string
	Export          string // file with the compiler's export data; "" when the package does not build
	Standard        bool
	DepOnly         bool
	ForTest         string
	Module          *listedModule
	CompiledGoFiles []string
	IgnoredGoFiles  []string
	IgnoredOther    []string `json:"IgnoredOtherFiles"`
	CFiles          []string
	CXXFiles        []string
	MFiles          []string
	HFiles          []string
	FFiles          []string
	SFiles          []string
	SwigFiles       []string
	SwigCXXFiles    []string
	SysoFiles       []string
	CgoFiles        []string
	Imports         []string
	ImportMap       map[string]string
	Error           *listedError
	DepsErrors      []*listedError
}

type listedModule struct {
	Path      string
	Version   string
	Main      bool
	GoVersion string
	Replace   *listedModule
	Error     *struct{ Err string }
}

type listedError struct {
	Pos string
	Err string
}

// listFields keeps the go command from printing what nobody reads: the
// transitive Deps alone would be several megabytes on a large module.
const listFields = "ImportPath,Name,Dir,Export,Standard,DepOnly,ForTest,Module," +
	"CompiledGoFiles,IgnoredGoFiles,IgnoredOtherFiles," +
	"CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,CgoFiles," +
	"Imports,ImportMap,Error,DepsErrors"

// path is the package path as the type checker knows it: the ID without the
// name of the test it was compiled for.
func (p *listed) path() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return path
}

// importID is the ID of the package that the package's files import as path.
// Vendoring and test variants are in the import map; what files made by cgo
// add is not, and needs none.
func (p *listed) importID(path string) string {
	if id, ok := p.ImportMap[path]; ok {
		return id
	}
	return path
}

// abs makes the names of files of the package absolute. Files made by cgo lie
// in the build cache and are absolute already.
func (p *listed) abs(lists ...[]string) []string {
	var out []string
	for _, names := range lists {
		for _, name := range names {
			if !filepath.IsAbs(name) {
				name = filepath.Join(p.Dir, name)
			}
			out = append(out, name)
		}
	}
	return out
}

// goFiles are the files the compiler reads. Those made by cgo lie in the build
// cache under names without an extension.
func (p *listed) goFiles() []string {
	var out []string
	for _, name := range p.abs(p.CompiledGoFiles) {
		if ext := filepath.Ext(name); ext == ".go" || ext == "" {
			out = append(out, name)
		}
	}
	return out
}

func (p *listed) otherFiles() []string {
	return p.abs(p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles)
}

func (p *listed) ignoredFiles() []string {
	return p.abs(p.IgnoredGoFiles, p.IgnoredOther)
}

// goVersion is the language version of the package as go vet passes it to a
// vettool; "" stands for the newest one known.
func (p *listed) goVersion() string {
	if p.Module == nil {
		return ""
	}
	if p.Module.GoVersion == "" {
		return "go1.16" // what the go command assumes of a module without a go line
	}
	return "go" + p.Module.GoVersion
}

// module describes the package's module with the three fields go vet fills.
func (p *listed) module() *analysis.Module {
	if p.Module == nil || p.Module.Error != nil || p.Module.Path == "" {
		return nil
	}
	return &analysis.Module{Path: p.Module.Path, Version: p.Module.Version, GoVersion: p.goVersion()}
}

// listing is everything one call of the go command told.
type listing struct {
	byID  map[string]*listed
	roots []*listed // packages to check, each after the ones it imports
	empty []string  // named packages without files to check, such as those that are tests only
}

// list asks the go command for the packages the patterns name and all they
// depend on. The one call also compiles what the build cache lacks.
func list(ctx context.Context, cfg *Config) (*listing, error) {
	args := []string{"list", "-e", "-json=" + listFields, "-deps", "-export", "-compiled"}
	if cfg.Tests {
		args = append(args, "-test")
	}
	args = append(args, cfg.BuildFlags...)
	args = append(args, "--")
	args = append(args, cfg.Patterns...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = cfg.Dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var all []*listed
	dec := json.NewDecoder(stdout)
	var decodeErr error
	for {
		p := new(listed)
		if decodeErr = dec.Decode(p); decodeErr != nil {
			break
		}
		all = append(all, p)
	}
	if decodeErr != io.EOF {
		_, _ = io.Copy(io.Discard, stdout) // lets the command end; its own error tells more
	}
	if err := cmd.Wait(); err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			return nil, errors.New(text)
		}
		return nil, fmt.Errorf("go list: %w", err)
	}
	if decodeErr != io.EOF {
		return nil, fmt.Errorf("go list: %w", decodeErr)
	}
	return arrange(all), nil
}

// arrange picks the packages to check. As under go vet, a package compiled
// together with its in-package tests stands for the plain one, so that no
// file is looked at twice.
func arrange(all []*listed) *listing {
	l := &listing{byID: make(map[string]*listed, len(all))}
	replaced := make(map[string]bool)
	for _, p := range all {
		l.byID[p.ImportPath] = p
		if !p.DepOnly && p.ForTest != "" && p.path() == p.ForTest {
			replaced[p.ForTest] = true
		}
	}
	for _, p := range all {
		switch {
		case p.DepOnly, replaced[p.ImportPath]:
		case p.Name == "main" && strings.HasSuffix(p.path(), ".test") && l.byID[strings.TrimSuffix(p.path(), ".test")] != nil:
			// The test binary's generated main holds nothing of the user's.
		case p.ImportPath == "unsafe":
		case len(p.CompiledGoFiles) == 0 && p.Error == nil && len(p.DepsErrors) == 0:
			l.empty = append(l.empty, p.ImportPath)
		default:
			l.roots = append(l.roots, p)
		}
	}
	return l
}
