package apply

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/streamlint/streamlint/stream/envelope"
)

var key = []byte("0123456789abcdef")

// TestDecisionTable is the table of the package documentation, each outcome brought
// about by the bytes that cause it.
func TestDecisionTable(t *testing.T) {
	p := mustPlan(t, "job-7", eleven...)
	whole := string(p.Seal())
	keyed, _ := p.SealHMAC(key)
	lines, _ := p.SealLines()
	reset := errors.New("connection reset")
	for _, tt := range []struct {
		name    string
		read    io.Reader
		opts    []Option
		outcome Outcome
		err     error
		id      string // of the row
	}{
		{name: "whole", read: strings.NewReader(whole), outcome: Applied, id: "job-7"},
		{name: "whole and a newline", read: strings.NewReader(whole + "\n"), outcome: Applied, id: "job-7"},
		{name: "byte by byte", read: iotest.OneByteReader(strings.NewReader(whole)), outcome: Applied, id: "job-7"},
		{name: "lines", read: bytes.NewReader(lines), outcome: Applied, id: "job-7"},
		{name: "keyed", read: bytes.NewReader(keyed), opts: []Option{HMACKey(key)}, outcome: Applied, id: "job-7"},
		{name: "nothing", read: strings.NewReader(""), outcome: Truncated, err: io.ErrUnexpectedEOF, id: "?"},
		{name: "cut in the seventh", read: strings.NewReader(whole[:strings.Index(whole, "invoice ADD")]), outcome: Truncated, err: envelope.JSON, id: "job-7"},
		{name: "cut in the job id", read: strings.NewReader(whole[:strings.Index(whole, "b-7")]), outcome: Truncated, err: io.ErrUnexpectedEOF, id: "?"},
		{name: "whole, then a reset", read: io.MultiReader(strings.NewReader(whole), iotest.ErrReader(reset)), outcome: Truncated, err: reset, id: "job-7"},
		{name: "cut by HTTP", read: io.MultiReader(strings.NewReader(whole[:99]), iotest.ErrReader(io.ErrUnexpectedEOF)), outcome: Truncated, err: io.ErrUnexpectedEOF, id: "job-7"},
		{name: "trailer missing", read: strings.NewReader(strings.Replace(whole, `,"trailer":"END_APPLY"`, "", 1)), outcome: Truncated, err: envelope.Trailer, id: "job-7"},
		{name: "two plans", read: strings.NewReader(whole + whole), outcome: Truncated, err: envelope.JSON, id: "job-7"},
		{name: "statement lost", read: strings.NewReader(strings.Replace(whole, `,"DROP TABLE account"`, "", 1)), outcome: CountMismatch, err: envelope.Count, id: "job-7"},
		{name: "statement changed", read: strings.NewReader(strings.Replace(whole, "total = 0", "total > 0", 1)), outcome: DigestMismatch, err: envelope.Digest, id: "job-7"},
		{name: "keyed, no key here", read: bytes.NewReader(keyed), outcome: DigestMismatch, err: envelope.Key, id: "job-7"},
		{name: "not keyed, key here", read: strings.NewReader(whole), opts: []Option{HMACKey(key)}, outcome: DigestMismatch, err: envelope.Key, id: "job-7"},
		{name: "unknown member", read: strings.NewReader(strings.Replace(whole, "{", `{"note":1,`, 1)), outcome: Refused, err: envelope.Field, id: "job-7"},
		{name: "too large", read: strings.NewReader(whole), opts: []Option{MaxBytes(int64(len(whole) - 1))}, outcome: Refused, err: errTooLarge, id: "job-7"},
		{name: "just the cap", read: strings.NewReader(whole), opts: []Option{MaxBytes(int64(len(whole)))}, outcome: Applied, id: "job-7"},
		{name: "transaction control", read: bytes.NewReader(mustPlan(t, "job-7", "UPDATE a SET b = 1", "COMMIT").Seal()), outcome: Refused, err: ErrTransactionControl, id: "job-7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake()
			a := open(t, f, SQLite, tt.opts...)
			res, err := a.Run(t.Context(), tt.read)
			if tt.outcome == Applied {
				if err != nil || res.Outcome != Applied || !slices.Equal(f.effects, eleven) || f.status("job-7") != "applied" || res.Bytes == 0 {
					t.Fatalf("%+v, %v", res, err)
				}
				return
			}
			wantError(t, res, err, tt.outcome)
			if !errors.Is(err, tt.err) {
				t.Errorf("%v; want %v", err, tt.err)
			}
			if len(f.effects) != 0 || slices.Contains(f.log, "BEGIN") {
				t.Errorf("effects %q, log %q", f.effects, f.log)
			}
			if !res.Recorded {
				t.Error("not recorded")
			}
			if tt.id == "?" {
				if got := f.asides(); res.JobID != "" || len(got) != 1 || got[0] != fmt.Sprint(tt.outcome, " ", res.Bytes) {
					t.Errorf("job %q, rows %q", res.JobID, got)
				}
				return
			}
			if res.JobID != tt.id || f.status(tt.id) != tt.outcome.String() {
				t.Errorf("job %q, row %q", res.JobID, f.status(tt.id))
			}
			// The id is burnt, though the plan is whole now.
			res, err = a.Apply(t.Context(), p)
			wantError(t, res, err, JobSpent)
			if len(f.effects) != 0 {
				t.Errorf("effects under a burnt id: %q", f.effects)
			}
		})
	}
}

// TestEveryCut: of a plan that ends too early nothing runs, the row has its length,
// and the id cannot be used again.
func TestEveryCut(t *testing.T) {
	p := mustPlan(t, "job-7", eleven...)
	whole := p.Seal()
	for n := range whole {
		f := newFake()
		a := open(t, f, PostgreSQL)
		res, err := a.Run(t.Context(), bytes.NewReader(whole[:n]))
		wantError(t, res, err, Truncated)
		if len(f.effects) != 0 || slices.Contains(f.log, "BEGIN") || res.Bytes != int64(n) || !res.Recorded {
			t.Fatalf("%d bytes: %+v, %q", n, res, f.log)
		}
		again, err := a.Apply(t.Context(), p)
		if known := res.JobID != ""; known {
			wantError(t, again, err, JobSpent)
			if j, err := a.Lookup(t.Context(), "job-7"); err != nil || j.Status != "truncated" || j.Bytes != int64(n) {
				t.Fatalf("%d bytes: %+v, %v", n, j, err)
			}
		} else if err != nil || again.Outcome != Applied {
			t.Fatalf("%d bytes: %+v, %v", n, again, err)
		}
	}
}

func TestEverySplit(t *testing.T) {
	whole := mustPlan(t, "job-7", eleven...).Seal()
	for n := range len(whole) + 1 {
		f := newFake()
		a := open(t, f, PostgreSQL)
		r := io.MultiReader(bytes.NewReader(whole[:n]), bytes.NewReader(whole[n:]))
		if res, err := a.Run(t.Context(), r); err != nil || res.Outcome != Applied || !slices.Equal(f.effects, eleven) {
			t.Fatalf("cut at %d: %+v, %v", n, res, err)
		}
	}
}

// TestCutReplay: a whole job whose plan is sent again and cut stays applied; the
// second delivery has a row of its own, one however often it comes.
func TestCutReplay(t *testing.T) {
	f := newFake()
	a := open(t, f, SQLite)
	whole := mustPlan(t, "job-7", eleven...).Seal()
	if _, err := a.Run(t.Context(), bytes.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		res, err := a.Run(t.Context(), bytes.NewReader(whole[:200]))
		wantError(t, res, err, Truncated)
		if got := f.asides(); !res.Recorded || !slices.Equal(got, []string{"truncated 200"}) || f.status("job-7") != "applied" {
			t.Errorf("%+v, rows %q, job-7 %q", res, got, f.status("job-7"))
		}
	}
	if res, err := a.Run(t.Context(), bytes.NewReader(whole)); err != nil || res.Outcome != AlreadyApplied {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestRunJob(t *testing.T) {
	whole := mustPlan(t, "job-7", eleven...).Seal()
	f := newFake()
	a := open(t, f, SQLite)
	res, err := a.RunJob(t.Context(), "job-8", bytes.NewReader(whole))
	wantError(t, res, err, Refused)
	if res.JobID != "job-8" || f.status("job-8") != "refused" || f.status("job-7") != "" {
		t.Errorf("%+v", res)
	}
	res, err = a.RunJob(t.Context(), "job-9", bytes.NewReader(whole[:3]))
	wantError(t, res, err, Truncated)
	if res.JobID != "job-9" || f.status("job-9") != "truncated" {
		t.Errorf("%+v", res)
	}
	res, err = a.RunJob(t.Context(), "../job", bytes.NewReader(whole))
	wantError(t, res, err, Refused)
	if res, err := a.RunJob(t.Context(), "job-7", bytes.NewReader(whole)); err != nil || res.Outcome != Applied {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestRejectedWhileDown(t *testing.T) {
	f := newFake()
	f.insert, f.query = errDown, errDown
	a := open(t, f, SQLite)
	res, err := a.Run(t.Context(), strings.NewReader(`{"job_id":"job-7"`))
	e := wantError(t, res, err, Truncated)
	if res.Recorded || !errors.Is(e.Also, errDown) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%+v, %v", res, err)
	}
}

// pipe is a stream that a test feeds.
func pipe(t *testing.T) (*io.PipeReader, func(string)) {
	r, w := io.Pipe()
	return r, func(s string) {
		if _, err := io.WriteString(w, s); err != nil {
			t.Error(err)
		}
	}
}

// TestIdle runs in a bubble of virtual time, which also fails the test when a
// goroutine is left behind.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		a := open(t, f, SQLite, Idle(30*time.Second))
		whole := string(mustPlan(t, "job-7", eleven...).Seal())
		r, feed := pipe(t)
		// Slow is not silent: four minutes for the first eight pieces.
		go func() {
			for i := range 8 {
				feed(whole[i*20 : i*20+20])
				time.Sleep(29 * time.Second)
			}
		}()
		start := time.Now()
		res, err := a.Run(t.Context(), r)
		wantError(t, res, err, IdleTimeout)
		if took := time.Since(start); took != 7*29*time.Second+30*time.Second {
			t.Errorf("gave up after %v", took)
		}
		if res.Bytes != 160 || f.status("job-7") != "idle_timeout" || !errors.Is(err, errIdle) || len(f.effects) != 0 {
			t.Errorf("%+v, %v", res, err)
		}
		res, err = a.Run(t.Context(), strings.NewReader(whole))
		wantError(t, res, err, JobSpent)
	})
}

// TestIdleAtTheEnd: all the bytes are there but not the end. More could follow, so it
// is not known that the plan is whole.
func TestIdleAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		a := open(t, f, SQLite)
		r, feed := pipe(t)
		go feed(string(mustPlan(t, "job-7", eleven...).Seal()))
		res, err := a.Run(t.Context(), r)
		wantError(t, res, err, IdleTimeout)
		if len(f.effects) != 0 {
			t.Errorf("%q", f.effects)
		}
	})
}

func TestNoIdleLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		a := open(t, f, SQLite, Idle(0))
		r, w := io.Pipe()
		whole := mustPlan(t, "job-7", eleven...).Seal()
		go func() {
			w.Write(whole[:50])
			time.Sleep(48 * time.Hour)
			w.Write(whole[50:])
			w.Close()
		}()
		if res, err := a.Run(t.Context(), r); err != nil || res.Outcome != Applied {
			t.Errorf("%+v, %v", res, err)
		}
	})
}

func TestCancelWhileReceiving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		a := open(t, f, SQLite)
		why := errors.New("shutting down")
		ctx, cancel := context.WithCancelCause(t.Context())
		r, feed := pipe(t)
		go func() {
			feed(`{"job_id":"job-7",`)
			time.Sleep(time.Second)
			cancel(why)
		}()
		res, err := a.Run(ctx, r)
		wantError(t, res, err, Canceled)
		if !errors.Is(err, why) || f.status("job-7") != "canceled" || !res.Recorded {
			t.Errorf("%+v, %v, row %q", res, err, f.status("job-7"))
		}
	})
}

// stuck has neither a deadline nor a Close; its read returns when told.
type stuck struct{ release chan struct{} }

func (s stuck) Read([]byte) (int, error) { <-s.release; return 0, io.EOF }

func TestStuckReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := open(t, newFake(), SQLite)
		s := stuck{make(chan struct{})}
		start := time.Now()
		res, err := a.Run(t.Context(), s)
		wantError(t, res, err, IdleTimeout)
		if took := time.Since(start); took != time.Minute {
			t.Errorf("gave up after %v", took)
		}
		close(s.release) // or the bubble complains of the goroutine
	})
}

// TestDeadlineWakesConnection: a connection is not closed, its owner does that.
func TestDeadlineWakesConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := open(t, newFake(), SQLite)
		here, there := net.Pipe()
		defer there.Close()
		defer here.Close()
		res, err := a.Run(t.Context(), here)
		wantError(t, res, err, IdleTimeout)
		here.SetReadDeadline(time.Time{})
		go there.Write([]byte("still open"))
		buf := make([]byte, 10)
		if n, err := io.ReadFull(here, buf); err != nil {
			t.Errorf("%d, %v", n, err)
		}
	})
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestEndless(t *testing.T) {
	f := newFake()
	a := open(t, f, SQLite, MaxBytes(1<<20))
	res, err := a.Run(t.Context(), endless{})
	wantError(t, res, err, Refused)
	if res.Bytes < 1<<20 || res.Bytes > 1<<20+64<<10 || !errors.Is(err, errTooLarge) {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestDirQuarantine(t *testing.T) {
	dir := t.TempDir()
	f := newFake()
	a := open(t, f, SQLite, QuarantineTo(DirQuarantine(dir)))
	bad := bytes.Replace(mustPlan(t, "job-7", eleven...).Seal(), []byte("total = 0"), []byte("total > 0"), 1)
	var where string
	for range 2 { // the same bytes again are no error
		res, err := a.Run(t.Context(), bytes.NewReader(bad))
		e := wantError(t, res, err, DigestMismatch)
		where = res.Quarantined
		if where != filepath.Join(dir, res.SHA256+".plan") || e.Also != nil {
			t.Errorf("%+v, %v", res, err)
		}
	}
	if got, err := os.ReadFile(where); err != nil || !bytes.Equal(got, bad) {
		t.Errorf("%q, %v", got, err)
	}
	if st, err := os.Stat(where); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
	if names, _ := filepath.Glob(dir + "/*"); len(names) != 1 {
		t.Errorf("%q", names)
	}
	// A half-written file of an earlier crash is replaced.
	os.WriteFile(where, bad[:10], 0o600)
	os.WriteFile(where+".part", bad[:10], 0o600)
	if _, err := a.Run(t.Context(), bytes.NewReader(bad)); !errors.Is(err, DigestMismatch) {
		t.Error(err)
	}
	if got, err := os.ReadFile(where); err != nil || !bytes.Equal(got, bad) {
		t.Errorf("%q, %v", got, err)
	}

	// Other outcomes keep nothing.
	res, err := a.Run(t.Context(), bytes.NewReader(bad[:100]))
	if wantError(t, res, err, Truncated); res.Quarantined != "" {
		t.Errorf("%+v", res)
	}

	a = open(t, newFake(), SQLite, QuarantineTo(DirQuarantine(filepath.Join(dir, "none"))))
	res, err = a.Run(t.Context(), bytes.NewReader(bad))
	if e := wantError(t, res, err, DigestMismatch); !errors.Is(e.Also, os.ErrNotExist) || res.Quarantined != "" || !res.Recorded {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestTableQuarantine(t *testing.T) {
	f := newFake()
	a := open(t, f, SQLite)
	q, err := NewTableQuarantine(a.db, SQLite, "kept")
	if err != nil {
		t.Fatal(err)
	}
	if err := q.EnsureTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	QuarantineTo(q)(a)
	bad := bytes.Replace(mustPlan(t, "job-7", eleven...).Seal(), []byte("total = 0"), []byte("total > 0"), 1)
	for range 2 {
		res, err := a.Run(t.Context(), bytes.NewReader(bad))
		e := wantError(t, res, err, DigestMismatch)
		if res.Quarantined != "kept "+res.SHA256 || e.Also != nil || !bytes.Equal(f.kept[res.SHA256], bad) {
			t.Errorf("%+v, %v", res, err)
		}
	}
	for _, d := range []Dialect{{}, {Placeholder: question}} {
		if _, err := NewTableQuarantine(a.db, d, "kept"); err == nil {
			t.Errorf("%+v is accepted", d)
		}
	}
	if _, err := NewTableQuarantine(a.db, SQLite, "a b"); err == nil {
		t.Error("a bad name is accepted")
	}
}

// FuzzRun: whatever arrives, either a whole plan has run or nothing has.
func FuzzRun(f *testing.F) {
	whole := mustPlan(f, "job-7", eleven...).Seal()
	for n := 0; n <= len(whole); n += 37 {
		f.Add(whole[:n])
	}
	f.Add(whole)
	f.Add(mustPlan(f, "job-8", "SELECT 1", "COMMIT").Seal())
	f.Fuzz(func(t *testing.T, raw []byte) {
		db := newFake()
		a := open(t, db, SQLite)
		res, err := a.Run(t.Context(), bytes.NewReader(raw))
		plan, perr := envelope.OpenPlan(raw)
		if err == nil {
			if perr != nil || !slices.Equal(db.effects, plan.Statements()) || res.Statements != plan.Len() || db.status(plan.JobID()) != "applied" {
				t.Fatalf("%+v, %v: %q", res, perr, db.effects)
			}
			return
		}
		var e *Error
		if !errors.As(err, &e) || e.Result != res || !res.Recorded {
			t.Fatalf("%+v, %v", res, err)
		}
		if len(db.effects) != 0 || slices.Contains(db.log, "BEGIN") {
			t.Fatalf("%v, and yet %q ran", err, db.log)
		}
	})
}
