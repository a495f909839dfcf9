package byteslice

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// isPlain reports whether the text that is cut is known to have one-byte characters
// only: hex, base64, an id, a time, a name of a host.
func (c *checker) isPlain(x *cut) bool {
	if c.plainType(c.info.TypeOf(x.text)) {
		return true
	}
	for _, name := range c.namesOf(x) {
		if model.IsPlainName(name) {
			return true
		}
	}
	for _, n := range x.size.consts {
		if (n == 63 || n == 253 || n == 64) && len(x.size.consts) == 1 && !c.ellipsis(x) {
			return true // the longest name in DNS and Kubernetes
		}
	}
	if c.plainExpr(x.text, 0) || c.filters(x.fn) || c.masked(x) {
		return true
	}
	return c.plainCallers(x)
}

// masked reports whether a few bytes of both ends of a text are shown and the middle
// is hidden: a secret, or an id.
func (c *checker) masked(x *cut) bool {
	const few = 8
	small := func(e ast.Expr) bool {
		s := c.sizeOf(x, e)
		return s.kind == limit && len(s.vars) == 0 && len(s.consts) == 1 && s.consts[0] <= few
	}
	if x.kind == window || !small(x.bound) {
		return false
	}
	for cur := range x.fn.Preorder((*ast.SliceExpr)(nil)) {
		e := cur.Node().(*ast.SliceExpr)
		if e == x.expr || !c.same(unwrap(c.info, e.X), x.text) {
			continue
		}
		if x.kind == head && e.High == nil && small(e.Low) || x.kind == tail && e.Low == nil && small(e.High) {
			return true
		}
	}
	return false
}

// filters reports whether a function picks characters by the range from a to z, or
// has a pattern of what else to leave out: what it gives is made of those.
func (c *checker) filters(fn inspector.Cursor) bool {
	bounds := make(map[string]bool)
	for cur := range fn.Preorder((*ast.BasicLit)(nil)) {
		lit := cur.Node().(*ast.BasicLit)
		switch lit.Kind {
		case token.CHAR:
			if b, ok := cur.Parent().Node().(*ast.BinaryExpr); ok {
				switch b.Op {
				case token.LSS, token.LEQ, token.GTR, token.GEQ:
					bounds[lit.Value] = true
				}
			}
		case token.STRING:
			if leavesOut(lit.Value) {
				return true
			}
		}
	}
	return bounds["'a'"] && bounds["'z'"]
}

// leavesOut reports whether a regular expression matches all but letters and digits.
func leavesOut(pattern string) bool {
	for _, p := range []string{"[^a-z", "[^A-Z", "[^0-9", `[^\w`, `\W`} {
		if strings.Contains(pattern, p) {
			return true
		}
	}
	return false
}

// replaces reports whether a call replaces what a pattern of the package leaves out.
func (c *checker) replaces(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v := c.variable(sel.X)
	if v == nil {
		return false
	}
	for _, e := range c.assigned(v) {
		compile, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(compile.Args) != 1 {
			continue
		}
		if tv := c.info.Types[compile.Args[0]]; tv.Value != nil && tv.Value.Kind() == constant.String && leavesOut(constant.StringVal(tv.Value)) {
			return true
		}
	}
	return false
}

// plainType reports whether a type of its own stands for something that is no text
// for people: type Digest string.
func (c *checker) plainType(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	return plain[model.TypeName(n)] || isStringType(n) && model.IsPlainName(n.Obj().Name())
}

// namesOf gives the names by which the program speaks of the text: the variable or
// field, and the function around.
func (c *checker) namesOf(x *cut) []string {
	var out []string
	switch e := x.text.(type) {
	case *ast.Ident:
		out = append(out, e.Name)
	case *ast.SelectorExpr:
		out = append(out, e.Sel.Name)
	case *ast.IndexExpr:
		if v := c.variable(e.X); v != nil {
			out = append(out, v.Name())
		}
	case *ast.StarExpr:
		if v := c.variable(e.X); v != nil {
			out = append(out, v.Name())
		}
	}
	switch n := x.fn.Node().(type) {
	case *ast.FuncDecl:
		// The name of a large function says nothing of one variable in it.
		if c.fnParam(x) {
			out = append(out, n.Name.Name)
		}
	}
	return out
}

// fnParam reports whether the text is a parameter of the function around, or its
// receiver.
func (c *checker) fnParam(x *cut) bool {
	id, ok := x.text.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := c.info.ObjectOf(id).(*types.Var)
	return ok && c.isParam(v)
}

// plainExpr reports whether an expression gives one-byte characters only.
func (c *checker) plainExpr(e ast.Expr, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := unwrap(c.info, e).(type) {
	case *ast.CallExpr:
		fn := callee(c.info, x)
		name := model.FuncName(fn)
		if model.IsPlain(name) || plain[name] {
			return true
		}
		if name == "fmt.Sprintf" {
			if len(x.Args) < 2 {
				return false
			}
			for i := 1; i < len(x.Args); i++ {
				if !plainVerb(c.info, x.Args[0], i-1) && !isNumeric(c.info.TypeOf(x.Args[i])) && !c.plainExpr(x.Args[i], depth+1) {
					return false
				}
			}
			return true
		}
		if p, ok := model.LookupPass(name); ok && len(p.Args) == 1 && p.Args[0] < len(x.Args) {
			return c.plainExpr(x.Args[p.Args[0]], depth+1)
		}
		if strings.HasPrefix(name, "(regexp.Regexp).ReplaceAll") && c.replaces(x) {
			return true
		}
		if fn != nil && fn.Pkg() == c.pass.Pkg {
			if decl := c.declOf(fn); decl.Valid() && isStringFunc(fn) && c.filters(decl) {
				return true
			}
		}
		// A function whose name says what it gives: commit.Hash(), newID().
		if fn != nil && isStringFunc(fn) && model.IsPlainName(fn.Name()) {
			return true
		}
		if fn != nil && fn.Name() == "String" && fn.Signature().Recv() != nil {
			return c.plainType(fn.Signature().Recv().Type()) || named(fn.Signature().Recv().Type())
		}
	case *ast.BinaryExpr:
		return c.plainExpr(x.X, depth+1) && c.plainExpr(x.Y, depth+1)
	case *ast.BasicLit:
		return true
	case *ast.IndexExpr:
		return !textual(c.info.TypeOf(x.X)) && c.plainExpr(x.X, depth+1)
	case *ast.SelectorExpr:
		v, ok := c.info.Uses[x.Sel].(*types.Var)
		if !ok {
			return false
		}
		if name := model.FieldName(c.info.TypeOf(x.X), v); plain[name] || model.PlainFields[name] {
			return true
		}
		return depth > 0 && model.IsPlainName(v.Name()) || c.plainType(v.Type())
	case *ast.Ident:
		v, ok := c.info.ObjectOf(x).(*types.Var)
		if !ok {
			return false
		}
		if depth > 0 && model.IsPlainName(v.Name()) {
			return true
		}
		vals := c.assigned(v)
		found := false
		for _, val := range vals {
			if val == nil {
				if more := c.added(v); len(more) > 0 && !slices.ContainsFunc(more, func(e ast.Expr) bool { return !c.plainExpr(e, depth+1) }) {
					continue // s += newID()
				}
				// One of several results: s, err := newID().
				if call := c.producer(v); call != nil && depth < 4 && c.plainCall(call) {
					found = true
					continue
				}
				return false
			}
			if s, ok := ast.Unparen(val).(*ast.SliceExpr); ok && c.same(s.X, x) {
				continue
			}
			if b, ok := ast.Unparen(val).(*ast.BinaryExpr); ok && depth == 0 && c.cutOf(b, x) {
				continue // the cut itself, with its mark
			}
			if !c.plainExpr(val, depth+1) {
				return false
			}
			found = true
		}
		return found && !c.isParam(v)
	}
	return false
}

// added gives what is put behind a variable by +=.
func (c *checker) added(v *types.Var) []ast.Expr {
	var out []ast.Expr
	for _, u := range c.usesOf(v) {
		if a, ok := u.Parent().Node().(*ast.AssignStmt); ok && a.Tok == token.ADD_ASSIGN && u.ParentEdgeKind() == edge.AssignStmt_Lhs {
			out = append(out, a.Rhs[0])
		}
	}
	return out
}

// cutOf reports whether an expression begins with a piece of the variable.
func (c *checker) cutOf(b *ast.BinaryExpr, id *ast.Ident) bool {
	e := ast.Expr(b)
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.BinaryExpr:
			e = x.X
		case *ast.SliceExpr:
			return c.same(x.X, id)
		default:
			return false
		}
	}
}

func (c *checker) plainCall(call *ast.CallExpr) bool {
	fn := callee(c.info, call)
	if fn == nil {
		return false
	}
	name := model.FuncName(fn)
	return model.IsPlain(name) || plain[name]
}

// producer gives the call of several results that sets a variable.
func (c *checker) producer(v *types.Var) *ast.CallExpr {
	for _, u := range c.usesOf(v) {
		if a, ok := u.Parent().Node().(*ast.AssignStmt); ok && u.ParentEdgeKind() == edge.AssignStmt_Lhs && len(a.Rhs) == 1 {
			if call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr); ok {
				return call
			}
		}
	}
	return nil
}

func named(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && model.IsPlainName(n.Obj().Name())
}

func isNumeric(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

func isStringFunc(fn *types.Func) bool {
	r := fn.Signature().Results()
	return r.Len() > 0 && isStringType(r.At(0).Type())
}

// plainCallers reports whether a helper is only ever given plain text in its own
// package.
func (c *checker) plainCallers(x *cut) bool {
	if !c.fnParam(x) {
		return false
	}
	decl, ok := x.fn.Node().(*ast.FuncDecl)
	if !ok {
		return false
	}
	fn, ok := c.info.Defs[decl.Name].(*types.Func)
	if !ok || fn.Exported() {
		return false
	}
	v, _ := c.info.ObjectOf(x.text.(*ast.Ident)).(*types.Var)
	at := -1
	for i := range fn.Signature().Params().Len() {
		if fn.Signature().Params().At(i) == v {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	calls := 0
	for _, u := range c.usesOf(fn) {
		p := u.Parent()
		if u.ParentEdgeKind() == edge.SelectorExpr_Sel {
			p = p.Parent()
		}
		call, ok := p.Node().(*ast.CallExpr)
		if !ok || !within(call.Fun, u.Node().Pos()) {
			continue
		}
		if at >= len(call.Args) || !c.plainExpr(call.Args[at], 1) {
			return false
		}
		calls++
	}
	return calls > 0
}

// streamed reports whether the engine knows that the text came out of a stream, a
// process or a model.
func (c *checker) streamed(x *cut) bool {
	if c.flow.Empty() {
		return false
	}
	for _, o := range c.originsAt(x) {
		switch o.Kind {
		case streamflow.Chunk, streamflow.Frame, streamflow.Whole, streamflow.Fragment, streamflow.Output:
			return true
		}
	}
	return false
}
