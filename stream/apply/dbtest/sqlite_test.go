package dbtest

import (
	"database/sql"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/streamlint/streamlint/stream/apply"
)

func openConfig(c *pgx.ConnConfig) *sql.DB { return stdlib.OpenDB(*c) }

func TestSQLiteTriggerBody(t *testing.T) {
	b := sqlite(t, "")
	a := b.open(t)
	res, err := a.Apply(t.Context(), plan(t, "job-7",
		"CREATE TABLE t (n INTEGER)", "CREATE TABLE seen (n INTEGER)",
		"CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO seen VALUES (CASE WHEN new.n > 1 THEN 5 ELSE 6 END); INSERT INTO seen VALUES (7); END;",
		"INSERT INTO t VALUES (2)"))
	want(t, res, err, apply.Applied)
	if n := b.count(t, "SELECT SUM(n) FROM seen"); n != 12 {
		t.Errorf("%d", n)
	}
}

// TestSQLiteBusy: another writer holds the file. Nothing is written, no id is burnt.
func TestSQLiteBusy(t *testing.T) {
	b := sqlite(t, "")
	a := b.open(t)
	conn, err := b.db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	p := plan(t, "job-7", eleven...)
	res, err := a.Apply(t.Context(), p)
	want(t, res, err, apply.Unavailable)
	if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	res, err = a.Apply(t.Context(), p)
	want(t, res, err, apply.Applied)
}

// TestSQLiteBusyCommit: with a rollback journal a reader can make COMMIT itself fail
// and leave the transaction open on its connection.
func TestSQLiteBusyCommit(t *testing.T) {
	b := sqlite(t, "_pragma=busy_timeout(200)")
	a := b.open(t)
	if _, err := b.db.Exec("CREATE TABLE t (n INTEGER)"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.db.Exec("INSERT INTO t VALUES (1), (2)"); err != nil {
		t.Fatal(err)
	}
	reader, err := b.db.Query("SELECT n FROM t")
	if err != nil {
		t.Fatal(err)
	}
	if !reader.Next() {
		t.Fatal("no row")
	}
	res, err := a.Apply(t.Context(), plan(t, "job-7", "INSERT INTO t VALUES (3)"))
	// Its own row cannot be written either while the reader reads.
	want(t, res, err, apply.Unknown)
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	if n := b.count(t, "SELECT COUNT(*) FROM t"); n != 2 {
		t.Errorf("%d rows", n)
	}
	if _, err := a.Lookup(t.Context(), "job-7"); err == nil {
		t.Error("the job has a row")
	}
	res, err = a.Apply(t.Context(), plan(t, "job-7", "INSERT INTO t VALUES (3)"))
	want(t, res, err, apply.Applied)
}

// TestSQLiteOneConnection: a pool of one connection must not wait for itself.
func TestSQLiteOneConnection(t *testing.T) {
	b := sqlite(t, "")
	b.db.SetMaxOpenConns(1)
	a := b.open(t)
	res, err := a.Apply(t.Context(), plan(t, "job-7", statements(4, "no SQL")...))
	want(t, res, err, apply.Failed)
	res, err = a.Apply(t.Context(), plan(t, "job-7", eleven...))
	want(t, res, err, apply.JobSpent)
	res, err = a.Apply(t.Context(), plan(t, "job-8", eleven...))
	want(t, res, err, apply.Applied)
	res, err = a.Apply(t.Context(), plan(t, "job-8", eleven...))
	want(t, res, err, apply.AlreadyApplied)
}
