package report

import (
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
)

// directivesAnalyzer reads the directives of a package once for all checks, which
// require it (see AddFlags), and is where they note what each directive silenced.
var directivesAnalyzer = &analysis.Analyzer{
	Name:       "streamlintdirectives",
	Doc:        "read the comments that silence checks\n\nThis analyzer reports nothing; the streamlint checks require it.",
	ResultType: reflect.TypeFor[*directives](),
	Run:        func(pass *analysis.Pass) (any, error) { return readDirectives(pass), nil },
}

// directives are those of one package. Drivers may run the checks of a package at
// the same time; what they note is under the lock.
type directives struct {
	files map[string][]*directive // by the file's name as parsed

	mu  sync.Mutex
	ran map[string]*Reporter // the checks that looked at the package
}

// directive is a comment that silences checks.
type directive struct {
	pos, end token.Pos
	ignore   *Ignore // nil for //nolint
	names    []string
	lines    []lineRange
	used     map[string]bool // check -> it had something to say here
}

type lineRange struct{ first, last int }

// directivesOf gives the directives of the package a check looks at.
func directivesOf(pass *analysis.Pass) *directives {
	if d, ok := pass.ResultOf[directivesAnalyzer].(*directives); ok {
		return d
	}
	return readDirectives(pass) // a check with no AddFlags
}

func readDirectives(pass *analysis.Pass) *directives {
	ds := &directives{files: make(map[string][]*directive), ran: make(map[string]*Reporter)}
	for _, f := range pass.Files {
		if list := readFile(pass.Fset, f); len(list) > 0 {
			ds.files[pass.Fset.File(f.FileStart).Name()] = list
		}
	}
	return ds
}

func readFile(fset *token.FileSet, f *ast.File) []*directive {
	line := func(pos token.Pos) int { return fset.PositionFor(pos, false).Line }
	var out []*directive
	var code map[int]bool
	var heads []head
	for _, group := range f.Comments {
		for _, c := range group.List {
			d := &directive{pos: c.Pos(), end: c.End()}
			if ig, ok := ParseIgnore(c.Text); ok {
				d.ignore, d.names = &ig, ig.Checks
			} else if names, ok := parseNolint(c.Text); ok {
				d.names = names
				heads = append(heads, head{d, line(group.End()) + 1, fset.PositionFor(group.Pos(), false).Column})
			} else {
				continue
			}
			out = append(out, d)
			at := lineRange{line(c.Pos()), line(c.Pos())}
			if code == nil {
				code = codeLines(line, f)
			}
			if !code[at.first] {
				at.last = line(group.End()) + 1 // below the rest of the comment
			}
			d.lines = append(d.lines, at)
		}
	}
	if len(heads) > 0 {
		covered(fset, f, heads)
	}
	return out
}

// head is a //nolint comment as the head of the node that begins on the line below
// its group, in its column.
type head struct {
	d         *directive
	line, col int
}

// covered lets a //nolint above a function, a block statement or the package clause
// silence all of it, as golangci-lint does.
func covered(fset *token.FileSet, f *ast.File, heads []head) {
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		switch n.(type) {
		case *ast.Comment, *ast.CommentGroup:
			return false
		}
		start := fset.PositionFor(n.Pos(), false)
		for _, h := range heads {
			if h.line == start.Line && h.col == start.Column {
				h.d.lines = append(h.d.lines, lineRange{start.Line, fset.PositionFor(n.End(), false).Line})
			}
		}
		return true
	})
}

// codeLines gives the lines on which something other than a comment stands: a node
// of the syntax begins or ends there.
func codeLines(line func(token.Pos) int, f *ast.File) map[int]bool {
	out := make(map[int]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		case *ast.File:
			out[line(n.Pos())] = true // its end is the last declaration's
			return true
		}
		out[line(n.Pos())] = true
		out[line(n.End())] = true
		return true
	})
	return out
}

// began notes that a check looks at the package.
func (ds *directives) began(r *Reporter) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	ds.ran[r.pass.Analyzer.Name] = r
}

// silences reports whether a check may say nothing on a line of a file, and notes
// every directive that is the reason.
func (ds *directives) silences(file string, a *analysis.Analyzer, line int) bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	silent := false
	for _, d := range ds.files[file] {
		if d.applies(a) && d.covers(line) {
			if d.used == nil {
				d.used = make(map[string]bool)
			}
			d.used[a.Name] = true
			silent = true
		}
	}
	return silent
}

func (d *directive) applies(a *analysis.Analyzer) bool {
	if d.ignore != nil && d.ignore.Reason == "" || d.ignore == nil && left(a, d.names) {
		return false
	}
	return slices.ContainsFunc(d.names, func(name string) bool {
		return name == a.Name || name == All || d.ignore == nil && name == "streamlint"
	})
}

func (d *directive) covers(line int) bool {
	return slices.ContainsFunc(d.lines, func(r lineRange) bool { return r.first <= line && line <= r.last })
}
