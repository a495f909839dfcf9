package byteslice

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// unwrap takes parentheses and conversions between string and []byte off.
func unwrap(info *types.Info, e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
			continue
		case *ast.CallExpr:
			if tv, ok := info.Types[x.Fun]; ok && tv.IsType() && len(x.Args) == 1 && textual(tv.Type) && textual(info.TypeOf(x.Args[0])) {
				e = x.Args[0]
				continue
			}
		}
		return e
	}
}

// nameable reports whether an expression is a variable, a field or an element: a
// place that can be recognised elsewhere in the function.
func (c *checker) nameable(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		_, ok := c.info.ObjectOf(x).(*types.Var)
		return ok
	case *ast.SelectorExpr:
		_, ok := c.info.Uses[x.Sel].(*types.Var)
		return ok && (c.nameable(ast.Unparen(x.X)) || c.isPackage(x.X))
	case *ast.IndexExpr:
		return c.nameable(ast.Unparen(x.X)) && !textual(c.info.TypeOf(x.X))
	case *ast.StarExpr:
		return c.nameable(ast.Unparen(x.X))
	}
	return false
}

func (c *checker) isPackage(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = c.info.Uses[id].(*types.PkgName)
	return ok
}

// isText reports whether what is cut is text: a string, or bytes that the function
// turns into one.
func (c *checker) isText(cur inspector.Cursor, e *ast.SliceExpr, text ast.Expr) bool {
	t := c.info.TypeOf(e.X)
	if t == nil {
		return false
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	if isStringType(t) {
		return true
	}
	if !isByteSlice(t) {
		return false
	}
	// string(b[:n])
	if call, ok := cur.Parent().Node().(*ast.CallExpr); ok && cur.ParentEdgeKind() == edge.CallExpr_Args {
		if tv, ok := c.info.Types[call.Fun]; ok && tv.IsType() && isStringType(tv.Type) {
			return true
		}
	}
	// b = b[:n], and string(b) somewhere.
	a, i := assignment(cur)
	if a == nil || !c.same(a.Lhs[i], text) || a.Tok != token.ASSIGN {
		return false
	}
	for f := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		for k := range f.Preorder((*ast.CallExpr)(nil)) {
			call := k.Node().(*ast.CallExpr)
			if tv, ok := c.info.Types[call.Fun]; ok && tv.IsType() && isStringType(tv.Type) && len(call.Args) == 1 && c.same(call.Args[0], text) {
				return true
			}
		}
		break
	}
	return false
}

// same reports whether two expressions name one place.
func (c *checker) same(a, b ast.Expr) bool {
	if a == nil || b == nil {
		return false
	}
	a, b = ast.Unparen(a), ast.Unparen(b)
	if a == b {
		return true
	}
	if ta, tb := c.info.Types[a], c.info.Types[b]; ta.Value != nil && tb.Value != nil {
		return constant.Compare(ta.Value, token.EQL, tb.Value)
	}
	switch x := a.(type) {
	case *ast.Ident:
		y, ok := b.(*ast.Ident)
		return ok && c.info.ObjectOf(x) != nil && c.info.ObjectOf(x) == c.info.ObjectOf(y)
	case *ast.SelectorExpr:
		y, ok := b.(*ast.SelectorExpr)
		return ok && c.info.Uses[x.Sel] != nil && c.info.Uses[x.Sel] == c.info.Uses[y.Sel] && c.same(x.X, y.X)
	case *ast.IndexExpr:
		y, ok := b.(*ast.IndexExpr)
		return ok && c.same(x.X, y.X) && c.same(x.Index, y.Index)
	case *ast.StarExpr:
		y, ok := b.(*ast.StarExpr)
		return ok && c.same(x.X, y.X)
	case *ast.BinaryExpr:
		y, ok := b.(*ast.BinaryExpr)
		return ok && x.Op == y.Op && c.same(x.X, y.X) && c.same(x.Y, y.Y)
	case *ast.CallExpr:
		y, ok := b.(*ast.CallExpr)
		if !ok || builtinName(c.info, x) != "len" || builtinName(c.info, y) != "len" {
			return false
		}
		return c.same(x.Args[0], y.Args[0])
	}
	return false
}

// variable gives the variable that an identifier or selector names.
func (c *checker) variable(e ast.Expr) *types.Var {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := c.info.ObjectOf(x).(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := c.info.Uses[x.Sel].(*types.Var)
		return v
	}
	return nil
}

func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(info, call).(*types.Func)
	return fn
}

// builtinName gives the name of the builtin that a call calls, or "".
func builtinName(info *types.Info, call *ast.CallExpr) string {
	if b, ok := typeutil.Callee(info, call).(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

func isZero(info *types.Info, e ast.Expr) bool {
	tv := info.Types[e]
	if tv.Value == nil || tv.Value.Kind() != constant.Int {
		return false
	}
	n, ok := constant.Int64Val(tv.Value)
	return ok && n == 0
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isStringType(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isByteSlice(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

func textual(t types.Type) bool { return t != nil && (isStringType(t) || isByteSlice(t)) }
