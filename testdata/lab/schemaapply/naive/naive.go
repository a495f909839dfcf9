// Package naive is the schema job as it was: it applies statements while they come
// in, so that large plans need no memory.
package naive

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Result is what the job reports.
type Result struct {
	Status     string `json:"status"`
	Statements int    `json:"statements"`
}

// Fetch applies the plan at a URL.
func Fetch(ctx context.Context, client *http.Client, url string, db *sql.DB) (Result, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return Result{}, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return Result{}, err
	}
	defer resp.Body.Close()
	return Apply(ctx, db, resp.Body)
}

// Apply applies the plan that r holds.
func Apply(ctx context.Context, db *sql.DB, r io.Reader) (Result, error) {
	dec := json.NewDecoder(r)
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Result{}, fmt.Errorf("plan: %w", err)
		}
		if tok == "statements" {
			break
		}
	}
	if _, err := dec.Token(); err != nil { // [
		return Result{}, fmt.Errorf("plan: %w", err)
	}
	n := 0
	for dec.More() {
		var stmt string
		if err := dec.Decode(&stmt); err != nil {
			break
		}
		if _, err := db.ExecContext(ctx, stmt); err != nil {
			return Result{}, fmt.Errorf("statement %d: %w", n+1, err)
		}
		n++
	}
	return Result{Status: "success", Statements: n}, nil
}
