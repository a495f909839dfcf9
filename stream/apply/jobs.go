package apply

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/streamlint/streamlint/stream/textstream"
)

// DefaultTable is the job table without [Table].
const DefaultTable = "apply_jobs"

// ErrNoJob is returned by [Applier.Lookup] for an id without a row.
var ErrNoJob = errors.New("apply: no such job")

// Job is a row of the job table.
type Job struct {
	// ID is the job id, or a key that starts with "?" for a delivery whose id
	// could not be read or belongs to another row.
	ID string
	// Tool is the plan's tool, "" if the plan was not whole.
	Tool string
	// Statements is the number of statements of the plan, 0 if it was not whole.
	Statements int
	// SHA256 is as in [Result].
	SHA256 string
	// Status is the name of an [Outcome].
	Status string
	// Bytes is as in [Result].
	Bytes int64
	// Detail is the error's text, shortened.
	Detail string
	// RecordedAt is when the row was made, by the clock of the program.
	RecordedAt time.Time
}

// maxDetail keeps the text of an error within its column.
const maxDetail = 900

var tableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?$`)

// EnsureTable creates the job table if there is none:
//
//	job_id VARCHAR(160) PRIMARY KEY, tool VARCHAR(128), stmt_count BIGINT,
//	sha256 VARCHAR(64), status VARCHAR(32), bytes BIGINT, detail VARCHAR(1000),
//	recorded_at VARCHAR(40)
//
// All columns are NOT NULL; recorded_at is RFC 3339 in UTC. A table with these
// columns that was made in another way serves as well; job_id must be unique and
// compare byte by byte, and the table take part in transactions. On MySQL it is made
// so by the dialect's TableOptions.
func (a *Applier) EnsureTable(ctx context.Context) error {
	_, err := a.db.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS "+a.table+` (
	job_id VARCHAR(160) NOT NULL PRIMARY KEY,
	tool VARCHAR(128) NOT NULL,
	stmt_count BIGINT NOT NULL,
	sha256 VARCHAR(64) NOT NULL,
	status VARCHAR(32) NOT NULL,
	bytes BIGINT NOT NULL,
	detail VARCHAR(1000) NOT NULL,
	recorded_at VARCHAR(40) NOT NULL
) `+a.dialect.TableOptions)
	if err != nil {
		return fmt.Errorf("apply: create %s: %w", a.table, err)
	}
	return nil
}

// Lookup returns the row of a job. The error matches [ErrNoJob] if there is none.
func (a *Applier) Lookup(ctx context.Context, jobID string) (Job, error) {
	return a.lookup(ctx, a.db, jobID)
}

// execer and queryer are what sql.DB, sql.Conn and sql.Tx have in common.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (a *Applier) lookup(ctx context.Context, q queryer, jobID string) (Job, error) {
	var j Job
	var at string
	err := q.QueryRowContext(ctx, "SELECT job_id, tool, stmt_count, sha256, status, bytes, detail, recorded_at FROM "+
		a.table+" WHERE job_id = "+a.dialect.Placeholder(1), jobID).
		Scan(&j.ID, &j.Tool, &j.Statements, &j.SHA256, &j.Status, &j.Bytes, &j.Detail, &at)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Job{}, fmt.Errorf("%w: %s", ErrNoJob, jobID)
	case err != nil:
		return Job{}, fmt.Errorf("apply: look up job %s: %w", jobID, err)
	}
	if j.RecordedAt, err = time.Parse(time.RFC3339Nano, at); err != nil {
		return Job{}, fmt.Errorf("apply: job %s: recorded_at: %w", jobID, err)
	}
	return j, nil
}

func (a *Applier) insert(ctx context.Context, e execer, j Job) error {
	marks := make([]string, 8)
	for i := range marks {
		marks[i] = a.dialect.Placeholder(i + 1)
	}
	_, err := e.ExecContext(ctx, "INSERT INTO "+a.table+
		" (job_id, tool, stmt_count, sha256, status, bytes, detail, recorded_at) VALUES ("+strings.Join(marks, ", ")+")",
		j.ID, j.Tool, int64(j.Statements), j.SHA256, j.Status, j.Bytes, columnText(j.Detail), j.RecordedAt.UTC().Format(time.RFC3339Nano))
	return err
}

// columnText makes any text fit for a VARCHAR: valid UTF-8, no NUL (PostgreSQL has
// none), short.
func columnText(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
	return textstream.Truncate(s, maxDetail)
}

// aside returns a context for writing down what happened, which must be possible
// after the caller's context has ended.
func (a *Applier) aside(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), a.recordTimeout)
}

// record writes the row of a delivery that was not applied. If the id has a row
// already, that row is returned: the earlier one decides.
func (a *Applier) record(ctx context.Context, j Job) (existing *Job, err error) {
	ctx, cancel := a.aside(ctx)
	defer cancel()
	err = a.insert(ctx, a.db, j)
	if err == nil {
		return nil, nil
	}
	// Which error says "duplicate key" differs by driver; whether the row is
	// there does not.
	if found, lerr := a.lookup(ctx, a.db, j.ID); lerr == nil {
		return &found, nil
	}
	return nil, fmt.Errorf("record job %s: %w", j.ID, err)
}

// tear marks the row of a job whose transaction was ended from inside.
func (a *Applier) tear(ctx context.Context, j Job, cause error) error {
	ctx, cancel := a.aside(ctx)
	defer cancel()
	p := a.dialect.Placeholder
	_, err := a.db.ExecContext(ctx, "UPDATE "+a.table+" SET status = "+p(1)+", detail = "+p(2)+" WHERE job_id = "+p(3),
		Torn.String(), columnText(cause.Error()), j.ID)
	if err != nil {
		return fmt.Errorf("mark job %s as torn: %w", j.ID, err)
	}
	return nil
}
