package apply

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Rejected is a delivery whose digest is wrong.
type Rejected struct {
	// JobID is the id it claims, "" if none can be read.
	JobID string
	// Payload is every byte that arrived.
	Payload []byte
	// SHA256 is the hash of Payload in hex.
	SHA256 string
	// Reason is the failed proof.
	Reason error
}

// Quarantine keeps bytes for a person to look at. Keep returns where they are, in
// words that lead there. It may be called again with the same bytes.
type Quarantine interface {
	Keep(ctx context.Context, r Rejected) (where string, err error)
}

// DirQuarantine keeps each payload in a file of this directory, which must exist.
// The file is named SHA256.plan, readable by its owner only, and there in whole or
// not at all. The reason is in the job row and in the log.
type DirQuarantine string

// Keep writes the file and returns its path.
func (dir DirQuarantine) Keep(_ context.Context, r Rejected) (string, error) {
	root, err := os.OpenRoot(string(dir))
	if err != nil {
		return "", err
	}
	defer root.Close()
	name := r.SHA256 + ".plan"
	where := filepath.Join(string(dir), name)
	if have, err := root.ReadFile(name); err == nil && bytes.Equal(have, r.Payload) {
		return where, nil
	}
	part := name + ".part"
	if err := root.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := writeSynced(root, part, r.Payload); err != nil {
		return "", err
	}
	return where, root.Rename(part, name)
}

func writeSynced(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// TableQuarantine keeps each payload in a row of a table.
type TableQuarantine struct {
	db      *sql.DB
	dialect Dialect
	table   string
}

// NewTableQuarantine returns a quarantine in a table of db; name is as in [Table].
func NewTableQuarantine(db *sql.DB, d Dialect, name string) (*TableQuarantine, error) {
	switch {
	case db == nil || d.Placeholder == nil || d.Blob == "":
		return nil, errors.New("apply: a table quarantine needs a database and a dialect with Placeholder and Blob")
	case !tableName.MatchString(name):
		return nil, fmt.Errorf("apply: %q is no table name", name)
	}
	return &TableQuarantine{db, d, name}, nil
}

// EnsureTable creates the table if there is none: sha256 VARCHAR(64) PRIMARY KEY,
// job_id VARCHAR(160), reason VARCHAR(1000), recorded_at VARCHAR(40), payload in
// the dialect's type for bytes, all NOT NULL.
func (q *TableQuarantine) EnsureTable(ctx context.Context) error {
	_, err := q.db.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS "+q.table+` (
	sha256 VARCHAR(64) NOT NULL PRIMARY KEY,
	job_id VARCHAR(160) NOT NULL,
	reason VARCHAR(1000) NOT NULL,
	recorded_at VARCHAR(40) NOT NULL,
	payload `+q.dialect.Blob+` NOT NULL
) `+q.dialect.TableOptions)
	if err != nil {
		return fmt.Errorf("apply: create %s: %w", q.table, err)
	}
	return nil
}

// Keep inserts the row and returns the table and the row's key.
func (q *TableQuarantine) Keep(ctx context.Context, r Rejected) (string, error) {
	where := q.table + " " + r.SHA256
	marks := make([]string, 5)
	for i := range marks {
		marks[i] = q.dialect.Placeholder(i + 1)
	}
	_, err := q.db.ExecContext(ctx, "INSERT INTO "+q.table+" (sha256, job_id, reason, recorded_at, payload) VALUES ("+strings.Join(marks, ", ")+")",
		r.SHA256, r.JobID, columnText(r.Reason.Error()), time.Now().UTC().Format(time.RFC3339Nano), r.Payload)
	if err == nil {
		return where, nil
	}
	// The same bytes may have been kept before.
	var n int
	row := q.db.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+q.table+" WHERE sha256 = "+q.dialect.Placeholder(1), r.SHA256)
	if row.Scan(&n) == nil && n > 0 {
		return where, nil
	}
	return "", err
}
