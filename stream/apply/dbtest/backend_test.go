package dbtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/streamlint/streamlint/stream/apply"
	"github.com/streamlint/streamlint/stream/envelope"
	_ "modernc.org/sqlite"
)

// backend is one database, empty at the start of a test.
type backend struct {
	dialect apply.Dialect
	db      *sql.DB
	tables  string          // a query for the number of tables that are not ours
	config  *pgx.ConnConfig // PostgreSQL only
}

// each runs f on every database.
func each(t *testing.T, f func(t *testing.T, b backend)) {
	t.Run("SQLite", func(t *testing.T) { f(t, sqlite(t, "_pragma=busy_timeout(10000)")) })
	t.Run("SQLite WAL", func(t *testing.T) {
		f(t, sqlite(t, "_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)"))
	})
	t.Run("PostgreSQL", func(t *testing.T) { f(t, postgres(t, nil)) })
	t.Run("PostgreSQL simple protocol", func(t *testing.T) {
		// One message may then hold several statements.
		f(t, postgres(t, func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol }))
	})
}

func sqlite(t testing.TB, params string) backend {
	t.Helper()
	path := url.URL{Path: filepath.Join(t.TempDir(), "test.db")} // a test's name may hold a "#"
	db, err := sql.Open("sqlite", "file:"+path.EscapedPath()+"?"+params)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return backend{
		dialect: apply.SQLite, db: db,
		tables: "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name NOT IN ('apply_jobs', 'kept')",
	}
}

var schemas atomic.Int64

func postgres(t testing.TB, change func(*pgx.ConnConfig)) backend {
	t.Helper()
	dsn := os.Getenv("STREAMLINT_POSTGRES")
	if dsn == "" {
		t.Skip("STREAMLINT_POSTGRES is not set; scripts/test-apply.sh sets it")
	}
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	admin := stdlib.OpenDB(*config.Copy())
	t.Cleanup(func() { admin.Close() })
	schema := fmt.Sprintf("test_%d_%d", os.Getpid(), schemas.Add(1))
	if _, err := admin.Exec("CREATE SCHEMA " + schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { admin.Exec("DROP SCHEMA " + schema + " CASCADE") })
	config.RuntimeParams["search_path"] = schema
	if change != nil {
		change(config)
	}
	db := stdlib.OpenDB(*config)
	t.Cleanup(func() { db.Close() })
	return backend{
		dialect: apply.PostgreSQL, db: db, config: config,
		tables: "SELECT COUNT(*) FROM pg_tables WHERE schemaname = '" + schema + "' AND tablename NOT IN ('apply_jobs', 'kept')",
	}
}

func (b backend) open(t testing.TB, opts ...apply.Option) *apply.Applier {
	t.Helper()
	a, err := apply.New(b.db, b.dialect, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.EnsureTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.EnsureTable(t.Context()); err != nil {
		t.Fatalf("a second time: %v", err)
	}
	return a
}

func (b backend) count(t testing.TB, query string) int {
	t.Helper()
	var n int
	if err := b.db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func plan(t testing.TB, id string, statements ...string) *envelope.Plan {
	t.Helper()
	p, err := envelope.NewPlan("schema_apply", id, statements...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// want checks the outcome and that the error agrees with it.
func want(t testing.TB, res apply.Result, err error, o apply.Outcome) {
	t.Helper()
	if res.Outcome != o || o.Ack() != (err == nil) || err != nil && !errors.Is(err, o) {
		t.Fatalf("%+v, %v; want %v", res, err, o)
	}
}

// eleven are valid in both dialects.
var eleven = []string{
	"CREATE TABLE account (id INTEGER PRIMARY KEY, email TEXT NOT NULL)",
	"CREATE TABLE invoice (id INTEGER, account INTEGER)",
	"ALTER TABLE account ADD COLUMN created_at TEXT",
	"CREATE INDEX account_email ON account (email)",
	"INSERT INTO account (id, email) VALUES (1, 'a;b -- ünïcode 😀'), (2, 'x')",
	"UPDATE account SET email = 'COMMIT; ' || email WHERE id = 1",
	"ALTER TABLE invoice ADD COLUMN total INTEGER",
	"CREATE INDEX invoice_account ON invoice (account)",
	"INSERT INTO invoice (id, account, total) VALUES (1, 1, 30), (2, 1, 0)",
	"DELETE FROM invoice WHERE total = 0",
	"CREATE VIEW open_invoice AS SELECT id, total FROM invoice WHERE total > 0",
}

func statements(replaceAt int, with string) []string {
	out := append([]string(nil), eleven...)
	out[replaceAt] = with
	return out
}

func background() context.Context { return context.Background() }

// padded makes a plan's JSON n bytes long by a comment in its last statement.
func padded(t testing.TB, id string, n int) []byte {
	t.Helper()
	raw := plan(t, id, eleven...).Seal()
	pad := n - len(raw) - len(" -- ")
	raw = plan(t, id, statements(10, eleven[10]+" -- "+strings.Repeat("x", pad))...).Seal()
	if len(raw) != n {
		t.Fatalf("%d bytes, want %d", len(raw), n)
	}
	return raw
}
