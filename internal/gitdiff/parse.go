package gitdiff

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// parse reads what "git diff -U0 --src-prefix=a/ --dst-prefix=b/" prints. What it
// does not understand is an error: a line taken for the wrong thing would put
// changes where there are none.
func parse(r io.Reader) ([]File, error) {
	p := &parser{r: bufio.NewReaderSize(r, 64<<10)}
	for {
		line, err := p.line()
		if err == io.EOF {
			return p.files, p.finish()
		}
		if err != nil {
			return nil, err
		}
		if err := p.header(line); err != nil {
			return nil, fmt.Errorf("line %d of git's diff: %w", p.n, err)
		}
	}
}

type parser struct {
	r     *bufio.Reader
	n     int
	files []File
}

// line gives the next line without its end. A carriage return in front of it
// belongs to the text.
func (p *parser) line() (string, error) {
	s, err := p.r.ReadString('\n')
	if err != nil && (err != io.EOF || s == "") {
		return "", err
	}
	p.n++
	return strings.TrimSuffix(s, "\n"), nil
}

// skip reads a line of a hunk's text, which can be long, without keeping it, and
// gives its first byte.
func (p *parser) skip() (byte, error) {
	p.n++
	first := byte(0)
	for i := 0; ; i++ {
		part, err := p.r.ReadSlice('\n')
		if i == 0 && len(part) > 0 {
			first = part[0]
		}
		switch {
		case err == nil:
			return first, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case err == io.EOF && (i > 0 || len(part) > 0):
			return first, nil
		default:
			return 0, err
		}
	}
}

func (p *parser) header(line string) error {
	if rest, ok := strings.CutPrefix(line, "diff --git "); ok {
		if err := p.finish(); err != nil {
			return err
		}
		old, new := sameNames(rest)
		p.files = append(p.files, File{Old: old, New: new})
		return nil
	}
	if strings.HasPrefix(line, "* Unmerged path ") {
		return nil // the file's entry, if it has one, follows
	}
	if len(p.files) == 0 {
		return fmt.Errorf("unexpected %.80q", line)
	}
	f := &p.files[len(p.files)-1]
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "old", "similarity", "dissimilarity":
		return nil
	case "new":
		if mode, ok := strings.CutPrefix(rest, "file mode "); ok {
			f.Status, f.Submodule = Added, mode == "160000"
		}
		return nil
	case "deleted":
		f.Status, f.Submodule = Deleted, strings.HasSuffix(rest, "mode 160000")
		return nil
	case "index":
		f.Submodule = f.Submodule || strings.HasSuffix(rest, " 160000")
		return nil
	case "rename", "copy":
		return p.renamed(f, word, rest)
	case "Binary":
		f.Binary = true
		return nil
	case "---":
		return p.named(&f.Old, rest, "a/")
	case "+++":
		return p.named(&f.New, rest, "b/")
	case "@@":
		return p.hunk(f, rest)
	}
	return fmt.Errorf("unexpected %.80q", line)
}

func (p *parser) renamed(f *File, word, rest string) error {
	side, name, _ := strings.Cut(rest, " ")
	name, err := unquote(name)
	if err != nil {
		return err
	}
	switch side {
	case "from":
		f.Old = name
	case "to":
		f.New = name
	default:
		return fmt.Errorf("unexpected %s %.80q", word, rest)
	}
	if f.Status = Renamed; word == "copy" {
		f.Status = Added
	}
	return nil
}

// named takes a name from a "---" or "+++" line.
func (p *parser) named(name *string, text, prefix string) error {
	text, err := unquote(strings.TrimSuffix(text, "\t")) // git ends a name that holds a space with a tab
	if err != nil {
		return err
	}
	if text == "/dev/null" {
		return nil // the status says it
	}
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok || rest == "" {
		return fmt.Errorf("file name %.80q without %s", text, prefix)
	}
	*name = rest
	return nil
}

// finish completes the file that was read last.
func (p *parser) finish() error {
	if len(p.files) == 0 {
		return nil
	}
	f := &p.files[len(p.files)-1]
	if f.Old == "" && f.Status != Added || f.New == "" && f.Status != Deleted {
		return errors.New("git's diff does not name a file")
	}
	switch f.Status {
	case Added:
		f.Old = ""
	case Deleted:
		f.New = ""
	}
	return nil
}

func (p *parser) hunk(f *File, rest string) error {
	old, rest, _ := strings.Cut(rest, " ")
	new, rest, ok := strings.Cut(rest, " ")
	var h Hunk
	var err error
	if h.Old, err = parseRange(old, "-"); err != nil {
		return err
	}
	if h.New, err = parseRange(new, "+"); err != nil {
		return err
	}
	if !ok || !strings.HasPrefix(rest, "@@") {
		return errors.New("a hunk's header does not end")
	}
	if n := len(f.Hunks); n > 0 {
		last := f.Hunks[n-1]
		if h.Old.Start < last.Old.Start+last.Old.Lines || h.New.Start < last.New.Start+last.New.Lines {
			return errors.New("hunks overlap")
		}
	}
	for range h.Old.Lines {
		if err := p.text('-'); err != nil {
			return err
		}
	}
	if err := p.noNewline(); err != nil {
		return err
	}
	for range h.New.Lines {
		if err := p.text('+'); err != nil {
			return err
		}
	}
	if err := p.noNewline(); err != nil {
		return err
	}
	f.Hunks = append(f.Hunks, h)
	return nil
}

func (p *parser) text(mark byte) error {
	c, err := p.skip()
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	if err == nil && c != mark {
		err = fmt.Errorf("a hunk's line begins with %q, not with %q", c, mark)
	}
	return err
}

// noNewline reads the remark that a last line has no end.
func (p *parser) noNewline() error {
	next, err := p.r.Peek(1)
	if err != nil || next[0] != '\\' {
		return nil // an error shows again at the next read
	}
	_, err = p.skip()
	return err
}

func parseRange(s, mark string) (Range, error) {
	text, ok := strings.CutPrefix(s, mark)
	start, count, counted := strings.Cut(text, ",")
	if !counted {
		count = "1"
	}
	a, err1 := strconv.ParseUint(start, 10, 31)
	n, err2 := strconv.ParseUint(count, 10, 31)
	if !ok || err1 != nil || err2 != nil || a == 0 && n > 0 || a+n > 1<<31-1 {
		return Range{}, fmt.Errorf("%.40q is no range of lines", s)
	}
	return Range{int(a), int(n)}, nil
}

// sameNames takes the names from a "diff --git" line, which are told apart only
// if they are the same on both sides: then no other line need name them. A rename
// has lines of its own for that, and gets "" here.
func sameNames(s string) (old, new string) {
	a, b := "", ""
	if strings.HasPrefix(s, `"`) {
		first, rest, ok := quoted(s)
		if !ok || !strings.HasPrefix(rest, " ") {
			return "", ""
		}
		second, err := unquote(rest[1:])
		if err != nil {
			return "", ""
		}
		a, b = first, second
	} else if half := len(s) / 2; len(s)%2 == 1 && s[half] == ' ' {
		a, b = s[:half], s[half+1:]
	}
	a, okA := strings.CutPrefix(a, "a/")
	b, okB := strings.CutPrefix(b, "b/")
	if !okA || !okB || a != b {
		return "", ""
	}
	return a, b
}

// unquote undoes git's quoting of a name with unusual characters; other names are
// as they are.
func unquote(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	name, rest, ok := quoted(s)
	if !ok || rest != "" {
		return "", fmt.Errorf("%.80q is no quoted name", s)
	}
	return name, nil
}

// quoted reads one quoted name and gives what follows it. The escapes are C's:
// letters, and three octal digits for a byte.
func quoted(s string) (name, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; c {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			i++
			if i >= len(s) {
				return "", "", false
			}
			if j := strings.IndexByte(`abtnvfr"\`, s[i]); j >= 0 {
				b.WriteByte("\a\b\t\n\v\f\r\"\\"[j])
				continue
			}
			if i+3 > len(s) {
				return "", "", false
			}
			v, err := strconv.ParseUint(s[i:i+3], 8, 8)
			if err != nil {
				return "", "", false
			}
			b.WriteByte(byte(v))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}
