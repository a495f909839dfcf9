package streamflow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// A function variable is a package-level variable that holds one function from
// beginning to end, as packages have that choose a JSON library in one place:
//
//	var Unmarshal = json.Unmarshal
//
// Calls of it are calls of the function.

// FuncVarFact says which function such a variable holds.
type FuncVarFact struct {
	Path, Package string // of the package that declares it
	Name          string
}

// AFact marks the type as a fact.
func (*FuncVarFact) AFact() {}

func (f *FuncVarFact) String() string { return fmt.Sprintf("is %s.%s", f.Path, f.Name) }

// findFuncVars finds the package's function variables that hold a function which a
// rule starts from.
func (f *Flow) findFuncVars(insp *inspector.Inspector) {
	info := f.pass.TypesInfo
	for _, file := range f.pass.Files {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, spec := range gen.Specs {
				spec := spec.(*ast.ValueSpec)
				if len(spec.Values) != len(spec.Names) {
					continue
				}
				for i, name := range spec.Names {
					v, ok := info.Defs[name].(*types.Var)
					if !ok {
						continue
					}
					if fn := funcNamed(info, spec.Values[i]); fn != nil && f.startsRule(fn) {
						if f.funcVars == nil {
							f.funcVars = make(map[*types.Var]*types.Func)
						}
						f.funcVars[v] = fn
					}
				}
			}
		}
	}
	if len(f.funcVars) == 0 {
		return
	}
	// One that is set anew, or whose address is taken, may hold anything.
	drop := func(e ast.Expr) {
		if v, ok := varNamed(info, e); ok {
			delete(f.funcVars, v)
		}
	}
	for cur := range insp.Root().Preorder((*ast.AssignStmt)(nil), (*ast.UnaryExpr)(nil), (*ast.RangeStmt)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				drop(e)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				drop(n.X)
			}
		case *ast.RangeStmt:
			drop(n.Key)
			drop(n.Value)
		}
	}
}

// funcNamed gives the function of a package that an expression names.
func funcNamed(info *types.Info, e ast.Expr) *types.Func {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return plainFunc(info.Uses[x])
	case *ast.SelectorExpr:
		return plainFunc(info.Uses[x.Sel])
	}
	return nil
}

// plainFunc gives an object that is a function, neither a method nor generic.
func plainFunc(obj types.Object) *types.Func {
	fn, ok := obj.(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Signature().Recv() != nil || fn.Signature().TypeParams().Len() > 0 {
		return nil
	}
	return fn
}

func varNamed(info *types.Info, e ast.Expr) (*types.Var, bool) {
	var id *ast.Ident
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil, false
	}
	v, ok := info.Uses[id].(*types.Var)
	return v, ok
}

// funcVar reports whether a call is one of a function variable.
func (f *Flow) funcVar(call *ast.CallExpr) bool {
	v, ok := typeutil.Callee(f.pass.TypesInfo, call).(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return false
	}
	if f.funcVars[v] != nil {
		return true
	}
	return v.Pkg() != f.pass.Pkg && f.pass.ImportObjectFact(v, new(FuncVarFact))
}

// exportFuncVars writes the facts of the package's exported function variables.
func (f *Flow) exportFuncVars() {
	for v, fn := range f.funcVars {
		if v.Exported() {
			f.pass.ExportObjectFact(v, &FuncVarFact{fn.Pkg().Path(), fn.Pkg().Name(), fn.Name()})
		}
	}
}

// resolveFuncVars makes the calls of function variables calls of what they hold.
func (f *Flow) resolveFuncVars(prog *ssa.Program) {
	made := make(map[*types.Var]*ssa.Function)
	for _, fn := range f.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				load, ok := call.Common().Value.(*ssa.UnOp)
				if !ok {
					continue
				}
				g, ok := load.X.(*ssa.Global)
				if !ok {
					continue
				}
				v, ok := g.Object().(*types.Var)
				if !ok {
					continue
				}
				if _, ok := made[v]; !ok {
					made[v] = f.held(prog, v)
				}
				if held := made[v]; held != nil {
					call.Common().Value = held
				}
			}
		}
	}
}

// held gives the function that a function variable holds.
func (f *Flow) held(prog *ssa.Program, v *types.Var) *ssa.Function {
	if fn := f.funcVars[v]; fn != nil {
		return prog.FuncValue(fn)
	}
	var fact FuncVarFact
	if v.Pkg() == f.pass.Pkg || !f.pass.ImportObjectFact(v, &fact) {
		return nil
	}
	// The package that the function is of need not be among those this one knows:
	// all that is to be known of the function is its name and its type.
	pkg := types.NewPackage(fact.Path, fact.Package)
	sig, ok := v.Type().Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	fn := types.NewFunc(token.NoPos, pkg, fact.Name, sig)
	pkg.Scope().Insert(fn)
	pkg.MarkComplete()
	prog.CreatePackage(pkg, nil, nil, false)
	return prog.FuncValue(fn)
}
