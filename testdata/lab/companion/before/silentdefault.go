package before

import (
	"encoding/json"
	"net/http"
)

type review struct {
	Verdict string   `json:"verdict"`
	Blocked []string `json:"blocked"`
}

func fetchReview(client *http.Client, url string) (review, error) {
	resp, err := client.Get(url)
	if err != nil {
		return review{}, err
	}
	defer resp.Body.Close()
	var r review
	json.NewDecoder(resp.Body).Decode(&r) // half an answer blocks nothing
	return r, nil
}
