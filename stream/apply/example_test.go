package apply_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"github.com/streamlint/streamlint/stream/apply"
	"github.com/streamlint/streamlint/stream/envelope"
)

// applyFrom is what a program needs around Run. With os.Stdin for r,
//
//	head -c 120 plan.json | program
//
// shows what becomes of a plan that was cut.
func applyFrom(ctx context.Context, db *sql.DB, r io.Reader) error {
	a, err := apply.New(db, apply.SQLite)
	if err != nil {
		return err
	}
	if err := a.EnsureTable(ctx); err != nil {
		return err
	}
	res, err := a.Run(ctx, r)
	if err != nil {
		return err
	}
	fmt.Println(res.JobID, res.Outcome, res.Statements)
	return nil
}

func Example() {
	db := apply.OpenFake() // sql.Open with a driver, in a program
	defer db.Close()
	plan, err := envelope.NewPlan("schema_apply", "job-7",
		"CREATE TABLE account (id INTEGER)",
		"ALTER TABLE account ADD COLUMN email TEXT")
	if err != nil {
		fmt.Println(err)
		return
	}
	whole := plan.Seal()
	ctx := context.Background()

	err = applyFrom(ctx, db, bytes.NewReader(whole[:120]))
	fmt.Println("truncated:", errors.Is(err, apply.Truncated))

	err = applyFrom(ctx, db, bytes.NewReader(whole))
	fmt.Println("job id spent:", errors.Is(err, apply.JobSpent))

	again, err := envelope.NewPlan("schema_apply", "job-8", plan.Statements()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(applyFrom(ctx, db, bytes.NewReader(again.Seal())))
	fmt.Println(applyFrom(ctx, db, bytes.NewReader(again.Seal())))
	// Output:
	// truncated: true
	// job id spent: true
	// job-8 applied 2
	// <nil>
	// job-8 already_applied 0
	// <nil>
}

func ExampleApplier_Apply() {
	db := apply.OpenFake()
	defer db.Close()
	a, err := apply.New(db, apply.MySQL)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := envelope.NewPlan("schema_apply", "job-7",
		"UPDATE account SET email = 'a@example.org'",
		"ALTER TABLE account DROP COLUMN phone")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = a.Apply(context.Background(), plan)
	var refused *apply.StatementError
	fmt.Println(errors.Is(err, apply.ErrNotRolledBack), errors.As(err, &refused), refused.N)
	// Output: true true 2
}

func ExampleOutcome_Ack() {
	for _, o := range []apply.Outcome{apply.Applied, apply.AlreadyApplied, apply.Truncated, apply.Unavailable} {
		fmt.Println(o, "ack:", o.Ack(), "same job id:", o.SameJobID())
	}
	// Output:
	// applied ack: true same job id: false
	// already_applied ack: true same job id: false
	// truncated ack: false same job id: false
	// unavailable ack: false same job id: true
}
