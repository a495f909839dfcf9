package before

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
)

func applyStatements(ctx context.Context, db *sql.DB, body io.Reader) error {
	for dec := json.NewDecoder(body); ; {
		var stmt string
		err := dec.Decode(&stmt)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err // and what ran before stays
		}
		if _, err := db.ExecContext(ctx, stmt); err != nil {
			return err
		}
	}
}
