package unfinished

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// errFix inserts the question after a plain `for sc.Scan()` loop in a function that
// returns an error.
func (c *checker) errFix(s *sequence, adv ssa.Instruction) []analysis.SuggestedFix {
	if s.scanner == nil {
		return nil
	}
	file := fileOf(c.pass, adv.Pos())
	if file == nil {
		return nil
	}
	loop, fn := c.scanLoop(file, adv.Pos())
	if loop == nil || fn == nil {
		return nil
	}
	sel := loop.Cond.(*ast.CallExpr).Fun.(*ast.SelectorExpr)
	name := path(sel.X)
	// The scanner must be in scope behind the loop.
	if name == "" || loop.Init != nil {
		return nil
	}
	values, ok := c.zeroResults(fn)
	if !ok {
		return nil
	}
	tf := c.pass.Fset.File(loop.Pos())
	line := tf.Line(loop.End())
	if line >= tf.LineCount() {
		return nil
	}
	indent := strings.Repeat("\t", max(0, c.pass.Fset.Position(loop.Pos()).Column-1))
	text := indent + "if err := " + name + ".Err(); err != nil {\n" + indent + "\treturn " + values + "\n" + indent + "}\n"
	at := tf.LineStart(line + 1)
	return []analysis.SuggestedFix{{
		Message:   "return the scanner's error after the loop",
		TextEdits: []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text)}},
	}}
}

// fileOf gives the file that a position lies in.
func fileOf(pass *analysis.Pass, pos token.Pos) *ast.File {
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return f
		}
	}
	return nil
}

// scanLoop finds the for statement whose condition is the call at pos, as a
// statement of a block that has another one on a line of its own behind it, and
// the type of the function around it.
func (c *checker) scanLoop(file *ast.File, pos token.Pos) (*ast.ForStmt, *ast.FuncType) {
	var found *ast.ForStmt
	var around *ast.FuncType
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		loop, ok := n.(*ast.ForStmt)
		if !ok || loop.Post != nil {
			return true
		}
		call, ok := loop.Cond.(*ast.CallExpr)
		if !ok || call.Lparen != pos {
			return true
		}
		if _, ok := call.Fun.(*ast.SelectorExpr); !ok || len(stack) < 2 {
			return true
		}
		block, ok := stack[len(stack)-2].(*ast.BlockStmt)
		if !ok {
			return true // labelled, or in a case
		}
		next := block.Rbrace
		for i, st := range block.List {
			if st == ast.Stmt(loop) && i+1 < len(block.List) {
				next = block.List[i+1].Pos()
			}
		}
		tf := c.pass.Fset.File(pos)
		if tf.Line(next) == tf.Line(loop.End()) {
			return true
		}
		for i := len(stack) - 1; i >= 0 && around == nil; i-- {
			switch f := stack[i].(type) {
			case *ast.FuncDecl:
				around = f.Type
			case *ast.FuncLit:
				around = f.Type
			}
		}
		found = loop
		return true
	})
	return found, around
}

// zeroResults writes the operands of a return of err for a function whose other
// results have zero values that can be written down anywhere.
func (c *checker) zeroResults(fn *ast.FuncType) (string, bool) {
	if fn.Results == nil {
		return "", false
	}
	var out []string
	for _, field := range fn.Results.List {
		t := c.pass.TypesInfo.TypeOf(field.Type)
		for range max(1, len(field.Names)) {
			z, ok := zeroText(t, c.pass.Pkg)
			if !ok {
				return "", false
			}
			out = append(out, z)
		}
	}
	if last := fn.Results.List[len(fn.Results.List)-1]; !types.Identical(c.pass.TypesInfo.TypeOf(last.Type), types.Universe.Lookup("error").Type()) {
		return "", false
	}
	out[len(out)-1] = "err"
	return strings.Join(out, ", "), true
}

func zeroText(t types.Type, pkg *types.Package) (string, bool) {
	if t == nil {
		return "", false
	}
	if _, ok := t.(*types.TypeParam); ok {
		return "", false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return "nil", true
	case *types.Struct:
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() == pkg && n.Obj().Parent() == pkg.Scope() && n.TypeArgs().Len() == 0 {
			return n.Obj().Name() + "{}", true
		}
	}
	return "", false
}

// path writes a variable or a field of one, "" for anything else.
func path(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if x := path(e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	}
	return ""
}
