package after

import (
	"context"
	"database/sql"
	"io"

	"github.com/streamlint/streamlint/stream/apply"
)

// ApplyPlan runs all statements of a plan in one transaction, after it has been
// received to its end and proved whole.
func ApplyPlan(ctx context.Context, db *sql.DB, body io.Reader) error {
	a, err := apply.New(db, apply.PostgreSQL)
	if err != nil {
		return err
	}
	if err := a.EnsureTable(ctx); err != nil {
		return err
	}
	_, err = a.Run(ctx, body) // errors.Is(err, apply.Truncated): nothing ran
	return err
}
