// Package schemaapply holds the plan of incident d: eleven statements in 3410 bytes of
// JSON, of which 1882 arrived.
package schemaapply

import (
	"database/sql"
	_ "embed"

	_ "modernc.org/sqlite" // the database of the lab
)

// Plan is the whole plan, job job-3107.
//
//go:embed plan.json
var Plan []byte

// CutAt is how many of its bytes arrived; the last one is inside the seventh
// statement.
const CutAt = 1882

// LaterJob is what another job ran minutes later. It needs the eighth statement.
const LaterJob = `INSERT INTO orders (customer_id, currency) VALUES (1, 'CHF')`

// Open opens a database file, or one in memory if path is empty.
func Open(path string) (*sql.DB, error) {
	if path == "" {
		db, err := sql.Open("sqlite", ":memory:")
		if err == nil {
			db.SetMaxOpenConns(1) // each connection would have a database of its own
		}
		return db, err
	}
	return sql.Open("sqlite", path)
}
