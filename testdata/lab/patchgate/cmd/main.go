// Command cmd runs the patch gate against a server of which only the first bytes
// arrive. It exits with 0 if the patch would be merged.
//
//	go run ./patchgate/cmd -form naive -cut 34
//	go run ./patchgate/cmd -form durable -cut 34
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"

	"github.com/streamlint/streamlint/stream/envelope"
	"github.com/streamlint/streamlint/testdata/lab/local"
	"github.com/streamlint/streamlint/testdata/lab/patchgate"
	"github.com/streamlint/streamlint/testdata/lab/patchgate/durable"
	"github.com/streamlint/streamlint/testdata/lab/patchgate/naive"
)

func main() {
	form := flag.String("form", "durable", "naive or durable")
	cut := flag.Int("cut", -1, "close the connection after this many bytes")
	flag.Parse()
	status, err := run(*form, *cut)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	fmt.Println(status)
	if status != durable.Merge {
		os.Exit(1)
	}
}

func run(form string, cut int) (durable.Status, error) {
	ctx := context.Background()
	switch form {
	case "naive":
		s := local.Serve(local.Cut([]byte(patchgate.Pass), cut))
		defer s.Close()
		g := naive.Gate{Client: s.Client(), URL: s.URL, Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))}
		merge, err := g.Check(ctx)
		if merge {
			return durable.Merge, err
		}
		return durable.Block, err
	case "durable":
		s := local.Serve(local.Cut(envelope.Seal([]byte(patchgate.Pass)), cut))
		defer s.Close()
		g := durable.Gate{Client: s.Client(), URL: s.URL, DiffSHA: patchgate.DiffSHA}
		return g.Check(ctx)
	}
	return durable.Incomplete, fmt.Errorf("no form %q", form)
}
