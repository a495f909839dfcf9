package driver

import (
	"fmt"
	"io"
	"strings"
)

// writeGitHub writes workflow commands, which GitHub Actions shows at the lines of
// a pull request. What explains a finding goes into its message.
func (d *document) writeGitHub(w io.Writer) error {
	for _, f := range d.findings {
		name, _ := d.name(f.Pos.Filename)
		var p strings.Builder
		fmt.Fprintf(&p, "file=%s,line=%d", property(name), max(f.Pos.Line, 1))
		src := d.src.file(f.Pos.Filename)
		lines := f.End.Filename == f.Pos.Filename && f.End.Line > f.Pos.Line
		switch {
		case lines: // columns go with one line only
			fmt.Fprintf(&p, ",endLine=%d", f.End.Line)
		case f.Pos.Column > 0:
			fmt.Fprintf(&p, ",col=%d", src.utf16Column(f.Pos.Line, f.Pos.Column))
			if f.End.Filename == f.Pos.Filename && f.End.Line == f.Pos.Line && f.End.Column > f.Pos.Column {
				fmt.Fprintf(&p, ",endLine=%d,endColumn=%d", f.End.Line, src.utf16Column(f.End.Line, f.End.Column))
			}
		}
		message := f.text()
		for _, r := range f.Related {
			at, _ := d.name(r.Pos.Filename)
			message += fmt.Sprintf("\n%s:%d: %s", at, r.Pos.Line, r.Message)
		}
		if f.URL != "" {
			message += "\n" + f.URL
		}
		if _, err := fmt.Fprintf(w, "::error %s,title=%s::%s\n", p.String(), property(d.tool.name+" "+f.Analyzer), commandData(message)); err != nil {
			return err
		}
	}
	return nil
}

// commandData escapes the text of a workflow command, so that it ends with its line.
func commandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property escapes a property, so that it does not end before its value does.
func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
