// Package sarif writes findings in the Static Analysis Results Interchange Format,
// version 2.1.0 (OASIS Standard, with errata 01). It knows the part of the format
// that a linter needs; the names are the standard's, section numbers are of it.
//
// The module schematest beside it holds whole logs against the published schema.
//
// What the types do not force is up to the caller: rule IDs must be unique, indices
// must be right, and lines and columns count from 1.
package sarif

import (
	"encoding/json"
	"io"
	"net/url"
)

// Version and Schema name the format in a log.
const (
	Version = "2.1.0"
	Schema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// Log is the whole file (3.13).
type Log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []Run  `json:"runs"`
}

// Run is one run of one tool (3.14).
type Run struct {
	Tool               Tool                        `json:"tool"`
	Invocations        []Invocation                `json:"invocations,omitempty"`
	OriginalURIBaseIDs map[string]ArtifactLocation `json:"originalUriBaseIds,omitempty"`
	ColumnKind         string                      `json:"columnKind"`
	Results            []Result                    `json:"results"` // [] says that nothing was found, and null that nothing was looked for
}

// UTF16 is the column kind of text whose columns count UTF-16 code units, which is
// what editors and code hosts assume.
const UTF16 = "utf16CodeUnits"

// Tool is what ran (3.18).
type Tool struct {
	Driver Component `json:"driver"`
}

// Component is the program (3.19).
type Component struct {
	Name            string `json:"name"`
	Version         string `json:"version,omitempty"`
	SemanticVersion string `json:"semanticVersion,omitempty"`
	InformationURI  string `json:"informationUri,omitempty"`
	Rules           []Rule `json:"rules"`
}

// Rule describes a kind of finding (3.49).
type Rule struct {
	ID               string         `json:"id"`
	ShortDescription *Text          `json:"shortDescription,omitempty"`
	FullDescription  *Text          `json:"fullDescription,omitempty"`
	HelpURI          string         `json:"helpUri,omitempty"`
	Help             *Text          `json:"help,omitempty"`
	Configuration    *Configuration `json:"defaultConfiguration,omitempty"`
	Properties       *Properties    `json:"properties,omitempty"`
}

// Text is a message, plain and perhaps with marks (3.11, 3.12).
type Text struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

// Configuration says how a rule's findings count (3.50).
type Configuration struct {
	Level Level `json:"level"`
}

// Level is how bad a finding is (3.27.10). There are no others but "none".
type Level string

// The levels.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

// Properties is a property bag (3.8); code hosts read these from it.
type Properties struct {
	Tags      []string `json:"tags,omitempty"`
	Precision string   `json:"precision,omitempty"`
}

// Invocation tells how the run went (3.20).
type Invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	Notifications []Notification `json:"toolExecutionNotifications,omitempty"`
}

// Notification is what the tool has to say of itself (3.58).
type Notification struct {
	Level   Level `json:"level"`
	Message Text  `json:"message"`
}

// Result is a finding (3.27).
type Result struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        Level             `json:"level"`
	Message      Text              `json:"message"`
	Locations    []Location        `json:"locations"`
	Related      []Location        `json:"relatedLocations,omitempty"`
	CodeFlows    []CodeFlow        `json:"codeFlows,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
	Fixes        []Fix             `json:"fixes,omitempty"`
}

// Location is a place (3.28).
type Location struct {
	ID       *int              `json:"id,omitempty"`
	Physical *PhysicalLocation `json:"physicalLocation,omitempty"`
	Logical  []LogicalLocation `json:"logicalLocations,omitempty"`
	Message  *Text             `json:"message,omitempty"`
}

// PhysicalLocation is a place in a file (3.29).
type PhysicalLocation struct {
	Artifact ArtifactLocation `json:"artifactLocation"`
	Region   *Region          `json:"region,omitempty"`
}

// LogicalLocation is a place in the program (3.33).
type LogicalLocation struct {
	Name               string `json:"name,omitempty"`
	FullyQualifiedName string `json:"fullyQualifiedName,omitempty"`
	Kind               string `json:"kind,omitempty"`
}

// ArtifactLocation names a file (3.4).
type ArtifactLocation struct {
	URI       string `json:"uri,omitempty"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

// Region is a part of a file (3.30). The end column is that of the character
// behind the region; 0 stands for what is not known.
type Region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

// CodeFlow is a way through the program (3.36).
type CodeFlow struct {
	ThreadFlows []ThreadFlow `json:"threadFlows"`
}

// ThreadFlow is the way of one thread (3.37).
type ThreadFlow struct {
	Locations []ThreadFlowLocation `json:"locations"`
}

// ThreadFlowLocation is a step on it (3.38).
type ThreadFlowLocation struct {
	Location Location `json:"location"`
}

// Fix is a change that removes a finding (3.55).
type Fix struct {
	Description Text             `json:"description"`
	Changes     []ArtifactChange `json:"artifactChanges"`
}

// ArtifactChange is the part of a fix in one file (3.56).
type ArtifactChange struct {
	Artifact     ArtifactLocation `json:"artifactLocation"`
	Replacements []Replacement    `json:"replacements"`
}

// Replacement puts a text into the place of a region (3.57).
type Replacement struct {
	Deleted  Region           `json:"deletedRegion"`
	Inserted *ArtifactContent `json:"insertedContent,omitempty"`
}

// ArtifactContent is text of a file (3.3).
type ArtifactContent struct {
	Text string `json:"text"`
}

// Write writes a log of one run.
func Write(w io.Writer, run Run) error {
	if run.Results == nil {
		run.Results = []Result{}
	}
	if run.Tool.Driver.Rules == nil {
		run.Tool.Driver.Rules = []Rule{}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(Log{Schema, Version, []Run{run}})
}

// FileURI gives the URI of a file or, with a slash at its end, a directory, whose
// name is relative or absolute and has slashes.
func FileURI(name string) string {
	u := url.URL{Path: name}
	if name != "" && name[0] == '/' {
		u.Scheme = "file"
	} else if len(name) > 1 && name[1] == ':' { // C:/file
		u.Scheme, u.Path = "file", "/"+name
	}
	return u.String()
}
