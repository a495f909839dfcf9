package scanlimit

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/internal/streamflow"
)

// fix inserts a Buffer call with a named cap behind the statement that makes the
// scanner, where that statement declares or assigns one variable.
func (c *checker) fix(s *streamflow.Scanner) []analysis.SuggestedFix {
	pass := c.flow.Pass()
	var file *ast.File
	for _, f := range pass.Files {
		if f.FileStart <= s.New.Pos() && s.New.Pos() < f.FileEnd {
			file = f
		}
	}
	if file == nil {
		return nil
	}
	stmt, name := assignment(pass.Fset.File(s.New.Pos()), file, s.New.Pos())
	if stmt == nil {
		return nil
	}
	// Behind the line, so that a comment on it stays where it is.
	tf := pass.Fset.File(stmt.Pos())
	line := tf.Line(stmt.End())
	if line >= tf.LineCount() {
		return nil
	}
	at := tf.LineStart(line + 1)
	indent := strings.Repeat("\t", max(0, pass.Fset.Position(stmt.Pos()).Column-1))
	text := indent + "const maxLine = 16 << 20\n" + indent + name + ".Buffer(nil, maxLine)\n"
	if c.capped[s.New.Parent()] || uses(file, "maxLine") {
		text = indent + name + ".Buffer(nil, 16<<20)\n"
	}
	c.capped[s.New.Parent()] = true
	return []analysis.SuggestedFix{{
		Message:   "let a line have up to 16 MiB",
		TextEdits: []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text)}},
	}}
}

// assignment finds the statement of a block that assigns the call at pos alone to
// one variable or field, and how that is written.
func assignment(tf *token.File, file *ast.File, pos token.Pos) (ast.Stmt, string) {
	var found ast.Stmt
	var name string
	// end is where the block ends: code behind the statement on its line leaves no
	// room for another.
	look := func(list []ast.Stmt, end token.Pos) {
		for i, st := range list {
			as, ok := st.(*ast.AssignStmt)
			if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
				continue
			}
			call, ok := as.Rhs[0].(*ast.CallExpr)
			if !ok || call.Lparen != pos {
				continue
			}
			next := end
			if i+1 < len(list) {
				next = list[i+1].Pos()
			}
			if next.IsValid() && tf.Line(next) == tf.Line(st.End()) {
				continue
			}
			if n := path(as.Lhs[0]); n != "" {
				found, name = st, n
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			look(n.List, n.Rbrace)
		case *ast.CaseClause:
			look(n.Body, token.NoPos)
		case *ast.CommClause:
			look(n.Body, token.NoPos)
		}
		return found == nil
	})
	return found, name
}

// path writes a variable or a field of one, "" for anything else.
func path(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		if e.Name == "_" {
			return ""
		}
		return e.Name
	case *ast.SelectorExpr:
		if x := path(e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	}
	return ""
}

// uses reports whether a name stands anywhere in the file: a second one could
// shadow it.
func uses(file *ast.File, name string) bool {
	used := false
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			used = true
		}
		return !used
	})
	return used
}
