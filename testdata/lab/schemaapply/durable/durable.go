// Package durable is the schema job over packages envelope and apply: the whole plan
// is there and proved before the first statement runs, and all of them share one
// transaction with the row of the job.
package durable

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"

	"github.com/streamlint/streamlint/stream/apply"
)

// Fetch applies the plan at a URL.
func Fetch(ctx context.Context, client *http.Client, url string, db *sql.DB, opts ...apply.Option) (apply.Result, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return apply.Result{}, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return apply.Result{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return apply.Result{}, fmt.Errorf("plan: %s", resp.Status)
	}
	return Apply(ctx, db, resp.Body, opts...)
}

// Apply applies the plan that r holds. The message that brought it may be
// acknowledged if the result's outcome says so.
func Apply(ctx context.Context, db *sql.DB, r io.Reader, opts ...apply.Option) (apply.Result, error) {
	a, err := apply.New(db, apply.SQLite, opts...)
	if err != nil {
		return apply.Result{}, err
	}
	if err := a.EnsureTable(ctx); err != nil {
		return apply.Result{}, err
	}
	return a.Run(ctx, r)
}
