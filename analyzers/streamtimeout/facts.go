package streamtimeout

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// funcFact is what importing packages need to know of a function. Positions count
// a receiver as 0.
type funcFact struct {
	// Reads lists the parameters that the function reads as a stream.
	Reads []int
	// Clients lists the parameters that hold a client with which the function
	// receives a stream.
	Clients []int
	// Bound lists the contexts under which the function receives a stream.
	Bound []int
	// Gives lists the unread streams that the function gives.
	Gives []give
	// Limits lists the results that are a client with a total limit.
	Limits []resultLimit
}

type resultLimit struct {
	Result int
	Value  time.Duration
	Kube   bool
}

// AFact marks the type as a fact.
func (*funcFact) AFact() {}

func (f *funcFact) String() string {
	var parts []string
	for _, x := range []struct {
		word string
		list []int
	}{{"reads", f.Reads}, {"clients", f.Clients}, {"bound", f.Bound}} {
		if len(x.list) > 0 {
			parts = append(parts, x.word+strings.ReplaceAll(fmt.Sprint(x.list), " ", ","))
		}
	}
	for _, g := range f.Gives {
		parts = append(parts, fmt.Sprintf("gives(%d under %d)", g.Result, g.Context))
	}
	for _, l := range f.Limits {
		parts = append(parts, fmt.Sprintf("limits(%d=%s)", l.Result, words(l.Value)))
	}
	return strings.Join(parts, " ")
}

func (f *funcFact) empty() bool {
	return len(f.Reads)+len(f.Clients)+len(f.Bound)+len(f.Gives)+len(f.Limits) == 0
}

// limitFact is the duration that a field holds where nobody sets another.
type limitFact struct {
	Default int64 // nanoseconds, or in the unit of a plain number
}

// AFact marks the type as a fact.
func (*limitFact) AFact() {}

func (f *limitFact) String() string { return "default " + words(time.Duration(f.Default)) }

func (c *checker) fact(fn *types.Func) *funcFact {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == c.pass.Pkg {
		return nil
	}
	var f funcFact
	if c.pass.ImportObjectFact(fn.Origin(), &f) {
		return &f
	}
	return nil
}

// constants notes the clients with a constant limit that functions of the package
// return, and the constants that fields of its structs are filled with. It looks
// at the syntax alone: such packages often hold nothing else of interest.
func constants(pass *analysis.Pass) {
	if len(pass.TypeErrors) > 0 || pass.Pkg == nil || streamflow.Standard(pass.Pkg.Path()) || !importsTime(pass.Pkg) {
		return
	}
	fields := make(map[*types.Var]int64)
	note := func(f *types.Var, e ast.Expr) {
		if f == nil || !f.Exported() || f.Pkg() != pass.Pkg || model.TypeName(f.Type()) != "time.Duration" {
			return
		}
		if d, ok := constantDuration(pass, e); ok && d > 0 {
			fields[f.Origin()] = max(fields[f.Origin()], int64(d))
		}
	}
	for _, file := range pass.Files {
		if strings.HasSuffix(pass.Fset.Position(file.FileStart).Filename, "_test.go") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					if f, ok := pass.TypesInfo.Uses[id].(*types.Var); ok && f.IsField() {
						note(f, n.Value)
					}
				}
			case *ast.AssignStmt:
				if len(n.Lhs) == len(n.Rhs) {
					for i, l := range n.Lhs {
						if sel, ok := l.(*ast.SelectorExpr); ok {
							if f, ok := pass.TypesInfo.Uses[sel.Sel].(*types.Var); ok && f.IsField() {
								note(f, n.Rhs[i])
							}
						}
					}
				}
			}
			return true
		})
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && fd.Name.IsExported() {
				returnedLimits(pass, fd)
			}
		}
	}
	scope := pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !tn.Exported() {
			continue
		}
		if s, ok := tn.Type().Underlying().(*types.Struct); ok {
			for i := range s.NumFields() {
				if n := fields[s.Field(i).Origin()]; n > 0 {
					pass.ExportObjectFact(s.Field(i).Origin(), &limitFact{n})
					delete(fields, s.Field(i).Origin())
				}
			}
		}
	}
}

// importsTime reports whether a package can name a duration.
func importsTime(pkg *types.Package) bool {
	return slices.ContainsFunc(pkg.Imports(), func(p *types.Package) bool { return p.Path() == "time" })
}

// returnedLimits exports the fact of a function that returns a client made there
// with a constant limit.
func returnedLimits(pass *analysis.Pass, fd *ast.FuncDecl) {
	obj, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func)
	if !ok {
		return
	}
	literals := make(map[types.Object]time.Duration)
	kube := false
	value := func(e ast.Expr) time.Duration {
		switch e := ast.Unparen(e).(type) {
		case *ast.UnaryExpr:
			if lit, ok := e.X.(*ast.CompositeLit); ok {
				d, k := clientLimit(pass, lit)
				kube = kube || k
				return d
			}
		case *ast.CompositeLit:
			d, k := clientLimit(pass, e)
			kube = kube || k
			return d
		case *ast.Ident:
			return literals[pass.TypesInfo.ObjectOf(e)]
		}
		return 0
	}
	var fact funcFact
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) {
				break
			}
			for i, l := range n.Lhs {
				switch l := l.(type) {
				case *ast.Ident:
					o := pass.TypesInfo.ObjectOf(l)
					if d := value(n.Rhs[i]); d > 0 {
						literals[o] = d
					} else {
						delete(literals, o)
					}
				case *ast.SelectorExpr:
					f, _ := pass.TypesInfo.Uses[l.Sel].(*types.Var)
					id, _ := ast.Unparen(l.X).(*ast.Ident)
					if f == nil || id == nil || !model.IsLimitField(model.FieldName(pass.TypesInfo.TypeOf(l.X), f)) {
						break
					}
					o := pass.TypesInfo.ObjectOf(id)
					if d, ok := constantDuration(pass, n.Rhs[i]); ok && d > 0 {
						literals[o] = d
						kube = kube || strings.HasPrefix(model.TypeName(pass.TypesInfo.TypeOf(l.X)), "k8s.io/")
					} else {
						delete(literals, o)
					}
				}
			}
		case *ast.ReturnStmt:
			for i, e := range n.Results {
				d := value(e)
				if d <= 0 {
					continue
				}
				have := false
				for _, l := range fact.Limits {
					have = have || l.Result == i
				}
				if !have {
					fact.Limits = append(fact.Limits, resultLimit{i, d, kube})
				}
			}
		}
		return true
	})
	if !fact.empty() {
		pass.ExportObjectFact(obj, &fact)
	}
}

func clientLimit(pass *analysis.Pass, lit *ast.CompositeLit) (time.Duration, bool) {
	t := pass.TypesInfo.TypeOf(lit)
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		id, ok := kv.Key.(*ast.Ident)
		if !ok {
			continue
		}
		f, ok := pass.TypesInfo.Uses[id].(*types.Var)
		if !ok || !model.IsLimitField(model.FieldName(t, f)) {
			continue
		}
		if d, ok := constantDuration(pass, kv.Value); ok {
			return d, strings.HasPrefix(model.TypeName(t), "k8s.io/")
		}
	}
	return 0, false
}

// exportFacts writes the facts of the package's exported functions.
func (c *checker) exportFacts() {
	facts := make(map[*types.Func]*funcFact)
	of := func(fn *ssa.Function) *funcFact {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !obj.Exported() || fn.Parent() != nil {
			return nil
		}
		f := facts[obj]
		if f == nil {
			f = new(funcFact)
			c.pass.ImportObjectFact(obj, f) // what constants wrote
			facts[obj] = f
		}
		return f
	}
	for _, fn := range c.flow.Functions() {
		f := of(fn)
		if f == nil {
			continue
		}
		f.Gives = c.gives(fn)
		switch obj := fn.Object().(*types.Func); {
		case c.spoken[obj]:
			f.Limits = nil
		case len(f.Limits) == 0:
			f.Limits = c.gaveLimited[obj]
		}
		for i, p := range fn.Params {
			t := p.Type()
			switch {
			case fn.Signature.Recv() != nil && i == 0:
			case isContext(t):
				if c.boundParam(p) {
					f.Bound = append(f.Bound, i)
				}
			case isReader(t) || model.TypeName(t) == "net/http.Response":
				if c.readParam(p) {
					f.Reads = append(f.Reads, i)
				}
			}
		}
	}
	c.clientFacts(of)
	for _, fn := range c.flow.Functions() {
		if obj, ok := fn.Object().(*types.Func); ok && facts[obj] != nil && (!facts[obj].empty() || c.pass.ImportObjectFact(obj, new(funcFact))) {
			c.pass.ExportObjectFact(obj, facts[obj])
			delete(facts, obj)
		}
	}
}

// readParam reports whether a function reads its parameter as a stream.
func (c *checker) readParam(p *ssa.Parameter) bool {
	var steps []step
	w := c.reader(&steps)
	out := false
	w.returned = nil
	w.mark(p, p.Parent())
	w.run()
	for _, s := range steps {
		if s.top != p.Parent() {
			continue
		}
		if s.known || c.isStream(nil, s, answer) {
			out = true
		}
	}
	return out
}

// boundParam reports whether a function receives a stream under its context.
func (c *checker) boundParam(p *ssa.Parameter) bool {
	found := false
	w := c.contextWalk(func(v ssa.Value, call ssa.CallInstruction, i int) {
		if found || c.opens(call) == nothing && c.fact(streamflow.Callee(call)) == nil {
			return
		}
		if f := c.fact(streamflow.Callee(call)); f != nil && contains(f.Bound, i) {
			found = true
			return
		}
		if u := c.streamed(call); u != nil && u.at != call && within(u, p.Parent()) {
			found = true
		}
	})
	w.mark(p, p.Parent())
	w.run()
	return found
}

// within reports whether a stream is received inside a function, and not by who
// calls it.
func within(u *streamUse, fn *ssa.Function) bool {
	return u.top == nil || u.top == fn || outermost(u.at.Parent()) == fn
}

// clientFacts notes the functions that receive streams with a client of a
// parameter, or of their receiver's.
func (c *checker) clientFacts(of func(*ssa.Function) *funcFact) {
	for _, fn := range c.flow.Functions() {
		for _, call := range c.flow.Calls(fn) {
			k := c.opens(call)
			if k != answer && k != endless || len(streamflow.Args(call)) == 0 {
				continue
			}
			u := c.streamed(call)
			if u == nil {
				continue
			}
			c.owners(streamflow.Args(call)[0], fn, u, of)
		}
	}
}

// owners finds where a client comes from: a parameter of an exported function, or
// a field of the receiver of the methods that lead to its use.
func (c *checker) owners(client ssa.Value, fn *ssa.Function, u *streamUse, of func(*ssa.Function) *funcFact) {
	note := func(fn *ssa.Function, i int) {
		if f := of(fn); f != nil && !contains(f.Clients, i) {
			f.Clients = append(f.Clients, i)
		}
	}
	seen := make(map[ssa.Value]bool)
	var param func(p *ssa.Parameter)
	param = func(p *ssa.Parameter) {
		if seen[p] || len(seen) > 40 {
			return
		}
		seen[p] = true
		i := streamflow.ParamIndex(p)
		note(p.Parent(), i)
		for _, s := range c.flow.Callers(p.Parent()) {
			if i < len(s.Args) {
				if q, ok := base(s.Args[i]).(*ssa.Parameter); ok {
					param(q)
				}
			}
		}
	}
	start := base(client)
	if fv, ok := start.(*ssa.FreeVar); ok {
		if b := c.flow.Binding(fv); b != nil {
			start = base(b)
			if a, ok := start.(*ssa.Alloc); ok && len(c.stores[any(a)]) == 1 {
				start = c.stores[any(a)][0].Val
			}
		}
	}
	p, ok := start.(*ssa.Parameter)
	if !ok {
		return
	}
	if p.Parent() == u.top || u.top == nil || p.Parent() == outermost(u.top) {
		param(p)
		return
	}
	// The stream is read further out: who calls the function that reads it counts.
	top := outermost(u.top)
	if top.Signature.Recv() != nil && len(top.Params) > 0 {
		param(top.Params[0])
	}
}
