// Package donemarker defines an Analyzer that reports hand-made readers of
// server-sent events that miss the end marker [DONE]. The check's page,
// docs/checks/donemarker.md, says what it reports and what it leaves alone.
package donemarker

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// Analyzer reports end markers that are not recognised.
var Analyzer = &analysis.Analyzer{
	Name:     "donemarker",
	Doc:      docs.Check("donemarker"),
	URL:      report.URL("donemarker"),
	Requires: []*analysis.Analyzer{streamflow.Analyzer},
	Run:      report.Safe(run),
}

var opts *report.Options

func init() {
	opts = report.AddFlags(Analyzer)
	streamflow.AddFlags(Analyzer)
}

const marker = "[DONE]"

func run(pass *analysis.Pass) (any, error) {
	flow := streamflow.Of(pass)
	r := report.New(pass, opts)
	if flow.Empty() {
		return nil, nil
	}
	c := &checker{pass: pass, flow: flow, r: r, said: make(map[*ssa.Function]bool), marks: make(map[*ssa.Function]bool)}
	for _, fn := range flow.Functions() {
		c.comparisons(fn)
	}
	c.global = markerInVariables(pass)
	for _, d := range flow.Decodes() {
		c.decode(d)
	}
	return nil, nil
}

type checker struct {
	pass   *analysis.Pass
	flow   *streamflow.Flow
	r      *report.Reporter
	said   map[*ssa.Function]bool // functions whose comparison was reported
	marks  map[*ssa.Function]bool // functions that name the marker; by the first question
	global bool                   // a package variable holds the marker
}

// comparison is a condition on the marker.
type comparison struct {
	at   ssa.Instruction
	text ssa.Value // what is compared
	with string    // the constant
	cond ssa.Value
	// whole says that the text must be equal, or end, as the constant does.
	whole bool
	equal bool // the condition holds where they are equal
}

// comparisonOf reads an instruction as a comparison with the marker.
func comparisonOf(in ssa.Instruction) (comparison, bool) {
	switch x := in.(type) {
	case *ssa.BinOp:
		if x.Op != token.EQL && x.Op != token.NEQ {
			return comparison{}, false
		}
		for _, p := range [][2]ssa.Value{{x.X, x.Y}, {x.Y, x.X}} {
			if s := streamflow.ConstText(p[1]); strings.Contains(s, marker) {
				return comparison{x, p[0], s, x, true, x.Op == token.EQL}, true
			}
		}
	case *ssa.Call:
		whole := false
		switch streamflow.CalleeName(x) {
		case "bytes.Equal", "strings.EqualFold", "bytes.EqualFold":
			whole = true
		case "strings.HasSuffix", "bytes.HasSuffix":
			whole = true
		case "strings.HasPrefix", "bytes.HasPrefix", "strings.Contains", "bytes.Contains":
		default:
			return comparison{}, false
		}
		args := x.Call.Args
		for _, p := range [][2]ssa.Value{{args[0], args[1]}, {args[1], args[0]}} {
			if s := streamflow.ConstText(p[1]); strings.Contains(s, marker) {
				return comparison{x, p[0], s, x, whole, true}, true
			}
		}
	}
	return comparison{}, false
}

// comparisons finds those that never hold, and those that hold and end nothing.
func (c *checker) comparisons(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			cmp, ok := comparisonOf(in)
			if !ok {
				continue
			}
			if cmp.whole && !strings.HasSuffix(cmp.with, "\n") {
				if read := c.attached(cmp.text); read != nil {
					c.said[fn] = true
					c.r.Report(report.Finding{
						Pos: at(cmp.at),
						Message: fmt.Sprintf("the text that is compared with %q still has its line end (read at line %d), so the marker is never recognised: it goes to the decoder, and the end of the stream is missed; trim the line first",
							cmp.with, c.r.Line(read.Pos())),
						Related: []analysis.RelatedInformation{{Pos: read.Pos(), Message: "read here, line end included"}},
					})
					continue
				}
				if cmp.with == marker && c.blankBefore(cmp.text, 0, make(map[ssa.Value]bool)) && !c.names(fn, " "+marker) {
					c.said[fn] = true
					c.r.Report(report.Finding{
						Pos:     at(cmp.at),
						Message: fmt.Sprintf("the text that is compared with %q still has the blank that follows \"data:\", so the marker is never recognised: it goes to the decoder, and the end of the stream is missed; trim the text first", cmp.with),
					})
					continue
				}
			}
			if c.swallowed(fn, cmp) {
				c.r.Report(report.Finding{
					Pos:     at(cmp.at),
					Message: "the end marker is turned into an empty text and no error: the caller cannot tell the end from an event without text and reads on until the connection closes; give the end back as io.EOF or a bool",
				})
			}
		}
	}
}

func at(in ssa.Instruction) token.Pos {
	if p := in.Pos(); p.IsValid() {
		return p
	}
	return in.Parent().Pos()
}

// attached gives the read that a text comes from with its line end still on, nil if
// it is off, or that is out of sight, on some way.
func (c *checker) attached(v ssa.Value) ssa.Instruction {
	t := &lineEnd{c: c, busy: make(map[ssa.Value]bool)}
	if !t.on(v, 0) {
		return nil
	}
	return t.read
}

// lineEnd follows a text back to the reads it comes from.
type lineEnd struct {
	c    *checker
	busy map[ssa.Value]bool // a value that leads back to itself adds nothing
	read ssa.Instruction
}

func (t *lineEnd) on(v ssa.Value, depth int) bool {
	if t.busy[v] {
		return true
	}
	if depth > 20 {
		return false
	}
	t.busy[v] = true
	defer delete(t.busy, v)
	switch x := v.(type) {
	case *ssa.Convert:
		return t.on(x.X, depth+1)
	case *ssa.ChangeType:
		return t.on(x.X, depth+1)
	case *ssa.Slice:
		return x.High == nil && t.on(x.X, depth+1)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if !t.on(e, depth+1) {
				return false
			}
		}
		return true
	case *ssa.UnOp:
		if _, ok := x.X.(*ssa.Alloc); !ok || x.Op != token.MUL {
			return false
		}
		puts := t.c.flow.Puts(t.c.flow.Location(x.X))
		for _, p := range puts {
			if p.Val == nil || !t.on(p.Val, depth+1) {
				return false
			}
		}
		return len(puts) > 0
	case *ssa.Extract:
		call, ok := x.Tuple.(*ssa.Call)
		if !ok {
			return false
		}
		switch streamflow.CalleeName(call) {
		case "(bufio.Reader).ReadString", "(bufio.Reader).ReadBytes", "(bufio.Reader).ReadSlice", "(bytes.Buffer).ReadString", "(bytes.Buffer).ReadBytes",
			"(bufio.ReadWriter).ReadString", "(bufio.ReadWriter).ReadBytes":
			if x.Index == 0 && newline(streamflow.Args(call)[1]) {
				t.read = call
				return true
			}
		case "strings.CutPrefix", "bytes.CutPrefix":
			return x.Index == 0 && t.on(call.Call.Args[0], depth+1)
		case "strings.Cut", "bytes.Cut":
			return x.Index == 1 && t.on(call.Call.Args[0], depth+1)
		}
	case *ssa.Call:
		switch streamflow.CalleeName(x) {
		case "strings.TrimPrefix", "bytes.TrimPrefix", "strings.TrimLeft", "bytes.TrimLeft", "strings.ToUpper", "strings.ToLower", "strings.Clone", "bytes.Clone":
			return t.on(x.Call.Args[0], depth+1)
		}
	case *ssa.Parameter:
		sites := t.c.flow.Callers(x.Parent())
		k := streamflow.ParamIndex(x)
		for _, s := range sites {
			if k >= len(s.Args) || !t.on(s.Args[k], depth+5) {
				return false
			}
		}
		return len(sites) > 0
	}
	return false
}

// blankBefore reports whether a text is what stands behind "data:", the blank that
// most servers write there included.
func (c *checker) blankBefore(v ssa.Value, depth int, seen map[ssa.Value]bool) bool {
	if depth > 12 || seen[v] {
		return false
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Convert:
		return c.blankBefore(x.X, depth+1, seen)
	case *ssa.ChangeType:
		return c.blankBefore(x.X, depth+1, seen)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if !seen[e] && !c.blankBefore(e, depth+1, seen) {
				return false
			}
		}
		return true
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok && x.Index == 0 {
			switch streamflow.CalleeName(call) {
			case "strings.CutPrefix", "bytes.CutPrefix":
				return streamflow.ConstText(call.Call.Args[1]) == "data:"
			}
		}
	case *ssa.Call:
		switch streamflow.CalleeName(x) {
		case "strings.TrimPrefix", "bytes.TrimPrefix":
			return streamflow.ConstText(x.Call.Args[1]) == "data:" && !c.blankGone(x.Call.Args[0])
		}
	}
	return false
}

// blankGone reports whether the longer prefix was taken off before.
func (c *checker) blankGone(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	switch streamflow.CalleeName(call) {
	case "strings.TrimPrefix", "bytes.TrimPrefix", "strings.ReplaceAll", "strings.Replace":
		return true
	}
	return false
}

// swallowed reports whether a function that gives one text and an error back answers
// the marker with an empty text and no error.
func (c *checker) swallowed(fn *ssa.Function, cmp comparison) bool {
	res := fn.Signature.Results()
	if res.Len() != 2 || !streamflow.IsText(res.At(0).Type()) || !streamflow.IsError(res.At(1).Type()) || fn.Parent() != nil {
		return false
	}
	if c.flow.InLoop(cmp.at) || !c.decodes(fn) || c.emptyAsked(fn) {
		return false
	}
	refs := cmp.cond.Referrers()
	if refs == nil {
		return false
	}
	for _, ref := range *refs {
		ifi, ok := ref.(*ssa.If)
		if !ok {
			continue
		}
		to := ifi.Block().Succs[0]
		if !cmp.equal {
			to = ifi.Block().Succs[1]
		}
		if len(to.Instrs) != 1 {
			continue
		}
		ret, ok := to.Instrs[0].(*ssa.Return)
		if !ok {
			continue
		}
		text, ok := ret.Results[0].(*ssa.Const)
		if !ok || streamflow.ConstText(text) != "" {
			continue
		}
		if e, ok := ret.Results[1].(*ssa.Const); ok && e.Value == nil {
			return true
		}
	}
	return false
}

func (c *checker) decodes(fn *ssa.Function) bool {
	for _, d := range c.flow.Decodes() {
		if d.Call.Parent() == fn && !d.Bool {
			return true
		}
	}
	return false
}

// emptyAsked reports whether a caller in the package asks for the empty text.
func (c *checker) emptyAsked(fn *ssa.Function) bool {
	for _, s := range c.flow.Callers(fn) {
		text := streamflow.Result(s.Call, 0)
		if text == nil || text.Referrers() == nil {
			continue
		}
		for _, ref := range *text.Referrers() {
			switch x := ref.(type) {
			case *ssa.BinOp:
				if k, ok := x.Y.(*ssa.Const); ok && x.Op != token.ADD && streamflow.ConstText(k) == "" {
					return true
				}
			case *ssa.Call:
				if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
					return true
				}
			}
		}
	}
	return false
}

// markerInVariables reports whether a package variable is set to the marker.
func markerInVariables(pass *analysis.Pass) bool {
	for _, name := range pass.Pkg.Scope().Names() {
		if _, ok := pass.Pkg.Scope().Lookup(name).(*types.Var); !ok {
			continue
		}
		if variableNames(pass, name) {
			return true
		}
	}
	return false
}
