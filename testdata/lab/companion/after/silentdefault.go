package after

import (
	"net/http"

	"github.com/streamlint/streamlint/stream/envelope"
	"github.com/streamlint/streamlint/stream/toolcall"
)

type review struct {
	Verdict string   `json:"verdict"`
	Blocked []string `json:"blocked"`
}

// FetchReview gives a review that is whole, or an error.
func FetchReview(client *http.Client, url string) (review, error) {
	resp, err := client.Get(url)
	if err != nil {
		return review{}, err
	}
	defer resp.Body.Close()
	body, err := envelope.Read(resp.Body, envelope.Require("verdict", "blocked"))
	if err != nil {
		return review{}, err // *envelope.IncompleteError says which proof failed
	}
	return envelope.Decode[review](body)
}

func runPath(c toolcall.Call) (string, error) {
	args, err := toolcall.As[runArgs](c, toolcall.KnownOnly())
	if err != nil {
		return "", err // there is no partial result
	}
	return args.Path, nil
}
