package unfinished

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/streamlint/streamlint/internal/streamflow"
)

// endMarker is the line by which the OpenAI family of protocols ends a stream.
const endMarker = "[DONE]"

// markerFact says what a function has to do with the end marker.
type markerFact struct {
	Asks  bool // its bool result says whether its argument is the marker
	Emits bool // it sends the marker
}

// AFact marks the type as a fact.
func (*markerFact) AFact() {}

func (f *markerFact) String() string {
	switch {
	case f.Asks:
		return "asks for the end marker"
	case f.Emits:
		return "sends the end marker"
	}
	return "nothing"
}

// exportMarkers finds the functions of the package that ask for the end marker, or
// send it. It reads the syntax alone: the packages of such helpers hold nothing
// else that the engine would look at.
func (c *checker) exportMarkers() {
	for _, file := range c.pass.Files {
		for _, decl := range file.Decls {
			fd, ok := decl.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			fn, ok := c.pass.TypesInfo.Defs[fd.Name].(*types.Func)
			if !ok {
				continue
			}
			fact := c.markerOf(fd, fn)
			if fact == (markerFact{}) {
				continue
			}
			c.markers[fn] = &fact
			if fn.Exported() {
				c.pass.ExportObjectFact(fn, &fact)
			}
		}
	}
}

// markerOf judges a function; only short ones are helpers of this kind.
func (c *checker) markerOf(fd *ast.FuncDecl, fn *types.Func) (fact markerFact) {
	if len(fd.Body.List) > 8 {
		return fact
	}
	res := fn.Signature().Results()
	asks := res.Len() == 1 && isBool(res.At(0).Type())
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if asks && (n.Op == token.EQL) && (c.isMarker(n.X) || c.isMarker(n.Y)) {
				fact.Asks = true
			}
		case *ast.CallExpr:
			for _, arg := range n.Args {
				if conv, ok := arg.(*ast.CallExpr); ok && len(conv.Args) == 1 && c.pass.TypesInfo.Types[conv.Fun].IsType() {
					arg = conv.Args[0]
				}
				if !c.isMarker(arg) {
					continue
				}
				callee, _ := typeutil.Callee(c.pass.TypesInfo, n).(*types.Func)
				switch {
				case callee != nil && callee.Pkg() != nil && (callee.Pkg().Path() == "strings" || callee.Pkg().Path() == "bytes") && callee.Signature().Recv() == nil:
					fact.Asks = fact.Asks || asks
				case callee != nil && (res.Len() == 0 || streamflow.ErrorResult(fn.Signature()) == 0 && res.Len() == 1):
					fact.Emits = true
				}
			}
		}
		return true
	})
	return fact
}

// isMarker reports whether an expression is a constant that holds the end marker.
func (c *checker) isMarker(e ast.Expr) bool {
	v := c.pass.TypesInfo.Types[e].Value
	return v != nil && v.Kind() == constant.String && strings.Contains(constant.StringVal(v), endMarker)
}

func (c *checker) marker(call ssa.CallInstruction) markerFact {
	fn := streamflow.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return markerFact{}
	}
	if fn.Pkg() == c.pass.Pkg {
		if f := c.markers[fn]; f != nil {
			return *f
		}
		return markerFact{}
	}
	var fact markerFact
	if c.pass.ImportObjectFact(fn.Origin(), &fact) {
		return fact
	}
	return markerFact{}
}

// emits reports whether a call sends the end marker: a helper that does, or any
// call but a comparison that is given it.
func (c *checker) emits(call ssa.CallInstruction) bool {
	if c.marker(call).Emits {
		return true
	}
	if isPrint(call) || isPure(call) {
		return false
	}
	if fn := streamflow.Callee(call); fn == nil || fn.Pkg() == nil || fn.Pkg().Path() == "strings" || fn.Pkg().Path() == "bytes" || c.marker(call).Asks {
		return false
	}
	for _, a := range streamflow.Args(call) {
		if strings.Contains(streamflow.ConstText(a), endMarker) {
			return true
		}
	}
	return false
}

// madeUp says in words that the end marker is sent on the way from a call.
func (c *checker) madeUp(at ssa.CallInstruction) string {
	for _, call := range c.flow.Calls(at.Parent()) {
		if c.emits(call) && !c.flow.InLoop(call) && c.flow.Reaches(at, call) {
			return "the end marker " + endMarker + " is sent all the same"
		}
	}
	return ""
}

// markerTests gives the branches of a function that are taken when the end marker
// has come.
func (c *checker) markerTests(fn *ssa.Function) []failure {
	var out []failure
	for _, b := range fn.Blocks {
		ifi, ok := last(b).(*ssa.If)
		if !ok {
			continue
		}
		cond, to := ifi.Cond, b.Succs[0]
		if n, ok := cond.(*ssa.UnOp); ok && n.Op == token.NOT {
			cond, to = n.X, b.Succs[1]
		}
		switch x := cond.(type) {
		case *ssa.BinOp:
			if !strings.Contains(streamflow.ConstText(x.X), endMarker) && !strings.Contains(streamflow.ConstText(x.Y), endMarker) {
				continue
			}
			switch x.Op {
			case token.EQL:
			case token.NEQ:
				if to == b.Succs[0] {
					to = b.Succs[1]
				} else {
					to = b.Succs[0]
				}
			default:
				continue
			}
		case *ssa.Call:
			if !c.asksMarker(x) {
				continue
			}
		default:
			continue
		}
		out = append(out, failure{ifi.Cond, to})
	}
	return out
}

func (c *checker) asksMarker(call *ssa.Call) bool {
	if c.marker(call).Asks {
		return true
	}
	switch streamflow.CalleeName(call) {
	case "strings.HasPrefix", "strings.Contains", "strings.HasSuffix", "strings.EqualFold",
		"bytes.HasPrefix", "bytes.Contains", "bytes.HasSuffix", "bytes.Equal", "bytes.EqualFold":
		for _, a := range call.Call.Args {
			if strings.Contains(streamflow.ConstText(a), endMarker) {
				return true
			}
		}
	}
	return false
}
