package dbtest

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/streamlint/streamlint/stream/apply"
)

// everywhere runs f on every database, for plans without DDL, which MySQL commits on
// its own.
func everywhere(t *testing.T, f func(t *testing.T, b backend)) {
	each(t, f)
	t.Run("MySQL", func(t *testing.T) { f(t, mySQL(t, nil)) })
}

// mySQL makes a database with what a careless server has for defaults: a character
// set that holds no Greek, and tables that take part in no transaction.
func mySQL(t testing.TB, change func(*mysql.Config)) backend {
	t.Helper()
	dsn := os.Getenv("STREAMLINT_MYSQL")
	if dsn == "" {
		t.Skip("STREAMLINT_MYSQL is not set; scripts/test-apply.sh sets it")
	}
	config, err := mysql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	open := func() *sql.DB {
		c, err := mysql.NewConnector(config.Clone())
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(c)
		t.Cleanup(func() { db.Close() })
		return db
	}
	admin := open()
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), schemas.Add(1))
	if _, err := admin.Exec("CREATE DATABASE " + name + " CHARACTER SET latin1"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { admin.Exec("DROP DATABASE " + name) })
	config.DBName = name
	config.Params = map[string]string{"default_storage_engine": "MyISAM"}
	if change != nil {
		change(config)
	}
	return backend{
		dialect: apply.MySQL, db: open(),
		tables: "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '" + name + "' AND table_name NOT IN ('apply_jobs', 'kept')",
	}
}

// engine makes a table take part in transactions where that is not a matter of course.
func engine(b backend) string {
	if b.dialect.Name == apply.MySQL.Name {
		return " ENGINE=InnoDB"
	}
	return ""
}

func (b backend) exec(t testing.TB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := b.db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// accounts are tables for the plans of this file.
var accounts = []string{
	"CREATE TABLE account (id INTEGER PRIMARY KEY, email VARCHAR(80) CHARACTER SET utf8mb4 NOT NULL) ENGINE=InnoDB",
	"INSERT INTO account VALUES (9, 'old')",
}

var rows = []string{
	"INSERT INTO account (id, email) VALUES (1, 'a;b -- ünïcode 😀'), (2, 'it''s \\' so')",
	"UPDATE account SET email = CONCAT('COMMIT; ', email) WHERE id = 1 # and; more",
	"DELETE FROM account WHERE email = 'old'",
}

func TestMySQLApplied(t *testing.T) {
	b := mySQL(t, nil)
	b.exec(t, accounts...)
	a := b.open(t)
	raw := plan(t, "job-7", rows...).Seal()
	for cut := range len(raw) {
		if cut > 0 && cut%40 != 0 {
			continue
		}
		res, err := a.RunJob(t.Context(), fmt.Sprintf("cut-%d", cut), bytes.NewReader(raw[:cut]))
		want(t, res, err, apply.Truncated)
		j, err := a.Lookup(t.Context(), fmt.Sprintf("cut-%d", cut))
		if err != nil || j.Status != "truncated" || j.Bytes != int64(cut) {
			t.Fatalf("cut at %d: %+v, %v", cut, j, err)
		}
	}
	if n := b.count(t, "SELECT COUNT(*) FROM account"); n != 1 {
		t.Fatalf("%d accounts after cuts alone", n)
	}
	res, err := a.Run(t.Context(), bytes.NewReader(raw))
	want(t, res, err, apply.Applied)
	res, err = a.Run(t.Context(), bytes.NewReader(raw))
	want(t, res, err, apply.AlreadyApplied)
	res, err = a.Apply(t.Context(), plan(t, "job-7", rows[:2]...))
	want(t, res, err, apply.JobSpent)
	if n := b.count(t, "SELECT COUNT(*) FROM account WHERE id = 1 AND email LIKE 'COMMIT; a;b -- ünïcode 😀'"); n != 1 {
		t.Errorf("%d accounts", n)
	}
	if n := b.count(t, "SELECT COUNT(*) FROM account"); n != 2 {
		t.Errorf("%d accounts", n)
	}
	// Ids that differ in letter case are two jobs.
	res, err = a.Apply(t.Context(), plan(t, "JOB-7", "UPDATE account SET id = 3 WHERE id = 2"))
	want(t, res, err, apply.Applied)
}

func TestMySQLRolledBack(t *testing.T) {
	b := mySQL(t, nil)
	b.exec(t, accounts...)
	a := b.open(t)
	res, err := a.Apply(t.Context(), plan(t, "job-7", append(rows[:3:3], "INSERT INTO account (id, 😀ξ) VALUES (1)")...))
	want(t, res, err, apply.Failed)
	var at *apply.StatementError
	var e *apply.Error
	if !errors.As(err, &at) || at.N != 4 || !errors.As(err, &e) || e.Also != nil || !res.Recorded {
		t.Fatalf("%+v, %v", res, err)
	}
	if n := b.count(t, "SELECT COUNT(*) FROM account WHERE email = 'old'"); n != 1 {
		t.Error("the deleted account is gone")
	}
	if n := b.count(t, "SELECT COUNT(*) FROM account"); n != 1 {
		t.Errorf("%d accounts", n)
	}
	j, err := a.Lookup(t.Context(), "job-7")
	if err != nil || j.Status != "failed" || !strings.Contains(j.Detail, "ξ") {
		t.Errorf("%+v, %v", j, err)
	}
	res, err = a.Apply(t.Context(), plan(t, "job-8", rows...))
	want(t, res, err, apply.Applied)
}

// TestMySQLRefusesDDL: not even the statements before it run.
func TestMySQLRefusesDDL(t *testing.T) {
	b := mySQL(t, nil)
	b.exec(t, accounts...)
	a := b.open(t)
	for i, ddl := range []string{"CREATE TABLE x (a INTEGER)", "ALTER TABLE account ADD COLUMN a TEXT", "TRUNCATE account", "DROP TABLE account"} {
		res, err := a.Apply(t.Context(), plan(t, fmt.Sprintf("job-%d", i), rows[0], ddl))
		want(t, res, err, apply.Refused)
		if !errors.Is(err, apply.ErrNotRolledBack) {
			t.Errorf("%s: %v", ddl, err)
		}
	}
	if b.count(t, "SELECT COUNT(*) FROM account") != 1 || b.count(t, b.tables) != 1 {
		t.Error("something ran")
	}
}

// hostileMySQL goes with hostile.
var hostileMySQL = []string{
	"START TRANSACTION", "BEGIN WORK", "SET autocommit = 1", "SET @@autocommit=1", "LOCK TABLES mark WRITE", "UNLOCK TABLES", "XA START 'x'",
	"CREATE TABLE x (a INTEGER)", "TRUNCATE mark", "RENAME TABLE mark TO kram", "FLUSH TABLES", "ANALYZE TABLE mark", "GRANT SELECT ON *.* TO x",
	"/*!COMMIT*/", "/*!50000 COMMIT */", "/*M! COMMIT */", "SELECT 1 /*! ; COMMIT */", "SELECT 1 /*!; COMMIT; */ -- ",
	"# x\nCOMMIT", "-- x\nCOMMIT", "SELECT 1 --1; COMMIT", "SELECT 1 -- 1\n; COMMIT", "SELECT 1 # 1\n; COMMIT", "SELECT 1 --\t1\n; COMMIT",
	`SELECT 'a\''; COMMIT; -- '`, `SELECT "a\""; COMMIT; -- "`, "SELECT 'a' '\\'; COMMIT; -- '", "SELECT N'a\\'; COMMIT; -- '", "SELECT `a``; COMMIT; -- `",
	"SELECT /* /* */ 1; COMMIT; -- */", "CALL p()", "DO SLEEP(0)", "PREPARE s FROM 'COMMIT'", "EXECUTE IMMEDIATE 'COMMIT'", "DELIMITER //", "\\. x",
	"HANDLER mark OPEN", "LOAD DATA INFILE 'x' INTO TABLE mark", "SELECT 1 INTO OUTFILE 'x'", "WITH x AS (SELECT 1) SELECT * FROM x; COMMIT",
	"INSERT INTO mark VALUES (1, 1); COMMIT", "REPLACE INTO mark VALUES (1, 1); COMMIT", "SELECT 1;;COMMIT", "SELECT 1\x00; COMMIT",
	"UPDATE APPLY_JOBS SET status = 'failed'", "DELETE FROM `apply_jobs`",
}

func TestMySQLHostileStatements(t *testing.T) {
	for _, many := range []bool{false, true} {
		t.Run(fmt.Sprintf("multiStatements=%v", many), func(t *testing.T) {
			b := mySQL(t, func(c *mysql.Config) { c.MultiStatements = many })
			b.exec(t, "CREATE TABLE mark (id INTEGER UNIQUE, n INTEGER) ENGINE=InnoDB")
			b.exec(t, accounts...)
			a := b.open(t)
			for i, text := range append(hostile[:len(hostile):len(hostile)], hostileMySQL...) {
				tryHostile(t, b, a, fmt.Sprintf("job-%d", i), text)
			}
			res, err := a.Apply(t.Context(), plan(t, "job-new", rows...))
			want(t, res, err, apply.Applied)
		})
	}
}

// FuzzMySQLStatement is TestMySQLHostileStatements with texts that nobody thought of.
func FuzzMySQLStatement(f *testing.F) {
	for _, list := range [][]string{hostile, hostileMySQL, rows, eleven} {
		for _, text := range list {
			f.Add(text)
		}
	}
	b := mySQL(f, func(c *mysql.Config) { c.MultiStatements = true })
	b.exec(f, "CREATE TABLE mark (id INTEGER UNIQUE, n INTEGER) ENGINE=InnoDB")
	a := b.open(f)
	var n atomic.Int64
	f.Fuzz(func(t *testing.T, text string) {
		if up := strings.ToUpper(text); strings.Contains(up, "RECURSIVE") || strings.Contains(up, "SLEEP") || strings.Contains(up, "BENCHMARK") {
			t.Skip("may run for ever")
		}
		tryHostile(t, b, a, fmt.Sprintf("job-%d", n.Add(1)), text)
	})
}
