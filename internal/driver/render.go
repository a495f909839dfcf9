package driver

import (
	"regexp"
	"strings"
)

var (
	markdownLink = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	tableRule    = regexp.MustCompile(`^\|[\s:|-]+\|$`)
)

const pageWidth = 80

// render lays a check's page, Markdown as the repository shows it, out for a
// terminal: code is indented, tables become lists of terms, and the marks of
// links and inline code are dropped. Text that is plain already stays as it is.
func render(page string) string {
	var out strings.Builder
	fenced := false
	lines := strings.Split(strings.TrimSpace(page), "\n")
	for i, line := range lines {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "```"):
			fenced = !fenced
		case fenced:
			if line != "" {
				line = "    " + strings.ReplaceAll(line, "\t", "    ")
			}
			out.WriteString(line + "\n")
		case strings.HasPrefix(line, "#"):
			out.WriteString(strings.ToUpper(plain(strings.TrimLeft(line, "# "))) + "\n")
		case strings.HasPrefix(trimmed, "|"):
			header := i+1 < len(lines) && tableRule.MatchString(strings.TrimSpace(lines[i+1]))
			if !header && !tableRule.MatchString(trimmed) {
				out.WriteString(tableRow(trimmed))
			}
		case strings.HasPrefix(line, "\t"):
			out.WriteString(strings.ReplaceAll(line, "\t", "    ") + "\n")
		default:
			out.WriteString(plain(line) + "\n")
		}
	}
	return out.String()
}

// plain drops the marks of links and inline code.
func plain(s string) string {
	return strings.ReplaceAll(markdownLink.ReplaceAllString(s, "$1"), "`", "")
}

// tableRow turns a row into a term and, indented below it, what the other
// cells say.
func tableRow(row string) string {
	cells := strings.Split(strings.Trim(row, "|"), "|")
	var out strings.Builder
	out.WriteString("  " + plain(strings.TrimSpace(cells[0])) + "\n")
	rest := make([]string, 0, len(cells))
	for _, c := range cells[1:] {
		rest = append(rest, plain(strings.TrimSpace(c)))
	}
	const indent = "      "
	line := indent
	for _, word := range strings.Fields(strings.Join(rest, "; ")) {
		if len(line)+1+len(word) > pageWidth && line != indent {
			out.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	if line != indent {
		out.WriteString(line + "\n")
	}
	return out.String()
}
