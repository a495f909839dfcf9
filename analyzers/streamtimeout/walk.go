package streamtimeout

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/streamflow"
)

// maxWalked bounds the values that one object is followed through.
const maxWalked = 1500

// walk follows a value forwards: through variables, fields, arguments, results
// and closures of the package.
type walk struct {
	c    *checker
	seen map[ssa.Value]bool
	work []ssa.Value
	// top is the outermost function that the value has come back to.
	top map[ssa.Value]*ssa.Function
	// entered are the calls by which the value came into a function: it goes back to
	// these alone.
	entered map[*ssa.Function]map[ssa.CallInstruction]bool
	// foreign is asked for each call that is given the value and has no body here.
	foreign func(v ssa.Value, call ssa.CallInstruction, i int)
	// enter, where set, is asked before the value goes into the function of a call;
	// false keeps it out.
	enter func(v ssa.Value, call ssa.CallInstruction, i int) bool
	// part says whether a field of the value carries on what is followed.
	part func(owner ssa.Value, field *types.Var) bool
	// holds says which types can hold it.
	holds func(t types.Type) bool
	// veto, where set, keeps a value out.
	veto func(v ssa.Value) bool
	// local keeps the walk inside one function and its closures.
	local *ssa.Function
	// returned and stored, where set, hear of results and of places that are not
	// followed.
	returned func(ret *ssa.Return, i int, v ssa.Value)
	stored   func(st *ssa.Store)
}

func (c *checker) walk() *walk {
	return &walk{c: c, seen: make(map[ssa.Value]bool), top: make(map[ssa.Value]*ssa.Function),
		entered: make(map[*ssa.Function]map[ssa.CallInstruction]bool)}
}

func (w *walk) mark(v ssa.Value, top *ssa.Function) {
	if v == nil || w.seen[v] || len(w.seen) > maxWalked {
		return
	}
	switch v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin:
		return
	}
	if w.holds != nil && !w.holds(v.Type()) {
		return
	}
	if w.veto != nil && w.veto(v) {
		return
	}
	w.seen[v] = true
	w.top[v] = top
	w.work = append(w.work, v)
}

func (w *walk) run() {
	for len(w.work) > 0 {
		v := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		if g, ok := v.(*ssa.Global); ok {
			for _, in := range w.c.globals[g] {
				w.use(v, in)
			}
			continue
		}
		if v.Referrers() == nil {
			continue
		}
		for _, in := range *v.Referrers() {
			w.use(v, in)
		}
	}
}

func (w *walk) use(v ssa.Value, in ssa.Instruction) {
	top := w.top[v]
	switch x := in.(type) {
	case *ssa.Store:
		if x.Val == v {
			w.put(x, top)
		}
	case *ssa.UnOp:
		if x.Op == token.MUL || x.Op == token.ARROW {
			w.mark(x, top)
			w.extracts(x, 0, top)
		}
	case *ssa.FieldAddr:
		if x.X == v && w.descend(v, x.X, x.Field) {
			w.mark(x, top)
		}
	case *ssa.Field:
		if x.X == v && w.descend(v, x.X, x.Field) {
			w.mark(x, top)
		}
	case *ssa.Phi, *ssa.ChangeType, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.Convert, *ssa.Slice:
		w.mark(x.(ssa.Value), top)
	case *ssa.TypeAssert:
		if x.CommaOk {
			w.extracts(x, 0, top)
		} else {
			w.mark(x, top)
		}
	case *ssa.IndexAddr:
		if x.X == v {
			w.mark(x, top)
		}
	case *ssa.Index:
		if x.X == v {
			w.mark(x, top)
		}
	case *ssa.Lookup:
		if x.X == v {
			w.mark(x, top)
			w.extracts(x, 0, top)
		}
	case *ssa.Range:
		// Its type is none that go/types can look at.
		for _, ref := range *x.Referrers() {
			if n, ok := ref.(*ssa.Next); ok {
				w.extracts(n, 2, top)
			}
		}
	case *ssa.MapUpdate:
		if x.Value == v {
			w.mark(x.Map, top)
		}
	case *ssa.Send:
		if x.X == v {
			w.mark(x.Chan, top)
			w.aliases(x.Chan, top)
		}
	case *ssa.MakeClosure:
		fn := x.Fn.(*ssa.Function)
		for i, b := range x.Bindings {
			if b == v && i < len(fn.FreeVars) {
				w.mark(fn.FreeVars[i], top)
			}
		}
	case *ssa.Return:
		w.leave(v, x)
	case ssa.CallInstruction:
		w.call(v, x)
	}
}

// extracts marks one part of what a comma-ok operation or an iteration gives.
func (w *walk) extracts(v ssa.Value, i int, top *ssa.Function) {
	if _, ok := v.Type().(*types.Tuple); !ok {
		return
	}
	for _, ref := range *v.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && e.Index == i {
			w.mark(e, top)
		}
	}
}

// descend reports whether a part of an object carries what is followed. Fields of
// the package's own structs are followed by themselves.
func (w *walk) descend(v, owner ssa.Value, i int) bool {
	f := fieldOf(owner, i)
	if f == nil {
		return false
	}
	if w.part != nil {
		return w.part(owner, f)
	}
	return f.Pkg() != w.c.pass.Pkg
}

// put follows a value into the place where it is stored.
func (w *walk) put(st *ssa.Store, top *ssa.Function) {
	if w.stored != nil {
		w.stored(st)
	}
	switch a := st.Addr.(type) {
	case *ssa.FreeVar:
		w.mark(a, top)
		if b := w.c.flow.Binding(a); b != nil {
			w.mark(b, top)
		}
	case *ssa.FieldAddr:
		f := fieldOf(a.X, a.Field)
		if f == nil {
			return
		}
		if f.Pkg() != w.c.pass.Pkg || w.local != nil {
			// What a foreign struct does with the field nobody here sees: the struct
			// stands for it.
			w.mark(a.X, top)
			w.aliases(a.X, top)
			return
		}
		w.field(f, top)
	case *ssa.IndexAddr:
		w.mark(a.X, top)
		w.aliases(a.X, top)
	default:
		w.mark(a, top)
	}
}

// field marks the places that name a field.
func (w *walk) field(f *types.Var, top *ssa.Function) {
	for _, r := range w.c.reads[f] {
		w.mark(r, top)
	}
}

// aliases marks the variable that a value was loaded from, so that other loads of
// it count too.
func (w *walk) aliases(v ssa.Value, top *ssa.Function) {
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return
		}
		switch a := x.X.(type) {
		case *ssa.FieldAddr:
			if f := fieldOf(a.X, a.Field); f != nil && f.Pkg() == w.c.pass.Pkg && w.local == nil {
				w.field(f, top)
			}
		case *ssa.Alloc, *ssa.Global:
			w.mark(a, top)
		case *ssa.FreeVar:
			w.mark(a, top)
			if b := w.c.flow.Binding(a); b != nil {
				w.mark(b, top)
			}
		}
	case *ssa.FieldAddr:
		if f := fieldOf(x.X, x.Field); f != nil {
			if f.Pkg() == w.c.pass.Pkg {
				if w.local == nil {
					w.field(f, top)
				}
			} else {
				w.mark(x.X, top)
				w.aliases(x.X, top)
			}
		}
	}
}

// leave follows a result to the callers.
func (w *walk) leave(v ssa.Value, ret *ssa.Return) {
	fn := ret.Parent()
	for i, r := range ret.Results {
		if r != v {
			continue
		}
		if w.returned != nil {
			w.returned(ret, i, v)
		}
		if w.local != nil {
			continue
		}
		for _, s := range w.c.flow.Callers(fn) {
			if in := w.entered[fn]; in != nil && !in[s.Call] {
				continue
			}
			if res := streamflow.Result(s.Call, i); res != nil {
				w.mark(res, s.Call.Parent())
			}
		}
	}
}

func (w *walk) call(v ssa.Value, call ssa.CallInstruction) {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" && call.Value() != nil {
			w.mark(call.Value(), w.top[v])
		}
		return
	}
	for i, arg := range streamflow.Args(call) {
		if arg != v {
			continue
		}
		callees := w.c.flow.Callees(call)
		if len(callees) == 0 {
			if w.foreign != nil {
				w.foreign(v, call, i)
			}
			continue
		}
		// What an interface of another package does is seen only in part.
		if common.IsInvoke() && i == 0 && common.Method.Pkg() != w.c.pass.Pkg && w.foreign != nil {
			w.foreign(v, call, i)
		}
		if w.enter != nil && !w.enter(v, call, i) {
			continue
		}
		for _, fn := range callees {
			if i < len(fn.Params) && (w.local == nil || fn.Parent() != nil) {
				w.enters(fn, call)
				w.mark(fn.Params[i], w.top[v])
			}
		}
	}
}

func (w *walk) enters(fn *ssa.Function, call ssa.CallInstruction) {
	if w.entered[fn] == nil {
		w.entered[fn] = make(map[ssa.CallInstruction]bool)
	}
	w.entered[fn][call] = true
	// What came in before by another way has been followed already; what comes in by
	// this call later goes back to it.
	if p := fn.Params; len(p) > 0 {
		for _, b := range fn.Blocks {
			ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok {
				continue
			}
			for i, r := range ret.Results {
				if w.seen[r] {
					w.mark(streamflow.Result(call, i), call.Parent())
				}
			}
		}
	}
}

// results marks what a call gives, but for errors and plain values.
func (w *walk) results(call ssa.CallInstruction, top *ssa.Function) {
	sig := call.Common().Signature()
	for i := range sig.Results().Len() {
		if !plain(sig.Results().At(i).Type()) {
			w.mark(streamflow.Result(call, i), top)
		}
	}
}

// plain reports whether nothing can be kept in a value of the type.
func plain(t types.Type) bool {
	if streamflow.IsError(t) || streamflow.IsText(t) {
		return true
	}
	_, basic := t.Underlying().(*types.Basic)
	return basic
}

// base gives the object whose field an address names, looking through loads of
// variables that hold one thing.
func base(v ssa.Value) ssa.Value {
	for range 20 {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Slice:
			v = x.X
		default:
			return v
		}
	}
	return v
}

// functions gives the functions that the value was followed through.
func (w *walk) functions() map[*ssa.Function]bool {
	out := make(map[*ssa.Function]bool)
	for v := range w.seen {
		if fn := v.Parent(); fn != nil {
			out[fn] = true
		}
	}
	return out
}
