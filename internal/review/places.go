package review

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// places finds the stream code of a package. What it reports is no finding: each
// diagnostic is a place, its category what kind of place it is and what can be
// said of it, its message the reason. The functions are reported too, as a review
// goes by function, and the files, so that those are known which no build here
// looks at.
var places = &analysis.Analyzer{
	Name:     "streamplaces",
	Doc:      "find the places that handle streams, for streamlint review\n\nThis analyzer reports places, not findings; only the review asks it.",
	URL:      reviewURL,
	Requires: []*analysis.Analyzer{streamflow.Analyzer},
	Run:      findPlaces,
}

const reviewURL = "https://github.com/streamlint/streamlint/blob/main/docs/review.md"

// kind says what a place does with a stream.
type kind string

// The kinds, each with the page that tells its rules.
const (
	framing   kind = "framing"
	header    kind = "header check"
	carry     kind = "carry-over"
	ending    kind = "end of stream"
	decoding  kind = "decode"
	arguments kind = "tool call"
	pieces    kind = "text pieces"
	chunks    kind = "raw bytes"
	events    kind = "event format"
	timeout   kind = "timeout"
	retry     kind = "retry"
	opening   kind = "request"
)

// pageOf gives the check whose page tells the rules for a kind of place; "" where
// the page of the review does.
var pageOf = map[kind]string{
	framing: "scanlimit", carry: "perchunkdecode", ending: "unfinished", decoding: "perchunkdecode",
	arguments: "callindex", pieces: "perchunkdecode", chunks: "lossyutf8", events: "donemarker",
	timeout: "streamtimeout", retry: "blindretry",
}

func (k kind) url() string {
	if check := pageOf[k]; check != "" {
		return report.URL(check)
	}
	return reviewURL + "#" + strings.ReplaceAll(string(k), " ", "-")
}

// The categories of what places reports: a kind behind one of the first two, or
// one of the last two alone.
const (
	settled   = "settled "   // recognised as right
	unsettled = "unsettled " // no check can say
	function  = "function"
	file      = "file"
)

type collector struct {
	pass  *analysis.Pass
	flow  *streamflow.Flow
	io    *streamflow.IO
	skip  map[*token.File]bool
	nodes map[token.Pos]ast.Node // calls by their parenthesis, for their extent
	seen  map[seenPlace]bool

	reads    map[ssa.Instruction]bool     // where pieces of a stream come in
	received map[*ssa.Function]bool       // the functions in which reads stand
	opens    map[ssa.CallInstruction]bool // the requests whose answers are read as streams
	opener   map[*ssa.Function]int8       // 1: opens a stream, itself or in what it calls; -1: asked, no
	marked   map[*ssa.Function]int8       // the same for: looks for what ends the protocol
	serves   bool                         // the package answers with server-sent events
}

type seenPlace struct {
	line int
	file *token.File
	why  string
}

func findPlaces(pass *analysis.Pass) (any, error) {
	c := &collector{pass: pass, flow: streamflow.Of(pass), skip: make(map[*token.File]bool), nodes: make(map[token.Pos]ast.Node),
		seen: make(map[seenPlace]bool), reads: make(map[ssa.Instruction]bool), received: make(map[*ssa.Function]bool),
		opens: make(map[ssa.CallInstruction]bool), opener: make(map[*ssa.Function]int8), marked: make(map[*ssa.Function]int8)}
	for _, f := range pass.Files {
		tf := pass.Fset.File(f.FileStart)
		c.skip[tf] = report.IsGenerated(f)
		pass.Report(analysis.Diagnostic{Pos: f.Package, Category: file})
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				start := fn.Pos()
				if fn.Doc != nil {
					start = fn.Doc.Pos()
				}
				pass.Report(analysis.Diagnostic{Pos: start, End: fn.End(), Category: function, Message: declName(fn)})
			}
		}
	}
	if c.flow.Empty() {
		return nil, nil
	}
	c.io = c.flow.IO()
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				c.nodes[call.Lparen] = call
			}
			return true
		})
	}
	c.findReads()
	c.serves = c.servesEvents()
	c.framings()
	c.decodes()
	c.endings()
	c.fields()
	c.searches()
	c.requests()
	c.timeouts()
	c.retries()
	c.writes()
	return nil, nil
}

// declName names a declared function as a reader would: Client.Stream, main.
func declName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + fn.Name.Name
		default:
			return fn.Name.Name
		}
	}
}

// right notes a place that is recognised as right, open one that no check settles.
func (c *collector) right(in ssa.Instruction, k kind, why string) { c.note(in, settled, k, why) }
func (c *collector) open(in ssa.Instruction, k kind, why string)  { c.note(in, unsettled, k, why) }

func (c *collector) note(in ssa.Instruction, verdict string, k kind, why string) {
	pos := in.Pos()
	if !pos.IsValid() {
		return
	}
	end := pos
	if call, ok := c.nodes[pos].(*ast.CallExpr); ok {
		pos, end = call.Pos(), callEnd(call)
	}
	c.place(pos, end, verdict, k, why)
}

func (c *collector) place(pos, end token.Pos, verdict string, k kind, why string) {
	tf := c.pass.Fset.File(pos)
	if tf == nil || c.skip[tf] {
		return
	}
	key := seenPlace{tf.Line(pos), tf, verdict + why}
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	c.pass.Report(analysis.Diagnostic{Pos: pos, End: end, Category: verdict + string(k), URL: k.url(), Message: why})
}

// callEnd is where a call ends, or where a function written among its arguments
// begins: what stands in that has places of its own.
func callEnd(call *ast.CallExpr) token.Pos {
	end := call.End()
	ast.Inspect(call, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			end = min(end, lit.Pos())
			return false
		}
		return true
	})
	return end
}

// each calls f for every instruction of the package, in source order of their
// functions.
func (c *collector) each(f func(fn *ssa.Function, in ssa.Instruction)) {
	for _, fn := range c.flow.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				f(fn, in)
			}
		}
	}
}

func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// fieldOf gives the field that an instruction reads or addresses, and the type of
// the struct it is in.
func fieldOf(v any) (*types.Var, types.Type) {
	val, ok := v.(ssa.Value)
	if !ok {
		return nil, nil
	}
	owner, i, ok := streamflow.FieldAt(val)
	if !ok {
		return nil, nil
	}
	t := owner.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || i >= s.NumFields() {
		return nil, nil
	}
	return s.Field(i).Origin(), t
}

// words names where a reader reads from.
func words(s streamflow.Source) string {
	if s.Words != "" {
		return s.Words
	}
	return "the stream"
}

// called names what a call calls as its writer did: without the package where that
// is the writer's own.
func (c *collector) called(call ssa.CallInstruction) string {
	name := streamflow.CallWords(call)
	if fn := streamflow.Callee(call); fn != nil && fn.Pkg() == c.pass.Pkg {
		return strings.TrimPrefix(name, c.pass.Pkg.Name()+".")
	}
	return name
}

// dropped reports whether the program takes no notice of the i-th result of a call.
func dropped(call ssa.CallInstruction, i int) bool {
	v := streamflow.Result(call, i)
	return v == nil || v.Referrers() == nil || len(*v.Referrers()) == 0
}
