// Command cmd prints the answer that one of the clients reads from the incident's
// server: the first event in two pieces, and again, then the rest. With -drop the
// connection breaks after that many bytes of a whole stream, and the next request is
// answered from the start or, with -resumes, behind the Last-Event-ID.
//
//	go run ./sseclient/cmd -form naive
//	go run ./sseclient/cmd -form naive -drop 40
//	go run ./sseclient/cmd -form durable -drop 40 -resumes
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"

	"github.com/streamlint/streamlint/stream/sse"
	"github.com/streamlint/streamlint/stream/streamtest"
	"github.com/streamlint/streamlint/testdata/lab/local"
	"github.com/streamlint/streamlint/testdata/lab/sseclient"
	"github.com/streamlint/streamlint/testdata/lab/sseclient/durable"
	"github.com/streamlint/streamlint/testdata/lab/sseclient/naive"
)

func main() {
	form := flag.String("form", "durable", "naive or durable")
	drop := flag.Int("drop", -1, "break the first connection after this many bytes")
	resumes := flag.Bool("resumes", false, "the server knows Last-Event-ID")
	flag.Parse()
	err := run(*form, *drop, *resumes)
	fmt.Println()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(form string, drop int, resumes bool) error {
	s := local.ServeFunc(func(n int, r *streamtest.Request) streamtest.Reply {
		switch {
		case drop < 0:
			return sseclient.Incident()
		case n == 0:
			return local.Cut(sseclient.Recorded, drop)
		case resumes:
			return local.Cut(streamtest.After(sseclient.Recorded, r.LastEventID), -1)
		}
		return local.Cut(sseclient.Recorded, -1)
	})
	defer s.Close()
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	show := func(text string) { fmt.Print(text) }
	ctx := context.Background()
	switch form {
	case "naive":
		return naive.New(s.Client().Transport, s.URL, logger).Ask(ctx, "hello", show)
	case "durable":
		c := durable.Client{HTTP: s.Client(), URL: s.URL, Logger: logger}
		if resumes {
			c.Resume = sse.ResumeByID
		}
		return c.Ask(ctx, "hello", show)
	}
	return fmt.Errorf("no form %q", form)
}
