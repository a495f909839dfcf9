// Package r032 is about a bulk import that has to be one transaction. Rows of a streamed
// plan are written one by one; a cut stream leaves the first half behind.
package r032

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
)

type op struct {
	Table string `json:"table"`
	Key   string `json:"key"`
	Value string `json:"value"`
}

func apply(ctx context.Context, db *sql.DB, plan io.Reader) error {
	dec := json.NewDecoder(plan)
	if _, err := dec.Token(); err != nil { // opening bracket
		return err
	}
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if o.Table != "settings" {
			return errors.New("table not allowed")
		}
		if _, err := db.ExecContext(ctx, "UPDATE settings SET v = ? WHERE k = ?", o.Value, o.Key); err != nil { // want `statement is executed .DB.ExecContext. while the plan it belongs to is still being received from plan .line 26.`
			return err
		}
	}
	_, err := dec.Token()
	return err
}
