// Package scanlimit defines an Analyzer that reports line scanners over streams
// whose limit an ordinary line can exceed. The check's page,
// docs/checks/scanlimit.md, says what it reports and what it leaves alone.
package scanlimit

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// Analyzer reports bufio.Scanner over a stream with its limit of 64 KiB, and
// ReadLine with isPrefix thrown away.
var Analyzer = &analysis.Analyzer{
	Name:     "scanlimit",
	Doc:      docs.Check("scanlimit"),
	URL:      report.URL("scanlimit"),
	Requires: []*analysis.Analyzer{streamflow.Analyzer},
	Run:      report.Safe(run),
}

var (
	opts *report.Options
	// floor is the largest limit that is still reported, in bytes.
	floor int64
	files bool
)

func init() {
	opts = report.AddFlags(Analyzer)
	Analyzer.Flags.Int64Var(&floor, "min", streamflow.MaxToken, "report scanners whose limit is at most this many bytes")
	Analyzer.Flags.BoolVar(&files, "files", false, "report scanners over files and the standard input too")
	streamflow.AddFlags(Analyzer)
}

type checker struct {
	flow *streamflow.Flow
	io   *streamflow.IO
	r    *report.Reporter
	// capped are the functions in which a fix declares the cap already.
	capped map[*ssa.Function]bool
}

func run(pass *analysis.Pass) (any, error) {
	r := report.New(pass, opts)
	flow := streamflow.Of(pass)
	if flow.Empty() {
		return nil, nil
	}
	c := &checker{flow, flow.IO(), r, make(map[*ssa.Function]bool)}
	for _, s := range c.io.Scanners() {
		c.scanner(s)
	}
	for _, call := range c.io.Named("(bufio.Reader).ReadLine") {
		c.readLine(call)
	}
	return nil, nil
}

func (c *checker) scanner(s *streamflow.Scanner) {
	switch {
	case s.Escapes: // who holds it may call Buffer
		return
	case len(s.Method("Scan")) == 0, len(s.Tokens()) == 0:
		return
	case !c.streams(s):
		return
	case s.Reader.Has(streamflow.Limited) && s.Limit < floor:
		return
	case c.io.FixedSplit(s):
		return
	}
	limit, ok := s.TokenLimit()
	if !ok || limit > floor {
		return
	}
	what := s.Words
	if what == "" {
		what = "a stream"
	}
	f := report.Finding{Pos: s.New.Pos()}
	if calls := s.Method("Buffer"); len(calls) > 0 {
		f.Pos = calls[0].Pos()
		f.Message = fmt.Sprintf("the scanner over %s (line %d) stops at a line of %s, and the rest of the stream is lost; set a named cap that no message reaches, or read with stream/sse, which has one", what, c.r.Line(s.New.Pos()), size(limit))
		f.Related = []analysis.RelatedInformation{{Pos: s.New.Pos(), Message: "made here"}}
	} else {
		f.Message = fmt.Sprintf("bufio.Scanner over %s stops at a line of %s, and the rest of the stream is lost; set a named cap with Buffer before the first Scan, or read with stream/sse, which has one", what, size(limit))
		f.Related = []analysis.RelatedInformation{{Pos: s.Method("Scan")[0].Pos(), Message: "scanned here"}}
		f.Fixes = c.fix(s)
	}
	c.r.Report(f)
}

// streams reports whether the scanner reads something whose lines nobody here
// bounds.
func (c *checker) streams(s *streamflow.Scanner) bool {
	switch {
	case s.Reader.Has(streamflow.Streams):
		return true
	case files && s.Reader.Has(streamflow.File|streamflow.Stdin):
		return true
	case s.Reader.Has(streamflow.Given):
		// An io.Reader of the caller's: what is read from it tells.
		return !s.Reader.Has(streamflow.File|streamflow.Stdin|streamflow.Memory) && c.io.Wire(s)
	}
	return false
}

// readLine reports a ReadLine whose isPrefix nobody looks at.
func (c *checker) readLine(call ssa.CallInstruction) {
	if !used(streamflow.Result(call, 0)) || used(streamflow.Result(call, 1)) {
		return
	}
	src := c.io.Source(streamflow.Args(call)[0])
	if !src.Reader.Has(streamflow.Streams) && !(files && src.Reader.Has(streamflow.File|streamflow.Stdin)) {
		return
	}
	c.r.Report(report.Finding{
		Pos:     call.Pos(),
		Message: "ReadLine gives a line longer than the buffer in parts, and isPrefix, which tells them from whole lines, is thrown away; join the parts up to a named cap, or use ReadBytes",
	})
}

func used(v ssa.Value) bool { return v != nil && len(*v.Referrers()) > 0 }

func size(n int64) string {
	if n%1024 == 0 && n > 0 {
		return fmt.Sprintf("%d KiB", n/1024)
	}
	return fmt.Sprintf("%d bytes", n)
}
