package gitdiff

import (
	"strings"
	"testing"
)

// What git cannot print must be told and not guessed at.
func TestParseErrors(t *testing.T) {
	const head = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n"
	for name, text := range map[string]string{
		"no file":           "hello\n",
		"cut text":          head + "@@ -1,2 +1,0 @@\n-a\n",
		"context":           head + "@@ -1 +1 @@\n a\n-b\n+c\n",
		"wrong mark":        head + "@@ -1 +0,0 @@\n+a\n",
		"range":             head + "@@ -x +1 @@\n",
		"line 0":            head + "@@ -0,1 +1,0 @@\n-a\n",
		"huge":              head + "@@ -1,99999999999 +1 @@\n",
		"backwards":         head + "@@ -5 +5 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n",
		"open header":       head + "@@ -1 +1\n-a\n+b\n",
		"no prefix":         "diff --git x x\nindex 1..2 100644\n--- x\n+++ x\n",
		"quote":             "diff --git a/x b/x\n--- \"a/x\n",
		"escape":            "diff --git a/x b/x\n--- \"a/\\9\"\n",
		"no name":           "diff --git a/x b/y\nold mode 1\nnew mode 2\n",
		"no name, then one": "diff --git a/x b/y\ndiff --git a/x b/x\n",
		"coloured":          "\x1b[1mdiff --git a/x b/x\x1b[m\n",
	} {
		if files, err := parse(strings.NewReader(text)); err == nil {
			t.Errorf("%s: %+v", name, files)
		}
	}
}

// Lines of a file that look like a diff are text.
func TestParseTextLikeDiff(t *testing.T) {
	text := "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n" +
		"@@ -1,2 +1,3 @@ func f() {\n--- a/y\n-@@ -1 +1 @@\n\\ No newline at end of file\n+++ b/y\n+diff --git a/z b/z\n+\\\n\\ No newline at end of file\n" +
		"diff --git a/q b/q\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/q\n@@ -0,0 +1 @@\n+" + strings.Repeat("x", 200_000)
	files, err := parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, &Diff{Files: files}, "modified x>x 1,2:1,3", "added >q 0,0:1,1")
}

func FuzzParse(f *testing.F) {
	f.Add("diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@ f\n-a\n-b\n+c\n\\ No newline at end of file\n")
	f.Add("diff --git \"a/\\303\\274\" \"b/\\303\\274\"\nold mode 100644\nnew mode 100755\n")
	f.Add("diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n")
	f.Add("diff --git a/x b/x\ndeleted file mode 160000\nindex 1..0\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-Subproject commit 1\n")
	f.Add("* Unmerged path x\ndiff --git a/x b/x\nBinary files a/x and b/x differ\n")
	f.Fuzz(func(t *testing.T, text string) {
		files, err := parse(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, f := range files {
			switch {
			case f.Old == "" && f.Status != Added, f.New == "" && f.Status != Deleted, f.Old == "" && f.New == "":
				t.Fatalf("%+v has no name", f)
			}
			shift, line := 0, 0
			for _, h := range f.Hunks {
				if h.Old.Lines < 0 || h.New.Lines < 0 || h.New.Start < line {
					t.Fatalf("%+v: hunk %+v out of order", f, h)
				}
				line = h.New.Start + h.New.Lines
				shift += h.Old.Lines - h.New.Lines
			}
			if f.Status == Added {
				continue
			}
			if old, ok := f.OldLine(line + 1); !ok || old != line+1+shift {
				t.Fatalf("%+v: line %d was %d", f, line+1, old)
			}
		}
	})
}
