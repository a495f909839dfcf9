package driver

import (
	"encoding/json"
	"io"
)

// gitlabIssue is an entry of GitLab's Code Quality report.
type gitlabIssue struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
			End   int `json:"end,omitempty"`
		} `json:"lines"`
	} `json:"location"`
}

func (d *document) writeGitLab(w io.Writer) error {
	issues := []gitlabIssue{}
	for _, f := range d.findings {
		i := gitlabIssue{
			Description: f.Message, // the name of the check is shown nowhere else
			CheckName:   f.Analyzer,
			Fingerprint: f.Fingerprint,
			Severity:    "major",
		}
		i.Location.Path, _ = d.name(f.Pos.Filename)
		i.Location.Lines.Begin = max(f.Pos.Line, 1)
		if f.End.Line > f.Pos.Line && f.End.Filename == f.Pos.Filename {
			i.Location.Lines.End = f.End.Line
		}
		issues = append(issues, i)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(issues)
}
