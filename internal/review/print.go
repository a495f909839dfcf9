package review

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// PrintText writes a review for a terminal: a table with a line for each row, the
// page that tells more below each reason, and a summary.
func PrintText(w io.Writer, r *Report) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, row := range r.Rows {
		reason := &row.Reasons[0]
		fmt.Fprintf(tw, "%s\t%s\t%s\n", row.Class, row.place(), reason.label()+reason.Why+reason.notes()+more(&row))
		fmt.Fprintf(tw, "\t%s\t%s\n", row.where(), reason.URL)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if len(r.Rows) > 0 {
		fmt.Fprintln(w)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "note: %s\n", n)
	}
	_, err := fmt.Fprintf(w, "%s\n", r.Summary())
	return err
}

// Summary tells in a line what a review has found.
func (r *Report) Summary() string {
	if len(r.Rows) == 0 {
		return "no stream code in this change" + r.unchecked()
	}
	return fmt.Sprintf("%d to revert, %d to test, %d to trust", r.Count(Revert), r.Count(Test), r.Count(Trust)) + r.unchecked()
}

func (r *Report) unchecked() string {
	if len(r.Problems) == 0 {
		return ""
	}
	return "; not all of it could be checked"
}

// place names the row's lines, of the base's file where the change left none.
func (row *Row) place() string {
	if row.Status == "deleted" || row.New.Last < row.New.First {
		return row.oldName() + ":" + row.Old.String() + " (removed)"
	}
	return row.File + ":" + row.New.String()
}

func (row *Row) oldName() string {
	if row.OldFile != "" {
		return row.OldFile
	}
	return row.File
}

// where tells what else is to be known of the place.
func (row *Row) where() string {
	var parts []string
	if row.Function != "" {
		parts = append(parts, "in "+row.Function)
	}
	if line := row.line(); line != "" {
		parts = append(parts, line)
	}
	if row.OldFile != "" {
		parts = append(parts, "was "+row.OldFile)
	}
	return strings.Join(parts, ", ")
}

// line names the line that the first reason is about, where the row has several.
func (row *Row) line() string {
	r := &row.Reasons[0]
	if row.New.Last <= row.New.First || r.Removed || r.Elsewhere != "" {
		return ""
	}
	return fmt.Sprintf("line %d", r.Line)
}

func (l Lines) String() string {
	if l.Last <= l.First {
		return fmt.Sprint(l.First)
	}
	return fmt.Sprintf("%d-%d", l.First, l.Last)
}

// label is what stands in front of a reason: the check that found it, or what the
// code does.
func (r *Reason) label() string {
	name := r.Kind
	if r.Check != "" {
		name = r.Check
	}
	return name + ": "
}

func (r *Reason) notes() string {
	switch {
	case r.Elsewhere != "":
		return " [at " + r.Elsewhere + ", new with this change]"
	case r.InBase:
		return " [not new: the base has it too]"
	}
	return ""
}

// more names what the further reasons for a row's class are about.
func more(row *Row) string {
	n := 0
	var names []string
	for i := range row.Reasons[1:] {
		r := &row.Reasons[i+1]
		if r.Class != row.Class {
			continue
		}
		n++
		if name := strings.TrimSuffix(r.label(), ": "); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (and %d more: %s)", n, strings.Join(names, ", "))
}

// PrintMarkdown writes a review as a comment for a pull request. Text that comes
// from the source is escaped, so that it makes neither markup nor mentions.
func PrintMarkdown(w io.Writer, r *Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### streamlint review\n\n%s\n", escape(r.Summary()))
	if len(r.Rows) > 0 {
		b.WriteString("\n| | place | why |\n| --- | --- | --- |\n")
	}
	for _, row := range r.Rows {
		reason := &row.Reasons[0]
		place := code(row.place())
		if row.Function != "" {
			place += "<br>in " + code(row.Function)
		}
		if line := row.line(); line != "" {
			place += ", " + line
		}
		if row.OldFile != "" {
			place += "<br>was " + code(row.OldFile)
		}
		label := strings.TrimSuffix(reason.label(), ": ")
		fmt.Fprintf(&b, "| **%s** | %s | [%s](%s): %s |\n", row.Class, place, escape(label), reason.URL,
			escape(reason.Why+reason.notes()+more(&row)))
	}
	for i, n := range append(append([]string(nil), r.Notes...), r.Problems...) {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "- %s\n", escape(oneLine(n)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// escape keeps text from being taken for markup. A mention or a reference to an
// issue would notify people: those are broken up by an entity.
func escape(s string) string {
	var b strings.Builder
	for _, c := range s {
		switch c {
		case '\\', '`', '*', '_', '[', ']', '|', '~', '$', '!':
			b.WriteByte('\\')
			b.WriteRune(c)
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '@':
			b.WriteString("&#64;")
		case '#':
			b.WriteString("&#35;")
		case '\n', '\r':
			b.WriteByte(' ')
		default:
			b.WriteRune(c)
		}
	}
	return strings.ReplaceAll(b.String(), "://", "&#58;//") // no link but ours
}

// code writes a code span inside a table. A bar would end the cell there, and runs
// of backticks the span.
func code(s string) string {
	s = strings.Map(func(c rune) rune {
		if c < ' ' {
			return ' '
		}
		return c
	}, s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return fence + strings.ReplaceAll(s, "|", `\|`) + fence
}

// PrintJSON writes a review as one JSON object; the fields are those of Report.
func PrintJSON(w io.Writer, r *Report) error {
	type counts struct {
		Revert int `json:"revert"`
		Test   int `json:"test"`
		Trust  int `json:"trust"`
	}
	data, err := json.MarshalIndent(struct {
		Base    string `json:"base"`
		Summary counts `json:"summary"`
		*Report
	}{r.Base, counts{r.Count(Revert), r.Count(Test), r.Count(Trust)}, r}, "", "\t")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
