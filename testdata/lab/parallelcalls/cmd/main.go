// Command cmd runs the agent against a server that replays the incident's stream, and
// prints what it has done.
//
//	go run ./parallelcalls/cmd -form naive
//	go run ./parallelcalls/cmd -form durable -reason length
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"

	"github.com/streamlint/streamlint/stream/streamtest"
	"github.com/streamlint/streamlint/testdata/lab/local"
	"github.com/streamlint/streamlint/testdata/lab/parallelcalls"
	"github.com/streamlint/streamlint/testdata/lab/parallelcalls/durable"
	"github.com/streamlint/streamlint/testdata/lab/parallelcalls/naive"
	"github.com/streamlint/streamlint/testdata/lab/parallelcalls/tools"
)

func main() {
	form := flag.String("form", "durable", "naive or durable")
	cut := flag.Int("cut", -1, "close the connection after this many bytes")
	reason := flag.String("reason", "tool_calls", "the finish reason that the server sends")
	flag.Parse()
	office := &tools.Office{}
	err := run(*form, local.Cut(parallelcalls.Stream(parallelcalls.Incident, *reason), *cut), office)
	for _, d := range office.Done {
		fmt.Println(d)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "nothing was run:", err)
		os.Exit(1)
	}
}

func run(form string, reply streamtest.Reply, office *tools.Office) error {
	s := local.Serve(reply)
	defer s.Close()
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	say := func(text string) { fmt.Println(text) }
	ctx := context.Background()
	switch form {
	case "naive":
		a := naive.Agent{Client: s.Client(), URL: s.URL, Office: office, Text: say, Logger: logger}
		return a.Turn(ctx)
	case "durable":
		a := durable.Agent{Client: s.Client(), URL: s.URL, Office: office, Text: say, Logger: logger}
		_, err := a.Turn(ctx)
		return err
	}
	return fmt.Errorf("no form %q", form)
}
