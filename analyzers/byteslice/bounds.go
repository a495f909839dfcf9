package byteslice

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/streamlint/streamlint/internal/model"
)

// size says what a bound is.
type size struct {
	kind sizeKind
	// fromEnd says that the bound is counted back from the end of the text.
	fromEnd bool
	// whole says that the bound can be the length of the text itself, as min(n,
	// len(s)) can.
	whole bool
	// consts and vars are what the bound is made of.
	consts []int64
	vars   []types.Object
}

type sizeKind uint8

const (
	unknown sizeKind = iota // perhaps a place somebody looked up
	limit                   // a count that has nothing to do with the text's characters
	length                  // the length of the text
	other                   // the length of another text
	fixed                   // a place known from the text: its length less a known suffix
)

const maxSteps = 12

// sizeOf classifies the bound of a cut.
func (c *checker) sizeOf(x *cut, e ast.Expr) size {
	return c.size(x, e, 0, make(map[types.Object]bool))
}

func (c *checker) size(x *cut, e ast.Expr, depth int, busy map[types.Object]bool) size {
	if depth > maxSteps {
		return size{}
	}
	if tv, ok := c.info.Types[e]; ok && tv.Value != nil {
		n, ok := constant.Int64Val(constant.ToInt(tv.Value))
		if !ok || n <= 0 {
			return size{}
		}
		return size{kind: limit, consts: []int64{n}}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.size(x, e.X, depth+1, busy)
	case *ast.CallExpr:
		if tv, ok := c.info.Types[e.Fun]; ok && tv.IsType() && len(e.Args) == 1 && isInteger(tv.Type) {
			return c.size(x, e.Args[0], depth+1, busy)
		}
		switch builtinName(c.info, e) {
		case "len":
			if c.same(unwrap(c.info, e.Args[0]), x.text) {
				return size{kind: length}
			}
			return size{kind: other}
		case "min", "max":
			out := size{}
			for i, a := range e.Args {
				s := c.size(x, a, depth+1, busy)
				if i == 0 {
					out = s
				} else {
					out = either(out, s)
				}
			}
			return out
		case "":
			// An accessor: cfg.MaxLength().
			if len(e.Args) == 0 {
				if fn := callee(c.info, e); fn != nil {
					return size{kind: limit, vars: []types.Object{fn}}
				}
			}
		}
		return size{}
	case *ast.BinaryExpr:
		a, b := c.size(x, e.X, depth+1, busy), c.size(x, e.Y, depth+1, busy)
		return arithmetic(e.Op, a, b)
	case *ast.StarExpr:
		if v := c.variable(e.X); v != nil {
			return size{kind: limit, vars: []types.Object{v}}
		}
	case *ast.SelectorExpr:
		v, ok := c.info.Uses[e.Sel].(*types.Var)
		if !ok || c.counts(v) {
			return size{}
		}
		return size{kind: limit, vars: []types.Object{v}}
	case *ast.Ident:
		v, ok := c.info.ObjectOf(e).(*types.Var)
		if !ok || busy[v] {
			return size{}
		}
		busy[v] = true
		defer delete(busy, v)
		return c.sizeOfVar(x, v, depth, busy)
	}
	return size{}
}

// either joins two sizes of which the smaller, the larger or one by choice is taken.
func either(a, b size) size {
	switch {
	case a.kind == unknown || b.kind == unknown || a.kind == fixed || b.kind == fixed || a.kind == other || b.kind == other:
		return size{}
	case a.kind == length && b.kind == length:
		return a
	}
	return size{
		kind:    limit,
		fromEnd: a.fromEnd || b.fromEnd,
		whole:   a.whole || b.whole || a.kind == length || b.kind == length,
		consts:  append(append([]int64(nil), a.consts...), b.consts...),
		vars:    append(append([]types.Object(nil), a.vars...), b.vars...),
	}
}

func arithmetic(op token.Token, a, b size) size {
	out := size{
		kind:    limit,
		fromEnd: a.fromEnd || b.fromEnd,
		whole:   a.whole || b.whole,
		consts:  append(append([]int64(nil), a.consts...), b.consts...),
		vars:    append(append([]types.Object(nil), a.vars...), b.vars...),
	}
	switch {
	case a.kind == unknown || b.kind == unknown || a.kind == fixed || b.kind == fixed:
		return size{}
	case a.kind == limit && b.kind == limit:
		switch op {
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
			return out
		}
	case op == token.SUB && a.kind == limit && b.kind == other: // the limit less the length of a mark
		return out
	case op == token.SUB && a.kind == length && b.kind == limit:
		out.fromEnd = true
		return out
	case op == token.ADD && a.kind == length && b.kind == limit && a.fromEnd:
		return out
	case a.kind == length || b.kind == length || a.kind == other || b.kind == other:
		return size{kind: fixed}
	}
	return size{}
}

// sizeOfVar classifies a variable by all that is ever put into it.
func (c *checker) sizeOfVar(x *cut, v *types.Var, depth int, busy map[types.Object]bool) size {
	if c.isParam(v) && len(c.assigned(v)) == 0 {
		if c.counts(v) {
			return size{}
		}
		return size{kind: limit, vars: []types.Object{v}}
	}
	if v.Parent() != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		if c.counts(v) {
			return size{}
		}
		return size{kind: limit, vars: []types.Object{v}}
	}
	if c.counts(v) {
		return size{}
	}
	vals := c.assigned(v)
	if len(vals) == 0 {
		return size{}
	}
	var out size
	if c.isParam(v) {
		out = size{kind: limit}
	}
	for i, e := range vals {
		if e == nil {
			if c.number(v) {
				out = size{kind: limit}
				continue
			}
			return size{}
		}
		s := c.size(x, e, depth+1, busy)
		// end := i + n, set to the length in the last round.
		if s.kind == unknown && x.kind == window {
			if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && b.Op == token.ADD && c.same(b.X, x.expr.Low) {
				s = c.size(x, b.Y, depth+1, busy)
			}
		}
		if i == 0 && !c.isParam(v) {
			out = s
		} else {
			out = either(out, s)
		}
	}
	if out.kind == limit {
		out.vars = append(out.vars, v)
	}
	return out
}

// steps reports whether the low bound of a window goes through the text by a fixed
// step, and the high bound belongs to it.
func (c *checker) steps(x *cut, low ast.Expr) bool {
	id, ok := ast.Unparen(low).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := c.info.ObjectOf(id).(*types.Var)
	if !ok {
		return false
	}
	stepped := false
	for _, u := range c.usesOf(v) {
		p := u.Parent()
		a, ok := p.Node().(*ast.AssignStmt)
		if !ok || u.ParentEdgeKind() != edge.AssignStmt_Lhs {
			if _, ok := p.Node().(*ast.IncDecStmt); ok {
				return false
			}
			continue
		}
		switch a.Tok {
		case token.ADD_ASSIGN:
			if c.size(&cut{text: x.text, expr: x.expr, kind: head}, a.Rhs[0], 0, make(map[types.Object]bool)).kind != limit {
				return false
			}
			stepped = true
		case token.DEFINE, token.ASSIGN:
			if len(a.Rhs) != len(a.Lhs) {
				return false
			}
			// i = end: the piece ends where the next one begins.
			if e := a.Rhs[u.ParentEdgeIndex()]; !isZero(c.info, e) {
				if !c.same(e, x.expr.High) {
					return false
				}
				stepped = true
			}
		}
	}
	if !stepped {
		return false
	}
	// The high bound: i+n, or a variable that is set to it.
	if b, ok := ast.Unparen(x.bound).(*ast.BinaryExpr); ok && b.Op == token.ADD && c.same(b.X, low) {
		x.bound = b.Y
		return true
	}
	if call, ok := ast.Unparen(x.bound).(*ast.CallExpr); ok && builtinName(c.info, call) == "min" {
		for _, a := range call.Args {
			if b, ok := ast.Unparen(a).(*ast.BinaryExpr); ok && b.Op == token.ADD && c.same(b.X, low) {
				x.bound = b.Y
				return true
			}
		}
		return false
	}
	_, ok = ast.Unparen(x.bound).(*ast.Ident)
	return ok
}

// counts reports whether a variable goes through the text by itself: it is
// counted up or down, or is the variable of a range loop. What it holds then is a
// place, perhaps one that somebody looked at.
func (c *checker) counts(v *types.Var) bool {
	for _, u := range c.usesOf(v) {
		target := u
		if k := u.ParentEdgeKind(); k == edge.SelectorExpr_Sel {
			target = u.Parent()
		}
		switch p := target.Parent().Node().(type) {
		case *ast.IncDecStmt:
			return true
		case *ast.AssignStmt:
			if target.ParentEdgeKind() != edge.AssignStmt_Lhs {
				continue
			}
			switch p.Tok {
			case token.ADD_ASSIGN, token.SUB_ASSIGN:
				return true
			case token.DEFINE, token.ASSIGN:
				if len(p.Rhs) != len(p.Lhs) && !c.number(v) {
					return true // one of several results
				}
			}
		case *ast.RangeStmt:
			if k := target.ParentEdgeKind(); k == edge.RangeStmt_Key || k == edge.RangeStmt_Value {
				return true
			}
		case *ast.UnaryExpr:
			if p.Op == token.AND && !v.IsField() && v.Parent() != v.Pkg().Scope() {
				return true
			}
		}
	}
	return false
}

// number reports whether a variable is a number that was read from a text: a
// setting, a limit in an error message.
func (c *checker) number(v *types.Var) bool {
	call := c.producer(v)
	if call == nil {
		return false
	}
	switch model.FuncName(callee(c.info, call)) {
	case "strconv.Atoi", "strconv.ParseInt", "strconv.ParseUint":
		return true
	}
	return false
}

// assigned gives what is assigned to a local variable; nil for something that is
// no expression of its own.
func (c *checker) assigned(v *types.Var) []ast.Expr {
	var out []ast.Expr
	for _, u := range c.usesOf(v) {
		switch p := u.Parent().Node().(type) {
		case *ast.AssignStmt:
			if u.ParentEdgeKind() != edge.AssignStmt_Lhs {
				continue
			}
			if len(p.Rhs) == len(p.Lhs) && (p.Tok == token.ASSIGN || p.Tok == token.DEFINE) {
				out = append(out, p.Rhs[u.ParentEdgeIndex()])
			} else {
				out = append(out, nil)
			}
		case *ast.ValueSpec:
			if u.ParentEdgeKind() != edge.ValueSpec_Names {
				continue
			}
			if i := u.ParentEdgeIndex(); i < len(p.Values) && len(p.Values) == len(p.Names) {
				out = append(out, p.Values[i])
			} else if len(p.Values) > 0 {
				out = append(out, nil)
			}
		}
	}
	return out
}

func (c *checker) isParam(v *types.Var) bool {
	for _, u := range c.usesOf(v) {
		if u.ParentEdgeKind() == edge.Field_Names {
			return !v.IsField()
		}
	}
	return false
}

// usesOf gives the identifiers that name an object, its declaration among them.
func (c *checker) usesOf(obj types.Object) []inspector.Cursor {
	if c.uses == nil {
		c.uses = make(map[types.Object][]inspector.Cursor)
		for cur := range c.root.Preorder((*ast.Ident)(nil)) {
			id := cur.Node().(*ast.Ident)
			obj := c.info.Uses[id]
			if obj == nil {
				obj = c.info.Defs[id]
			}
			switch o := obj.(type) {
			case nil:
				continue
			case *types.Var:
				obj = o.Origin()
			case *types.Func:
				obj = o.Origin()
			default:
				continue
			}
			c.uses[obj] = append(c.uses[obj], cur)
		}
	}
	switch o := obj.(type) {
	case *types.Var:
		obj = o.Origin()
	case *types.Func:
		obj = o.Origin()
	}
	return c.uses[obj]
}
