package apply

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fakeDB is a database with transactions, a job table with a unique key, and
// faults. A statement of a plan has an effect by being in effects once committed.
type fakeDB struct {
	mu      sync.Mutex
	rows    map[string][]driver.Value // job rows by id
	effects []string                  // committed statements, in order
	log     []string                  // what reached the driver
	open    int                       // connections
	kept    map[string][]byte         // quarantine rows by hash

	// Faults. A nil one does not happen.
	connect   error
	begin     error
	insert    error            // any INSERT or UPDATE of a job row
	query     error            // any SELECT
	statement map[string]error // by text
	onExec    func(text string)
	commit    error
	landed    bool // a failing commit has taken effect all the same
	rollback  error
	// afterCommit runs when a commit was tried.
	afterCommit func(f *fakeDB)
}

var errDown = errors.New("the server is gone")

func newFake() *fakeDB {
	return &fakeDB{rows: map[string][]driver.Value{}, kept: map[string][]byte{}}
}

func (f *fakeDB) Connect(context.Context) (driver.Conn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.connect != nil {
		return nil, f.connect
	}
	f.open++
	return &fakeConn{db: f}, nil
}

func (f *fakeDB) Driver() driver.Driver { return nil }

type fakeConn struct {
	db   *fakeDB
	inTx bool
	rows map[string][]driver.Value // of the transaction
	dead []string                  // ids deleted in the transaction
	done []string                  // statements of the transaction
}

func (c *fakeConn) Prepare(string) (driver.Stmt, error) { return nil, errors.New("not used") }

func (c *fakeConn) Close() error {
	c.db.mu.Lock()
	defer c.db.mu.Unlock()
	c.db.open--
	return nil
}

func (c *fakeConn) Begin() (driver.Tx, error) { return nil, errors.New("not used") }

func (c *fakeConn) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	c.db.mu.Lock()
	defer c.db.mu.Unlock()
	if c.db.begin != nil {
		return nil, c.db.begin
	}
	if c.inTx {
		return nil, errors.New("a transaction within a transaction")
	}
	c.db.log = append(c.db.log, "BEGIN")
	c.inTx, c.rows, c.dead, c.done = true, map[string][]driver.Value{}, nil, nil
	return c, nil
}

func (c *fakeConn) Commit() error {
	f := c.db
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, "COMMIT")
	if f.commit == nil || f.landed {
		for id, row := range c.rows {
			f.rows[id] = row
		}
		f.effects = append(f.effects, c.done...)
		c.inTx = false
	}
	if f.afterCommit != nil {
		f.afterCommit(f)
	}
	return f.commit
}

func (c *fakeConn) Rollback() error {
	c.db.mu.Lock()
	defer c.db.mu.Unlock()
	c.db.log = append(c.db.log, "ROLLBACK")
	c.inTx = false
	return c.db.rollback
}

func (c *fakeConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	f := c.db
	if f.onExec != nil {
		f.onExec(query)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	values := make([]driver.Value, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	switch {
	case strings.HasPrefix(query, "INSERT INTO apply_jobs "):
		f.log = append(f.log, fmt.Sprintf("JOB %v %v", values[0], values[4]))
		if f.insert != nil {
			return nil, f.insert
		}
		id := values[0].(string)
		if f.rows[id] != nil || c.inTx && c.rows[id] != nil {
			return nil, errors.New("duplicate key")
		}
		if c.inTx {
			c.rows[id] = values
		} else {
			f.rows[id] = values
		}
	case strings.HasPrefix(query, "INSERT INTO kept "):
		id := values[0].(string)
		if f.kept[id] != nil {
			return nil, errors.New("duplicate key")
		}
		f.kept[id] = slices.Clone(values[4].([]byte))
	case strings.HasPrefix(query, "UPDATE apply_jobs SET status = "):
		if f.insert != nil {
			return nil, f.insert
		}
		row := f.rows[values[2].(string)]
		row[4], row[6] = values[0], values[1]
	case strings.HasPrefix(query, "CREATE TABLE IF NOT EXISTS "):
		f.log = append(f.log, query[:strings.IndexByte(query, '\n')])
	default:
		f.log = append(f.log, query)
		if err := f.statement[query]; err != nil {
			return nil, err
		}
		if query == "SELECT forget_job()" {
			clear(c.rows)
		}
		if query == "CALL hidden_commit()" {
			for id, row := range c.rows {
				f.rows[id] = row
			}
			f.effects = append(f.effects, c.done...)
			clear(c.rows)
			c.inTx = false
		}
		if !c.inTx {
			f.effects = append(f.effects, query)
			break
		}
		c.done = append(c.done, query)
	}
	return driver.RowsAffected(1), nil
}

func (c *fakeConn) QueryContext(_ context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	f := c.db
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.query != nil {
		return nil, f.query
	}
	id := args[0].Value.(string)
	if strings.HasPrefix(query, "SELECT COUNT(*) FROM kept ") {
		n := int64(0)
		if f.kept[id] != nil {
			n = 1
		}
		return &fakeRows{[]driver.Value{n}}, nil
	}
	row := f.rows[id]
	if c.inTx && c.rows[id] != nil {
		row = c.rows[id]
	}
	return &fakeRows{row}, nil
}

type fakeRows struct{ row []driver.Value }

func (r *fakeRows) Columns() []string { return make([]string, len(r.row)) }
func (r *fakeRows) Close() error      { return nil }
func (r *fakeRows) Next(dest []driver.Value) error {
	if r.row == nil {
		return io.EOF
	}
	copy(dest, r.row)
	r.row = nil
	return nil
}

// open returns an Applier on f. At the end of the test no connection may be left
// inside a transaction.
func open(t testing.TB, f *fakeDB, d Dialect, opts ...Option) *Applier {
	t.Helper()
	db := sql.OpenDB(f)
	a, err := New(db, d, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.open != 0 {
			t.Errorf("%d connections left open", f.open)
		}
	})
	return a
}

// status returns the status column of a row, "" if there is none.
func (f *fakeDB) status(id string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rows[id] == nil {
		return ""
	}
	return f.rows[id][4].(string)
}

// statuses returns the status and byte count of each row whose id no plan has.
func (f *fakeDB) asides() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for id, row := range f.rows {
		if strings.HasPrefix(id, "?") {
			out = append(out, fmt.Sprint(row[4], " ", row[5]))
		}
	}
	slices.Sort(out)
	return out
}
