package lossyutf8

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// plainFacts exports the facts of a package in which no stream is read, so that
// the engine has left it alone: a helper that encodes its argument. The syntax
// tells enough: an exported function with a text parameter that stands in the
// argument of a sink.
func plainFacts(pass *analysis.Pass) {
	if !slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool { return encoderPackage(p.Path()) }) {
		return
	}
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			fd, ok := decl.(*ast.FuncDecl)
			if !ok || fd.Body == nil || !fd.Name.IsExported() {
				continue
			}
			fn, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func)
			if !ok {
				continue
			}
			params := textParams(fn)
			if len(params) == 0 {
				continue
			}
			if fact := plainSinks(pass, fd, params); fact != nil {
				pass.ExportObjectFact(fn, fact)
			}
		}
	}
}

// encoderPackage reports whether a package has sinks by which text leaves (those of
// strings and unicode are no reason to look at every importer).
func encoderPackage(path string) bool {
	switch path {
	case "strings", "bytes", "unicode/utf8", "strconv", "fmt", "os", "io", "bufio", "net/http", "context", "errors", "time", "sync":
		return false
	}
	return model.Packages(path)
}

// textParams gives the text parameters of a function with their positions, a
// receiver counted.
func textParams(fn *types.Func) map[*types.Var]int {
	sig := fn.Signature()
	shift := 0
	if sig.Recv() != nil {
		shift = 1
	}
	out := make(map[*types.Var]int)
	for i := range sig.Params().Len() {
		if p := sig.Params().At(i); streamflow.IsText(p.Type()) && !(sig.Variadic() && i == sig.Params().Len()-1) {
			out[p] = i + shift
		}
	}
	return out
}

func plainSinks(pass *analysis.Pass, fd *ast.FuncDecl, params map[*types.Var]int) *sinkFact {
	var fact sinkFact
	careful := false
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		callee, _ := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
		if callee == nil || callee.Pkg() == nil || callee.Pkg() == pass.Pkg {
			return true
		}
		name := model.FuncName(callee)
		if callee.Pkg().Path() == "unicode/utf8" && kindOf(name) == chars {
			careful = true
		}
		shift := 0
		if callee.Signature().Recv() != nil {
			shift = 1
		}
		for _, t := range model.LookupTextSinks(name) {
			i := t.Arg - shift
			if kindOf(name) != encode || i < 0 || i >= len(call.Args) || t.HasIf && !constAt(pass, call, t.If-shift, t.IfConst) {
				continue
			}
			arg := ast.Unparen(call.Args[i])
			for p, k := range params {
				if (carriesText(pass, arg, p, t.Deep, false) || isText(pass, arg, p)) && !slices.ContainsFunc(fact.Params, func(x sinkParam) bool { return x.Param == k }) {
					fact.Params = append(fact.Params, sinkParam{Param: k, How: t.How, Kind: encode})
				}
			}
		}
		return true
	})
	if careful || len(fact.Params) == 0 {
		return nil
	}
	slices.SortFunc(fact.Params, func(a, b sinkParam) int { return a.Param - b.Param })
	return &fact
}

func constAt(pass *analysis.Pass, call *ast.CallExpr, i int, want int64) bool {
	if i < 0 || i >= len(call.Args) {
		return false
	}
	v := pass.TypesInfo.Types[call.Args[i]].Value
	if v == nil {
		return false
	}
	got, ok := constant.Int64Val(constant.ToInt(v))
	return ok && got == want
}

// isText reports whether an expression is the parameter itself, converted perhaps.
func isText(pass *analysis.Pass, e ast.Expr, p *types.Var) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return pass.TypesInfo.Uses[x] == p
	case *ast.CallExpr:
		return len(x.Args) == 1 && pass.TypesInfo.Types[x.Fun].IsType() && isText(pass, x.Args[0], p)
	}
	return false
}

// carriesText reports whether a composite value that an encoder goes through has
// the parameter in it as a string.
func carriesText(pass *analysis.Pass, e ast.Expr, p *types.Var, deep, inside bool) bool {
	if !deep {
		return false
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return carriesText(pass, x.X, p, deep, inside)
	case *ast.CompositeLit:
		for _, el := range x.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			if carriesText(pass, el, p, deep, true) {
				return true
			}
		}
	default:
		t := pass.TypesInfo.TypeOf(e)
		return inside && t != nil && isString(t) && isText(pass, e, p)
	}
	return false
}
