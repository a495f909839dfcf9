package silentdefault

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/streamlint/streamlint/internal/streamflow"
)

// fix turns a dropped error into a returned one where that is surely what is
// meant: a statement of its own, once in a function that returns an error last and
// whose other results have zero values that can be written in this file.
func (c *checker) fix(s *subject, w *walk) (analysis.SuggestedFix, bool) {
	var none analysis.SuggestedFix
	if !w.dropped || s.valid || c.flow.InLoop(s.call) || c.flow.PerEvent(s.fn) && s.fn.Parent() != nil {
		return none, false
	}
	if res := s.call.Common().Signature().Results(); res.Len() != 1 || !streamflow.IsError(res.At(0).Type()) {
		return none, false
	}
	var file *ast.File
	for _, f := range c.pass.Files {
		if f.FileStart <= s.call.Pos() && s.call.Pos() < f.FileEnd {
			file = f
		}
	}
	if file == nil {
		return none, false
	}
	path, _ := astutil.PathEnclosingInterval(file, s.call.Pos(), s.call.Pos())
	var call *ast.CallExpr
	var stmt ast.Stmt
	var block bool
	var sig *types.Signature
	for i, n := range path {
		switch n := n.(type) {
		case *ast.CallExpr:
			if call == nil && n.Lparen == s.call.Pos() {
				call = n
			}
		case *ast.ExprStmt:
			if stmt == nil && n.X == call {
				stmt = n
			}
		case *ast.AssignStmt:
			if stmt == nil && len(n.Lhs) == 1 && len(n.Rhs) == 1 && n.Rhs[0] == call && isBlank(n.Lhs[0]) {
				stmt = n
			}
		case *ast.FuncLit:
			if sig == nil {
				sig, _ = c.pass.TypesInfo.TypeOf(n).(*types.Signature)
			}
		case *ast.FuncDecl:
			if sig == nil {
				if fn, ok := c.pass.TypesInfo.Defs[n.Name].(*types.Func); ok {
					sig = fn.Signature()
				}
			}
		}
		if stmt != nil && !block && n == ast.Node(stmt) && i+1 < len(path) {
			switch path[i+1].(type) {
			case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
				block = true
			default:
				return none, false
			}
		}
	}
	if call == nil || stmt == nil || !block || sig == nil || streamflow.ErrorResult(sig) < 0 {
		return none, false
	}
	var results []string
	for i := range sig.Results().Len() - 1 {
		z, ok := c.zero(sig.Results().At(i).Type())
		if !ok {
			return none, false
		}
		results = append(results, z)
	}
	results = append(results, "err")
	var text bytes.Buffer
	if err := format.Node(&text, c.pass.Fset, call); err != nil || strings.Contains(text.String(), "\n") {
		return none, false
	}
	indent := strings.Repeat("\t", max(0, c.pass.Fset.Position(stmt.Pos()).Column-1))
	return analysis.SuggestedFix{
		Message: "return the error",
		TextEdits: []analysis.TextEdit{{Pos: stmt.Pos(), End: stmt.End(), NewText: []byte(
			"if err := " + text.String() + "; err != nil {\n" + indent + "\treturn " + strings.Join(results, ", ") + "\n" + indent + "}")}},
	}, true
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// zero writes the zero value of a type, where the file can.
func (c *checker) zero(t types.Type) (string, bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		if _, ok := types.Unalias(t).(*types.TypeParam); ok {
			return "", false
		}
		return "nil", true
	case *types.Struct:
		n, ok := types.Unalias(t).(*types.Named)
		if ok && n.TypeArgs() == nil && n.Obj().Pkg() == c.pass.Pkg && n.Obj().Parent() == c.pass.Pkg.Scope() {
			return n.Obj().Name() + "{}", true
		}
	}
	return "", false
}
