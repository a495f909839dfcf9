package streamtimeout

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// serverFact says what a package, or one that it imports, does as a server.
type serverFact struct {
	Events  string // a function that answers with server-sent events, with its package
	Renews  bool   // a deadline for writing is set somewhere
	Servers int    // the servers that are made
}

// AFact marks the type as a fact.
func (*serverFact) AFact() {}

func (f *serverFact) String() string {
	var parts []string
	if f.Events != "" {
		parts = append(parts, "events("+f.Events+")")
	}
	if f.Renews {
		parts = append(parts, "renews")
	}
	if f.Servers > 0 {
		parts = append(parts, fmt.Sprintf("servers(%d)", f.Servers))
	}
	return strings.Join(parts, " ")
}

// servers reports http.Server.WriteTimeout in a program that serves event streams.
// It looks at the syntax alone: such packages often hold nothing else of interest.
func servers(pass *analysis.Pass, r *report.Reporter) {
	if len(pass.TypeErrors) > 0 || pass.Pkg == nil || streamflow.Standard(pass.Pkg.Path()) {
		return
	}
	var own serverFact
	var limits []writeLimit
	var eventsAt token.Pos
	for _, file := range pass.Files {
		if strings.HasSuffix(pass.Fset.Position(file.FileStart).Filename, "_test.go") {
			continue
		}
		var fn string
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				fn = n.Name.Name
			case *ast.CompositeLit:
				if isServer(pass.TypesInfo.TypeOf(n)) {
					own.Servers++
					limits = append(limits, literalLimit(pass, n)...)
				}
			case *ast.AssignStmt:
				limits = append(limits, assignedLimit(pass, n)...)
			case *ast.CallExpr:
				callee, _ := typeutil.Callee(pass.TypesInfo, n).(*types.Func)
				switch name := model.FuncName(callee); {
				case name == "(net/http.ResponseController).SetWriteDeadline", callee != nil && callee.Name() == "SetWriteDeadline":
					own.Renews = true
				case name == "net/http.ListenAndServe", name == "net/http.ListenAndServeTLS", name == "net/http.Serve", name == "net/http.ServeTLS":
					own.Servers++
				case servesEvents(pass, callee, name, n) && own.Events == "":
					own.Events = pass.Pkg.Name() + "." + fn
					eventsAt = n.Pos()
				}
			}
			return true
		})
	}
	if own != (serverFact{}) {
		pass.ExportPackageFact(&own)
	}
	if len(limits) == 0 {
		return
	}
	all := own
	for _, pf := range pass.AllPackageFacts() {
		f, ok := pf.Fact.(*serverFact)
		if !ok || pf.Package == pass.Pkg || !together(pf.Package.Path(), pass.Pkg.Path()) {
			continue
		}
		if all.Events == "" {
			all.Events = f.Events
		}
		all.Renews = all.Renews || f.Renews
		all.Servers += f.Servers
	}
	// With several servers nobody knows which of them serves the events.
	if all.Events == "" || all.Renews || all.Servers != 1 {
		return
	}
	for _, l := range limits {
		if l.value <= 0 || l.value > clientMax {
			continue
		}
		f := report.Finding{
			Pos: l.pos,
			Message: fmt.Sprintf("WriteTimeout (%s) ends every answer of this server, the event stream of %s too: a client loses it in the middle; before each event, move the deadline with http.ResponseController.SetWriteDeadline",
				words(l.value), all.Events),
		}
		if own.Events != "" {
			f.Related = related(eventsAt, "events are served here")
		}
		r.Report(f)
	}
}

type writeLimit struct {
	pos   token.Pos
	value time.Duration
}

func isServer(t types.Type) bool { return t != nil && model.TypeName(t) == "net/http.Server" }

func literalLimit(pass *analysis.Pass, lit *ast.CompositeLit) []writeLimit {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if id, ok := kv.Key.(*ast.Ident); ok && id.Name == "WriteTimeout" {
			if d, ok := constantDuration(pass, kv.Value); ok {
				return []writeLimit{{kv.Pos(), d}}
			}
		}
	}
	return nil
}

func assignedLimit(pass *analysis.Pass, as *ast.AssignStmt) []writeLimit {
	if len(as.Lhs) != len(as.Rhs) {
		return nil
	}
	var out []writeLimit
	for i, l := range as.Lhs {
		sel, ok := l.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "WriteTimeout" || !isServer(pass.TypesInfo.TypeOf(sel.X)) {
			continue
		}
		if d, ok := constantDuration(pass, as.Rhs[i]); ok {
			out = append(out, writeLimit{as.Pos(), d})
		}
	}
	return out
}

func constantDuration(pass *analysis.Pass, e ast.Expr) (time.Duration, bool) {
	tv := pass.TypesInfo.Types[e]
	if tv.Value == nil {
		return 0, false
	}
	v := constant.ToInt(tv.Value)
	if v.Kind() != constant.Int {
		return 0, false
	}
	n, ok := constant.Int64Val(v)
	return time.Duration(n), ok
}

// servesEvents reports whether a call gives an answer the type of an event stream:
// Header().Set("Content-Type", "text/event-stream"), a framework's Header, or its
// way to send an event.
func servesEvents(pass *analysis.Pass, callee *types.Func, name string, call *ast.CallExpr) bool {
	if callee == nil {
		return false
	}
	switch name {
	case "(net/http.Header).Set", "(net/http.Header).Add":
		// The header of a response that is written, not of a request or an answer got.
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		if !fromWriter(pass, sel.X) {
			return false
		}
	case "(github.com/gin-gonic/gin.Context).Header":
	case "(github.com/gin-gonic/gin.Context).SSEvent":
		return true
	default:
		return false
	}
	return len(call.Args) == 2 && isText(pass, call.Args[0], "content-type") && isText(pass, call.Args[1], "text/event-stream")
}

// fromWriter reports whether a header is a response writer's: a call of its method
// Header, or a variable that holds that.
func fromWriter(pass *analysis.Pass, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		fn, _ := typeutil.Callee(pass.TypesInfo, e).(*types.Func)
		return fn != nil && fn.Name() == "Header" && fn.Signature().Recv() != nil && has(fn.Signature().Recv().Type(), "WriteHeader")
	case *ast.Ident:
		id, ok := pass.TypesInfo.Uses[e].(*types.Var)
		if !ok {
			return false
		}
		for _, file := range pass.Files {
			if file.FileStart > id.Pos() || id.Pos() > file.FileEnd {
				continue
			}
			found := false
			ast.Inspect(file, func(n ast.Node) bool {
				as, ok := n.(*ast.AssignStmt)
				if ok && len(as.Lhs) == len(as.Rhs) {
					for i, l := range as.Lhs {
						if lid, ok := l.(*ast.Ident); ok && pass.TypesInfo.Defs[lid] == types.Object(id) {
							if _, isCall := ast.Unparen(as.Rhs[i]).(*ast.CallExpr); isCall {
								found = found || fromWriter(pass, as.Rhs[i])
							}
						}
					}
				}
				return !found
			})
			return found
		}
	}
	return false
}

func isText(pass *analysis.Pass, e ast.Expr, want string) bool {
	tv := pass.TypesInfo.Types[e]
	return tv.Value != nil && tv.Value.Kind() == constant.String && strings.HasPrefix(strings.ToLower(constant.StringVal(tv.Value)), want)
}

// together reports whether two packages belong to one program's own code: one
// repository, or one local module.
func together(a, b string) bool { return root(a) == root(b) }

func root(path string) string {
	parts := strings.Split(path, "/")
	n := 1
	if strings.Contains(parts[0], ".") {
		n = 3
	}
	return strings.Join(parts[:min(n, len(parts))], "/")
}
