package streamflow

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// FuncFact is what importing packages need to know of a function.
type FuncFact struct {
	// Decodes lists the parameters that the function hands to a whole-document
	// decoder, under no condition that shows an end.
	Decodes []ParamUse
	// Results says what state a result has.
	Results []ResultFact
	// Callbacks says what the function calls its function parameters with.
	Callbacks []CallbackFact
	// Yields says what an iterator that the function returns yields; Param is the
	// position of the result.
	Yields []CallbackFact
}

// ParamUse names a part of a parameter; the receiver of a method is parameter 0.
type ParamUse struct {
	Param int
	Path  Path
	// Via is the decoder at the end, for messages.
	Via string
}

// ResultFact says where a result comes from.
type ResultFact struct {
	Result int
	Kind   Kind // Chunk or Fragment; Param for an argument handed through
	What   string
	Param  int
	Path   Path
}

// CallbackFact says that the function calls its parameter Param with an argument
// of a state.
type CallbackFact struct {
	Param, Arg int
	Kind       Kind
	What       string
}

// AFact marks the type as a fact.
func (*FuncFact) AFact() {}

func (f *FuncFact) String() string {
	var parts []string
	for _, d := range f.Decodes {
		parts = append(parts, fmt.Sprintf("decodes(%d%s)", d.Param, dotted(d.Path)))
	}
	for _, r := range f.Results {
		if r.Kind == Param {
			parts = append(parts, fmt.Sprintf("returns(%d=param %d%s)", r.Result, r.Param, dotted(r.Path)))
		} else {
			parts = append(parts, fmt.Sprintf("returns(%d=%s)", r.Result, r.Kind))
		}
	}
	for _, c := range f.Callbacks {
		parts = append(parts, fmt.Sprintf("calls(%d with %d=%s)", c.Param, c.Arg, c.Kind))
	}
	for _, c := range f.Yields {
		parts = append(parts, fmt.Sprintf("yields(%d with %d=%s)", c.Param, c.Arg, c.Kind))
	}
	return strings.Join(parts, " ")
}

func dotted(p Path) string {
	if len(p) == 0 {
		return ""
	}
	return "." + p.String()
}

// FieldFact is the state of what its package stores in a field.
type FieldFact struct {
	Kind Kind
	What string
}

// AFact marks the type as a fact.
func (*FieldFact) AFact() {}

func (f *FieldFact) String() string { return "holds " + f.Kind.String() }

func (f *Flow) funcFact(fn *types.Func) *FuncFact {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == f.pass.Pkg || standard(fn.Pkg().Path()) {
		return nil
	}
	var fact FuncFact
	if f.pass.ImportObjectFact(fn.Origin(), &fact) {
		return &fact
	}
	return nil
}

func (f *Flow) fieldFact(v *types.Var) *FieldFact {
	if v.Pkg() == nil || v.Pkg() == f.pass.Pkg || standard(v.Pkg().Path()) {
		return nil
	}
	var fact FieldFact
	if f.pass.ImportObjectFact(v.Origin(), &fact) {
		return &fact
	}
	return nil
}

// factResult continues a trace through a function of another package.
func (t *tracer) factResult(fact *FuncFact, call *ssa.Call, i int, args []ssa.Value, path Path, r route) bool {
	known := false
	for _, res := range fact.Results {
		if res.Result != i {
			continue
		}
		switch {
		case res.Kind == Param && res.Param < len(args):
			known = true
			t.value(args[res.Param], append(append(Path(nil), res.Path...), path...), r.pass(call))
		case len(path) == 0:
			known = true
			t.emit(Origin{Kind: res.Kind, Pos: call.Pos(), Instr: call, What: res.What}, r)
		}
	}
	return known
}

// exportFacts writes the facts of the package's exported functions and fields.
func (f *Flow) exportFacts() {
	f.exportFuncVars()
	decodes := f.paramDecodes()
	for _, fn := range f.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !obj.Exported() || fn.Parent() != nil {
			continue
		}
		fact := FuncFact{Decodes: decodes[fn], Results: f.resultFacts(fn), Callbacks: f.callbackFacts(fn), Yields: f.yieldFacts(fn)}
		if k, ok := f.marks.results[obj]; ok {
			fact.Results = append(fact.Results, ResultFact{Result: 0, Kind: k, What: obj.Name()})
		}
		if len(fact.Decodes)+len(fact.Results)+len(fact.Callbacks)+len(fact.Yields) > 0 {
			f.pass.ExportObjectFact(obj, &fact)
		}
	}
	f.exportFieldFacts()
}

// paramDecodes finds, for each function, the parameters that reach a decoder.
func (f *Flow) paramDecodes() map[*ssa.Function][]ParamUse {
	out := make(map[*ssa.Function][]ParamUse)
	add := func(fn *ssa.Function, u ParamUse) bool {
		for _, have := range out[fn] {
			if have.Param == u.Param && have.Path.String() == u.Path.String() {
				return false
			}
		}
		out[fn] = append(out[fn], u)
		return true
	}
	type job struct {
		in   ssa.Instruction
		v    ssa.Value
		path Path
		via  string
	}
	var work []job
	for _, d := range f.decodes {
		if !d.Bool {
			work = append(work, job{d.Call, d.Data, d.Path, d.Name})
		}
	}
	for n := 0; len(work) > 0 && n < 2000; n++ {
		j := work[len(work)-1]
		work = work[:len(work)-1]
		if f.Ending(j.in) != Open {
			continue
		}
		for _, o := range f.TracePath(j.v, j.path) {
			if o.Kind != Param || o.Param == nil || o.Joined() || o.Carried {
				continue
			}
			fn := o.Param.Parent()
			if fn != j.in.Parent() {
				continue
			}
			u := ParamUse{Param: paramIndex(o.Param), Path: o.Path, Via: j.via}
			if !add(fn, u) {
				continue
			}
			for _, s := range f.Callers(fn) {
				if u.Param < len(s.Args) {
					work = append(work, job{s.Call, s.Args[u.Param], u.Path, j.via})
				}
			}
		}
	}
	return out
}

// resultFacts gives the states of a function's text results.
func (f *Flow) resultFacts(fn *ssa.Function) []ResultFact {
	var out []ResultFact
	res := fn.Signature.Results()
	for i := range res.Len() {
		if !IsText(res.At(i).Type()) {
			continue
		}
		if r, ok := one(f.results(fn, i, nil, 0), fn); ok {
			r.Result = i
			out = append(out, r)
		}
	}
	return out
}

// one gives the single state that all origins agree on: a fragment, a chunk, or a
// parameter handed through. Origins that are joined, carried or unknown agree on
// nothing.
func one(origins []Origin, fn *ssa.Function) (ResultFact, bool) {
	var out ResultFact
	found := false
	for _, o := range origins {
		if o.Kind == Const {
			continue
		}
		var r ResultFact
		switch {
		case o.Joined() || o.Carried:
			return out, false
		case o.Kind == Fragment || o.Kind == Chunk:
			r = ResultFact{Kind: o.Kind, What: o.What}
		case o.Kind == Param && o.Param != nil && o.Param.Parent() == fn:
			r = ResultFact{Kind: Param, Param: paramIndex(o.Param), Path: o.Path}
		default:
			return out, false
		}
		if found && (r.Kind != out.Kind || r.Param != out.Param || r.Path.String() != out.Path.String()) {
			return out, false
		}
		out, found = r, true
	}
	return out, found
}

// callbackFacts says what a function hands to its function parameters.
func (f *Flow) callbackFacts(fn *ssa.Function) []CallbackFact {
	var out []CallbackFact
	for k, p := range fn.Params {
		sig, ok := p.Type().Underlying().(*types.Signature)
		if !ok {
			continue
		}
		out = append(out, f.handedTo(p, sig, k)...)
	}
	return out
}

// handedTo gives the states of what a function value is called with.
func (f *Flow) handedTo(p *ssa.Parameter, sig *types.Signature, position int) []CallbackFact {
	var out []CallbackFact
	for _, call := range f.callsOf(p) {
		for j, arg := range call.Common().Args {
			if j >= sig.Params().Len() || !IsText(sig.Params().At(j).Type()) {
				continue
			}
			if r, ok := one(f.Trace(arg), p.Parent()); ok && r.Kind != Param {
				out = append(out, CallbackFact{position, j, r.Kind, r.What})
			}
		}
	}
	return out
}

// yieldFacts says what the iterators that a function returns yield.
func (f *Flow) yieldFacts(fn *ssa.Function) []CallbackFact {
	var out []CallbackFact
	res := fn.Signature.Results()
	for i := range res.Len() {
		sig, ok := res.At(i).Type().Underlying().(*types.Signature)
		if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
			continue
		}
		yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
		if !ok {
			continue
		}
		for _, body := range f.returnedFunctions(fn, i, 0) {
			if len(body.Params) == 1 {
				out = append(out, f.handedTo(body.Params[0], yield, i)...)
			}
		}
	}
	return out
}

// callsOf gives the calls of a function value held in a parameter, closures that
// capture it included.
func (f *Flow) callsOf(p *ssa.Parameter) []ssa.CallInstruction {
	var out []ssa.CallInstruction
	seen := make(map[ssa.Value]bool)
	var follow func(v ssa.Value)
	follow = func(v ssa.Value) {
		if seen[v] || v.Referrers() == nil {
			return
		}
		seen[v] = true
		for _, ref := range *v.Referrers() {
			switch x := ref.(type) {
			case ssa.CallInstruction:
				if x.Common().Value == v && !x.Common().IsInvoke() {
					out = append(out, x)
				}
			case *ssa.Store: // a parameter that a closure captures lives in a variable
				if x.Val == v {
					follow(x.Addr)
				}
			case *ssa.UnOp:
				follow(x)
			case *ssa.MakeClosure:
				inner := x.Fn.(*ssa.Function)
				for i, b := range x.Bindings {
					if b == v && i < len(inner.FreeVars) {
						follow(inner.FreeVars[i])
					}
				}
			}
		}
	}
	follow(p)
	return out
}

func (f *Flow) exportFieldFacts() {
	scope := f.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !tn.Exported() {
			continue
		}
		s, ok := tn.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for i := range s.NumFields() {
			v := s.Field(i).Origin()
			if !v.Exported() || !IsText(v.Type()) || v.Pkg() != f.pass.Pkg {
				continue
			}
			if role, ok := f.marks.fields[v]; ok {
				kind := Fragment
				if role == model.RoleWhole {
					kind = Frame
				}
				f.pass.ExportObjectFact(v, &FieldFact{Kind: kind, What: tn.Name() + "." + v.Name()})
				continue
			}
			ws := f.writes[v]
			if len(ws) == 0 {
				continue
			}
			t := f.tracer(0)
			for _, w := range ws {
				if w.kind == wrStore {
					t.value(w.val, nil, route{})
				} else {
					t.unknown(w.instr, route{})
				}
			}
			if r, ok := one(t.done(), nil); ok {
				f.pass.ExportObjectFact(v, &FieldFact{Kind: r.Kind, What: r.What})
			}
		}
	}
}
