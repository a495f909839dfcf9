// Command cmd reads a plan from standard input and applies it to a SQLite database
// (in memory, unless -db names a file). Its exit status is 0 if the plan took effect.
// Whatever the cut, the durable form leaves nothing behind:
//
//	head -c 120 schemaapply/plan.json | go run ./schemaapply/cmd
//	head -c 1882 schemaapply/plan.json | go run ./schemaapply/cmd -form naive
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/streamlint/streamlint/stream/apply"
	"github.com/streamlint/streamlint/testdata/lab/schemaapply"
	"github.com/streamlint/streamlint/testdata/lab/schemaapply/durable"
	"github.com/streamlint/streamlint/testdata/lab/schemaapply/naive"
)

func main() {
	form := flag.String("form", "durable", "naive or durable")
	path := flag.String("db", "", "SQLite file; in memory if empty")
	idle := flag.Duration("idle", time.Minute, "how long the input may be silent")
	flag.Parse()
	if err := run(*form, *path, *idle); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(form, path string, idle time.Duration) error {
	db, err := schemaapply.Open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx := context.Background()
	var failed error
	switch form {
	case "naive":
		var res naive.Result
		res, failed = naive.Apply(ctx, db, os.Stdin)
		fmt.Printf("status=%s statements=%d\n", res.Status, res.Statements)
	case "durable":
		var res apply.Result
		res, failed = durable.Apply(ctx, db, os.Stdin, apply.Idle(idle))
		fmt.Printf("status=%s job=%q statements=%d bytes=%d ack=%t\n", res.Outcome, res.JobID, res.Statements, res.Bytes, res.Outcome.Ack())
	default:
		return fmt.Errorf("no form %q", form)
	}
	return errors.Join(failed, objects(ctx, db))
}

// objects prints what the database has besides the job table.
func objects(ctx context.Context, db *sql.DB) error {
	var n int
	if err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_master WHERE sql IS NOT NULL AND name <> ?", apply.DefaultTable).Scan(&n); err != nil {
		return err
	}
	fmt.Printf("%d tables, views, indexes and triggers in the database\n", n)
	return nil
}
