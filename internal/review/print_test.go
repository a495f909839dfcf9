package review

import (
	"bytes"
	"strings"
	"testing"

	"github.com/streamlint/streamlint/internal/gitdiff"
)

// What comes from the source must not become markup, a mention or a reference.
func TestMarkdownEscapes(t *testing.T) {
	r := &Report{
		Rows: []Row{{
			Class: Revert, File: "a`|b/@c.go", Status: "modified", Function: "F[T]", New: Lines{3, 4},
			Reasons: []Reason{{Class: Revert, Kind: "finding", Check: "x", Line: 4, URL: "https://example.com/x",
				Why: "*bold* _it_ `code` [l](u) | <b> @you #12 &amp; https://evil.example ~~s~~ \\"}},
		}},
		Notes:    []string{"n @all"},
		Problems: []string{"# pkg\nfile.go:1: bad | thing"},
	}
	var b bytes.Buffer
	if err := PrintMarkdown(&b, r); err != nil {
		t.Fatal(err)
	}
	want := "### streamlint review\n\n1 to revert, 0 to test, 0 to trust; not all of it could be checked\n\n" +
		"| | place | why |\n| --- | --- | --- |\n" +
		"| **revert** | `` a`\\|b/@c.go:3-4 ``<br>in `F[T]`, line 4 | [x](https://example.com/x): " +
		"\\*bold\\* \\_it\\_ \\`code\\` \\[l\\](u) \\| &lt;b&gt; &#64;you &#35;12 &amp;amp; https&#58;//evil.example \\~\\~s\\~\\~ \\\\ |\n" +
		"\n- n &#64;all\n- &#35; pkg file.go:1: bad \\| thing\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// However odd the text, a row stays one row of three cells.
func FuzzMarkdown(f *testing.F) {
	f.Add("a.go", "why | `x`\n", "F")
	f.Add("a`b|\r\n.go", "\\", "")
	f.Fuzz(func(t *testing.T, file, why, fn string) {
		r := &Report{Rows: []Row{{Class: Test, File: file, Function: fn, New: Lines{1, 1}, Reasons: []Reason{{Class: Test, Kind: "k", Why: why, URL: "u"}}}}}
		var b bytes.Buffer
		if err := PrintMarkdown(&b, r); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(b.String(), "\n")
		if len(lines) != 8 || lines[7] != "" {
			t.Fatalf("%d lines: %q", len(lines), b.String())
		}
		bars := 0
		for i := 0; i < len(lines[6]); i++ {
			switch lines[6][i] {
			case '\\':
				i++
			case '|':
				bars++
			}
		}
		if bars != 4 {
			t.Fatalf("%d bars: %q", bars, lines[6])
		}
	})
}

func TestGroups(t *testing.T) {
	hunk := func(old, oldLines, new, newLines int) gitdiff.Hunk {
		return gitdiff.Hunk{Old: gitdiff.Range{Start: old, Lines: oldLines}, New: gitdiff.Range{Start: new, Lines: newLines}}
	}
	f := &gitdiff.File{Old: "a.go", New: "a.go", Hunks: []gitdiff.Hunk{
		hunk(1, 1, 1, 1),   // line 1
		hunk(8, 2, 7, 0),   // six lines on: one hunk to a reader
		hunk(20, 0, 19, 3), // far off
	}}
	gs := groups(f)
	if len(gs) != 2 {
		t.Fatalf("%d groups", len(gs))
	}
	old, new := gs[0].span()
	if old != (Lines{1, 9}) || new != (Lines{1, 7}) {
		t.Errorf("first group: %v %v", old, new)
	}
	old, new = gs[1].span()
	if old != (Lines{21, 20}) || new != (Lines{19, 21}) {
		t.Errorf("second group: %v %v", old, new)
	}
	for _, c := range []struct {
		lines    Lines
		new, old bool
	}{
		{Lines{1, 1}, true, true},
		{Lines{2, 6}, false, false}, // between the changes of a group nothing changed
		{Lines{7, 7}, false, false},
		{Lines{8, 8}, false, true},
		{Lines{2, 30}, false, true},
	} {
		if got := gs[0].touchesNew(c.lines); got != c.new {
			t.Errorf("touchesNew(%v) = %v", c.lines, got)
		}
		if got := gs[0].touchesOld(c.lines); got != c.old {
			t.Errorf("touchesOld(%v) = %v", c.lines, got)
		}
	}
}

func TestPassedOver(t *testing.T) {
	for name, want := range map[string]bool{
		"a.go": false, "x/a.go": false, "testdata/a.go": true, "x/testdata/y/a.go": true, "vendor/m/a.go": true,
		"_x/a.go": true, ".x/a.go": true, "x/_a.go": true, "x/.a.go": true, "x/vendor.go": false, "x/testdata.go": false,
	} {
		if got := passedOver(name); got != want {
			t.Errorf("passedOver(%q) = %v", name, got)
		}
	}
}
