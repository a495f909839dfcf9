package driver

import (
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// PrintText writes findings as go vet does, one "file:line:col: message" line
// each and one for every related place. File names are relative to dir where
// that is shorter. With context >= 0 the lines of the source in question, and
// that many around them, follow each place.
func PrintText(w io.Writer, st style, dir string, context int, findings []Finding) {
	for _, f := range findings {
		message := f.Message
		if rest, ok := strings.CutPrefix(message, f.Analyzer+":"); ok {
			message = st.alarm(f.Analyzer+":") + rest
		}
		printPlace(w, st.strong, dir, context, f.Pos, f.End, message)
		for _, r := range f.Related {
			printPlace(w, st.faint, dir, context, r.Pos, r.End, "\t"+r.Message)
		}
	}
}

func printPlace(w io.Writer, mark func(string) string, dir string, context int, pos, end token.Position, message string) {
	name := pos.Filename
	pos.Filename = shortPath(dir, name)
	fmt.Fprintf(w, "%s %s\n", mark(pos.String()+":"), message)
	if context < 0 || !pos.IsValid() {
		return
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return // the place is told; its text is gone
	}
	lines := strings.Split(string(src), "\n")
	last := max(pos.Line, end.Line) + context
	for i := max(1, pos.Line-context); i <= last && i <= len(lines); i++ {
		fmt.Fprintf(w, "%d\t%s\n", i, lines[i-1])
	}
}

func shortPath(dir, name string) string {
	if rel, err := filepath.Rel(dir, name); err == nil && len(rel) < len(name) {
		return rel
	}
	return name
}

// The JSON form is the one of go vet -json: package path -> analyzer ->
// findings, with absolute file names and byte offsets.
type (
	jsonFinding struct {
		Category string        `json:"category,omitempty"`
		Posn     string        `json:"posn"`
		End      string        `json:"end"`
		Message  string        `json:"message"`
		Fixes    []jsonFix     `json:"suggested_fixes,omitempty"`
		Related  []jsonRelated `json:"related,omitempty"`
	}
	jsonRelated struct {
		Posn    string `json:"posn"`
		End     string `json:"end"`
		Message string `json:"message"`
	}
	jsonFix struct {
		Message string     `json:"message"`
		Edits   []jsonEdit `json:"edits"`
	}
	jsonEdit struct {
		Filename string `json:"filename"`
		Start    int    `json:"start"`
		End      int    `json:"end"`
		New      string `json:"new"`
	}
)

// PrintJSON writes all findings as one JSON object.
func PrintJSON(w io.Writer, findings []Finding) error {
	tree := make(map[string]map[string][]jsonFinding)
	for _, f := range findings {
		j := jsonFinding{
			Category: f.Category,
			Posn:     f.Pos.String(),
			End:      f.End.String(),
			Message:  f.Message,
		}
		for _, r := range f.Related {
			j.Related = append(j.Related, jsonRelated{r.Pos.String(), r.End.String(), r.Message})
		}
		for _, fix := range f.Fixes {
			jf := jsonFix{Message: fix.Message, Edits: []jsonEdit{}}
			for _, e := range fix.Edits {
				jf.Edits = append(jf.Edits, jsonEdit{e.File, e.Start, e.End, e.New})
			}
			j.Fixes = append(j.Fixes, jf)
		}
		if tree[f.Package] == nil {
			tree[f.Package] = make(map[string][]jsonFinding)
		}
		tree[f.Package][f.Analyzer] = append(tree[f.Package][f.Analyzer], j)
	}
	data, err := json.MarshalIndent(tree, "", "\t")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
