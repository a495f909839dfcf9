package byteslice

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/streamlint/streamlint/internal/model"
)

// guarded reports whether the length of the text is compared with the limit in the
// function around: the mark of a text that is cut because it may be too long.
func (c *checker) guarded(x *cut) bool {
	if x.size.whole {
		return true
	}
	leaves := make(map[types.Object]bool)
	for _, v := range x.size.vars {
		leaves[v] = true
	}
	for cur := range x.fn.Preorder((*ast.BinaryExpr)(nil)) {
		b := cur.Node().(*ast.BinaryExpr)
		switch b.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
		default:
			continue
		}
		for _, side := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			if !c.isLenOf(x, side[0]) {
				continue
			}
			tv := c.info.Types[side[1]]
			if tv.Value == nil {
				if c.mentions(side[1], leaves) || len(leaves) == 0 && c.sizeOf(x, side[1]).kind == limit {
					return true
				}
				continue
			}
			most, ok := constant.Int64Val(constant.ToInt(tv.Value))
			if !ok {
				continue
			}
			if len(x.size.vars) > 0 && len(x.size.consts) == 0 {
				continue
			}
			// Of a check for a least length (a fixed format) the piece is a small part.
			for _, n := range x.size.consts {
				if n <= most && n*4 >= most || len(x.size.consts) > 1 || len(x.size.vars) > 0 {
					return true
				}
			}
		}
	}
	return false
}

// isLenOf reports whether an expression is the length of the text, or of a variable
// that has the text too, or its number of characters.
func (c *checker) isLenOf(x *cut, e ast.Expr) bool {
	e = ast.Unparen(e)
	call, ok := e.(*ast.CallExpr)
	if !ok {
		// l := len(s)
		if id, ok := e.(*ast.Ident); ok {
			if v, ok := c.info.ObjectOf(id).(*types.Var); ok {
				if vals := c.assigned(v); len(vals) == 1 && vals[0] != nil {
					if _, ok := ast.Unparen(vals[0]).(*ast.CallExpr); ok {
						return c.isLenOf(x, vals[0])
					}
				}
			}
		}
		return false
	}
	if tv, ok := c.info.Types[call.Fun]; ok && tv.IsType() && len(call.Args) == 1 {
		return c.isLenOf(x, call.Args[0])
	}
	if len(call.Args) != 1 {
		return false
	}
	if builtinName(c.info, call) != "len" {
		switch model.FuncName(callee(c.info, call)) {
		case "unicode/utf8.RuneCountInString", "unicode/utf8.RuneCount":
		default:
			return false
		}
	}
	arg := unwrap(c.info, call.Args[0])
	if c.same(arg, x.text) {
		return true
	}
	return c.alias(arg, x.text) || c.alias(x.text, arg)
}

// alias reports whether a is a variable that is set to b.
func (c *checker) alias(a, b ast.Expr) bool {
	id, ok := ast.Unparen(a).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := c.info.ObjectOf(id).(*types.Var)
	if !ok {
		return false
	}
	for _, e := range c.assigned(v) {
		if e != nil && c.same(unwrap(c.info, e), b) {
			return true
		}
	}
	return false
}

func (c *checker) mentions(e ast.Expr, objs map[types.Object]bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && objs[c.info.Uses[id]] {
			found = true
		}
		return !found
	})
	return found
}

type restUse uint8

const (
	restGone restUse = iota // what is cut off is dropped
	restLoop                // the text becomes its own rest, in a loop: s = s[n:]
	restUsed                // the rest is used by itself: the text is split
)

// rest says what becomes of the part that the cut leaves out.
func (c *checker) rest(x *cut) restUse {
	out := restGone
	for cur := range x.fn.Preorder((*ast.SliceExpr)(nil)) {
		e := cur.Node().(*ast.SliceExpr)
		if e == x.expr || !c.same(unwrap(c.info, e.X), x.text) {
			continue
		}
		switch {
		case x.kind == head && e.Low != nil && e.High == nil && c.same(e.Low, x.bound),
			x.kind == tail && e.Low == nil && c.same(e.High, x.bound):
		default:
			continue
		}
		if a, ok := cur.Parent().Node().(*ast.AssignStmt); ok && cur.ParentEdgeKind() == edge.AssignStmt_Rhs &&
			len(a.Lhs) == len(a.Rhs) && c.same(a.Lhs[cur.ParentEdgeIndex()], x.text) {
			for l := range cur.Enclosing((*ast.ForStmt)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
				if _, ok := l.Node().(*ast.ForStmt); ok && l.Contains(x.cur) {
					return restLoop
				}
				break
			}
		}
		if c.searched(cur) {
			continue
		}
		out = restUsed
	}
	return out
}

// searched reports whether a piece only ever serves to look for something in it, or
// is measured, compared or parsed.
func (c *checker) searched(cur inspector.Cursor) bool {
	f := &follower{c: c, seen: make(map[types.Object]bool)}
	f.value(cur, 0)
	return !f.kept && !f.shown
}

// wholeElsewhere reports whether the text itself is what is taken where it is not
// too long: the cut is stored over it, or it is used as a whole beside the cut. In a
// fixed format the text as a whole has no such use.
func (c *checker) wholeElsewhere(x *cut) bool {
	if x.size.whole {
		return true
	}
	if a, i := assignment(x.cur); a != nil && i < len(a.Lhs) {
		target := a.Lhs[i]
		if c.same(target, x.text) || c.alias(target, x.text) {
			return true
		}
	}
	for cur := range x.fn.Preorder((*ast.Ident)(nil), (*ast.SelectorExpr)(nil)) {
		e := cur.Node().(ast.Expr)
		if !c.same(e, x.text) || cur.Node().Pos() == x.text.Pos() {
			continue
		}
		if c.whole(cur) {
			return true
		}
	}
	return false
}

// whole reports whether a text is used as it is: not measured, cut, indexed,
// searched, set, or put into an error.
func (c *checker) whole(cur inspector.Cursor) bool {
	for {
		p := cur.Parent()
		switch n := p.Node().(type) {
		case *ast.ParenExpr:
			cur = p
			continue
		case *ast.SelectorExpr, *ast.SliceExpr, *ast.Field, *ast.RangeStmt, *ast.IndexExpr:
			return false
		case *ast.BinaryExpr:
			if n.Op != token.ADD {
				return false
			}
		case *ast.AssignStmt:
			if cur.ParentEdgeKind() == edge.AssignStmt_Lhs {
				return false
			}
		case *ast.ValueSpec:
			if cur.ParentEdgeKind() == edge.ValueSpec_Names {
				return false
			}
		case *ast.CallExpr:
			if tv, ok := c.info.Types[n.Fun]; ok && tv.IsType() {
				cur = p
				continue
			}
			if cur.ParentEdgeKind() == edge.CallExpr_Fun || builtinName(c.info, n) == "len" {
				return false
			}
			name := model.FuncName(callee(c.info, n))
			if searches[name] || makesError(name) || passesText(name) {
				return false
			}
			for up := range p.Enclosing((*ast.CallExpr)(nil)) {
				if makesError(model.FuncName(callee(c.info, up.Node().(*ast.CallExpr)))) {
					return false
				}
			}
		}
		return true
	}
}

// assignment gives the statement that puts a piece, perhaps with a mark behind it,
// into a variable, and the position of that variable.
func assignment(cur inspector.Cursor) (*ast.AssignStmt, int) {
	for {
		p := cur.Parent()
		switch n := p.Node().(type) {
		case *ast.ParenExpr, *ast.BinaryExpr, *ast.CallExpr:
			cur = p
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) && cur.ParentEdgeKind() == edge.AssignStmt_Rhs {
				return n, cur.ParentEdgeIndex()
			}
			return nil, 0
		default:
			return nil, 0
		}
	}
}

// ellipsis reports whether a mark tells a reader that something was cut: "...", in
// the same statement or the one behind it.
func (c *checker) ellipsis(x *cut) bool {
	stmt := x.cur
	for {
		p := stmt.Parent()
		if p.Node() == nil || p.Node() == x.fn.Node() {
			return false
		}
		stmt = p
		if isStmt(stmt) {
			break
		}
		if _, ok := stmt.Node().(*ast.KeyValueExpr); ok {
			// One field of a larger literal.
			return c.hasMark(stmt.Node())
		}
	}
	if _, ok := stmt.Node().(*ast.BlockStmt); ok {
		return false
	}
	if c.hasMark(stmt.Node()) {
		return true
	}
	next, ok := stmt.NextSibling()
	if !ok || !isStmt(next) {
		return false
	}
	switch next.Node().(type) {
	case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt:
		return c.hasMark(next.Node())
	}
	return false
}

func isStmt(cur inspector.Cursor) bool {
	_, ok := cur.Node().(ast.Stmt)
	return ok
}

func (c *checker) hasMark(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			return false
		case ast.Expr:
			if tv := c.info.Types[n]; tv.Value != nil && tv.Value.Kind() == constant.String && isMark(constant.StringVal(tv.Value)) {
				found = true
			}
		}
		return !found
	})
	return found
}

func isMark(s string) bool {
	if strings.Contains(s, "…") || strings.Contains(s, "...") || strings.HasSuffix(s, "..") && len(s) < 5 {
		return true
	}
	l := strings.ToLower(s)
	return strings.Contains(l, "truncated") || strings.Contains(l, "omitted")
}

// helper reports whether the function around is made to shorten text: it gives its
// parameter back as it is, or cut.
func (c *checker) helper(x *cut) bool {
	id, ok := x.text.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := c.info.ObjectOf(id).(*types.Var)
	if !ok || !c.isParam(v) || !isStringType(v.Type()) {
		return false
	}
	sig := c.signature(x.fn)
	if sig == nil || sig.Results().Len() == 0 || !isStringType(sig.Results().At(0).Type()) {
		return false
	}
	for _, name := range c.namesOf(x) {
		for _, w := range model.SplitName(name) {
			if w == "name" || w == "names" || w == "key" || w == "path" || w == "prefix" || w == "ext" {
				return false
			}
		}
	}
	var returned, cutToo bool
	for cur := range x.fn.Preorder((*ast.ReturnStmt)(nil)) {
		if enclosingFunc(cur).Node() != x.fn.Node() {
			continue
		}
		ret := cur.Node().(*ast.ReturnStmt)
		if len(ret.Results) == 0 {
			continue
		}
		if c.same(unwrap(c.info, ret.Results[0]), x.text) {
			returned = true
		}
		if ret.Pos() <= x.expr.Pos() && x.expr.End() <= ret.End() {
			cutToo = true
		}
	}
	if a, i := assignment(x.cur); a != nil && c.same(a.Lhs[i], x.text) && c.givesBack(x) {
		cutToo = true
	}
	return returned && cutToo
}

// givesBack reports whether the return that a cut comes to gives the text back, and
// no error that tells of it.
func (c *checker) givesBack(x *cut) bool {
	ret := returnAfter(x.cur)
	return ret == nil || len(ret.Results) == 0 || c.mentions(ret.Results[0], map[types.Object]bool{c.variable(x.text): true})
}

// returnAfter gives the return that control comes to behind an expression whatever
// happens, nil where there is none in sight.
func returnAfter(cur inspector.Cursor) *ast.ReturnStmt {
	fn := enclosingFunc(cur).Node()
	for stmt := cur; stmt.Node() != nil && stmt.Node() != fn; stmt = stmt.Parent() {
		if !isStmt(stmt) {
			continue
		}
		for next, ok := stmt.NextSibling(); ok && isStmt(next); next, ok = next.NextSibling() {
			if ret, ok := next.Node().(*ast.ReturnStmt); ok {
				return ret
			}
		}
	}
	return nil
}

func (c *checker) signature(fn inspector.Cursor) *types.Signature {
	switch n := fn.Node().(type) {
	case *ast.FuncDecl:
		if f, ok := c.info.Defs[n.Name].(*types.Func); ok {
			return f.Signature()
		}
	case *ast.FuncLit:
		sig, _ := c.info.TypeOf(n).(*types.Signature)
		return sig
	}
	return nil
}

func enclosingFunc(cur inspector.Cursor) inspector.Cursor {
	for f := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		return f
	}
	return cur
}

// repaired reports whether the function looks after the border: it asks where
// characters begin, or checks the piece and mends it.
func (c *checker) repaired(x *cut) bool {
	for cur := range x.fn.Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		fn := callee(c.info, call)
		switch name := model.FuncName(fn); {
		case asksBorder(name):
			return true
		case asksValid(name):
			if call.End() >= x.expr.Pos() || inLoopWith(cur, x.cur) {
				return true
			}
		case c.asksBorders(fn, 0):
			return true
		}
	}
	// s[n]&0xC0 == 0x80, s[n] >= utf8.RuneSelf: somebody looks at the byte on the border.
	for cur := range x.fn.Preorder((*ast.IndexExpr)(nil)) {
		e := cur.Node().(*ast.IndexExpr)
		if !c.same(unwrap(c.info, e.X), x.text) {
			continue
		}
		if c.same(e.Index, x.bound) {
			return true
		}
		for _, v := range x.size.vars {
			if c.mentions(e.Index, map[types.Object]bool{v: true}) {
				return true
			}
		}
	}
	return false
}

// asksBorders reports whether a function of the package looks after characters.
func (c *checker) asksBorders(fn *types.Func, depth int) bool {
	if fn == nil || fn.Pkg() != c.pass.Pkg || depth > 1 {
		return false
	}
	decl := c.declOf(fn)
	if !decl.Valid() {
		return false
	}
	for cur := range decl.Preorder((*ast.CallExpr)(nil)) {
		if asksBorder(model.FuncName(callee(c.info, cur.Node().(*ast.CallExpr)))) {
			sig := fn.Signature()
			for i := range sig.Params().Len() {
				if t := sig.Params().At(i).Type(); isStringType(t) || isByteSlice(t) {
					return true
				}
			}
		}
	}
	return false
}

func (c *checker) declOf(fn *types.Func) inspector.Cursor {
	if c.decls == nil {
		c.decls = make(map[*types.Func]inspector.Cursor)
		for cur := range c.root.Preorder((*ast.FuncDecl)(nil)) {
			if f, ok := c.info.Defs[cur.Node().(*ast.FuncDecl).Name].(*types.Func); ok {
				c.decls[f] = cur
			}
		}
	}
	return c.decls[fn.Origin()]
}

func asksBorder(name string) bool {
	switch name {
	case "unicode/utf8.RuneStart", "unicode/utf8.FullRune", "unicode/utf8.FullRuneInString",
		"unicode/utf8.DecodeLastRune", "unicode/utf8.DecodeLastRuneInString",
		"unicode/utf8.DecodeRune", "unicode/utf8.DecodeRuneInString", "unicode/utf8.RuneLen":
		return true
	}
	return false
}

func asksValid(name string) bool {
	switch name {
	case "unicode/utf8.Valid", "unicode/utf8.ValidString", "strings.ToValidUTF8", "bytes.ToValidUTF8":
		return true
	}
	return false
}

func inLoopWith(a, b inspector.Cursor) bool {
	for l := range a.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch l.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return l.Contains(b)
		}
		return false
	}
	return false
}
