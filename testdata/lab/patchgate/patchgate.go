// Package patchgate holds what the reviewer of incident b sends: JSON, of which 34
// bytes arrived, and the same on a line that works.
package patchgate

// DiffSHA names the change that is reviewed.
const DiffSHA = "9f2c41d07be86a53"

// The reviewer's answers. On the line that broke it was about to say pass, and
// asked again on one that worked it said fail.
const (
	Pass = `{"verdict": "pass", "diff_sha": "` + DiffSHA + `", "policy_version": 7}`
	Fail = `{"verdict": "fail", "diff_sha": "` + DiffSHA + `", "policy_version": 7}`
)

// CutAt is how many bytes of the answer arrived: up to the first character of the
// value of diff_sha.
const CutAt = 34
