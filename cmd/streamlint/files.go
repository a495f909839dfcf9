package main

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/streamlint/streamlint/internal/driver"
)

const filesUsage = `Usage: streamlint files [-flag=value ...] FILE...

Checks the packages that the files belong to, as a commit hook wants it. Flags are
those of streamlint itself, a value always joined by "=".

A file that was deleted stands for what is left of its package. Left out are files
that are not Go, directories that "./..." leaves out (testdata, vendor, names that
begin with . or _), and packages that are not built here. With no file left there is
nothing to do, which is no error.
`

// filesCommand is "streamlint files": what hooks call with the names of the changed
// files.
func filesCommand(c *driver.Command) driver.Subcommand {
	return driver.Subcommand{
		Name:    "files",
		Summary: "check the packages that files belong to, for commit hooks",
		Run: func(ctx context.Context, args []string) int {
			if len(args) == 1 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
				fmt.Fprint(c.Stdout, filesUsage)
				return 0
			}
			flags, names, err := splitFiles(args)
			if err == nil {
				var groups []group
				if groups, err = packagesOf(names, flags); err == nil {
					return checkGroups(ctx, c, flags, groups)
				}
			}
			fmt.Fprintf(c.Stderr, "%s files: %v\n", c.Name, err)
			return 2
		},
	}
}

// splitFiles tells flags from names.
func splitFiles(args []string) (flags, names []string, err error) {
	for i, arg := range args {
		if arg == "--" {
			names = args[i+1:]
			break
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			names = args[i:]
			break
		}
		if name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "="); name == "C" {
			return nil, nil, errors.New("there is no -C here: names are taken from the current directory")
		}
		flags = append(flags, arg)
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".go") {
			continue
		}
		if _, err := os.Stat(name); err != nil {
			return nil, nil, fmt.Errorf("%s: no such file; a flag stands before the files and has its value after =", name)
		}
	}
	return flags, names, nil
}

// group holds the packages of one module.
type group struct {
	module   string   // the module's directory; "" is the module of the current one
	patterns []string // directories in the go command's notation
}

// packagesOf gives the packages of the files, module by module: one run of the go
// command sees one module.
func packagesOf(names, flags []string) ([]group, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	dirs := make(map[string]bool)
	for _, name := range names {
		if strings.HasSuffix(name, ".go") {
			abs, err := filepath.Abs(name)
			if err != nil {
				return nil, err
			}
			dirs[filepath.Dir(abs)] = true
		}
	}
	here := moduleOf(cwd)
	byModule := make(map[string][]string)
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		module := moduleOf(dir)
		if leftOut(cwd, dir) || leftOut(module, dir) || !built(dir, flags) {
			continue
		}
		from := module
		if module == here {
			module, from = "", cwd
		}
		rel, err := filepath.Rel(from, dir)
		if err != nil {
			return nil, err
		}
		pattern := filepath.ToSlash(rel)
		if pattern != "." && !strings.HasPrefix(pattern, "../") && pattern != ".." {
			pattern = "./" + pattern
		}
		byModule[module] = append(byModule[module], pattern)
	}
	var groups []group
	for _, module := range slices.Sorted(maps.Keys(byModule)) {
		groups = append(groups, group{module, byModule[module]})
	}
	return groups, nil
}

// moduleOf gives the directory of the module around a directory, "" outside of any.
func moduleOf(dir string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// leftOut reports whether "./..." in root would pass over a directory below it.
func leftOut(root, dir string) bool {
	rel, err := filepath.Rel(root, dir)
	if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return false
	}
	return slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), func(name string) bool {
		return name == "testdata" || name == "vendor" || name[0] == '.' || name[0] == '_'
	})
}

// built reports whether a directory holds a package for this system and these flags
// that is more than its tests, unless tests are asked for. What is wrong with a
// package otherwise is for the go command to tell.
func built(dir string, flags []string) bool {
	ctx := build.Default
	tests := false
	for _, flag := range flags {
		name, value, given := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		switch {
		case name == "tags":
			ctx.BuildTags = append(ctx.BuildTags, strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })...)
		case name == "test" || strings.HasSuffix(name, ".tests"):
			tests = tests || !given || value == "true" || value == "1"
		}
	}
	p, err := ctx.ImportDir(dir, 0)
	if no := new(build.NoGoError); errors.As(err, &no) || errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if _, statErr := os.Stat(dir); statErr != nil {
		return false
	}
	return err != nil || tests || len(p.GoFiles)+len(p.CgoFiles) > 0
}

// checkGroups runs the command on each module. The worst status counts.
func checkGroups(ctx context.Context, c *driver.Command, flags []string, groups []group) int {
	status := 0
	for _, g := range groups {
		args := slices.Clone(flags)
		if g.module != "" {
			// Names in the findings are relative to the module then.
			fmt.Fprintf(c.Stderr, "%s: in %s:\n", c.Name, g.module)
			args = append(args, "-C="+g.module)
		}
		args = append(args, "--")
		status = max(status, c.Main(ctx, append(args, g.patterns...)))
	}
	return status
}
