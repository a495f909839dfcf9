package driver

import (
	"bytes"
	"os"
	"sort"
	"unicode/utf8"
)

// sources reads the files that findings are about, each once. A file that cannot
// be read is empty: what is said of it stands without its text.
type sources struct {
	files map[string]*source
}

type source struct {
	text  []byte
	lines []int // offset of each line's first byte
}

func newSources() *sources { return &sources{files: make(map[string]*source)} }

func (s *sources) file(name string) *source {
	if f := s.files[name]; f != nil {
		return f
	}
	text, err := os.ReadFile(name)
	if err != nil {
		text = nil
	}
	f := &source{text: text, lines: []int{0}}
	for i, b := range text {
		if b == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	s.files[name] = f
	return f
}

// line gives the text of a line, counted from 1, without its end.
func (f *source) line(n int) []byte {
	if n < 1 || n > len(f.lines) {
		return nil
	}
	end := len(f.text)
	if n < len(f.lines) {
		end = f.lines[n] - 1
	}
	return bytes.TrimSuffix(f.text[f.lines[n-1]:end], []byte("\r"))
}

// position gives line and column, in bytes, of an offset.
func (f *source) position(offset int) (line, column int) {
	line = sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
	return line, offset - f.lines[line-1] + 1
}

// utf16Column turns a column that counts bytes from 1 into one that counts UTF-16
// code units from 1. Where the text is not known it is as good as the other.
func (f *source) utf16Column(line, column int) int {
	text := f.line(line)
	if column < 1 || column-1 > len(text) {
		return column
	}
	units := 1
	for i := 0; i < column-1; {
		r, size := utf8.DecodeRune(text[i:])
		units++
		if r > 0xFFFF {
			units++
		}
		i += size
	}
	return units
}
