package driver

import (
	"encoding/xml"
	"io"
)

type (
	checkstyle struct {
		XMLName xml.Name         `xml:"checkstyle"`
		Version string           `xml:"version,attr"`
		Files   []checkstyleFile `xml:"file"`
	}
	checkstyleFile struct {
		Name   string            `xml:"name,attr"`
		Errors []checkstyleError `xml:"error"`
	}
	checkstyleError struct {
		Line     int    `xml:"line,attr"`
		Column   int    `xml:"column,attr,omitempty"`
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
)

// checkstyleVersion is the version of Checkstyle whose form this is.
const checkstyleVersion = "4.3"

func (d *document) writeCheckstyle(w io.Writer) error {
	doc := checkstyle{Version: checkstyleVersion}
	for _, group := range byFile(d.findings) {
		var file checkstyleFile
		file.Name, _ = d.name(group[0].Pos.Filename)
		for _, f := range group {
			file.Errors = append(file.Errors, checkstyleError{
				Line:     max(f.Pos.Line, 1),
				Column:   d.src.file(f.Pos.Filename).utf16Column(f.Pos.Line, f.Pos.Column),
				Severity: "warning",
				Message:  f.text(),
				Source:   d.tool.name + "." + f.Analyzer,
			})
		}
		doc.Files = append(doc.Files, file)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
