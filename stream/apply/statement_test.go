package apply

import (
	"errors"
	"strings"
	"testing"
)

var statementCases = []struct {
	d    Dialect
	text string
	want error
}{
	{SQLite, "SELECT 1", nil},
	{SQLite, "SELECT 1;", nil},
	{SQLite, "SELECT 1 ; -- done\n ; /* */", nil},
	{SQLite, "; SELECT 1", nil},
	{SQLite, "/* why */ -- who\n SELECT 1", nil},
	{SQLite, "(SELECT 1) UNION (SELECT 2)", nil},
	{SQLite, "INSERT INTO t VALUES ('a;b', 'it''s; COMMIT')", nil},
	{SQLite, `INSERT INTO "semi;colon" VALUES (1)`, nil},
	{SQLite, "INSERT INTO `semi;colon` VALUES (1)", nil},
	{SQLite, "INSERT INTO [semi;colon] VALUES (1)", nil},
	{SQLite, `INSERT INTO t VALUES ('back\')`, nil},
	{SQLite, `INSERT INTO t VALUES ('back\'); COMMIT; --')`, ErrTransactionControl},
	{SQLite, "UPDATE t SET commit_at = 1, \"commit\" = 2", nil},
	{SQLite, "SELECT CASE WHEN 1 THEN 2 END", nil},
	{SQLite, "CREATE TRIGGER tr AFTER INSERT ON t BEGIN UPDATE t SET a = CASE WHEN 1 THEN 2 END; DELETE FROM u; END", nil},
	{SQLite, "CREATE TEMP TRIGGER IF NOT EXISTS tr AFTER INSERT ON t WHEN new.a BEGIN SELECT RAISE(ABORT, 'no; END'); END;", nil},
	{SQLite, "CREATE TRIGGER begin AFTER INSERT ON t BEGIN SELECT 1; END", nil},

	{SQLite, "BEGIN", ErrTransactionControl},
	{SQLite, "begin immediate", ErrTransactionControl},
	{SQLite, "/**/Commit", ErrTransactionControl},
	{SQLite, "--\nEND TRANSACTION", ErrTransactionControl},
	{SQLite, "ROLLBACK TO a", ErrTransactionControl},
	{SQLite, "SAVEPOINT a", ErrTransactionControl},
	{SQLite, "RELEASE a", ErrTransactionControl},
	{PostgreSQL, "START TRANSACTION", ErrTransactionControl},
	{PostgreSQL, "ABORT", ErrTransactionControl},
	{PostgreSQL, "PREPARE TRANSACTION 'x'", ErrTransactionControl},
	{PostgreSQL, "PREPARE x AS SELECT 1", nil},
	{MySQL, "XA START 'x'", ErrTransactionControl},
	{SQLite, ";COMMIT", ErrTransactionControl},
	{SQLite, "SELECT 1; COMMIT", ErrTransactionControl},
	{SQLite, "SELECT 1;;\n;COMMIT;", ErrTransactionControl},

	{SQLite, "SELECT 1; SELECT 2", ErrMultiple},
	{SQLite, "SELECT 1; 'x'", ErrMultiple},
	{SQLite, "CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT 1; END; SELECT 1", ErrMultiple},
	{SQLite, "CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT 1; END; COMMIT", ErrTransactionControl},
	{SQLite, "CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT 1; COMMIT; END", ErrTransactionControl},
	// BEGIN is a legal name in SQLite. It must not open a second body, whose END
	// would be the end of the transaction.
	{SQLite, "CREATE TRIGGER tr AFTER INSERT ON begin BEGIN SELECT 1; END; END", ErrTransactionControl},
	{SQLite, "CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT 1; END END", ErrMultiple},
	{SQLite, "CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT 1; SELECT 2", ErrMultiple},
	{SQLite, "CREATE TABLE begin (a); SELECT 1", ErrMultiple},
	{SQLite, "CREATE TABLE t (a, begin BEGIN; SELECT 1; END", ErrMultiple},
	{PostgreSQL, "CREATE TRIGGER tr BEGIN SELECT 1; END", ErrTransactionControl},

	{PostgreSQL, "CREATE FUNCTION f() RETURNS int LANGUAGE SQL BEGIN ATOMIC SELECT 1; SELECT 2; END", nil},
	{PostgreSQL, "CREATE OR REPLACE PROCEDURE p() LANGUAGE SQL BEGIN ATOMIC INSERT INTO t VALUES (1); END;", nil},
	{PostgreSQL, "CREATE FUNCTION f() RETURNS int LANGUAGE SQL BEGIN ATOMIC SELECT 1; END; COMMIT", ErrTransactionControl},
	{PostgreSQL, "CREATE FUNCTION f() RETURNS int LANGUAGE SQL BEGIN ATOMIC END; SELECT 1", ErrMultiple},
	{PostgreSQL, "CREATE FUNCTION f() RETURNS int LANGUAGE SQL BEGIN; SELECT 1; END", ErrMultiple},
	{PostgreSQL, "CREATE FUNCTION f() RETURNS int AS $$ BEGIN; COMMIT; END $$ LANGUAGE plpgsql", nil},
	{PostgreSQL, "CREATE FUNCTION f() RETURNS int AS $a$ x $$ y; COMMIT; $b$ $a$ LANGUAGE plpgsql", nil},
	{PostgreSQL, "SELECT $1; COMMIT", ErrTransactionControl},
	{PostgreSQL, "SELECT $1$; COMMIT; $1$", ErrTransactionControl},
	{PostgreSQL, "SELECT a$b$; COMMIT; $b$", ErrTransactionControl},
	{PostgreSQL, "SELECT $ä1$; COMMIT; $ä1$", nil},
	{PostgreSQL, `SELECT E'it\'s; COMMIT'`, nil},
	{PostgreSQL, `SELECT e'a\\'; COMMIT`, ErrTransactionControl},
	{PostgreSQL, `SELECT 'a\'; COMMIT`, ErrTransactionControl},
	{PostgreSQL, `SELECT name'a\'; COMMIT`, ErrTransactionControl},
	// A string after a line break goes on with the escapes of the one before.
	{PostgreSQL, "SELECT E'a' -- more\n '\\''; COMMIT; --'", ErrTransactionControl},
	{PostgreSQL, "SELECT E'a'\n, 'b\\'; COMMIT", ErrTransactionControl},
	{PostgreSQL, "SELECT 1 /* /* ; COMMIT */ */", nil},
	{SQLite, "SELECT 1 /* /* */; COMMIT", ErrTransactionControl},
	{PostgreSQL, "SELECT a # b; COMMIT", ErrTransactionControl},
	{PostgreSQL, "SELECT a[1]; COMMIT; --]", ErrTransactionControl},
	{PostgreSQL, "SELECT a --; COMMIT", nil},

	{SQLite, "PRAGMA synchronous = OFF", ErrNotRolledBack},
	{SQLite, "ATTACH 'x' AS y", ErrNotRolledBack},
	{PostgreSQL, "COPY t TO PROGRAM 'rm'", ErrNotRolledBack},
	{PostgreSQL, "VACUUM", ErrNotRolledBack},

	{MySQL, "INSERT INTO t VALUES ('it\\'s; COMMIT')", nil},
	{MySQL, `REPLACE INTO t VALUES ("a\"; b")`, nil},
	{MySQL, "WITH x AS (SELECT 1) SELECT * FROM x", nil},
	{MySQL, "VALUES ROW(1)", nil},
	{MySQL, "SELECT 1 # ; COMMIT", nil},
	{MySQL, "SELECT 1 -- ; COMMIT", nil},
	{MySQL, "SELECT 1--1; COMMIT", ErrTransactionControl},
	{MySQL, "SELECT 1 /*+ hint */", nil},
	{MySQL, "CREATE TABLE a (b INT)", ErrNotRolledBack},
	{MySQL, "alter table a add b int", ErrNotRolledBack},
	{MySQL, "DROP TABLE a", ErrNotRolledBack},
	{MySQL, "TRUNCATE a", ErrNotRolledBack},
	{MySQL, "SET autocommit = 1", ErrNotRolledBack},
	{MySQL, "LOCK TABLES a WRITE", ErrNotRolledBack},
	{MySQL, "CALL p()", ErrNotRolledBack},
	{MySQL, "SELECT 1 /*! ; DROP TABLE a */", ErrNotRolledBack},
	{MySQL, "SELECT 1 /*M!100100 ; DROP TABLE a */", ErrNotRolledBack},
	{MySQL, "SELECT 1 INTO OUTFILE '/tmp/x'", ErrNotRolledBack},
	{SQLite, "SELECT 1 /*! COMMIT */", nil},
	{SQLite, "SELECT 1 /*/ ; COMMIT */", nil},
	{SQLite, "SELECT 1 /***/; COMMIT", ErrTransactionControl},
	{PostgreSQL, "SELECT 1 /*/*/ ; COMMIT */ */", nil},
	{PostgreSQL, "SELECT 1 /**/ ; COMMIT", ErrTransactionControl},

	{SQLite, "DELETE FROM apply_jobs", ErrJobTable},
	{SQLite, "DELETE FROM Apply_Jobs", ErrJobTable},
	{SQLite, `DELETE FROM "apply_jobs"`, ErrJobTable},
	{SQLite, "DELETE FROM main.[apply_jobs]", ErrJobTable},
	{SQLite, "INSERT INTO t VALUES ('apply_jobs')", nil},
	{SQLite, "DELETE FROM apply_jobs_2", nil},
	{SQLite, "DELETE FROM 'apply_jobs'", ErrJobTable},
	{SQLite, "DELETE FROM main . /* x */ 'Apply_Jobs' WHERE job_id = 'x'", ErrJobTable},
	{SQLite, "update or ignore 'apply_jobs' set status = 'applied'", ErrJobTable},
	{SQLite, "DROP TABLE IF EXISTS 'apply_jobs'", ErrJobTable},
	{SQLite, "CREATE TRIGGER t AFTER INSERT ON 'apply_jobs' BEGIN SELECT 1; END", ErrJobTable},
	{SQLite, "INSERT INTO t VALUES ('x', 'apply_jobs')", nil},
	{SQLite, "SELECT 1 WHERE x = 'apply_jobs'", nil},
	{PostgreSQL, "SELECT 1 WHERE x IS DISTINCT FROM 'apply_jobs'", nil},
	{PostgreSQL, `DELETE FROM U&"apply\005fjobs"`, ErrJobTable},
	{PostgreSQL, `DELETE FROM u&"apply!005fjobs" UESCAPE '!'`, ErrJobTable},
	{PostgreSQL, `SELECT u & "x", U&'apply\005fjobs', au&"x" FROM t`, nil},

	{SQLite, "-- nothing", ErrNoStatement},
	{SQLite, " ; ; ", ErrNoStatement},
	{SQLite, "INSERT INTO t VALUES ('cut", ErrUnfinished},
	{SQLite, `INSERT INTO "cut`, ErrUnfinished},
	{SQLite, "SELECT [cut", ErrUnfinished},
	{SQLite, "SELECT 1 /* cut", ErrUnfinished},
	{PostgreSQL, "SELECT $$cut", ErrUnfinished},
	{PostgreSQL, "SELECT E'cut\\", ErrUnfinished},
	{PostgreSQL, "SELECT /* /* */", ErrUnfinished},
	{MySQL, "SELECT `cut", ErrUnfinished},
	{SQLite, "SELECT 1\x00; COMMIT", ErrText},
	{SQLite, "\uFEFFCOMMIT", ErrText},
}

func TestCheckStatement(t *testing.T) {
	for _, tt := range statementCases {
		if err := tt.d.check(tt.text, DefaultTable); !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
			t.Errorf("%s: %q: %v, want %v", tt.d.Name, tt.text, err, tt.want)
		}
	}
	if err := SQLite.check("DELETE FROM Jobs", "ops.jobs"); !errors.Is(err, ErrJobTable) {
		t.Errorf("table with a schema: %v", err)
	}
}

// TestCheckIsLinear guards against a scan that starts over at each token: 4 MB would
// then take hours.
func TestCheckIsLinear(t *testing.T) {
	for _, text := range []string{
		"CREATE TABLE t (" + strings.Repeat("begin, ", 600000) + ")",
		"CREATE TRIGGER t BEGIN " + strings.Repeat("SELECT 1; ", 400000) + "END",
		"CREATE FUNCTION f() " + strings.Repeat("begin ", 600000),
		"SELECT " + strings.Repeat("''", 2000000),
		"SELECT " + strings.Repeat("$", 4000000),
		"SELECT " + strings.Repeat("/**/", 1000000),
		"SELECT " + strings.Repeat("/*", 1000000) + strings.Repeat("*/", 1000000),
	} {
		for _, d := range []Dialect{SQLite, PostgreSQL} {
			if err := d.check(text, DefaultTable); err != nil && !errors.Is(err, ErrMultiple) && !errors.Is(err, ErrUnfinished) {
				t.Errorf("%.30s: %v", text, err)
			}
		}
	}
}

// FuzzCheckStatement: what passes is one statement, so with a second one behind it,
// it must not pass.
func FuzzCheckStatement(f *testing.F) {
	dialects := []Dialect{SQLite, PostgreSQL, MySQL}
	for _, c := range statementCases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range dialects {
			if d.check(text, DefaultTable) != nil {
				continue
			}
			if err := d.check(text+"\n;", DefaultTable); err != nil {
				t.Fatalf("%s: %q passes, and with a semicolon: %v", d.Name, text, err)
			}
			for _, more := range []string{"\n;COMMIT", "\n;\nEND", "\n; rollback;"} {
				if strings.Contains(more, "END") && strings.Contains(strings.ToUpper(text), "BEGIN") {
					continue // may be the END of a body that is open
				}
				if err := d.check(text+more, DefaultTable); !errors.Is(err, ErrTransactionControl) && !errors.Is(err, ErrMultiple) {
					t.Fatalf("%s: %q: %v", d.Name, text+more, err)
				}
			}
			if err := d.check("COMMIT;"+text, DefaultTable); err == nil {
				t.Fatalf("%s: COMMIT before %q passes", d.Name, text)
			}
		}
	})
}

func BenchmarkCheckStatement(b *testing.B) {
	text := "INSERT INTO t (a, b, c) VALUES " + strings.Repeat("(1, 'some text', \"name\"), ", 1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := PostgreSQL.check(text, DefaultTable); err != nil {
			b.Fatal(err)
		}
	}
}
