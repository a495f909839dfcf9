package driver

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// The forms in which findings can be had.
const (
	formatText       = "text"
	formatJSON       = "json"
	formatSARIF      = "sarif"
	formatGitHub     = "github"
	formatGitLab     = "gitlab"
	formatCheckstyle = "checkstyle"
)

func formatNames() []string {
	return []string{formatText, formatJSON, formatSARIF, formatGitHub, formatGitLab, formatCheckstyle}
}

// formatFlag is -format.
type formatFlag string

func (f *formatFlag) String() string { return string(*f) }

func (f *formatFlag) Set(s string) error {
	if !slices.Contains(formatNames(), s) {
		return fmt.Errorf("want %s", strings.Join(formatNames(), ", "))
	}
	*f = formatFlag(s)
	return nil
}

// document is what a format makes a text of.
type document struct {
	tool      toolInfo
	analyzers []*analysis.Analyzer // that ran
	findings  []Finding            // with fingerprints
	problems  []string
	root      string // absolute; file names are given relative to it
	src       *sources
}

// toolInfo describes the program.
type toolInfo struct {
	name, version, url string
}

// write writes a document in a format other than text.
func (d *document) write(w io.Writer, format string) error {
	switch format {
	case formatSARIF:
		return d.writeSARIF(w)
	case formatGitHub:
		return d.writeGitHub(w)
	case formatGitLab:
		return d.writeGitLab(w)
	case formatCheckstyle:
		return d.writeCheckstyle(w)
	}
	return PrintJSON(w, d.findings)
}

// text is a finding's message without the name of its check, which all formats but
// text give a place of its own.
func (f *Finding) text() string { return strings.TrimPrefix(f.Message, f.Analyzer+": ") }

// name gives a file's name relative to the root, with slashes, and whether it lies
// below the root; other names stay absolute.
func (d *document) name(file string) (string, bool) {
	rel, err := filepath.Rel(d.root, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(file), false
	}
	return filepath.ToSlash(rel), true
}

// repositoryRoot gives the directory that code hosts name files by: the nearest one
// that is a git work tree, or dir where there is none.
func repositoryRoot(dir string) string {
	for at := dir; ; {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}

// byFile groups findings, which are sorted by file, for formats that name a file
// once.
func byFile(findings []Finding) [][]Finding {
	var out [][]Finding
	for len(findings) > 0 {
		n := slices.IndexFunc(findings, func(f Finding) bool { return f.Pos.Filename != findings[0].Pos.Filename })
		if n < 0 {
			n = len(findings)
		}
		out = append(out, findings[:n])
		findings = findings[n:]
	}
	return out
}
