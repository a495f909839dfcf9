package apply

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/streamlint/streamlint/stream/envelope"
	"github.com/streamlint/streamlint/stream/textstream"
)

// Applier applies plans to one database. It is safe for use by several goroutines.
type Applier struct {
	db            *sql.DB
	dialect       Dialect
	table         string
	maxBytes      int64
	idle          time.Duration
	recordTimeout time.Duration
	opts          []envelope.Option
	quarantine    Quarantine
	log           *slog.Logger
	now           func() time.Time
}

// Option changes an [Applier].
type Option func(*Applier)

// Table names the job table, as NAME or SCHEMA.NAME in letters, digits and
// underscores. The default is [DefaultTable].
func Table(name string) Option { return func(a *Applier) { a.table = name } }

// MaxBytes caps the size of a plan's JSON. The default is envelope.DefaultMaxSize.
func MaxBytes(n int64) Option { return func(a *Applier) { a.maxBytes = max(n, 1) } }

// Idle is how long the stream may be silent in [Applier.Run]; every byte starts
// the time anew, and there is no limit on the whole. The default is one minute;
// zero or less turns it off.
func Idle(d time.Duration) Option { return func(a *Applier) { a.idle = d } }

// RecordTimeout limits the time for writing the row of a failed job, which goes on
// after the caller's context has ended. The default is ten seconds.
func RecordTimeout(d time.Duration) Option { return func(a *Applier) { a.recordTimeout = d } }

// HMACKey demands plans with a keyed digest; see envelope.HMACKey.
func HMACKey(keys ...[]byte) Option {
	return func(a *Applier) { a.opts = append(a.opts, envelope.HMACKey(keys...)) }
}

// QuarantineTo keeps the bytes of a plan whose digest is wrong.
func QuarantineTo(q Quarantine) Option { return func(a *Applier) { a.quarantine = q } }

// Logger receives one record for each delivery, with the [Result] as group "apply": at
// Info for what was applied, at Warn for the rest. The default is no logging.
func Logger(l *slog.Logger) Option { return func(a *Applier) { a.log = l } }

// New returns an Applier for db. It does not touch the database; see
// [Applier.EnsureTable].
func New(db *sql.DB, d Dialect, opts ...Option) (*Applier, error) {
	a := &Applier{
		db: db, dialect: d, table: DefaultTable, maxBytes: envelope.DefaultMaxSize,
		idle: time.Minute, recordTimeout: 10 * time.Second,
		log: slog.New(slog.DiscardHandler), now: time.Now,
	}
	for _, o := range opts {
		o(a)
	}
	switch {
	case db == nil:
		return nil, errors.New("apply: no database")
	case d.Placeholder == nil:
		return nil, errors.New("apply: the dialect has no Placeholder; use apply.SQLite, apply.PostgreSQL or apply.MySQL")
	case !tableName.MatchString(a.table):
		return nil, fmt.Errorf("apply: %q is no table name", a.table)
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	a.opts = append(a.opts, envelope.MaxSize(a.maxBytes))
	// An empty plan is refused in any case; by a bad key, with an error of its own.
	if _, err := envelope.OpenPlan(nil, a.opts...); errors.Is(err, envelope.ErrKey) {
		return nil, err
	}
	return a, nil
}

// Apply runs a plan that is known to be whole. On success the outcome is Applied or
// AlreadyApplied; any other comes with an [*Error] that holds the same Result. If
// ctx ends first the transaction is rolled back and the outcome is Failed.
func (a *Applier) Apply(ctx context.Context, plan *envelope.Plan) (Result, error) {
	if plan == nil || plan.Len() == 0 {
		return a.finish(ctx, Result{Outcome: Refused}, errors.New("no plan"), nil)
	}
	res := Result{JobID: plan.JobID(), Bytes: int64(plan.Size()), SHA256: plan.Digest()}
	for i, s := range plan.Statements() {
		if err := a.dialect.check(s, a.table); err != nil {
			return a.fail(ctx, plan, res, Refused, statementError(plan, i, err))
		}
	}
	return a.transact(ctx, plan, res)
}

func statementError(plan *envelope.Plan, i int, err error) error {
	return &StatementError{N: i + 1, Of: plan.Len(), Statement: textstream.Truncate(plan.Statements()[i], 80), Err: err}
}

func (a *Applier) transact(ctx context.Context, plan *envelope.Plan, res Result) (Result, error) {
	unavailable := func(what string, err error) (Result, error) {
		res.Outcome = Unavailable
		return a.finish(ctx, res, fmt.Errorf("%s: %w", what, err), nil)
	}
	// A connection of our own: after a failed commit it must not go back to the
	// pool, where SQLite would leave it with the transaction still open.
	conn, err := a.db.Conn(ctx)
	if err != nil {
		return unavailable("connect", err)
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		conn.Close()
		return unavailable("begin", err)
	}
	back := func() error {
		err := tx.Rollback()
		if errors.Is(err, sql.ErrTxDone) { // ctx ended; database/sql has done it
			err = nil
		}
		if err != nil {
			err = fmt.Errorf("roll back: %w", err)
			discard(conn)
		}
		conn.Close()
		return err
	}

	// The job row first. It is visible only with the commit, and it makes another
	// delivery of the same job wait here or fail here, before any statement.
	claim := a.row(plan, res, Applied, nil)
	if err := a.insert(ctx, tx, claim); err != nil {
		rerr := back()
		lctx, cancel := a.aside(ctx)
		defer cancel()
		if found, lerr := a.lookup(lctx, a.db, plan.JobID()); lerr == nil {
			return a.settle(ctx, plan, res, found)
		}
		res.Outcome = Unavailable
		return a.finish(ctx, res, fmt.Errorf("claim the job: %w", err), rerr)
	}
	for i, s := range plan.Statements() {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return a.failAfter(ctx, plan, res, claim, statementError(plan, i, because(ctx, err)), back())
		}
	}
	if found, err := a.lookup(ctx, tx, plan.JobID()); err != nil || found.SHA256 != claim.SHA256 || found.Status != claim.Status {
		if err == nil {
			err = ErrJobTable
		}
		return a.failAfter(ctx, plan, res, claim, fmt.Errorf("the job row is not as it was written: %w", because(ctx, err)), back())
	}
	if err := tx.Commit(); err != nil {
		discard(conn)
		conn.Close()
		return a.afterCommit(ctx, plan, res, fmt.Errorf("commit: %w", because(ctx, err)))
	}
	conn.Close()
	res.Outcome, res.Statements, res.Recorded = Applied, plan.Len(), true
	return a.finish(ctx, res, nil, nil)
}

// discard closes the connection itself, not only our use of it.
func discard(conn *sql.Conn) {
	// The driver's connection is dropped when the function returns ErrBadConn.
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
}

// because adds the cause of an ended context, which a driver's error may hide.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%w (%w)", err, cause)
	}
	return err
}

// row is the job row of a whole plan.
func (a *Applier) row(plan *envelope.Plan, res Result, o Outcome, err error) Job {
	j := Job{
		ID: plan.JobID(), Tool: plan.Tool(), Statements: plan.Len(), SHA256: res.SHA256,
		Status: o.String(), Bytes: res.Bytes, RecordedAt: a.now(),
	}
	if err != nil {
		j.Detail = err.Error()
	}
	return j
}

// fail records that a whole plan was not applied, and says so.
func (a *Applier) fail(ctx context.Context, plan *envelope.Plan, res Result, o Outcome, err error) (Result, error) {
	found, rerr := a.record(ctx, a.row(plan, res, o, err))
	if found != nil {
		return a.settle(ctx, plan, res, *found)
	}
	res.Outcome, res.Recorded = o, rerr == nil
	return a.finish(ctx, res, err, rerr)
}

// failAfter records a failure inside the transaction that began with claim; rerr is
// what the rollback said.
func (a *Applier) failAfter(ctx context.Context, plan *envelope.Plan, res Result, claim Job, err, rerr error) (Result, error) {
	found, also := a.record(ctx, a.row(plan, res, Failed, err))
	switch {
	case found == nil:
		res.Outcome, res.Recorded = Failed, also == nil
		return a.finish(ctx, res, err, errors.Join(rerr, also))
	case found.Status == claim.Status && found.RecordedAt.Equal(claim.RecordedAt):
		// This is the row that was rolled back. It must not say applied.
		also = a.tear(ctx, claim, err)
		res.Outcome, res.Recorded = Torn, also == nil
		return a.finish(ctx, res, err, errors.Join(rerr, also))
	}
	// Another delivery of the job waited for the rollback and then got through.
	return a.settle(ctx, plan, res, *found)
}

// settle decides by the row that the job id has already.
func (a *Applier) settle(ctx context.Context, plan *envelope.Plan, res Result, found Job) (Result, error) {
	res.Recorded = true
	if found.Status == Applied.String() && found.SHA256 == plan.Digest() && found.Tool == plan.Tool() {
		res.Outcome = AlreadyApplied
		return a.finish(ctx, res, nil, nil)
	}
	res.Outcome, res.Recorded = JobSpent, false
	why := "is " + found.Status
	if found.Status == Applied.String() {
		why = "is applied with another tool or other statements"
	}
	return a.finish(ctx, res, fmt.Errorf("job %s %s since %s", found.ID, why, found.RecordedAt.Format(time.RFC3339)), nil)
}

// afterCommit finds out what became of a commit that returned an error. The failed
// row settles it: the unique key lets in either this row or the transaction's.
func (a *Applier) afterCommit(ctx context.Context, plan *envelope.Plan, res Result, err error) (Result, error) {
	found, rerr := a.record(ctx, a.row(plan, res, Failed, err))
	switch {
	case rerr != nil:
		res.Outcome = Unknown
		return a.finish(ctx, res, err, rerr)
	case found == nil:
		res.Outcome, res.Recorded = Failed, true
		return a.finish(ctx, res, err, nil)
	case found.Status == Applied.String() && found.SHA256 == res.SHA256:
		res.Outcome, res.Statements, res.Recorded = Applied, plan.Len(), true
		return a.finish(ctx, res, nil, nil)
	}
	return a.settle(ctx, plan, res, *found)
}

// finish logs the result and turns anything but success into an [*Error].
func (a *Applier) finish(ctx context.Context, res Result, err, also error) (Result, error) {
	if res.Outcome.Ack() {
		a.log.LogAttrs(ctx, slog.LevelInfo, "plan", slog.Any("apply", res))
		return res, nil
	}
	e := &Error{Result: res, Err: err, Also: also}
	a.log.LogAttrs(ctx, slog.LevelWarn, "plan", slog.Any("apply", res), slog.Any("err", e))
	return res, e
}
