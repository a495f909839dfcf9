package silentdefault

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

func (c *checker) finding(s *subject, t *target, w *walk, ev *event, sc scope) report.Finding {
	line := func(in ssa.Instruction) string {
		if in == nil || !in.Pos().IsValid() {
			return ""
		}
		return fmt.Sprintf(" (line %d)", c.pass.Fset.Position(in.Pos()).Line)
	}
	from := "its data"
	if sc.at.What != "" {
		from = sc.at.What
	}
	what := "the error of " + s.name
	if s.valid {
		what = "the verdict of " + s.name
	}
	var msg string
	switch {
	case ev.kind == skipped && ev.again:
		msg = fmt.Sprintf("when %s fails the piece (%s) is left out and nobody is told: the result misses it and looks whole; return the error, or log and count it", s.name, from)
	case ev.kind == skipped:
		msg = fmt.Sprintf("when %s fails the function returns%s as if nothing had come (%s): the message is lost and nobody is told; return the error, or log and count it", s.name, line(ev.at), from)
	case w.dropped:
		msg = fmt.Sprintf("%s is dropped (%s) and the value goes on%s: what did not decode becomes empty or half-filled data; handle the error", what, from, line(ev.at))
	case ev.kind == returned:
		msg = fmt.Sprintf("when %s fails (%s) an empty value is returned%s with no error: the caller takes it for what was sent; return the error", s.name, from, line(ev.at))
	case ev.replaced:
		msg = fmt.Sprintf("when %s fails (%s) an empty value takes the place of the data and is used%s: nothing tells it from what was sent; return the error", s.name, from, line(ev.at))
	case ev.said:
		msg = fmt.Sprintf("when %s fails (%s) the error is told but the value still goes on%s, empty, stale or half-filled; stop there", s.name, from, line(ev.at))
	default:
		msg = fmt.Sprintf("when %s fails (%s) the value goes on%s all the same, empty, stale or half-filled; handle the error", s.name, from, line(ev.at))
	}
	f := report.Finding{Pos: s.call.Pos(), Message: msg}
	if sc.at.Pos.IsValid() && c.pass.Fset.File(sc.at.Pos) != nil && sc.at.Pos != s.call.Pos() {
		word := "read here"
		if sc.at.Kind == streamflow.Param {
			word = "comes in here"
		}
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: sc.at.Pos, Message: word})
	}
	if ev.at != nil && ev.at.Pos().IsValid() {
		word := "used here"
		switch ev.kind {
		case returned:
			word = "returned here"
		case skipped:
			word = "left out here"
		}
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: ev.at.Pos(), Message: word})
	}
	if fix, ok := c.fix(s, w); ok {
		f.Fixes = []analysis.SuggestedFix{fix}
	}
	return f
}
