package driver

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/streamlint/streamlint/internal/nearest"
)

// hintedFlag adds to an error about an unknown flag the one that may be meant.
func hintedFlag(text string, fs *flag.FlagSet) string {
	name, ok := strings.CutPrefix(text, "flag provided but not defined: -")
	if !ok {
		return text
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if n := nearest.Name(name, names); n != "" {
		return fmt.Sprintf("%s; did you mean -%s?", text, n)
	}
	return text
}

// unknownName says that there is no check or command of a name.
func (c *Command) unknownName(name string) string {
	var names []string
	for _, a := range c.Analyzers {
		names = append(names, a.Name)
	}
	for _, w := range c.words() {
		names = append(names, w.name)
	}
	text := fmt.Sprintf("no check is called %q", name)
	if n := nearest.Name(name, names); n != "" {
		text += fmt.Sprintf("; did you mean %s?", n)
	}
	return text
}

// missingDirectory looks for a pattern that names a directory which does not exist,
// and says so with the one that may be meant. The go command would say the first
// half, with less to go by.
func missingDirectory(patterns []string) string {
	for _, p := range patterns {
		dir := filepath.FromSlash(strings.TrimSuffix(p, "/..."))
		if !isLocal(p) || strings.Contains(dir, "...") || strings.HasSuffix(dir, ".go") {
			continue
		}
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		text := p + ": directory not found"
		entries, _ := os.ReadDir(filepath.Dir(dir))
		var names []string
		for _, e := range entries {
			if e.IsDir() {
				names = append(names, e.Name())
			}
		}
		if n := nearest.Name(filepath.Base(dir), names); n != "" {
			near := filepath.ToSlash(filepath.Join(filepath.Dir(dir), n))
			if !isLocal(near) {
				near = "./" + near
			}
			text += fmt.Sprintf("; did you mean %s?", near)
		}
		return text
	}
	return ""
}

func isLocal(pattern string) bool {
	return strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../") || filepath.IsAbs(pattern)
}

// hinted adds to a problem with a package that is not there what may be meant: a
// directory without its "./", or a command.
func (k *check) hinted(problem string) string {
	for _, p := range k.cfg.Patterns {
		if isLocal(p) || !strings.Contains(problem, "package "+p+" is not in std") {
			continue
		}
		if info, err := os.Stat(filepath.FromSlash(p)); err == nil && info.IsDir() {
			return fmt.Sprintf("%s; did you mean ./%s?", problem, p)
		}
		var words []string
		for _, w := range k.words() {
			words = append(words, w.name)
		}
		if n := nearest.Name(p, words); n != "" {
			return fmt.Sprintf("%s; did you mean the command %s?", problem, n)
		}
	}
	return problem
}
