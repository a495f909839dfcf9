package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const page = "../../docs/companion.md"

// section is the part of the page about one check.
type section struct {
	check string
	// before and after are its Go blocks.
	before, after []string
}

// sections reads the page: a heading of level two that is one lower-case word names a
// check, a line that starts with "Before" or "After" says what the next blocks are.
func sections(t *testing.T) []section {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var all []section
	var current *section
	var blocks *[]string
	var block []string
	in := false
	for n, line := range strings.Split(string(text), "\n") {
		switch {
		case in && line == "```":
			in = false
			*blocks = append(*blocks, strings.Join(block, "\n"))
		case in:
			block = append(block, line)
		case line == "```go":
			if blocks == nil {
				t.Fatalf("%s:%d: a block that is neither before nor after", page, n+1)
			}
			in, block = true, nil
		case strings.HasPrefix(line, "## "):
			current, blocks = nil, nil
			if name := line[len("## "):]; name == strings.ToLower(name) && !strings.Contains(name, " ") {
				all = append(all, section{check: name})
				current = &all[len(all)-1]
			}
		case current != nil && strings.HasPrefix(line, "Before"):
			blocks = &current.before
		case current != nil && strings.HasPrefix(line, "After"):
			blocks = &current.after
		}
	}
	if len(all) == 0 || in {
		t.Fatalf("%s: no sections, or a block without an end", page)
	}
	return all
}

// TestPage: every block of the page is code of companion/before or companion/after,
// line by line, and so compiles; the findings say that one is wrong and the other not.
func TestPage(t *testing.T) {
	for _, s := range sections(t) {
		t.Run(s.check, func(t *testing.T) {
			if len(s.before) == 0 || len(s.after) == 0 {
				t.Error("the section lacks a block")
			}
			for _, b := range s.before {
				contains(t, filepath.Join("companion/before", s.check+".go"), b)
			}
			for _, b := range s.after {
				contains(t, filepath.Join("companion/after", s.check+".go"), b)
			}
		})
	}
}

// contains compares without the indentation of the block's first line.
func contains(t *testing.T, file, block string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(block, "\n")
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		indent, ok := strings.CutSuffix(line, want[0])
		if !ok || strings.Trim(indent, "\t") != "" || i+len(want) > len(lines) {
			continue
		}
		same := true
		for j, w := range want {
			if w != "" {
				w = indent + w
			}
			same = same && lines[i+j] == w
		}
		if same {
			return
		}
	}
	t.Errorf("%s does not hold\n%s", file, block)
}

// TestLinks: the page of each check, where its diagnostics point, sends people to a
// section of the companion that is there.
func TestLinks(t *testing.T) {
	there := map[string]bool{}
	for _, s := range sections(t) {
		there[s.check] = true
	}
	pages, err := filepath.Glob("../../docs/checks/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, p := range pages {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		check := strings.TrimSuffix(filepath.Base(p), ".md")
		if check == "directive" {
			continue // about comments to streamlint, not about streams
		}
		if !there[check] {
			t.Errorf("%s has no section for %s", page, check)
		}
		if !strings.Contains(string(text), "companion.md#"+check+")") {
			t.Errorf("%s does not link to %s#%s", p, page, check)
		}
		for rest := string(text); ; {
			_, link, ok := strings.Cut(rest, "companion.md#")
			if !ok {
				break
			}
			anchor, _, _ := strings.Cut(link, ")")
			if !there[anchor] {
				t.Errorf("%s links to %s, which is not there", p, anchor)
			}
			rest = link
		}
	}
}
