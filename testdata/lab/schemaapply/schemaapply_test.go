package schemaapply_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/streamlint/streamlint/stream/apply"
	"github.com/streamlint/streamlint/stream/envelope"
	"github.com/streamlint/streamlint/stream/streamtest"
	"github.com/streamlint/streamlint/testdata/lab/schemaapply"
	"github.com/streamlint/streamlint/testdata/lab/schemaapply/durable"
	"github.com/streamlint/streamlint/testdata/lab/schemaapply/naive"
)

const jobID = "job-3107"

func open(t testing.TB) *sql.DB {
	t.Helper()
	db, err := schemaapply.Open("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// objects counts what a plan makes.
func objects(t testing.TB, db *sql.DB) int {
	t.Helper()
	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM sqlite_master WHERE sql IS NOT NULL AND name NOT IN ('apply_jobs', 'kept')").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// clean drops everything, so that one database serves thousands of cuts.
func clean(t testing.TB, db *sql.DB) {
	t.Helper()
	rows, err := db.Query("SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND sql IS NOT NULL ORDER BY rowid DESC")
	if err != nil {
		t.Fatal(err)
	}
	var drops []string
	for rows.Next() {
		var kind, name string
		if err := rows.Scan(&kind, &name); err != nil {
			t.Fatal(err)
		}
		drops = append(drops, "DROP "+kind+" "+name)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	for _, d := range drops {
		if _, err := db.Exec(d); err != nil {
			t.Fatal(err)
		}
	}
}

func broken(cut []byte) streamtest.Reply {
	return streamtest.Stream(streamtest.Send(cut), streamtest.Cut())
}

// TestFacts: the plan is the one of the incident.
func TestFacts(t *testing.T) {
	if n := len(schemaapply.Plan); n != 3410 {
		t.Errorf("the plan has %d bytes", n)
	}
	plan, err := envelope.OpenPlan(schemaapply.Plan)
	if err != nil {
		t.Fatal(err)
	}
	if plan.Len() != 11 || plan.JobID() != jobID {
		t.Errorf("%d statements for %s", plan.Len(), plan.JobID())
	}
	seventh := encoded(t, plan.Statements()[6])
	start := bytes.Index(schemaapply.Plan, seventh)
	if start < 0 || schemaapply.CutAt <= start || schemaapply.CutAt >= start+len(seventh) {
		t.Errorf("the seventh statement is at %d to %d", start, start+len(seventh))
	}
}

func encoded(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// TestNaiveIncident: six of eleven statements, status success, and another job fails
// on a column that is not there.
func TestNaiveIncident(t *testing.T) {
	db := open(t)
	s := streamtest.Serve(t, broken(schemaapply.Plan[:schemaapply.CutAt]))
	res, err := naive.Fetch(t.Context(), s.Client(), s.URL, db)
	if want := (naive.Result{Status: "success", Statements: 6}); res != want || err != nil {
		t.Errorf("%+v %v, want %+v", res, err, want)
	}
	_, err = db.Exec(schemaapply.LaterJob)
	if err == nil || !strings.Contains(err.Error(), "currency") {
		t.Errorf("later job: %v", err)
	}
}

// TestNaiveEveryCut: from the first byte behind the opening bracket on, every cut is a
// success with as many statements as had come.
func TestNaiveEveryCut(t *testing.T) {
	db := open(t)
	n := 0
	s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
		return broken(schemaapply.Plan[:n])
	})
	first := bytes.IndexByte(schemaapply.Plan, '[') + 1
	parts := map[int]int{}
	for n = range len(schemaapply.Plan) {
		res, err := naive.Fetch(t.Context(), s.Client(), s.URL, db)
		if n < first {
			if err == nil {
				t.Errorf("cut at %d: %+v", n, res)
			}
			continue
		}
		if err != nil || res.Status != "success" {
			t.Fatalf("cut at %d: %+v %v", n, res, err)
		}
		parts[res.Statements]++
		clean(t, db)
	}
	for i := range 12 {
		if parts[i] == 0 {
			t.Errorf("no cut applied %d statements", i)
		}
	}
}

// TestNaiveEverySplit: whole it works, however it was split.
func TestNaiveEverySplit(t *testing.T) {
	db := open(t)
	got := everySplit(t, func(s *streamtest.Server) (int, error) {
		res, err := naive.Fetch(t.Context(), s.Client(), s.URL, db)
		n := objects(t, db)
		clean(t, db)
		if res.Statements != 11 {
			err = fmt.Errorf("%+v, %w", res, err)
		}
		return n, err
	})
	if got == 0 {
		t.Error("nothing was made")
	}
}

func everySplit[T any](t *testing.T, f func(s *streamtest.Server) (T, error)) T {
	var parts streamtest.Parts
	s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
		return streamtest.Stream(streamtest.Send(parts...))
	})
	return streamtest.EverySplit(t, schemaapply.Plan, func(p streamtest.Parts) (T, error) {
		parts = p
		return f(s)
	})
}

func TestDurableEverySplit(t *testing.T) {
	db := open(t)
	type result struct {
		apply.Result
		objects int
	}
	got := everySplit(t, func(s *streamtest.Server) (result, error) {
		res, err := durable.Fetch(t.Context(), s.Client(), s.URL, db)
		r := result{res, objects(t, db)}
		clean(t, db)
		return r, err
	})
	if got.Outcome != apply.Applied || got.Statements != 11 || got.objects == 0 {
		t.Errorf("%+v", got)
	}
}

// TestDurableEveryCut: truncated, with the length, and nothing written but that row.
func TestDurableEveryCut(t *testing.T) {
	db := open(t)
	var cut []byte
	s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
		if len(cut) == len(schemaapply.Plan) {
			return streamtest.Stream(streamtest.Send(cut))
		}
		return broken(cut)
	})
	streamtest.EveryCut(t, schemaapply.Plan, func(c []byte) error {
		cut = c
		res, err := durable.Fetch(t.Context(), s.Client(), s.URL, db)
		if err != nil {
			checkTruncated(t, db, res, err, len(c))
		}
		clean(t, db)
		return err
	})
}

func checkTruncated(t testing.TB, db *sql.DB, res apply.Result, err error, n int) {
	t.Helper()
	if !errors.Is(err, apply.Truncated) || res.Outcome.Ack() || res.Bytes != int64(n) || !res.Recorded {
		t.Errorf("cut at %d: %+v %v", n, res, err)
	}
	if got := objects(t, db); got != 0 {
		t.Errorf("cut at %d: %d objects were made", n, got)
	}
	var status string
	var size, rows int
	if err := db.QueryRow("SELECT status, bytes, (SELECT COUNT(*) FROM apply_jobs) FROM apply_jobs").Scan(&status, &size, &rows); err != nil {
		t.Fatal(err)
	}
	if status != "truncated" || size != n || rows != 1 {
		t.Errorf("cut at %d: %d rows, %s with %d bytes", n, rows, status, size)
	}
}

// TestDurableClosed: a server that shows the end of the body by closing the
// connection, so that a cut is no error of the transport.
func TestDurableClosed(t *testing.T) {
	for _, n := range []int{0, 120, schemaapply.CutAt, len(schemaapply.Plan) - 1} {
		db := open(t)
		s := streamtest.Serve(t, streamtest.Reply{
			Steps: []streamtest.Step{streamtest.Send(schemaapply.Plan[:n]), streamtest.Cut()}, CloseDelimited: true,
		})
		res, err := durable.Fetch(t.Context(), s.Client(), s.URL, db)
		checkTruncated(t, db, res, err, n)
	}
}

// change returns the plan with one text replaced, and fails if it is not there.
func change(t testing.TB, old, text string) []byte {
	t.Helper()
	if bytes.Count(schemaapply.Plan, []byte(old)) != 1 {
		t.Fatalf("%q is not once in the plan", old)
	}
	return bytes.Replace(schemaapply.Plan, []byte(old), []byte(text), 1)
}

// TestDurableTable is the incident's decision table.
func TestDurableTable(t *testing.T) {
	plan, err := envelope.OpenPlan(schemaapply.Plan)
	if err != nil {
		t.Fatal(err)
	}
	bad := plan.Statements()
	bad[7] = "ALTER TABLE no_such_table ADD COLUMN currency TEXT"
	failing, err := envelope.NewPlan(plan.Tool(), jobID, bad...)
	if err != nil {
		t.Fatal(err)
	}
	whole := func(raw []byte) streamtest.Reply { return streamtest.Stream(streamtest.Send(raw)) }
	cases := []struct {
		name       string
		reply      streamtest.Reply
		want       apply.Outcome
		quarantine bool
	}{
		{"all valid", whole(schemaapply.Plan), apply.Applied, false},
		{"decode error", broken(schemaapply.Plan[:schemaapply.CutAt]), apply.Truncated, false},
		{"decode error, whole body", whole(append([]byte("x"), schemaapply.Plan...)), apply.Truncated, false},
		{"missing trailer", whole(change(t, `,"trailer":"END_APPLY"`, "")), apply.Truncated, false},
		{"other trailer", whole(change(t, "END_APPLY", "END")), apply.Truncated, false},
		{"count mismatch", whole(change(t, `"stmt_count":11`, `"stmt_count":12`)), apply.CountMismatch, false},
		{"checksum mismatch", whole(change(t, "'EUR'", "'USD'")), apply.DigestMismatch, true},
		{"SQL error", whole(failing.Seal()), apply.Failed, false},
		{"idle timeout", streamtest.Stream(streamtest.Send(schemaapply.Plan[:schemaapply.CutAt]), streamtest.Stall()), apply.IdleTimeout, false},
		{"idle after the last byte", streamtest.Stream(streamtest.Send(schemaapply.Plan), streamtest.Stall()), apply.IdleTimeout, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			db := open(t)
			dir := t.TempDir()
			idle := time.Minute
			if c.want == apply.IdleTimeout {
				idle = 100 * time.Millisecond
			}
			s := streamtest.Serve(t, c.reply)
			res, err := durable.Fetch(t.Context(), s.Client(), s.URL, db, apply.Idle(idle), apply.QuarantineTo(apply.DirQuarantine(dir)))
			if res.Outcome != c.want || res.Outcome.Ack() != (c.want == apply.Applied) || !res.Recorded {
				t.Errorf("%+v %v, want %v", res, err, c.want)
			}
			if c.want == apply.Applied {
				if err != nil || res.Statements != 11 {
					t.Errorf("%+v %v", res, err)
				}
				if _, err := db.Exec(schemaapply.LaterJob); err != nil && !strings.Contains(err.Error(), "FOREIGN KEY") {
					t.Errorf("later job: %v", err)
				}
				return
			}
			if !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if n := objects(t, db); n != 0 {
				t.Errorf("%d objects were made", n)
			}
			kept, err := filepath.Glob(filepath.Join(dir, "*.plan"))
			if err != nil {
				t.Fatal(err)
			}
			if len(kept) != 0 != c.quarantine {
				t.Errorf("kept %q", kept)
			}
			if c.quarantine {
				if raw, err := os.ReadFile(res.Quarantined); err != nil || !bytes.Equal(raw, change(t, "'EUR'", "'USD'")) {
					t.Errorf("quarantined in %q: %d bytes, %v", res.Quarantined, len(raw), err)
				}
			}
		})
	}
}

// TestDurableRetry: the id of a truncated job is spent. The same statements under a
// new one are applied, once.
func TestDurableRetry(t *testing.T) {
	db := open(t)
	plan, err := envelope.OpenPlan(schemaapply.Plan)
	if err != nil {
		t.Fatal(err)
	}
	again, err := envelope.NewPlan(plan.Tool(), "job-3108", plan.Statements()...)
	if err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		raw  []byte
		want apply.Outcome
	}{
		{schemaapply.Plan[:schemaapply.CutAt], apply.Truncated},
		{schemaapply.Plan, apply.JobSpent},
		{again.Seal(), apply.Applied},
		{again.Seal(), apply.AlreadyApplied},
		{schemaapply.Plan, apply.JobSpent},
	}
	for i, step := range steps {
		if res, err := durable.Apply(context.Background(), db, bytes.NewReader(step.raw)); res.Outcome != step.want {
			t.Errorf("step %d: %v %v, want %v", i, res.Outcome, err, step.want)
		}
	}
}

// TestDrill runs the command as a person would, with head.
func TestDrill(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "schemaapply")
	if out, err := exec.Command("go", "build", "-o", exe, "./cmd").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cases := []struct {
		form  string
		bytes int
		ok    bool
		want  []string
	}{
		{"naive", schemaapply.CutAt, true, []string{"status=success statements=6"}},
		{"naive", len(schemaapply.Plan), true, []string{"status=success statements=11"}},
		{"durable", 0, false, []string{"status=truncated", "bytes=0", "0 tables"}},
		{"durable", 120, false, []string{"status=truncated", `job="job-3107"`, "bytes=120", "0 tables"}},
		{"durable", schemaapply.CutAt, false, []string{"status=truncated", "bytes=1882", "0 tables"}},
		{"durable", len(schemaapply.Plan) - 1, false, []string{"status=truncated", "0 tables"}},
		{"durable", len(schemaapply.Plan), true, []string{"status=applied", "statements=11", "ack=true"}},
	}
	for _, c := range cases {
		t.Run(fmt.Sprint(c.form, " ", c.bytes), func(t *testing.T) {
			cmd := exec.Command(exe, "-form", c.form)
			cmd.Stdin = bytes.NewReader(schemaapply.Plan[:c.bytes])
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if (err == nil) != c.ok {
				t.Errorf("%v", err)
			}
			for _, w := range c.want {
				if !strings.Contains(string(out), w) {
					t.Errorf("no %q in\n%s", w, out)
				}
			}
		})
	}
}
