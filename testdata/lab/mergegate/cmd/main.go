// Command cmd runs the merge gate against a server that replays the incident's
// stream, on a job directory (this module's mergegate/job by default, whose test
// fails). It exits with 0 if the job would be merged.
//
//	go run ./mergegate/cmd -form naive
//	go run ./mergegate/cmd -form durable -cut 700
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"

	"github.com/streamlint/streamlint/stream/gate"
	"github.com/streamlint/streamlint/testdata/lab/local"
	"github.com/streamlint/streamlint/testdata/lab/mergegate"
	"github.com/streamlint/streamlint/testdata/lab/mergegate/durable"
	"github.com/streamlint/streamlint/testdata/lab/mergegate/naive"
)

func main() {
	form := flag.String("form", "durable", "naive or durable")
	cut := flag.Int("cut", -1, "close the connection after this many bytes")
	dir := flag.String("dir", "mergegate/job", "directory of the job")
	flag.Parse()
	if err := run(*form, *cut, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "rejected:", err)
		os.Exit(1)
	}
	fmt.Println("merge")
}

func run(form string, cut int, dir string) error {
	reply := local.Cut(mergegate.Recorded, cut)
	s := local.Serve(reply, reply, reply) // for each attempt
	defer s.Close()
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	ctx := context.Background()
	switch form {
	case "naive":
		g := naive.Gate{Client: s.Client(), URL: s.URL, Dir: dir, Logger: logger}
		report, err := g.Check(ctx)
		if err == nil && report.Failures > 0 {
			err = fmt.Errorf("%d failures", report.Failures)
		}
		return err
	case "durable":
		root, err := gate.OpenRoot(dir)
		if err != nil {
			return err
		}
		defer root.Close()
		g := durable.Gate{Client: s.Client(), URL: s.URL, Test: durable.InRoot(root), Logger: logger}
		_, err = g.Check(ctx)
		return err
	}
	return fmt.Errorf("no form %q", form)
}
