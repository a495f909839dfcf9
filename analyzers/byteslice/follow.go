package byteslice

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/streamlint/streamlint/internal/model"
)

// follower goes after a piece of text through the package: variables, fields,
// builders, arguments and results. It keeps to the syntax, so that it serves in
// packages that the engine leaves alone.
type follower struct {
	c    *checker
	seen map[types.Object]bool
	work int

	kept   bool   // the piece goes somewhere as text
	shown  bool   // it reaches an encoder, a frame, a log or a terminal
	mended bool   // half characters are taken off it
	marked bool   // a mark beside it tells that something was cut
	where  string // what it reaches, for the message
}

const (
	maxFollow = 300
	maxHops   = 5
)

// follow goes after the piece that a cut gives.
func (c *checker) follow(x *cut) *follower {
	f := &follower{c: c, seen: make(map[types.Object]bool)}
	f.value(x.cur, 0)
	return f
}

func (f *follower) show(where string) {
	f.kept = true
	if !f.shown {
		f.shown, f.where = true, where
	}
}

// value goes on from an expression that is the piece, or holds it.
func (f *follower) value(cur inspector.Cursor, hops int) {
	f.work++
	if f.work > maxFollow || hops > maxHops {
		f.kept = true
		return
	}
	c := f.c
	p := cur.Parent()
	switch n := p.Node().(type) {
	case *ast.ParenExpr, *ast.StarExpr, *ast.TypeAssertExpr:
		f.value(p, hops)
	case *ast.UnaryExpr:
		f.value(p, hops)
	case *ast.BinaryExpr:
		if n.Op == token.ADD {
			f.marked = f.marked || c.hasMark(n)
			f.value(p, hops)
		}
		// A comparison only looks.
	case *ast.CallExpr:
		f.call(p, n, cur, hops)
	case *ast.KeyValueExpr:
		if cur.ParentEdgeKind() == edge.KeyValueExpr_Key {
			return // a key is looked up, not read
		}
		lit, ok := p.Parent().Node().(*ast.CompositeLit)
		if !ok {
			f.kept = true
			return
		}
		if id, ok := n.Key.(*ast.Ident); ok {
			if v, ok := c.info.Uses[id].(*types.Var); ok && v.IsField() {
				f.field(c.info.TypeOf(lit), v, hops)
			}
		}
		f.kept = true
		f.value(p.Parent(), hops+1)
	case *ast.CompositeLit:
		f.kept = true
		f.value(p, hops+1)
	case *ast.AssignStmt:
		if cur.ParentEdgeKind() != edge.AssignStmt_Rhs {
			return
		}
		i := cur.ParentEdgeIndex()
		if len(n.Lhs) != len(n.Rhs) {
			f.kept = true
			return
		}
		f.into(n.Lhs[i], hops, cur)
	case *ast.ValueSpec:
		if cur.ParentEdgeKind() == edge.ValueSpec_Values && len(n.Names) == len(n.Values) {
			f.into(n.Names[cur.ParentEdgeIndex()], hops, cur)
		}
	case *ast.ReturnStmt:
		f.kept = true
		f.result(enclosingFunc(p), hops)
	case *ast.IndexExpr:
		if cur.ParentEdgeKind() == edge.IndexExpr_X && !textual(c.info.TypeOf(n.X)) {
			f.value(p, hops+1) // an element of what holds the piece
		}
	case *ast.SliceExpr:
		if cur.ParentEdgeKind() == edge.SliceExpr_X {
			f.value(p, hops)
		}
	case *ast.SelectorExpr:
		if sel, ok := c.info.Selections[n]; ok && sel.Kind() == types.MethodVal {
			if call, ok := p.Parent().Node().(*ast.CallExpr); ok && call.Fun == n {
				f.method(p.Parent(), call, hops)
			}
		}
	case *ast.SendStmt:
		f.kept = true
	case *ast.RangeStmt:
		if textual(c.info.TypeOf(n.X)) {
			return // goes through the characters
		}
		if v, ok := n.Value.(*ast.Ident); ok {
			f.into(v, hops+1, inspector.Cursor{})
		}
	case *ast.SwitchStmt, *ast.CaseClause, *ast.IfStmt:
		// only looked at
	default:
		f.kept = true
	}
}

// call goes on from an argument of a call.
func (f *follower) call(p inspector.Cursor, call *ast.CallExpr, cur inspector.Cursor, hops int) {
	c := f.c
	if cur.ParentEdgeKind() != edge.CallExpr_Args {
		return
	}
	i := cur.ParentEdgeIndex()
	if tv, ok := c.info.Types[call.Fun]; ok && tv.IsType() {
		if s, ok := tv.Type.Underlying().(*types.Slice); ok && !isByteSlice(s) {
			f.kept = true // []rune
			return
		}
		f.value(p, hops)
		return
	}
	switch builtinName(c.info, call) {
	case "len", "cap", "delete", "clear":
		return
	case "append":
		f.value(p, hops)
		return
	case "copy", "panic":
		f.kept = true
		return
	}
	fn := callee(c.info, call)
	name := model.FuncName(fn)
	switch {
	case asksValid(name):
		if strings.HasSuffix(name, "ToValidUTF8") {
			f.mended = true
		}
		return
	case searches[name] || strings.HasPrefix(name, "(regexp.") || strings.HasPrefix(name, "(hash."):
		return
	case model.IsPlain(name):
		return // what comes out is hex, base64, a digest
	case formatted(c.info, call, fn, i), c.quoted(p):
		return
	case passesText(name):
		f.marked = f.marked || c.hasMark(call)
		f.value(p, hops)
		return
	case makesError(name):
		f.kept = true
		return
	case c.asksBorders(fn, 0):
		f.mended = true
		return
	}
	if where := c.sink(call, fn, name, i); where != "" {
		f.show(where)
		return
	}
	if fn == nil {
		f.kept = true
		return
	}
	// A builder keeps it until it is asked for its text.
	switch name {
	case "(strings.Builder).WriteString", "(strings.Builder).Write", "(bytes.Buffer).WriteString", "(bytes.Buffer).Write",
		"fmt.Fprintf", "fmt.Fprint", "fmt.Fprintln", "io.WriteString":
		f.kept = true
		recv := ast.Expr(nil)
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && strings.HasPrefix(name, "(") {
			recv = sel.X
		} else if !strings.HasPrefix(name, "(") && len(call.Args) > 0 {
			recv = call.Args[0]
			if u, ok := ast.Unparen(recv).(*ast.UnaryExpr); ok && u.Op == token.AND {
				recv = u.X
			}
		}
		if v := c.variable(recv); v != nil && !f.seen[v] && isBuilder(v.Type()) {
			f.seen[v] = true
			for _, u := range c.usesOf(v) {
				f.builder(u, hops+1)
			}
		}
		return
	}
	f.kept = true
	if decl := c.declOf(fn); decl.Valid() {
		f.param(decl, fn, i, hops)
	}
}

func isBuilder(t types.Type) bool {
	switch model.TypeName(t) {
	case "strings.Builder", "bytes.Buffer":
		return true
	}
	return false
}

// builder goes on where a builder's text is taken.
func (f *follower) builder(u inspector.Cursor, hops int) {
	p := u
	if u.ParentEdgeKind() == edge.SelectorExpr_Sel {
		p = u.Parent()
	}
	sel, ok := p.Parent().Node().(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "String" && sel.Sel.Name != "Bytes" {
		return
	}
	if call, ok := p.Parent().Parent().Node().(*ast.CallExpr); ok && call.Fun == sel {
		f.value(p.Parent().Parent(), hops)
	}
}

// method goes on from a method that is called on what holds the piece.
func (f *follower) method(p inspector.Cursor, call *ast.CallExpr, hops int) {
	fn := callee(f.c.info, call)
	if fn == nil {
		return
	}
	f.kept = true
	if t := fn.Signature().Results(); t.Len() > 0 && textual(t.At(0).Type()) {
		f.value(p, hops+1)
	}
}

// param goes on inside a function of the package that gets the piece.
func (f *follower) param(decl inspector.Cursor, fn *types.Func, i, hops int) {
	sig := fn.Signature()
	if i >= sig.Params().Len() {
		i = sig.Params().Len() - 1
	}
	if i < 0 {
		return
	}
	v := sig.Params().At(i).Origin()
	if f.seen[v] {
		return
	}
	f.seen[v] = true
	kept := f.kept
	for _, u := range f.c.usesOf(v) {
		f.value(u, hops+1)
	}
	f.kept = kept || f.kept
}

// into goes on from a variable, a field or an element that the piece is put into.
func (f *follower) into(target ast.Expr, hops int, value inspector.Cursor) {
	c := f.c
	from, until := token.NoPos, token.NoPos
	if value.Valid() {
		from = value.Node().Pos()
		if ret := returnAfter(value); ret != nil {
			until = ret.End()
		}
	}
	switch t := ast.Unparen(target).(type) {
	case *ast.Ident:
		v, ok := c.info.ObjectOf(t).(*types.Var)
		if !ok {
			return // the blank identifier
		}
		if f.seen[v] {
			return
		}
		f.seen[v] = true
		local := v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
		if !local {
			f.kept = true
		}
		for _, u := range c.usesOf(v) {
			if u.ParentEdgeKind() == edge.AssignStmt_Lhs || u.ParentEdgeKind() == edge.ValueSpec_Names {
				continue
			}
			if local && u.Node().Pos() < from && !looped(u, from, until) {
				continue // before the cut
			}
			if local && until.IsValid() && u.Node().Pos() > until && enclosingFunc(u).Node() == enclosingFunc(value).Node() {
				continue // control does not come there
			}
			f.value(u, hops)
		}
		if c.isResult(v) {
			f.kept = true
		}
	case *ast.SelectorExpr:
		f.kept = true
		if v, ok := c.info.Uses[t.Sel].(*types.Var); ok {
			f.field(c.info.TypeOf(t.X), v, hops)
		}
	case *ast.IndexExpr:
		f.kept = true
		f.into(t.X, hops+1, value)
	case *ast.StarExpr:
		f.kept = true
	default:
		f.kept = true
	}
}

// looped reports whether a use that stands before a position can come after it, where
// the control that passes the position ends at a return, if any.
func looped(u inspector.Cursor, pos, until token.Pos) bool {
	for l := range u.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch n := l.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() <= pos && pos < n.End() && (!until.IsValid() || until > n.End()) {
				return true
			}
		default:
			return false
		}
	}
	return false
}

func (c *checker) isResult(v *types.Var) bool {
	for _, u := range c.usesOf(v) {
		if u.ParentEdgeKind() == edge.Field_Names {
			// (name Type) in a FieldList that is a function's results.
			if list := u.Parent().Parent(); list.ParentEdgeKind() == edge.FuncType_Results {
				return true
			}
		}
	}
	return false
}

// field goes on from a field: one that an encoder knows by a tag is on its way out,
// others are read somewhere in the package.
func (f *follower) field(owner types.Type, v *types.Var, hops int) {
	f.kept = true
	if encoded(owner, v) {
		f.show("an encoder")
		return
	}
	if f.seen[v] || v.Pkg() != f.c.pass.Pkg {
		return
	}
	f.seen[v] = true
	for _, u := range f.c.usesOf(v) {
		if u.ParentEdgeKind() != edge.SelectorExpr_Sel {
			continue
		}
		sel := u.Parent()
		if sel.ParentEdgeKind() == edge.AssignStmt_Lhs {
			continue
		}
		f.value(sel, hops+1)
	}
}

// encoded reports whether a field carries the tag of an encoder, or belongs to a
// protobuf message.
func encoded(owner types.Type, v *types.Var) bool {
	if owner == nil {
		return false
	}
	if p, ok := owner.Underlying().(*types.Pointer); ok {
		owner = p.Elem()
	}
	st, ok := owner.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		if st.Field(i).Origin() != v.Origin() {
			continue
		}
		tag := reflect.StructTag(st.Tag(i))
		for _, key := range []string{"json", "xml", "protobuf", "msgpack", "cbor"} {
			if s := tag.Get(key); s != "" && s != "-" {
				return true
			}
		}
	}
	return false
}

// result goes on where a function of the package is called.
func (f *follower) result(fn inspector.Cursor, hops int) {
	decl, ok := fn.Node().(*ast.FuncDecl)
	if !ok {
		return
	}
	obj, ok := f.c.info.Defs[decl.Name].(*types.Func)
	if !ok || f.seen[obj] {
		return
	}
	f.seen[obj] = true
	kept := f.kept
	for _, u := range f.c.usesOf(obj) {
		call := u.Parent()
		if u.ParentEdgeKind() == edge.SelectorExpr_Sel {
			call = call.Parent()
		}
		ce, ok := call.Node().(*ast.CallExpr)
		if !ok || !within(ce.Fun, u.Node().Pos()) {
			continue
		}
		f.value(call, hops+1)
	}
	f.kept = kept
}

func within(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }
