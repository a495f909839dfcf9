package dbtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/streamlint/streamlint/stream/apply"
	"github.com/streamlint/streamlint/stream/envelope"
)

func TestApplied(t *testing.T) {
	each(t, func(t *testing.T, b backend) {
		a := b.open(t)
		p := plan(t, "job-7", eleven...)
		raw := p.Seal()
		before := time.Now().Add(-time.Minute)
		res, err := a.Run(t.Context(), bytes.NewReader(raw))
		want(t, res, err, apply.Applied)
		if res.Statements != 11 || res.Bytes != int64(len(raw)) || !res.Recorded {
			t.Errorf("%+v", res)
		}
		if n := b.count(t, "SELECT COUNT(*) FROM account WHERE email LIKE 'COMMIT; a;b -- ünïcode 😀'"); n != 1 {
			t.Errorf("%d accounts", n)
		}
		if n := b.count(t, "SELECT total FROM open_invoice"); n != 30 {
			t.Errorf("total %d", n)
		}
		j, err := a.Lookup(t.Context(), "job-7")
		if err != nil || j.Status != "applied" || j.Statements != 11 || j.SHA256 != p.Digest() || j.Tool != "schema_apply" ||
			j.Bytes != int64(len(raw)) || j.Detail != "" || j.RecordedAt.Before(before) {
			t.Errorf("%+v, %v", j, err)
		}
		if _, err := a.Lookup(t.Context(), "job-8"); !errors.Is(err, apply.ErrNoJob) {
			t.Errorf("%v", err)
		}
		// Again: once is enough.
		res, err = a.Run(t.Context(), bytes.NewReader(raw))
		want(t, res, err, apply.AlreadyApplied)
		res, err = a.Apply(t.Context(), plan(t, "job-7", eleven[:5]...))
		want(t, res, err, apply.JobSpent)
		if n := b.count(t, "SELECT COUNT(*) FROM account"); n != 2 {
			t.Errorf("%d accounts", n)
		}
	})
}

// TestIncident is the reconstructed failure: eleven statements in 3410 bytes, the
// connection closed after byte 1882. Then every other cut.
func TestIncident(t *testing.T) {
	each(t, func(t *testing.T, b backend) {
		a := b.open(t)
		raw := padded(t, "job-7", 3410)
		res, err := a.Run(t.Context(), bytes.NewReader(raw[:1882]))
		want(t, res, err, apply.Truncated)
		if res.Bytes != 1882 || res.JobID != "job-7" || b.count(t, b.tables) != 0 {
			t.Fatalf("%+v, %d tables", res, b.count(t, b.tables))
		}
		j, err := a.Lookup(t.Context(), "job-7")
		if err != nil || j.Status != "truncated" || j.Bytes != 1882 || j.Statements != 0 || j.Detail == "" {
			t.Errorf("%+v, %v", j, err)
		}
		step := 7
		if testing.Short() {
			step = 101
		}
		cuts := 0
		for n := 0; n < len(raw); n += step {
			res, err := a.Run(t.Context(), bytes.NewReader(raw[:n]))
			want(t, res, err, apply.Truncated)
			if !res.Recorded {
				t.Fatalf("%d bytes: not recorded: %v", n, err)
			}
			cuts++
		}
		if n := b.count(t, b.tables); n != 0 {
			t.Fatalf("%d tables after %d cut plans", n, cuts)
		}
		// Each cut has its own row: job-7 has the first.
		if n := b.count(t, "SELECT COUNT(*) FROM apply_jobs WHERE status = 'truncated'"); n != cuts+1 {
			t.Errorf("%d rows for %d cuts", n, cuts+1)
		}
		res, err = a.Run(t.Context(), bytes.NewReader(raw))
		want(t, res, err, apply.JobSpent)
		res, err = a.Run(t.Context(), bytes.NewReader(padded(t, "job-8", 3410)))
		want(t, res, err, apply.Applied)
		if n := b.count(t, b.tables); n != 2 {
			t.Errorf("%d tables", n)
		}
	})
}

// TestRolledBack fails each statement in turn, with all kinds of DDL before it.
func TestRolledBack(t *testing.T) {
	each(t, func(t *testing.T, b backend) {
		a := b.open(t)
		for n := range eleven {
			id := fmt.Sprintf("job-%d", n)
			res, err := a.Apply(t.Context(), plan(t, id, statements(n, "INSERT INTO nowhere VALUES (1)")...))
			want(t, res, err, apply.Failed)
			var se *apply.StatementError
			if !errors.As(err, &se) || se.N != n+1 {
				t.Fatalf("%v; want statement %d", err, n+1)
			}
			if tables := b.count(t, b.tables); tables != 0 {
				t.Fatalf("statement %d failed and %d tables are left", n+1, tables)
			}
			if j, err := a.Lookup(t.Context(), id); err != nil || j.Status != "failed" || !strings.Contains(j.Detail, "nowhere") {
				t.Fatalf("%+v, %v", j, err)
			}
			res, err = a.Apply(t.Context(), plan(t, id, eleven...))
			want(t, res, err, apply.JobSpent)
		}
		res, err := a.Apply(t.Context(), plan(t, "job-new", eleven...))
		want(t, res, err, apply.Applied)
	})
}

// TestCommitFails: a deferred constraint is checked by COMMIT itself.
func TestCommitFails(t *testing.T) {
	each(t, func(t *testing.T, b backend) {
		if t.Name() == "TestCommitFails/SQLite" {
			t.Skip("foreign keys are off in this one")
		}
		a := b.open(t)
		p := plan(t, "job-7",
			"CREATE TABLE parent (id INTEGER PRIMARY KEY)",
			"CREATE TABLE child (parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)",
			"INSERT INTO child VALUES (99)")
		res, err := a.Apply(t.Context(), p)
		want(t, res, err, apply.Failed)
		if !strings.Contains(err.Error(), "commit: ") || !res.Recorded || b.count(t, b.tables) != 0 {
			t.Errorf("%+v, %v, %d tables", res, err, b.count(t, b.tables))
		}
		// The pool has no connection with the dead transaction in it.
		res, err = a.Apply(t.Context(), plan(t, "job-8", eleven...))
		want(t, res, err, apply.Applied)
	})
}

// TestSameJobAtOnce: of many deliveries at the same time one is applied.
func TestSameJobAtOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, b backend) {
		a := b.open(t)
		if _, err := b.db.Exec("CREATE TABLE seen (n INTEGER)" + engine(b)); err != nil {
			t.Fatal(err)
		}
		between := "UPDATE seen SET n = n"
		if b.dialect.Name == apply.MySQL.Name {
			between = "SELECT 1" // that update would make different jobs deadlock
		}
		const jobs, deliveries = 5, 8
		var wg sync.WaitGroup
		results := make(chan apply.Result, jobs*deliveries)
		for j := range jobs {
			p := plan(t, fmt.Sprintf("job-%d", j), "INSERT INTO seen VALUES (1)", between, "INSERT INTO seen VALUES (2)")
			for range deliveries {
				wg.Go(func() {
					for {
						res, err := a.Apply(t.Context(), p)
						if res.Outcome.SameJobID() { // SQLite: busy
							continue
						}
						if err != nil {
							t.Error(err)
						}
						results <- res
						return
					}
				})
			}
		}
		wg.Wait()
		close(results)
		got := map[apply.Outcome]int{}
		for r := range results {
			got[r.Outcome]++
		}
		if got[apply.Applied] != jobs || got[apply.AlreadyApplied] != jobs*(deliveries-1) {
			t.Errorf("%v", got)
		}
		if n := b.count(t, "SELECT COUNT(*) FROM seen"); n != 2*jobs {
			t.Errorf("%d rows, want %d", n, 2*jobs)
		}
	})
}

// TestTwoPlansOneID: whoever comes first has the id.
func TestTwoPlansOneID(t *testing.T) {
	each(t, func(t *testing.T, b backend) {
		a := b.open(t)
		if _, err := b.db.Exec("CREATE TABLE seen (n INTEGER)" + engine(b)); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		outcomes := make([]apply.Outcome, 6)
		for i := range outcomes {
			p := plan(t, "job-7", fmt.Sprintf("INSERT INTO seen VALUES (%d)", i))
			wg.Go(func() {
				for outcomes[i] == 0 || outcomes[i].SameJobID() {
					res, _ := a.Apply(t.Context(), p)
					outcomes[i] = res.Outcome
				}
			})
		}
		wg.Wait()
		applied, spent := 0, 0
		for i, o := range outcomes {
			switch o {
			case apply.Applied:
				applied++
				if n := b.count(t, "SELECT n FROM seen"); n != i {
					t.Errorf("row %d, applied %d", n, i)
				}
			case apply.JobSpent:
				spent++
			}
		}
		if applied != 1 || spent != len(outcomes)-1 {
			t.Errorf("%v", outcomes)
		}
	})
}

func TestQuarantineTable(t *testing.T) {
	everywhere(t, func(t *testing.T, b backend) {
		q, err := apply.NewTableQuarantine(b.db, b.dialect, "kept")
		if err != nil {
			t.Fatal(err)
		}
		if err := q.EnsureTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		a := b.open(t, apply.QuarantineTo(q))
		bad := bytes.Replace(plan(t, "job-7", eleven...).Seal(), []byte("total = 0"), []byte("total > 0"), 1)
		var sum string
		for range 2 {
			res, err := a.Run(t.Context(), bytes.NewReader(bad))
			want(t, res, err, apply.DigestMismatch)
			var e *apply.Error
			if !errors.Is(err, envelope.Digest) || res.Quarantined == "" || errors.As(err, &e) && e.Also != nil {
				t.Fatalf("%+v, %v", res, err)
			}
			sum = res.SHA256
		}
		var payload []byte
		if err := b.db.QueryRow("SELECT payload FROM kept WHERE sha256 = '" + sum + "'").Scan(&payload); err != nil || !bytes.Equal(payload, bad) {
			t.Errorf("%q, %v", payload, err)
		}
		if b.count(t, b.tables) != 0 {
			t.Error("tables were made")
		}
	})
}

func TestCountMismatch(t *testing.T) {
	everywhere(t, func(t *testing.T, b backend) {
		a := b.open(t)
		short := bytes.Replace(plan(t, "job-7", eleven...).Seal(), []byte(`"DELETE FROM invoice WHERE total = 0",`), nil, 1)
		res, err := a.Run(t.Context(), bytes.NewReader(short))
		want(t, res, err, apply.CountMismatch)
		if j, err := a.Lookup(t.Context(), "job-7"); err != nil || j.Status != "count_mismatch" || b.count(t, b.tables) != 0 {
			t.Errorf("%+v, %v", j, err)
		}
	})
}

// hostile are texts that would end or divide the transaction, run as a plan's second
// statement between two that leave a mark. None may leave the first mark.
var hostile = []string{
	"COMMIT", "commit;", "END", "ROLLBACK", "BEGIN", "BEGIN; COMMIT", "SAVEPOINT a", "RELEASE a",
	"SELECT 1; COMMIT", "SELECT 1;/**/COMMIT;--", ";;COMMIT", "--\nCOMMIT", "/**/COMMIT", "SELECT ';'; COMMIT",
	"SELECT 'it''s'; COMMIT", `SELECT 'a\'; COMMIT; --'`, `SELECT "a"";"; COMMIT`, "SELECT `a`; COMMIT", "SELECT [a]; COMMIT; --]",
	"SELECT [1;COMMIT;--]", "SELECT $$a$$; COMMIT", "SELECT $a$ ; COMMIT; --$a$", "SELECT 1 /* /* */; COMMIT; --*/",
	"SELECT E'a\\'; COMMIT; --'", "SELECT E'a'\n'\\''; COMMIT; --'", "SELECT e'\\\\'; COMMIT", "SELECT U&'a'; COMMIT",
	"CREATE TRIGGER tr AFTER INSERT ON mark BEGIN SELECT 1; END; COMMIT",
	"CREATE TRIGGER tr AFTER INSERT ON begin BEGIN SELECT 1; END; END",
	"CREATE TABLE begin (a); CREATE TRIGGER tr AFTER INSERT ON begin BEGIN SELECT 1; END; END",
	"CREATE TRIGGER begin AFTER INSERT ON mark BEGIN SELECT 1; END; COMMIT",
	"CREATE FUNCTION f() RETURNS int LANGUAGE SQL BEGIN ATOMIC SELECT 1; END; COMMIT",
	"\uFEFFCOMMIT", "\uFEFF;COMMIT", "SELECT 1\x00; COMMIT", "SELECT 1;\uFEFFCOMMIT", "\x0bCOMMIT", "\x0cCOMMIT", "\u00a0COMMIT",
	"INSERT OR ROLLBACK INTO mark VALUES (1, 1)", "INSERT INTO mark VALUES (1, 1) ON CONFLICT ROLLBACK",
	"DO $$ BEGIN COMMIT; END $$", "DO $$ BEGIN PERFORM 1; ROLLBACK; END $$", "PREPARE TRANSACTION 'x'", "ABORT",
	"DELETE FROM apply_jobs", "UPDATE apply_jobs SET status = 'failed'", "DO $$ BEGIN EXECUTE 'DELETE FROM apply' || '_jobs'; END $$",
	"EXPLAIN COMMIT", "EXPLAIN SELECT 1; COMMIT", "PRAGMA foreign_keys = 0; COMMIT", "VACUUM", "ATTACH ':memory:' AS x",
}

// TestSpentStaysSpent checks that no plan can free the id of another job, whatever
// way it writes the job table's name.
func TestSpentStaysSpent(t *testing.T) {
	each(t, func(t *testing.T, b backend) {
		a := b.open(t)
		if res, err := a.RunJob(t.Context(), "cut", bytes.NewReader([]byte("{"))); !errors.Is(err, apply.Truncated) || !res.Recorded {
			t.Fatalf("%+v, %v", res, err)
		}
		for i, name := range []string{
			"apply_jobs", "Apply_Jobs", `"apply_jobs"`, "[apply_jobs]", "`apply_jobs`", "'apply_jobs'", "main.'apply_jobs'", "public.apply_jobs",
			`U&"apply\005fjobs"`, `U&"apply!005fjobs" UESCAPE '!'`,
		} {
			p, err := envelope.NewPlan("schema_apply", fmt.Sprintf("free-%d", i), "DELETE FROM "+name+" WHERE job_id = 'cut'")
			if err != nil {
				t.Fatal(err)
			}
			if res, err := a.Apply(t.Context(), p); err == nil {
				t.Errorf("%s: %+v", name, res)
			}
			if j, err := a.Lookup(t.Context(), "cut"); err != nil || j.Status != "truncated" {
				t.Errorf("%s: %+v, %v", name, j, err)
			}
		}
	})
}

func TestHostileStatements(t *testing.T) {
	each(t, func(t *testing.T, b backend) {
		a := b.open(t)
		if _, err := b.db.Exec("CREATE TABLE mark (id INTEGER UNIQUE, n INTEGER)"); err != nil {
			t.Fatal(err)
		}
		for i, text := range hostile {
			tryHostile(t, b, a, fmt.Sprintf("job-%d", i), text)
		}
		// And the connections in the pool are as good as new.
		res, err := a.Apply(t.Context(), plan(t, "job-new", eleven...))
		want(t, res, err, apply.Applied)
	})
}

// tryHostile runs text between a mark and a statement that must fail. Whatever text
// is, the mark must be gone and the job not applied.
func tryHostile(t *testing.T, b backend, a *apply.Applier, id, text string) {
	t.Helper()
	p, err := envelope.NewPlan("schema_apply", id, "INSERT INTO mark VALUES (1, 2)", text, "INSERT INTO nowhere VALUES (1)")
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(background(), 2*time.Second)
	defer cancel()
	res, err := a.Apply(ctx, p)
	if err == nil || res.Outcome == apply.Applied {
		t.Fatalf("%q: %+v, %v", text, res, err)
	}
	if n := b.count(t, "SELECT COUNT(*) FROM mark"); n != 0 {
		t.Fatalf("%q: the mark stays: %v", text, err)
	}
	if j, err := a.Lookup(background(), id); err == nil && j.Status == "applied" {
		t.Fatalf("%q: %+v", text, j)
	}
}

// FuzzSQLiteStatement is TestHostileStatements with texts that nobody thought of.
func FuzzSQLiteStatement(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	for _, text := range eleven {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(strings.ToUpper(text), "RECURSIVE") {
			t.Skip("may run for ever")
		}
		b := sqlite(t, "_pragma=busy_timeout(1000)&_pragma=journal_mode(MEMORY)&_pragma=synchronous(0)")
		b.db.SetMaxOpenConns(1)
		a := b.open(t)
		if _, err := b.db.Exec("CREATE TABLE mark (id INTEGER UNIQUE, n INTEGER)"); err != nil {
			t.Fatal(err)
		}
		tryHostile(t, b, a, "job-7", text)
	})
}

func BenchmarkApply(b *testing.B) {
	for _, open := range []struct {
		name string
		f    func() backend
	}{
		{"SQLite", func() backend { return sqlite(b, "_pragma=journal_mode(WAL)&_pragma=synchronous(0)") }},
		{"PostgreSQL", func() backend { return postgres(b, nil) }},
	} {
		b.Run(open.name, func(b *testing.B) {
			be := open.f()
			a := be.open(b)
			if _, err := be.db.Exec("CREATE TABLE seen (n INTEGER)"); err != nil {
				b.Fatal(err)
			}
			i := 0
			for b.Loop() {
				i++
				p := plan(b, fmt.Sprintf("job-%d", i), "INSERT INTO seen VALUES (1)", "UPDATE seen SET n = 2 WHERE n = 1", "DELETE FROM seen")
				if res, err := a.Apply(b.Context(), p); err != nil {
					b.Fatal(res, err)
				}
			}
		})
	}
}
