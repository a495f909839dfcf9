package driver

import (
	"os"
	"path/filepath"
	"testing"
)

func TestColumns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.go")
	text := "package p\r\n\tx := \"é😀\" + y\n\nlast 😀"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f := newSources().file(file)
	for n, want := range map[int]string{0: "", 1: "package p", 2: "\tx := \"é😀\" + y", 3: "", 4: "last 😀", 5: ""} {
		if got := string(f.line(n)); got != want {
			t.Errorf("line %d is %q, want %q", n, got, want)
		}
	}
	for _, c := range []struct{ line, column, want int }{
		{1, 1, 1},
		{2, 2, 2},   // x
		{2, 8, 8},   // é
		{2, 10, 9},  // behind it
		{2, 14, 11}, // behind 😀, two units
		{2, 18, 15}, // y
		{4, 10, 8},  // the end of the file
		{4, 99, 99}, // not there
		{9, 3, 3},
	} {
		if got := f.utf16Column(c.line, c.column); got != c.want {
			t.Errorf("column %d of line %d is %d, want %d", c.column, c.line, got, c.want)
		}
	}
	for offset, want := range map[int][2]int{0: {1, 1}, 10: {1, 11}, 11: {2, 1}, 12: {2, 2}, len(text): {4, 10}} {
		if line, column := f.position(offset); line != want[0] || column != want[1] {
			t.Errorf("offset %d is %d:%d, want %d:%d", offset, line, column, want[0], want[1])
		}
	}
}

func TestNoSource(t *testing.T) {
	f := newSources().file(filepath.Join(t.TempDir(), "gone.go"))
	if f.line(1) != nil || f.utf16Column(7, 5) != 5 {
		t.Error("a file that is not there has text")
	}
}
