package dbtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/streamlint/streamlint/stream/apply"
)

// lossyConn loses the connection at COMMIT: before it is sent, or after it, so that
// the server acts on it and the answer never comes.
type lossyConn struct {
	net.Conn
	armed *atomic.Bool
	send  bool
	lost  atomic.Bool
}

func (c *lossyConn) Write(p []byte) (int, error) {
	if !bytes.Contains(bytes.ToLower(p), []byte("commit\x00")) || !c.armed.CompareAndSwap(true, false) {
		return c.Conn.Write(p)
	}
	if c.send {
		if n, err := c.Conn.Write(p); err != nil {
			return n, err
		}
	}
	c.lost.Store(true)
	c.Conn.Close()
	return len(p), nil
}

func (c *lossyConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.lost.Load() {
		return 0, net.ErrClosed
	}
	return n, err
}

// TestPostgreSQLLosesTheCommit: whichever way the connection is lost, the outcome is
// what the database has.
func TestPostgreSQLLosesTheCommit(t *testing.T) {
	for _, send := range []bool{true, false} {
		for range 20 { // the server and the next connection race
			var armed atomic.Bool
			b := postgres(t, func(c *pgx.ConnConfig) {
				dial := c.DialFunc
				c.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
					conn, err := dial(ctx, network, addr)
					if err != nil {
						return nil, err
					}
					return &lossyConn{Conn: conn, armed: &armed, send: send}, nil
				}
			})
			a := b.open(t)
			p := plan(t, "job-7", eleven...)
			armed.Store(true)
			res, err := a.Apply(t.Context(), p)
			if armed.Load() {
				t.Fatal("no commit was seen")
			}
			if send {
				want(t, res, err, apply.Applied)
				if n := b.count(t, b.tables); n != 2 || res.Statements != 11 {
					t.Fatalf("%+v, %d tables", res, n)
				}
				res, err = a.Apply(t.Context(), p)
				want(t, res, err, apply.AlreadyApplied)
				continue
			}
			want(t, res, err, apply.Failed)
			if n := b.count(t, b.tables); n != 0 || !res.Recorded {
				t.Fatalf("%+v, %d tables", res, n)
			}
			res, err = a.Apply(t.Context(), plan(t, "job-8", eleven...))
			want(t, res, err, apply.Applied)
		}
	}
}

// TestPostgreSQLKilled ends the server process in the middle of a plan.
func TestPostgreSQLKilled(t *testing.T) {
	b := postgres(t, nil)
	a := b.open(t)
	killed := make(chan error, 1)
	go func() {
		for range 200 {
			time.Sleep(20 * time.Millisecond)
			var done bool
			err := b.db.QueryRow("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(31)'").Scan(&done)
			if err == nil {
				killed <- nil
				return
			}
		}
		killed <- errors.New("never seen")
	}()
	res, err := a.Apply(t.Context(), plan(t, "job-7", statements(6, "SELECT pg_sleep(31)")...))
	if kerr := <-killed; kerr != nil {
		t.Fatal(kerr)
	}
	want(t, res, err, apply.Failed)
	if n := b.count(t, b.tables); n != 0 || !res.Recorded {
		t.Errorf("%+v, %d tables", res, n)
	}
	res, err = a.Apply(t.Context(), plan(t, "job-8", eleven...))
	want(t, res, err, apply.Applied)
}

func TestPostgreSQLCanceled(t *testing.T) {
	b := postgres(t, nil)
	a := b.open(t)
	why := errors.New("the operator stopped it")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, why)
	defer cancel()
	start := time.Now()
	res, err := a.Apply(ctx, plan(t, "job-7", statements(6, "SELECT pg_sleep(32)")...))
	want(t, res, err, apply.Failed)
	if !errors.Is(err, why) || !res.Recorded || b.count(t, b.tables) != 0 {
		t.Errorf("%+v, %v", res, err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
	if j, err := a.Lookup(t.Context(), "job-7"); err != nil || j.Status != "failed" || !strings.Contains(j.Detail, why.Error()) {
		t.Errorf("%+v, %v", j, err)
	}
}

// TestPostgreSQLAtomicBody: a function with several statements is one statement.
func TestPostgreSQLAtomicBody(t *testing.T) {
	b := postgres(t, nil)
	a := b.open(t)
	res, err := a.Apply(t.Context(), plan(t, "job-7",
		"CREATE TABLE seen (n INTEGER)",
		"CREATE FUNCTION note(i INTEGER) RETURNS INTEGER LANGUAGE SQL BEGIN ATOMIC INSERT INTO seen VALUES (i); SELECT i + 1; END",
		"CREATE FUNCTION twice(i INTEGER) RETURNS INTEGER AS $$ BEGIN RETURN 2 * i; END $$ LANGUAGE plpgsql",
		"SELECT note(twice(4))"))
	want(t, res, err, apply.Applied)
	if n := b.count(t, "SELECT n FROM seen"); n != 8 {
		t.Errorf("%d", n)
	}
}

func TestPostgreSQLDown(t *testing.T) {
	b := postgres(t, nil)
	a := b.open(t)
	down := *b.config
	down.Host, down.Port, down.Fallbacks = "127.0.0.1", 1, nil // nobody listens there
	gone := backend{dialect: b.dialect}
	gone.db = openConfig(&down)
	defer gone.db.Close()
	dead, err := apply.New(gone.db, gone.dialect)
	if err != nil {
		t.Fatal(err)
	}
	p := plan(t, "job-7", eleven...)
	res, err := dead.Apply(t.Context(), p)
	want(t, res, err, apply.Unavailable)
	if !res.Outcome.SameJobID() {
		t.Error("the same job id must do")
	}
	res, err = a.Apply(t.Context(), p)
	want(t, res, err, apply.Applied)
}

// FuzzPostgreSQLStatement is FuzzSQLiteStatement for PostgreSQL, by the protocol in
// which one message may hold several statements. The database must be as it was
// after each text, so that one serves for all.
func FuzzPostgreSQLStatement(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	for _, text := range eleven {
		f.Add(text)
	}
	b := postgres(f, func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol })
	a := b.open(f)
	if _, err := b.db.Exec("CREATE TABLE mark (id INTEGER UNIQUE, n INTEGER)"); err != nil {
		f.Fatal(err)
	}
	var n atomic.Int64
	f.Fuzz(func(t *testing.T, text string) {
		tryHostile(t, b, a, fmt.Sprintf("job-%d", n.Add(1)), text)
	})
}
