// Package durable is the patch gate over package envelope: a verdict counts only
// out of a message that proves it is whole.
package durable

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/streamlint/streamlint/stream/envelope"
)

// Status is what became of a patch.
type Status string

// The states. Incomplete is neither a pass nor a verdict of the reviewer: nothing is
// known, and the review must be asked for again.
const (
	Merge      Status = "merge"
	Block      Status = "block"
	Incomplete Status = "incomplete"
)

// maxReview is the longest answer taken.
const maxReview = 1 << 20

// Gate asks a reviewer model whether a patch may be merged.
type Gate struct {
	Client  *http.Client
	URL     string
	DiffSHA string // of the change that is to be merged
}

// ErrOtherDiff says that the verdict is about another change.
var ErrOtherDiff = errors.New("the review is of another diff")

type review struct {
	Verdict       string `json:"verdict"`
	DiffSHA       string `json:"diff_sha"`
	PolicyVersion int    `json:"policy_version"`
}

// Check gives Merge or Block with a nil error, and Incomplete with the reason.
func (g *Gate) Check(ctx context.Context) (Status, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.URL, nil)
	if err != nil {
		return Incomplete, err
	}
	resp, err := g.Client.Do(req)
	if err != nil {
		return Incomplete, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return Incomplete, fmt.Errorf("reviewer: %s", resp.Status)
	}
	body, err := envelope.Read(resp.Body, envelope.MaxSize(maxReview),
		envelope.Require("verdict", "diff_sha", "policy_version"))
	if err != nil {
		return Incomplete, err
	}
	r, err := envelope.Decode[review](body)
	if err != nil {
		return Incomplete, err
	}
	if r.DiffSHA != g.DiffSHA {
		return Incomplete, fmt.Errorf("%w: %.64q", ErrOtherDiff, r.DiffSHA)
	}
	switch r.Verdict {
	case "pass":
		return Merge, nil
	case "fail":
		return Block, nil
	}
	return Incomplete, fmt.Errorf("unknown verdict %.64q", r.Verdict)
}
