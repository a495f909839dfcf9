// Package byteslice defines an Analyzer that reports text cut at a byte count. The
// check's page, docs/checks/byteslice.md, says what it reports and what it leaves
// alone.
package byteslice

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// Analyzer reports text that is cut at a byte count, so that a character of
// several bytes can be split.
var Analyzer = &analysis.Analyzer{
	Name:     "byteslice",
	Doc:      docs.Check("byteslice"),
	URL:      report.URL("byteslice"),
	Requires: []*analysis.Analyzer{inspect.Analyzer, streamflow.Analyzer},
	Run:      report.Safe(run),
}

var (
	opts  *report.Options
	all   bool
	plain nameList
)

func init() {
	opts = report.AddFlags(Analyzer)
	Analyzer.Flags.BoolVar(&all, "all", false, "report every text that is cut at a byte count, wherever the piece goes")
	Analyzer.Flags.Var(&plain, "plain", "comma-separated functions (pkg.Func, (pkg.Type).Method), types (pkg.Type) and fields (pkg.Type.Field) whose text has one-byte characters only")
}

// nameList is a flag of full names.
type nameList map[string]bool

// String implements flag.Value.
func (l nameList) String() string {
	var names []string
	for n := range l {
		names = append(names, n)
	}
	return strings.Join(names, ",")
}

// Set implements flag.Value: the names are added.
func (l *nameList) Set(v string) error {
	if *l == nil {
		*l = make(nameList)
	}
	for _, name := range strings.Split(v, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !strings.Contains(name, ".") {
			return fmt.Errorf("%q is no full name: want pkg.Func, (pkg.Type).Method, pkg.Type or pkg.Type.Field", name)
		}
		(*l)[name] = true
	}
	return nil
}

func run(pass *analysis.Pass) (any, error) {
	c := &checker{
		pass: pass,
		info: pass.TypesInfo,
		r:    report.New(pass, opts),
		flow: streamflow.Of(pass),
		root: pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(),
	}
	if pass.Pkg == nil || len(pass.TypeErrors) > 0 {
		return nil, nil
	}
	for cur := range c.root.Preorder((*ast.SliceExpr)(nil)) {
		if x := c.cutAt(cur); x != nil {
			c.judge(x)
		}
	}
	return nil, nil
}

type checker struct {
	pass *analysis.Pass
	info *types.Info
	r    *report.Reporter
	flow *streamflow.Flow
	root inspector.Cursor

	uses    map[types.Object][]inspector.Cursor // where an object is named; made when first asked
	decls   map[*types.Func]inspector.Cursor
	named   map[inspector.Cursor]int // fixes made in a function
	origins map[token.Pos][]streamflow.Origin
}

// cut is a slice expression that looks like text cut at a byte count.
type cut struct {
	cur  inspector.Cursor
	expr *ast.SliceExpr
	text ast.Expr // what is cut
	kind kind
	fn   inspector.Cursor // the function around, a FuncDecl or FuncLit
	// bound is the end that is kept: the High of a head, the Low of a tail.
	bound ast.Expr
	size  size
}

type kind uint8

const (
	head   kind = iota // s[:n]
	tail               // s[len(s)-n:]
	window             // s[i:i+n] in a loop that goes on by n
)

// cutAt reads a slice expression as a cut, nil where it is none.
func (c *checker) cutAt(cur inspector.Cursor) *cut {
	e := cur.Node().(*ast.SliceExpr)
	if e.Slice3 || e.High == nil && e.Low == nil {
		return nil
	}
	text := unwrap(c.info, e.X)
	if !c.nameable(text) || !c.isText(cur, e, text) {
		return nil
	}
	x := &cut{cur: cur, expr: e, text: text}
	for f := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		x.fn = f
		break
	}
	if !x.fn.Valid() {
		return nil
	}
	switch {
	case e.High != nil && (e.Low == nil || isZero(c.info, e.Low)):
		x.kind, x.bound = head, e.High
	case e.High == nil:
		x.kind, x.bound = tail, e.Low
	default:
		x.kind, x.bound = window, e.High
		if !c.steps(x, e.Low) {
			return nil
		}
	}
	x.size = c.sizeOf(x, x.bound)
	switch x.kind {
	case head, window:
		if x.size.kind != limit || x.size.fromEnd && len(x.size.vars) == 0 {
			return nil // a length less a constant takes a known ending off
		}
	case tail:
		if x.size.kind != limit || !x.size.fromEnd {
			return nil
		}
	}
	return x
}

// judge decides whether a cut is one to report.
func (c *checker) judge(x *cut) {
	if c.repaired(x) || c.isPlain(x) {
		return
	}
	if x.kind != window && !c.guarded(x) {
		return
	}
	end := c.follow(x)
	mark := end.marked || c.ellipsis(x)
	windows := x.kind == window
	if !windows {
		switch c.rest(x) {
		case restLoop:
			windows = true
		case restUsed:
			return // split in two at a known place
		}
	}
	if !windows && !mark && !c.wholeElsewhere(x) {
		return
	}
	if end.mended || !end.kept && !end.shown {
		return
	}
	where := ""
	switch {
	case end.shown:
		where = end.where
	case mark && !windows:
		where = "a reader"
	case !windows && c.helper(x):
		where = "its caller"
	case c.streamed(x):
		where = "whoever reads it"
	case all:
		where = "whoever reads it"
	default:
		return
	}
	c.report(x, where, windows)
}

func (c *checker) report(x *cut, where string, windows bool) {
	what := types.ExprString(x.expr)
	if len(what) > 60 || strings.Contains(what, "\n") {
		what = types.ExprString(x.text) + "[...]"
	}
	f := report.Finding{
		Pos: x.expr.Pos(),
		End: x.expr.End(),
		Message: fmt.Sprintf("%s cuts text at a byte count: a character of several bytes on the border is split, and %s gets U+FFFD or an error in its place; back up to a rune start (utf8.RuneStart) first",
			what, where),
	}
	if windows {
		f.Message = fmt.Sprintf("%s hands text on in pieces of a byte count: a character on a border is split and both halves become U+FFFD for %s; end each piece at a rune start (utf8.RuneStart)",
			what, where)
	} else if fix, ok := c.fix(x); ok {
		f.Fixes = []analysis.SuggestedFix{fix}
	}
	c.r.Report(f)
}
