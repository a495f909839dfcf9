package apply

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamlint/streamlint/stream/envelope"
)

var eleven = []string{
	"CREATE TABLE account (id INTEGER PRIMARY KEY, email TEXT NOT NULL)",
	"ALTER TABLE account ADD COLUMN created_at TEXT",
	"CREATE INDEX account_email ON account (email)",
	"INSERT INTO account (id, email) VALUES (1, 'a;b')",
	"UPDATE account SET email = 'COMMIT' WHERE id = 1",
	"CREATE TABLE invoice (id INTEGER, account INTEGER)",
	"ALTER TABLE invoice ADD COLUMN total INTEGER",
	"CREATE INDEX invoice_account ON invoice (account)",
	"INSERT INTO invoice VALUES (1, 1, 30)",
	"DELETE FROM invoice WHERE total = 0",
	"DROP TABLE account",
}

func mustPlan(t testing.TB, id string, statements ...string) *envelope.Plan {
	t.Helper()
	p, err := envelope.NewPlan("schema_apply", id, statements...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wantError checks that err is an *Error of that outcome with the same Result.
func wantError(t *testing.T, res Result, err error, o Outcome) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || !errors.Is(err, o) || res.Outcome != o || e.Result != res {
		t.Fatalf("%+v, %v; want %v", res, err, o)
	}
	if res.Statements != 0 || o.Ack() {
		t.Fatalf("%+v: a failure with statements", res)
	}
	return e
}

func TestApply(t *testing.T) {
	f := newFake()
	a := open(t, f, SQLite)
	a.now = func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.FixedZone("", 3600)) }
	p := mustPlan(t, "job-7", eleven...)
	res, err := a.Apply(t.Context(), p)
	want := Result{Outcome: Applied, JobID: "job-7", Statements: 11, SHA256: p.Digest(), Recorded: true}
	if err != nil || res != want {
		t.Fatalf("%+v, %v; want %+v", res, err, want)
	}
	if !slices.Equal(f.effects, eleven) {
		t.Errorf("effects: %q", f.effects)
	}
	log := append(append([]string{"BEGIN", "JOB job-7 applied"}, eleven...), "COMMIT")
	if !slices.Equal(f.log, log) {
		t.Errorf("log: %q\nwant: %q", f.log, log)
	}
	j, err := a.Lookup(t.Context(), "job-7")
	wantJob := Job{
		ID: "job-7", Tool: "schema_apply", Statements: 11, SHA256: p.Digest(), Status: "applied",
		RecordedAt: time.Date(2026, 11, 30, 11, 0, 0, 0, time.UTC),
	}
	if err != nil || j != wantJob {
		t.Errorf("%+v, %v; want %+v", j, err, wantJob)
	}
	if _, err := a.Lookup(t.Context(), "job-8"); !errors.Is(err, ErrNoJob) {
		t.Errorf("%v", err)
	}
}

func TestReplay(t *testing.T) {
	f := newFake()
	a := open(t, f, SQLite)
	p := mustPlan(t, "job-7", eleven...)
	for i := range 3 {
		res, err := a.Apply(t.Context(), p)
		if err != nil || !res.Outcome.Ack() || (i > 0) != (res.Outcome == AlreadyApplied) {
			t.Fatalf("%d: %+v, %v", i, res, err)
		}
		if i > 0 && (res.Statements != 0 || !res.Recorded) {
			t.Errorf("%+v", res)
		}
	}
	if len(f.effects) != 11 {
		t.Errorf("%d effects", len(f.effects))
	}
	// The same id for anything else is spent.
	res, err := a.Apply(t.Context(), mustPlan(t, "job-7", eleven[:10]...))
	wantError(t, res, err, JobSpent)
	other, _ := envelope.NewPlan("data_apply", "job-7", eleven...)
	res, err = a.Apply(t.Context(), other)
	wantError(t, res, err, JobSpent)
	if len(f.effects) != 11 || f.status("job-7") != "applied" {
		t.Errorf("%d effects, %s", len(f.effects), f.status("job-7"))
	}
}

func TestStatementFails(t *testing.T) {
	for n := range eleven {
		f := newFake()
		syntax := errors.New("syntax error \x00\xFF")
		f.statement = map[string]error{eleven[n]: syntax}
		a := open(t, f, SQLite)
		p := mustPlan(t, "job-7", eleven...)
		res, err := a.Apply(t.Context(), p)
		wantError(t, res, err, Failed)
		var se *StatementError
		if !errors.As(err, &se) || se.N != n+1 || se.Of != 11 || !errors.Is(err, syntax) || len(se.Statement) > 80 {
			t.Fatalf("%v", err)
		}
		if len(f.effects) != 0 || !res.Recorded || f.status("job-7") != "failed" {
			t.Fatalf("statement %d: effects %q, row %q", n+1, f.effects, f.status("job-7"))
		}
		if j, err := a.Lookup(t.Context(), "job-7"); err != nil || strings.ContainsRune(j.Detail, 0) || !strings.Contains(j.Detail, "syntax error") {
			t.Fatalf("%+v, %v", j, err)
		}
		// Mended or not: the id is spent, a new one is not.
		f.statement = nil
		res, err = a.Apply(t.Context(), p)
		wantError(t, res, err, JobSpent)
		if res, err := a.Apply(t.Context(), mustPlan(t, "job-8", eleven...)); err != nil || res.Outcome != Applied {
			t.Fatalf("%+v, %v", res, err)
		}
	}
}

// TestFaults breaks the database at each step.
func TestFaults(t *testing.T) {
	commitLost := errors.New("connection reset during commit")
	for _, tt := range []struct {
		name     string
		fault    func(f *fakeDB)
		outcome  Outcome
		effects  bool
		status   string
		recorded bool
		also     error
	}{
		{"no connection", func(f *fakeDB) { f.connect = errDown }, Unavailable, false, "", false, nil},
		{"begin", func(f *fakeDB) { f.begin = errDown }, Unavailable, false, "", false, nil},
		{"claim", func(f *fakeDB) { f.insert = errDown }, Unavailable, false, "", false, nil},
		{"claim and roll back", func(f *fakeDB) { f.insert, f.rollback = errDown, errDown }, Unavailable, false, "", false, errDown},
		{"claim and look up", func(f *fakeDB) { f.insert, f.query = errDown, errDown }, Unavailable, false, "", false, nil},
		{"reading the row back", func(f *fakeDB) { f.query = errDown }, Failed, false, "failed", true, nil},
		{"a plan that removes its row", func(f *fakeDB) {}, Failed, false, "failed", true, nil},
		{"statement and roll back", func(f *fakeDB) {
			f.statement, f.rollback = map[string]error{eleven[3]: errDown}, errDown
		}, Failed, false, "failed", true, errDown},
		{"statement, then all is down", func(f *fakeDB) {
			f.onExec = func(s string) {
				if s == eleven[3] {
					f.mu.Lock()
					f.statement, f.insert, f.query = map[string]error{s: errDown}, errDown, errDown
					f.mu.Unlock()
				}
			}
		}, Failed, false, "", false, errDown},
		{"commit refused", func(f *fakeDB) { f.commit = commitLost }, Failed, false, "failed", true, nil},
		{"commit done, answer lost", func(f *fakeDB) { f.commit, f.landed = commitLost, true }, Applied, true, "applied", true, nil},
		{"commit refused, then down", func(f *fakeDB) {
			f.commit = commitLost
			f.afterCommit = func(f *fakeDB) { f.insert, f.query = errDown, errDown }
		}, Unknown, false, "", false, errDown},
		{"commit done, then down", func(f *fakeDB) {
			f.commit, f.landed = commitLost, true
			f.afterCommit = func(f *fakeDB) { f.insert, f.query = errDown, errDown }
		}, Unknown, true, "applied", false, errDown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake()
			tt.fault(f)
			a := open(t, f, SQLite)
			statements := eleven
			if tt.name == "a plan that removes its row" {
				statements = []string{"SELECT forget_job()"}
			}
			p := mustPlan(t, "job-7", statements...)
			res, err := a.Apply(t.Context(), p)
			if tt.outcome == Applied {
				if err != nil || res.Outcome != Applied || res.Statements != 11 {
					t.Fatalf("%+v, %v", res, err)
				}
			} else {
				e := wantError(t, res, err, tt.outcome)
				if tt.also == nil && e.Also != nil || tt.also != nil && !errors.Is(e.Also, tt.also) {
					t.Errorf("also: %v, want %v", e.Also, tt.also)
				}
			}
			if (len(f.effects) > 0) != tt.effects || f.status("job-7") != tt.status || res.Recorded != tt.recorded {
				t.Errorf("effects %q, row %q, recorded %v", f.effects, f.status("job-7"), res.Recorded)
			}
			if !res.Outcome.SameJobID() {
				return
			}
			// Unavailable promises that the same job may be tried again.
			f.mu.Lock()
			f.connect, f.begin, f.insert, f.query, f.rollback = nil, nil, nil, nil, nil
			f.mu.Unlock()
			if res, err := a.Apply(t.Context(), p); err != nil || res.Outcome != Applied {
				t.Errorf("again: %+v, %v", res, err)
			}
		})
	}
}

// TestAfterUnknown: once the database is back, the row tells, and a replay agrees.
func TestAfterUnknown(t *testing.T) {
	for _, landed := range []bool{true, false} {
		f := newFake()
		f.commit, f.landed = errDown, landed
		f.afterCommit = func(f *fakeDB) { f.insert, f.query = errDown, errDown }
		a := open(t, f, SQLite)
		p := mustPlan(t, "job-7", eleven...)
		res, err := a.Apply(t.Context(), p)
		wantError(t, res, err, Unknown)
		f.mu.Lock()
		f.commit, f.insert, f.query, f.afterCommit = nil, nil, nil, nil
		f.mu.Unlock()
		_, err = a.Lookup(t.Context(), "job-7")
		if errors.Is(err, ErrNoJob) == landed {
			t.Errorf("landed %v: %v", landed, err)
		}
		res, err = a.Apply(t.Context(), p)
		if err != nil || landed != (res.Outcome == AlreadyApplied) || len(f.effects) != 11 {
			t.Errorf("landed %v: %+v, %v, %d effects", landed, res, err, len(f.effects))
		}
	}
}

// TestTorn: under a database whose procedures can commit, the row of the broken
// transaction must not pass for that of an applied job.
func TestTorn(t *testing.T) {
	for _, down := range []bool{false, true} {
		f := newFake()
		a := open(t, f, SQLite)
		f.statement = map[string]error{"SELECT 2": errDown}
		f.onExec = func(s string) {
			if strings.HasPrefix(s, "UPDATE apply_jobs") && down {
				f.mu.Lock()
				f.insert = errDown
				f.mu.Unlock()
			}
		}
		p := mustPlan(t, "job-7", "SELECT 1", "CALL hidden_commit()", "SELECT 2")
		res, err := a.Apply(t.Context(), p)
		e := wantError(t, res, err, Torn)
		if res.Recorded == down || errors.Is(e.Also, errDown) != down || !errors.Is(err, errDown) {
			t.Errorf("%+v, %v", res, err)
		}
		if down {
			continue
		}
		if f.status("job-7") != "torn" {
			t.Errorf("row %q", f.status("job-7"))
		}
		res, err = a.Apply(t.Context(), p)
		wantError(t, res, err, JobSpent)
	}
}

// TestAnotherDeliveryGotThrough: while one delivery rolls back, another of the same
// job is applied. That is success for both, and no torn transaction.
func TestAnotherDeliveryGotThrough(t *testing.T) {
	f := newFake()
	a := open(t, f, SQLite)
	p := mustPlan(t, "job-7", eleven...)
	f.statement = map[string]error{eleven[5]: errDown}
	once := true
	f.onExec = func(s string) {
		if strings.HasPrefix(s, "INSERT INTO apply_jobs") && slices.Contains(f.log, "ROLLBACK") && once {
			once = false
			f.statement = nil
			if res, err := a.Apply(t.Context(), p); err != nil || res.Outcome != Applied {
				t.Errorf("%+v, %v", res, err)
			}
		}
	}
	res, err := a.Apply(t.Context(), p)
	if err != nil || res.Outcome != AlreadyApplied || !slices.Equal(f.effects, eleven) {
		t.Errorf("%+v, %v, %q", res, err, f.effects)
	}
}

func TestContextEndsBetweenStatements(t *testing.T) {
	f := newFake()
	a := open(t, f, SQLite)
	why := errors.New("the operator stopped it")
	ctx, cancel := context.WithCancelCause(t.Context())
	f.onExec = func(s string) {
		if s == eleven[4] {
			cancel(why)
		}
	}
	res, err := a.Apply(ctx, mustPlan(t, "job-7", eleven...))
	wantError(t, res, err, Failed)
	if !errors.Is(err, why) {
		t.Errorf("the cause is lost: %v", err)
	}
	if len(f.effects) != 0 || f.status("job-7") != "failed" || !res.Recorded {
		t.Errorf("effects %q, row %q", f.effects, f.status("job-7"))
	}
}

func TestRefusedBeforeAnythingRuns(t *testing.T) {
	for _, tt := range []struct {
		d         Dialect
		statement string
		want      error
	}{
		{SQLite, "COMMIT", ErrTransactionControl},
		{PostgreSQL, "rollback", ErrTransactionControl},
		{SQLite, "SELECT 1; SELECT 2", ErrMultiple},
		{SQLite, "DELETE FROM apply_jobs", ErrJobTable},
		{MySQL, "CREATE TABLE a (id INTEGER)", ErrNotRolledBack},
		{MySQL, "COMMIT", ErrTransactionControl},
	} {
		f := newFake()
		a := open(t, f, tt.d)
		p := mustPlan(t, "job-7", "UPDATE a SET b = 1", tt.statement, "UPDATE a SET b = 2")
		res, err := a.Apply(t.Context(), p)
		wantError(t, res, err, Refused)
		var se *StatementError
		if !errors.Is(err, tt.want) || !errors.As(err, &se) || se.N != 2 {
			t.Errorf("%s: %v", tt.statement, err)
		}
		if !slices.Equal(f.log, []string{"JOB job-7 refused"}) || len(f.effects) != 0 {
			t.Errorf("%s: log %q", tt.statement, f.log)
		}
		// The text says which dialect and what would do.
		if tt.want == ErrNotRolledBack && !strings.Contains(err.Error(), "CREATE commits on its own under MySQL") {
			t.Errorf("%v", err)
		}
	}
	// Without DDL the dialect is fine.
	f := newFake()
	if res, err := open(t, f, MySQL).Apply(t.Context(), mustPlan(t, "job-7", "UPDATE a SET b = 1", "DELETE FROM a")); err != nil || res.Statements != 2 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestNilPlan(t *testing.T) {
	a := open(t, newFake(), SQLite)
	for _, p := range []*envelope.Plan{nil, {}} {
		res, err := a.Apply(t.Context(), p)
		wantError(t, res, err, Refused)
	}
}

func TestNewRefuses(t *testing.T) {
	db := open(t, newFake(), SQLite).db
	for name, make := range map[string]func() (*Applier, error){
		"no database":   func() (*Applier, error) { return New(nil, SQLite) },
		"no dialect":    func() (*Applier, error) { return New(db, Dialect{}) },
		"bad table":     func() (*Applier, error) { return New(db, SQLite, Table("a; DROP TABLE b")) },
		"three parts":   func() (*Applier, error) { return New(db, SQLite, Table("a.b.c")) },
		"empty HMAC":    func() (*Applier, error) { return New(db, SQLite, HMACKey(nil)) },
		"no HMAC keys":  func() (*Applier, error) { return New(db, SQLite, HMACKey()) },
		"short HMAC":    func() (*Applier, error) { return New(db, SQLite, HMACKey([]byte("short"))) },
		"no table name": func() (*Applier, error) { return New(db, SQLite, Table("")) },
	} {
		if a, err := make(); a != nil || err == nil {
			t.Errorf("%s: %v, %v", name, a, err)
		}
	}
	if a, err := New(db, SQLite, Table("ops.jobs"), Logger(nil)); err != nil || a.log == nil {
		t.Errorf("%v", err)
	}
}

func TestEnsureTable(t *testing.T) {
	f := newFake()
	a := open(t, f, SQLite)
	if err := a.EnsureTable(t.Context()); err != nil || !slices.Equal(f.log, []string{"CREATE TABLE IF NOT EXISTS apply_jobs ("}) {
		t.Errorf("%v, %q", err, f.log)
	}
	f.connect = errDown
	a.db.SetMaxIdleConns(0)
	if err := a.EnsureTable(t.Context()); !errors.Is(err, errDown) {
		t.Errorf("%v", err)
	}
}

func TestOutcomes(t *testing.T) {
	for o := Applied; o <= Torn; o++ {
		if strings.HasPrefix(o.String(), "Outcome") || o.Error() != o.String() {
			t.Errorf("%d has no name", o)
		}
		if o.Ack() != (o == Applied || o == AlreadyApplied) || o.SameJobID() != (o == Unavailable) {
			t.Errorf("%v: ack %v, same job id %v", o, o.Ack(), o.SameJobID())
		}
	}
	if got := Outcome(77).String(); got != "Outcome(77)" {
		t.Error(got)
	}
}

func TestLog(t *testing.T) {
	f := newFake()
	var out bytes.Buffer
	a := open(t, f, SQLite, Logger(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, at slog.Attr) slog.Attr {
			if at.Key == slog.TimeKey || at.Key == "sha256" {
				return slog.Attr{}
			}
			return at
		},
	}))))
	a.Apply(t.Context(), mustPlan(t, "job-7", "UPDATE a SET b = 1"))
	a.Apply(t.Context(), mustPlan(t, "job-8", "COMMIT"))
	want := `level=INFO msg=plan apply.job_id=job-7 apply.outcome=applied apply.ack=true apply.statements=1 apply.bytes=0 apply.recorded=true
level=WARN msg=plan apply.job_id=job-8 apply.outcome=refused apply.ack=false apply.statements=0 apply.bytes=0 apply.recorded=true err="apply: refused: job job-8: statement 1 of 1 (\"COMMIT\"): apply: transaction control inside a plan: COMMIT"
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func BenchmarkApply(b *testing.B) {
	f := newFake()
	a := open(b, f, SQLite)
	i := 0
	for b.Loop() {
		i++
		p, err := envelope.NewPlan("t", fmt.Sprintf("job-%d", i), eleven...)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := a.Apply(b.Context(), p); err != nil {
			b.Fatal(err)
		}
		f.effects, f.log = f.effects[:0], f.log[:0]
	}
}
