package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func edit(start, end int, text string) Edit {
	return Edit{File: "f.go", Start: start, End: end, New: text}
}

func TestPlan(t *testing.T) {
	locked := edit(0, 1, "x")
	locked.locked = true
	for _, c := range []struct {
		name             string
		fixes            [][]Edit
		applied, skipped int
		edits            int
	}{
		{"apart", [][]Edit{{edit(0, 2, "a")}, {edit(5, 6, "b")}}, 2, 0, 2},
		{"touching", [][]Edit{{edit(0, 2, "a")}, {edit(2, 4, "b")}}, 2, 0, 2},
		{"insertion at an edge", [][]Edit{{edit(2, 4, "a")}, {edit(4, 4, "b")}}, 2, 0, 2},
		{"overlapping", [][]Edit{{edit(0, 3, "a")}, {edit(2, 4, "b")}}, 1, 1, 1},
		{"insertion inside", [][]Edit{{edit(0, 3, "a")}, {edit(1, 1, "b")}}, 1, 1, 1},
		{"same insertion, as of an import", [][]Edit{{edit(1, 1, "a"), edit(5, 6, "b")}, {edit(1, 1, "a"), edit(8, 9, "c")}}, 2, 0, 3},
		{"different insertions at a point", [][]Edit{{edit(1, 1, "a")}, {edit(1, 1, "b")}}, 1, 1, 1},
		{"one edit of a fix in conflict", [][]Edit{{edit(0, 3, "a")}, {edit(9, 9, "b"), edit(2, 4, "b")}}, 1, 1, 1},
		{"locked", [][]Edit{{locked}, {edit(9, 9, "x"), locked}}, 0, 0, 0},
		{"empty", [][]Edit{nil}, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var fs []Finding
			for _, edits := range c.fixes {
				fs = append(fs, Finding{Fixes: []Fix{{Edits: edits}, {Edits: []Edit{edit(0, 100, "never the second")}}}})
			}
			fx := plan(append(fs, Finding{}))
			if fx.applied != c.applied || fx.skipped != c.skipped || len(fx.accepted["f.go"]) != c.edits {
				t.Errorf("applied %d, skipped %d, edits %v", fx.applied, fx.skipped, fx.accepted["f.go"])
			}
		})
	}
}

func TestFixFile(t *testing.T) {
	const src = "package p\n\nvar  x = 1 // one\n"
	file := filepath.Join(t.TempDir(), "f.go")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	at := strings.Index(src, "1")
	replace := Edit{File: file, Start: at, End: at + 1, New: "2", size: len(src)}
	before := Edit{File: file, Start: at, End: at, New: "-", size: len(src)}

	ch, err := fixFile(file, []Edit{replace, before})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(ch.fixed), "package p\n\nvar x = -2 // one\n"; got != want {
		t.Errorf("fixed to %q, want %q", got, want)
	}

	broken := replace
	broken.New = ")"
	if _, err := fixFile(file, []Edit{broken}); err == nil {
		t.Error("a fix that breaks the file was taken")
	}
	stale := replace
	stale.size++
	if _, err := fixFile(file, []Edit{stale}); err == nil {
		t.Error("a fix was taken although the file had changed")
	}
}
