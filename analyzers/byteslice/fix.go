package byteslice

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// fix moves the cut to the start of a character: a loop before the statement, and
// its variable in the place of the bound. It is offered where the statement stands
// in a block of its own and the bound is a plain expression.
func (c *checker) fix(x *cut) (analysis.SuggestedFix, bool) {
	var none analysis.SuggestedFix
	if !simple(x.bound) || !simple(x.text) {
		return none, false
	}
	stmt := x.cur
	for !isStmt(stmt) {
		if _, ok := stmt.Node().(*ast.FuncLit); ok {
			return none, false
		}
		stmt = stmt.Parent()
		if stmt.Node() == nil {
			return none, false
		}
	}
	switch stmt.Node().(type) {
	case *ast.AssignStmt, *ast.ReturnStmt, *ast.ExprStmt, *ast.DeclStmt, *ast.SendStmt:
	default:
		return none, false
	}
	switch stmt.Parent().Node().(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
	default:
		return none, false
	}
	var file *ast.File
	for _, f := range c.pass.Files {
		if f.FileStart <= x.expr.Pos() && x.expr.Pos() < f.FileEnd {
			file = f
		}
	}
	if file == nil {
		return none, false
	}
	pkg, imports, ok := c.utf8Import(file)
	if !ok {
		return none, false
	}
	name := c.fresh(x)
	if name == "" {
		return none, false
	}
	text, bound := types.ExprString(x.text), types.ExprString(x.bound)
	if t := c.info.TypeOf(x.bound); t == nil || !types.Identical(t, types.Typ[types.Int]) && !types.Identical(t, types.Typ[types.UntypedInt]) {
		bound = "int(" + bound + ")"
	}
	indent := strings.Repeat("\t", max(0, c.pass.Fset.Position(stmt.Node().Pos()).Column-1))
	loop := name + " := " + bound + "\n" + indent
	if x.kind == head {
		loop += "for " + name + " > 0 && " + name + " < len(" + text + ") && !" + pkg + ".RuneStart(" + text + "[" + name + "]) {\n" +
			indent + "\t" + name + "--\n" + indent + "}\n" + indent
	} else {
		loop += "for " + name + " < len(" + text + ") && !" + pkg + ".RuneStart(" + text + "[" + name + "]) {\n" +
			indent + "\t" + name + "++\n" + indent + "}\n" + indent
	}
	edits := append(imports,
		analysis.TextEdit{Pos: stmt.Node().Pos(), End: stmt.Node().Pos(), NewText: []byte(loop)},
		analysis.TextEdit{Pos: x.bound.Pos(), End: x.bound.End(), NewText: []byte(name)})
	return analysis.SuggestedFix{Message: "back up to the start of a character", TextEdits: edits}, true
}

// simple reports whether an expression can be written twice: names, fields,
// constants, len and arithmetic of them.
func simple(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.SelectorExpr, *ast.BasicLit, *ast.BinaryExpr, *ast.ParenExpr:
		case *ast.CallExpr:
			if id, is := n.Fun.(*ast.Ident); !is || id.Name != "len" && id.Name != "min" && id.Name != "int" {
				ok = false
			}
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// fresh gives a name that nothing around the cut has, another one for each fix in
// one function.
func (c *checker) fresh(x *cut) string {
	outer := x.fn
	for f := range x.cur.Enclosing((*ast.FuncDecl)(nil)) {
		outer = f
	}
	if c.named == nil {
		c.named = make(map[inspector.Cursor]int)
	}
	taken := make(map[string]bool)
	for cur := range outer.Preorder((*ast.Ident)(nil)) {
		taken[cur.Node().(*ast.Ident).Name] = true
	}
	for n := c.named[outer] + 1; n < 50; n++ {
		name := "end"
		if x.kind == tail {
			name = "start"
		}
		if n > 1 {
			name += strconv.Itoa(n)
		}
		if !taken[name] {
			c.named[outer] = n
			return name
		}
	}
	return ""
}

// utf8Import gives the name of unicode/utf8 in a file, with the edit that imports
// it where the file does not yet.
func (c *checker) utf8Import(file *ast.File) (string, []analysis.TextEdit, bool) {
	for _, imp := range file.Imports {
		if imp.Path.Value != `"unicode/utf8"` {
			continue
		}
		switch {
		case imp.Name == nil:
			return "utf8", nil, true
		case imp.Name.Name == "_" || imp.Name.Name == ".":
			return "", nil, false
		}
		return imp.Name.Name, nil, true
	}
	if c.pass.Pkg.Scope().Lookup("utf8") != nil {
		return "", nil, false
	}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok.String() != "import" || len(d.Specs) == 0 {
			continue
		}
		if spec, ok := d.Specs[0].(*ast.ImportSpec); ok && spec.Path.Value == `"C"` {
			continue
		}
		if !d.Lparen.IsValid() {
			return "utf8", []analysis.TextEdit{{Pos: d.End(), End: d.End(), NewText: []byte("\nimport \"unicode/utf8\"")}}, true
		}
		// Behind the last import of the standard library that sorts before it.
		at := d.Lparen + 1
		for _, s := range d.Specs {
			spec := s.(*ast.ImportSpec)
			first, _, _ := strings.Cut(strings.Trim(spec.Path.Value, `"`), "/")
			if strings.Contains(first, ".") || spec.Path.Value > `"unicode/utf8"` {
				break
			}
			at = spec.End()
		}
		return "utf8", []analysis.TextEdit{{Pos: at, End: at, NewText: []byte("\n\t\"unicode/utf8\"")}}, true
	}
	at := file.Name.End()
	return "utf8", []analysis.TextEdit{{Pos: at, End: at, NewText: []byte("\n\nimport \"unicode/utf8\"")}}, true
}
