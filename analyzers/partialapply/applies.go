package partialapply

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/streamlint/streamlint/internal/model"
)

// exportApplies finds the functions of the package that apply their parameters, and
// tells importers. It reads the syntax alone: a package that only stores things holds
// nothing else that the engine would look at.
func exportApplies(pass *analysis.Pass) {
	if !mayApply(pass) {
		return
	}
	a := &applier{pass: pass, facts: make(map[*types.Func]*applyFact), foreign: make(map[*types.Func]*applyFact)}
	type function struct {
		decl    *ast.FuncDecl
		obj     *types.Func
		callees []*types.Func
	}
	var all []function
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if fd, ok := decl.(*ast.FuncDecl); ok && fd.Body != nil {
				if fn, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func); ok {
					all = append(all, function{fd, fn, a.callees(fd)})
				}
			}
		}
	}
	for range 3 { // a helper of a helper of a helper
		grown := false
		for _, f := range all {
			if slices.ContainsFunc(f.callees, a.hasEffect) && a.function(f.decl, f.obj) {
				grown = true
			}
		}
		if !grown {
			break
		}
	}
	told := false
	for fn, f := range a.facts {
		if fn.Exported() {
			pass.ExportObjectFact(fn, f)
			told = true
		}
	}
	if told {
		pass.ExportPackageFact(new(appliesFact))
	}
}

// mayApply reports whether the package imports something with effects.
func mayApply(pass *analysis.Pass) bool {
	if len(userEffects) > 0 {
		return true
	}
	for _, imp := range pass.Pkg.Imports() {
		switch path := imp.Path(); path {
		case "database/sql", "os", "os/exec", "net/http":
			return true
		default:
			if model.HasEffects(path) || pass.ImportPackageFact(imp, new(appliesFact)) {
				return true
			}
		}
	}
	return false
}

type applier struct {
	pass    *analysis.Pass
	facts   map[*types.Func]*applyFact
	foreign map[*types.Func]*applyFact // what other packages say, nil for nothing
}

// callees gives the functions that a function calls.
func (a *applier) callees(fd *ast.FuncDecl) []*types.Func {
	var out []*types.Func
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if fn, ok := typeutil.Callee(a.pass.TypesInfo, call).(*types.Func); ok && fn.Pkg() != nil {
				out = append(out, fn)
			}
		}
		return true
	})
	return out
}

// hasEffect reports whether a function is known to have an effect.
func (a *applier) hasEffect(fn *types.Func) bool {
	if a.facts[fn] != nil || userEffects.has(model.FuncName(fn)) || a.told(fn) != nil {
		return true
	}
	if !model.HasEffects(fn.Pkg().Path()) {
		return false
	}
	_, ok := model.LookupEffect(model.FuncName(fn))
	return ok
}

// told gives the fact of a function of another package.
func (a *applier) told(fn *types.Func) *applyFact {
	if fn.Pkg() == nil || fn.Pkg() == a.pass.Pkg {
		return nil
	}
	if f, ok := a.foreign[fn]; ok {
		return f
	}
	f := new(applyFact)
	if !a.pass.ImportObjectFact(fn.Origin(), f) {
		f = nil
	}
	a.foreign[fn] = f
	return f
}

// function judges one function, and reports whether it learned something.
func (a *applier) function(fd *ast.FuncDecl, fn *types.Func) bool {
	info := a.pass.TypesInfo
	params := make(map[types.Object]int)
	n := 0
	number := func(list *ast.FieldList) {
		if list == nil {
			return
		}
		for _, f := range list.List {
			if len(f.Names) == 0 {
				n++
			}
			for _, name := range f.Names {
				params[info.Defs[name]] = n
				n++
			}
		}
	}
	recv := 0
	if fd.Recv != nil {
		number(fd.Recv)
		recv = 1
	}
	number(fd.Type.Params)
	// What is made of each parameter; pure is what is the parameter still.
	from := make(map[types.Object]map[int]bool)
	for o, i := range params {
		if i >= recv {
			from[o] = map[int]bool{i: true}
		}
	}
	of := func(e ast.Expr) map[int]bool {
		out := make(map[int]bool)
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.Ident:
				for i := range from[info.Uses[n]] {
					out[i] = true
				}
			}
			return true
		})
		return out
	}
	put := func(lhs ast.Expr, set map[int]bool) {
		id, ok := lhs.(*ast.Ident)
		if !ok {
			return
		}
		o := info.ObjectOf(id)
		if o == nil || !carries(o.Type()) {
			return
		}
		if from[o] == nil {
			from[o] = make(map[int]bool)
		}
		for i := range set {
			from[o][i] = true
		}
	}
	q := a.quiet(fd)
	grown := false
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				rhs := n.Rhs[0]
				if len(n.Rhs) == len(n.Lhs) {
					rhs = n.Rhs[i]
				}
				put(lhs, of(rhs))
			}
		case *ast.RangeStmt:
			if n.Value != nil {
				put(n.Value, of(n.X))
			}
		case *ast.CallExpr:
			callee, _ := typeutil.Callee(info, n).(*types.Func)
			if callee == nil {
				return true
			}
			for _, e := range a.effects(fd, n, callee, q) {
				arg := argument(info, n, callee, e.Param)
				if arg == nil {
					continue
				}
				for i := range of(arg) {
					x := e
					x.Param = i
					x.Script = e.Script && isParam(info, arg, params, i)
					if a.learn(fn, x) {
						grown = true
					}
				}
			}
		}
		return true
	})
	return grown
}

// isParam reports whether an argument is a parameter as it came, or a field of it.
func isParam(info *types.Info, e ast.Expr, params map[types.Object]int, i int) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			n, ok := params[info.Uses[x]]
			return ok && n == i
		case *ast.CallExpr: // the command of a Cmd
			if len(x.Args) == 0 {
				return false
			}
			e = x.Args[len(x.Args)-1]
		default:
			return false
		}
	}
}

func (a *applier) learn(fn *types.Func, x applied) bool {
	f := a.facts[fn]
	if f == nil {
		f = new(applyFact)
		a.facts[fn] = f
	}
	for i, have := range f.Applies {
		if have.Param == x.Param {
			if x.Script && !have.Script {
				f.Applies[i] = x
				return true
			}
			return false
		}
	}
	f.Applies = append(f.Applies, x)
	return true
}

// calm says which kinds of effects leave nothing half done in a function.
type calm struct{ sql, file, http bool }

// quiet looks for what makes the effects of a function harmless.
func (a *applier) quiet(fd *ast.FuncDecl) calm {
	q := calm{http: true}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn, _ := typeutil.Callee(a.pass.TypesInfo, call).(*types.Func)
		if fn == nil || fn.Pkg() == nil {
			return true
		}
		switch name := model.FuncName(fn); {
		case fn.Name() == "Begin", fn.Name() == "BeginTx", fn.Name() == "BeginTxx", fn.Name() == "Beginx", fn.Name() == "Transaction":
			q.sql = true
		case name == "os.Stat" || name == "os.Lstat" || strings.HasPrefix(name, "os.MkdirTemp") || name == "os.UserCacheDir" || name == "os.TempDir":
			q.file = true
		case name == "net/http.NewRequest" || name == "net/http.NewRequestWithContext":
			for _, arg := range call.Args {
				if isWriting(a.constText(arg)) {
					q.http = false
				}
			}
		}
		return true
	})
	return q
}

func (a *applier) constText(e ast.Expr) string {
	if v := a.pass.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

// effects gives the effects of a call, Param being the position of the argument.
func (a *applier) effects(fd *ast.FuncDecl, call *ast.CallExpr, callee *types.Func, q calm) []applied {
	name := model.FuncName(callee)
	if pos, ok := userEffects[name]; ok {
		var out []applied
		for i := range len(call.Args) + 1 {
			if pos < 0 || pos == i {
				out = append(out, applied{Param: i, Kind: model.ToolEffect, Verb: "applied", Via: shortName(callee)})
			}
		}
		return out
	}
	if e, ok := model.LookupEffect(name); ok {
		switch {
		case e.Kind == model.SQLEffect && (q.sql || e.Maybe && !a.ownHandle(fd, call)),
			e.Kind == model.FileEffect && q.file,
			name == "(net/http.Client).Do" && q.http:
			return nil
		}
		var out []applied
		for k, i := range e.Args {
			if arg := argument(a.pass.TypesInfo, call, callee, i); k == 0 && e.Text && arg != nil && isRepeatable(a.constText(arg)) {
				return nil
			}
			out = append(out, applied{Param: i, Kind: e.Kind, Verb: e.Verb, Script: e.Text && k == 0, Via: shortName(callee)})
		}
		return out
	}
	if callee.Pkg() == a.pass.Pkg {
		if f := a.facts[callee]; f != nil {
			return f.Applies
		}
		return nil
	}
	if f := a.told(callee); f != nil {
		return f.Applies
	}
	return nil
}

// ownHandle reports whether a chain of calls begins at a field of the receiver: s.db
// in s.db.WithContext(ctx).Create(v).
func (a *applier) ownHandle(fd *ast.FuncDecl, call *ast.CallExpr) bool {
	e := ast.Expr(call)
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.CallExpr:
			e = x.Fun
			continue
		case *ast.SelectorExpr:
			if s := a.pass.TypesInfo.Selections[x]; s != nil && s.Kind() == types.FieldVal {
				id, ok := ast.Unparen(x.X).(*ast.Ident)
				return ok && fd.Recv != nil && len(fd.Recv.List[0].Names) == 1 && a.pass.TypesInfo.Uses[id] == a.pass.TypesInfo.Defs[fd.Recv.List[0].Names[0]]
			}
			e = x.X
			continue
		}
		return false
	}
}

// argument gives the argument of a call at a position, a method's receiver being 0; of
// several operands of a variadic parameter a literal stands for all.
func argument(info *types.Info, call *ast.CallExpr, callee *types.Func, pos int) ast.Expr {
	sig := callee.Signature()
	if sig.Recv() != nil {
		if pos == 0 {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				return sel.X
			}
			return nil
		}
		pos--
	}
	if pos >= len(call.Args) {
		return nil
	}
	if sig.Variadic() && pos == sig.Params().Len()-1 && !call.Ellipsis.IsValid() && len(call.Args) > pos+1 {
		return &ast.CompositeLit{Elts: call.Args[pos:]}
	}
	return call.Args[pos]
}

// shortName names a function as its callers write it.
func shortName(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		name := model.TypeName(recv.Type())
		return name[strings.LastIndexByte(name, '.')+1:] + "." + fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}
