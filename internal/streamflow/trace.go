package streamflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// traceBudget bounds the values looked at for one question; beyond it the answer
// is Unknown.
const traceBudget = 3000

const (
	maxDepth = 8 // how deep calls and fields of fields are followed into
	maxPath  = 6 // how long a path of fields is followed
)

// Trace gives the origins of a value. Parameters of the value's own function stay
// parameters; see Arrivals.
func (f *Flow) Trace(v ssa.Value) []Origin { return f.TracePath(v, nil) }

// TracePath gives the origins of the part of a struct value that path leads to.
func (f *Flow) TracePath(v ssa.Value, path Path) []Origin {
	t := f.tracer(0)
	t.value(v, path, route{})
	return t.done()
}

type traceKey struct {
	v      any
	path   string
	joined bool
}

// route is how the trace came from the value asked about to where it stands.
type route struct {
	joins   []ssa.Instruction
	via     []ssa.Instruction
	carried bool
	count   bool
	leaf    *types.Var // the field read last: what kind of text it is
}

func (r route) join(in ssa.Instruction) route {
	r.joins = append(r.joins[:len(r.joins):len(r.joins)], in)
	return r
}

func (r route) pass(in ssa.Instruction) route {
	r.via = append(r.via[:len(r.via):len(r.via)], in)
	return r
}

type tracer struct {
	f      *Flow
	seen   map[traceKey]bool
	out    []Origin
	index  map[originKey]int // of out
	budget *int              // shared by the tracers of one question, as is busy
	busy   map[traceKey]bool // what is being traced further out: a value that holds itself adds nothing
	near   bool              // fields are filled by the function that reads them only
	depth  int
}

func (f *Flow) tracer(depth int) *tracer {
	budget := traceBudget
	return &tracer{f: f, seen: make(map[traceKey]bool), budget: &budget, busy: make(map[traceKey]bool), depth: depth}
}

func (t *tracer) done() []Origin {
	if *t.budget <= 0 {
		return append(t.out, Origin{Kind: Unknown})
	}
	return t.out
}

// originKey tells origins apart that a question cares about; by which of several
// ways the value came is not among it.
type originKey struct {
	kind           Kind
	instr          ssa.Instruction
	param          *ssa.Parameter
	path           string
	joined, carrid bool
}

const (
	maxOrigins = 100 // beyond it the answer is Unknown
	maxRoute   = 40  // how many joins and arrivals are kept for an origin
)

func (t *tracer) emit(o Origin, r route) {
	o.Carried = o.Carried || r.carried
	o.Count = o.Count || r.count
	k := originKey{o.Kind, o.Instr, o.Param, o.Path.String(), len(r.joins)+len(o.Joins) > 0, o.Carried}
	if i, ok := t.index[k]; ok {
		// Come by another way: where it arrived on that way counts too.
		have := &t.out[i]
		have.Via = addNew(addNew(have.Via, r.via), o.Via)
		have.Joins = addNew(addNew(have.Joins, r.joins), o.Joins)
		return
	}
	if len(t.out) >= maxOrigins {
		*t.budget = 0
		return
	}
	if t.index == nil {
		t.index = make(map[originKey]int)
	}
	t.index[k] = len(t.out)
	o.Joins = addNew(addNew(nil, r.joins), o.Joins)
	o.Via = addNew(addNew(nil, r.via), o.Via)
	if o.Instr != nil {
		o.Via = addNew(o.Via, []ssa.Instruction{o.Instr})
	}
	t.out = append(t.out, o)
}

// addNew appends the instructions that are not there yet.
func addNew(list, more []ssa.Instruction) []ssa.Instruction {
	for _, in := range more {
		if len(list) >= maxRoute {
			break
		}
		if !slices.Contains(list, in) {
			list = append(list, in)
		}
	}
	return list
}

func (t *tracer) unknown(in ssa.Instruction, r route) {
	o := Origin{Kind: Unknown, Instr: in}
	if in != nil {
		o.Pos = in.Pos()
	}
	t.emit(o, r)
}

func (t *tracer) visit(v any, path Path, r route) bool {
	k := traceKey{v, path.String(), len(r.joins) > 0}
	if t.seen[k] {
		return false
	}
	t.seen[k] = true
	*t.budget--
	return *t.budget > 0
}

// value traces v backwards; path leads from v to the part that is asked about.
func (t *tracer) value(v ssa.Value, path Path, r route) {
	if !t.visit(v, path, r) {
		return
	}
	k := traceKey{v, path.String(), len(r.joins) > 0}
	if t.busy[k] {
		return
	}
	t.busy[k] = true
	defer delete(t.busy, k)
	if t.depth > maxDepth || len(path) > maxPath {
		t.unknown(nil, r)
		return
	}
	f := t.f
	switch x := v.(type) {
	case *ssa.Const:
		t.emit(Origin{Kind: Const, What: constName(x)}, r)
	case *ssa.Function, *ssa.MakeClosure, *ssa.Builtin:
		t.emit(Origin{Kind: Const}, r)
	case *ssa.Parameter:
		t.param(x, path, r)
	case *ssa.FreeVar:
		if b := f.binding(x); b != nil {
			t.value(b, path, r)
		} else {
			t.unknown(nil, r)
		}
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan, *ssa.Global:
		t.location(f.location(v), v, path, r)
	case *ssa.FieldAddr:
		t.field(x, x.X, x.Field, path, r)
	case *ssa.Field:
		t.field(x, x.X, x.Field, path, r)
	case *ssa.IndexAddr:
		t.value(x.X, path, r)
	case *ssa.Index:
		t.value(x.X, path, r)
	case *ssa.Lookup:
		t.value(x.X, path, r)
	case *ssa.Slice:
		if x.High != nil && t.readCount(x.High) {
			r.count = true
		}
		t.value(x.X, path, r)
	case *ssa.UnOp:
		switch x.Op {
		case token.MUL:
			t.value(x.X, path, r)
		case token.ARROW:
			t.channel(x, x.X, path, r)
		default:
			t.value(x.X, path, r)
		}
	case *ssa.BinOp:
		if x.Op == token.ADD && isString(x.Type()) {
			// A constant on one side (a newline, a quote) changes no state.
			if _, ok := x.X.(*ssa.Const); ok {
				t.value(x.Y, path, r)
				return
			}
			if _, ok := x.Y.(*ssa.Const); ok {
				t.value(x.X, path, r)
				return
			}
			r = r.join(x)
			r.carried = r.carried || f.keepsRest(x.X)
			t.value(x.X, path, r)
			t.value(x.Y, path, r)
			return
		}
		t.unknown(x, r)
	case *ssa.Phi:
		for _, e := range x.Edges {
			t.value(e, path, r)
		}
	case *ssa.Convert:
		if !IsText(x.X.Type()) {
			t.unknown(x, r)
			return
		}
		t.value(x.X, path, r)
	case *ssa.ChangeType:
		t.value(x.X, path, r)
	case *ssa.MultiConvert:
		t.value(x.X, path, r)
	case *ssa.ChangeInterface:
		t.value(x.X, path, r)
	case *ssa.MakeInterface:
		t.value(x.X, path, r)
	case *ssa.TypeAssert:
		t.typed(x.AssertedType, x, x.X, path, r)
	case *ssa.SliceToArrayPointer:
		t.value(x.X, path, r)
	case *ssa.Range:
		t.value(x.X, path, r)
	case *ssa.Extract:
		if !t.refilled(x, path, r) {
			t.extract(x, path, r)
		}
	case *ssa.Call:
		if !t.refilled(x, path, r) {
			t.call(x, 0, path, r)
		}
	default:
		t.unknown(nil, r)
	}
}

// refilled traces a buffer that a call gave (a pool's, say) as what was read into
// it here, where it is cut at the count of a read: what it held before is gone.
func (t *tracer) refilled(v ssa.Value, path Path, r route) bool {
	ws := t.f.writes[any(v)]
	return r.count && slices.ContainsFunc(ws, func(w write) bool { return w.kind == wrFill }) && t.writes(ws, v, path, r)
}

func constName(c *ssa.Const) string {
	if c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value)
	}
	return c.String()
}

// typed traces a value that is known to have a type with a role of its own.
func (t *tracer) typed(typ types.Type, in ssa.Instruction, v ssa.Value, path Path, r route) {
	switch t.f.typeRole(typ) {
	case model.RoleDelta:
		if len(path) > 0 {
			t.fragment(in, shortTypeName(typ)+"."+path.String(), path, r)
			return
		}
		t.emit(Origin{Kind: Delta, Pos: in.Pos(), Instr: in, What: model.TypeName(typ)}, r)
	case model.RoleFinish:
		t.emit(Origin{Kind: Finish, Pos: in.Pos(), Instr: in, What: model.TypeName(typ)}, r)
	default:
		t.value(v, path, r)
	}
}

// fragment emits a fragment, unless the part asked about is a name or an id,
// which are whole in every protocol.
func (t *tracer) fragment(in ssa.Instruction, what string, path Path, r route) {
	if r.leaf != nil && (wholeLeaf(r.leaf) || !IsText(Deref(r.leaf.Type()))) {
		t.unknown(in, r)
		return
	}
	if len(path) > 0 && wholeName(path[len(path)-1]) {
		t.unknown(in, r)
		return
	}
	if len(path) > 0 && !token.IsExported(path[len(path)-1]) {
		// Nothing on the wire fills an unexported field: it is what a library keeps
		// beside the increment, as the SDKs do with the JSON it came in.
		t.unknown(in, r)
		return
	}
	if r.leaf != nil && isRaw(r.leaf.Type()) {
		// A json.RawMessage is a whole JSON value of the frame.
		t.emit(Origin{Kind: Frame, Pos: in.Pos(), Instr: in, What: what}, r)
		return
	}
	t.emit(Origin{Kind: Fragment, Pos: in.Pos(), Instr: in, What: what}, r)
}

func (t *tracer) param(p *ssa.Parameter, path Path, r route) {
	f := t.f
	fn := p.Parent()
	// What the function itself puts into a buffer it was given.
	if ws := f.writes[any(p)]; len(ws) > 0 {
		t.writes(ws, p, path, r)
	}
	if kind, what, ok := f.paramRole(p, path); ok {
		o := Origin{Kind: kind, Pos: p.Pos(), What: what, Param: p, Path: path}
		if len(fn.Blocks) > 0 && len(fn.Blocks[0].Instrs) > 0 {
			o.Instr = fn.Blocks[0].Instrs[0]
		}
		t.emit(o, r)
		return
	}
	if role := f.typeRole(p.Type()); role == model.RoleDelta && len(path) > 0 && len(fn.Blocks) > 0 {
		t.fragment(fn.Blocks[0].Instrs[0], shortTypeName(p.Type())+"."+path.String(), path, r)
		return
	}
	t.emit(Origin{Kind: Param, Pos: p.Pos(), What: p.Name(), Param: p, Path: path}, r)
}

// field traces base.field.path.
func (t *tracer) field(in ssa.Instruction, base ssa.Value, i int, path Path, r route) {
	f := t.f
	v := fieldVar(base.Type(), i)
	if len(path) == 0 {
		r.leaf = v
	}
	switch f.fieldRole(base.Type(), v) {
	case model.RolePiece:
		if len(path) == 0 {
			t.fragment(in, fieldWords(base.Type(), v), path, r)
			return
		}
	case model.RoleDelta:
		if len(path) > 0 {
			t.fragment(in, fieldWords(base.Type(), v)+"."+path.String(), path, r)
			return
		}
		if IsText(v.Type()) {
			t.fragment(in, fieldWords(base.Type(), v), path, r)
			return
		}
		t.emit(Origin{Kind: Delta, Pos: in.Pos(), Instr: in, What: fieldWords(base.Type(), v)}, r)
		return
	case model.RoleFinish:
		t.emit(Origin{Kind: Finish, Pos: in.Pos(), Instr: in, What: fieldWords(base.Type(), v)}, r)
		return
	case model.RoleWhole:
		t.emit(Origin{Kind: Output, Pos: in.Pos(), Instr: in, What: fieldWords(base.Type(), v)}, r)
		return
	case model.RoleChunk:
		t.emit(Origin{Kind: Chunk, Pos: in.Pos(), Instr: in, What: fieldWords(base.Type(), v)}, r)
		return
	case model.RoleFrame:
		t.emit(Origin{Kind: Frame, Pos: in.Pos(), Instr: in, What: fieldWords(base.Type(), v)}, r)
		return
	case model.RoleOutput:
		t.output(in, base, v, path, r)
		return
	}
	if fact := f.fieldFact(v); fact != nil && len(path) == 0 {
		t.emit(Origin{Kind: fact.Kind, Pos: in.Pos(), Instr: in, What: fact.What}, r)
		return
	}
	if f.typeRole(base.Type()) == model.RoleDelta {
		what := fieldWords(base.Type(), v)
		if len(path) > 0 {
			what += "." + path.String()
		}
		t.fragment(in, what, path, r)
		return
	}

	// What the object itself says: it was decoded, it is an increment, it came in
	// as a parameter.
	if near := t.object(base, path.with(v.Name()), r, true); madeHere(near) {
		found := false
		for _, o := range t.stores(in, v, path, r) {
			if o.Kind != Const {
				t.emit(o, r)
				found = true
			}
		}
		if found {
			return
		}
	}
	sub := t.sub()
	sub.value(base, path.with(v.Name()), route{leaf: r.leaf})
	external, telling := false, false
	for _, o := range sub.out {
		switch o.Kind {
		case Decoded, Frame, Whole, Output:
			external = true
		case Call:
			// An object of a library's type that a library made: what this package
			// stores in others of its kind says nothing of it.
			external = external || v.Pkg() != f.pass.Pkg
		case Const, Unknown, Param, Piece:
		default:
			telling = true
		}
	}
	if telling {
		for _, o := range sub.out {
			if o.Kind != Const {
				t.emit(o, r)
			}
		}
		return
	}
	// What the package stores in this field of any object.
	stores := t.stores(in, v, path, r)
	stored := false
	for _, o := range stores {
		if o.Kind != Const {
			stored = true
		}
	}
	switch {
	case external || !stored:
		for _, o := range sub.out {
			t.emit(o, r)
		}
	case jsonName(fieldTag(base.Type(), v)) != "" || v.Pkg() != f.pass.Pkg:
		// A field of a message: where the object came from counts too.
		for _, o := range sub.out {
			if o.Kind == Param {
				t.emit(o, r)
			}
		}
	}
	if !external {
		for _, o := range stores {
			t.emit(o, r)
		}
	}
}

// stores traces what the package stores in a field: what the function that reads
// it stores there itself, and, where that is nothing, what any function does.
func (t *tracer) stores(in ssa.Instruction, v *types.Var, path Path, r route) []Origin {
	all := t.f.writes[v]
	fn := outermost(in.Parent())
	near := make([]write, 0, len(all))
	for _, w := range all {
		if outermost(w.instr.Parent()) == fn {
			near = append(near, w)
		}
	}
	if t.near || len(near) > 0 && len(near) < len(all) {
		sub := t.sub()
		sub.writes(near, in.(ssa.Value), path, route{leaf: r.leaf})
		for _, o := range sub.out {
			if o.Kind != Const {
				return sub.out
			}
		}
		if t.near {
			return sub.out
		}
	}
	sub := t.sub()
	sub.writes(all, in.(ssa.Value), path, route{leaf: r.leaf})
	return sub.out
}

// outermost gives the declared function that a closure is written in.
func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// output traces a field that holds whole model output, unless the object was
// reached through a delta or is put together in this package.
func (t *tracer) output(in ssa.Instruction, base ssa.Value, v *types.Var, path Path, r route) {
	tell := func(origins []Origin) bool {
		found := false
		for _, o := range origins {
			if o.Kind == Fragment || o.Kind == Chunk || o.Kind == Own {
				found = true
			}
		}
		for _, o := range origins {
			if found && o.Kind != Const || o.Kind == Param {
				t.emit(o, r) // the callers of a parameter may know better
				found = true
			}
		}
		return found
	}
	near := t.object(base, path.with(v.Name()), r, true)
	if madeHere(near) {
		found := false
		for _, o := range t.stores(in, v, path, r) {
			if o.Kind != Const && o.Kind != Unknown && o.Kind != Call && o.Kind != Param {
				t.emit(o, r)
				found = true
			}
		}
		// What is traced already further out adds nothing.
		if found || len(t.f.writes[v]) > 0 {
			return
		}
	} else if strong(near) && tell(near) {
		return
	}
	if tell(t.object(base, path.with(v.Name()), r, false)) {
		return
	}
	t.emit(Origin{Kind: Output, Pos: in.Pos(), Instr: in, What: fieldWords(base.Type(), v)}, r)
}

// object traces the part of a struct that path leads to. With near, fields on the
// way are filled only by the function that reads them: other functions may mean
// other objects.
func (t *tracer) object(base ssa.Value, path Path, r route, near bool) []Origin {
	sub := t.sub()
	sub.near = sub.near || near
	sub.value(base, path, route{leaf: r.leaf})
	return sub.out
}

// madeHere reports whether an object is one that this package makes empty and
// fills later.
func madeHere(origins []Origin) bool {
	for _, o := range origins {
		if o.Kind != Const {
			return false
		}
	}
	return true
}

// strong reports whether some origin says what the data is.
func strong(origins []Origin) bool {
	for _, o := range origins {
		switch o.Kind {
		case Const, Unknown, Call, Param, Piece, Decoded, Frame, Whole, Output:
		default:
			return true
		}
	}
	return false
}

// sub makes a tracer that shares what has been seen and collects by itself.
func (t *tracer) sub() *tracer {
	return &tracer{f: t.f, seen: make(map[traceKey]bool), budget: t.budget, busy: t.busy, near: t.near, depth: t.depth + 1}
}

// location traces what a location holds. v is how it is named here.
func (t *tracer) location(l any, v ssa.Value, path Path, r route) {
	f := t.f
	if alloc, ok := l.(*ssa.Alloc); ok && len(path) > 0 {
		if t.allocFields(alloc, path, r) {
			return
		}
	}
	ws := f.writes[l]
	wrote := t.writes(ws, v, path, r)
	// What functions of the package put into it when they get it as an argument.
	if t.depth < maxDepth {
		for _, p := range f.passed[l] {
			body := f.Body(p.call)
			if body == nil || p.arg >= len(body.Params) {
				continue
			}
			inner := f.writes[any(body.Params[p.arg])]
			if len(inner) == 0 {
				continue
			}
			wrote = true
			sub := t.sub()
			sub.writes(inner, body.Params[p.arg], path, route{leaf: r.leaf})
			t.substitute(sub.out, body, p.call, r.pass(p.call))
		}
	}
	if !wrote {
		switch l.(type) {
		case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
			t.emit(Origin{Kind: Const}, r)
		default:
			t.unknown(nil, r)
		}
	}
}

// allocFields traces a part of a local struct, or of the elements of a local
// array, through the stores to just that part of just that variable.
func (t *tracer) allocFields(addr ssa.Value, path Path, r route) bool {
	refs := addr.Referrers()
	if refs == nil {
		return false
	}
	found := false
	for _, ref := range *refs {
		switch ref := ref.(type) {
		case *ssa.IndexAddr:
			if ref.X == addr && t.allocFields(ref, path, r) {
				found = true
			}
		case *ssa.FieldAddr:
			if len(path) > 0 && fieldVar(ref.X.Type(), ref.Field).Name() == path[0] && t.allocFields(ref, path[1:], r) {
				found = true
			}
		case *ssa.Store:
			if ref.Addr == addr {
				found = true
				t.value(ref.Val, path, r)
			}
		}
	}
	return found
}

// writes traces what a list of writes puts into a location.
func (t *tracer) writes(ws []write, v ssa.Value, path Path, r route) bool {
	appends := 0
	for _, w := range ws {
		if w.kind == wrAppend {
			appends++
		}
	}
	carried := t.f.carriedOver(ws)
	wrote := false
	for _, w := range ws {
		r := r
		r.carried = r.carried || carried
		switch w.kind {
		case wrStore:
			wrote = true
			t.value(w.val, path, r.pass(w.instr))
		case wrCopy:
			wrote = true
			if s, ok := w.addr.(*ssa.Slice); ok && s.Low != nil {
				r = r.join(w.instr)
			}
			t.value(w.val, path, r)
		case wrAppend:
			wrote = true
			if appends > 1 || t.f.InLoop(w.instr) || !localTo(v, w.instr) {
				r = r.join(w.instr)
			}
			t.value(w.val, path, r.pass(w.instr))
		case wrWhole:
			wrote = true
			t.emit(Origin{Kind: Whole, Pos: w.instr.Pos(), Instr: w.instr, What: "io.Copy"}, r)
		case wrFill:
			wrote = true
			t.fill(w, path, r)
		}
	}
	return wrote
}

// localTo reports whether the accumulator v lives in the function of the write:
// one write to it is then all there is.
func localTo(v ssa.Value, in ssa.Instruction) bool {
	switch x := v.(type) {
	case *ssa.Alloc:
		return x.Parent() == in.Parent()
	case *ssa.UnOp:
		return localTo(x.X, in)
	}
	return false
}

func (t *tracer) fill(w write, path Path, r route) {
	if w.decoded != nil {
		t.emit(Origin{Kind: Decoded, Pos: w.instr.Pos(), Instr: w.instr, What: w.decoded.Name, Decode: w.decoded, Path: path}, r)
		return
	}
	o := Origin{Pos: w.instr.Pos(), Instr: w.instr}
	if call, ok := w.instr.(ssa.CallInstruction); ok {
		o.What = callWords(call)
	}
	o.Kind = kindOf(w.state)
	if o.Kind == Chunk {
		// Read into the middle of a buffer: the buffer accumulates.
		if s, ok := w.addr.(*ssa.Slice); ok && s.Low != nil {
			if c, ok := s.Low.(*ssa.Const); !ok || c.Int64() != 0 {
				r = r.join(w.instr)
			}
		}
	}
	t.emit(o, r)
}

// channel traces what is sent on a channel.
func (t *tracer) channel(in ssa.Instruction, ch ssa.Value, path Path, r route) {
	f := t.f
	r = r.pass(in)
	l := f.location(ch)
	sent := t.sub()
	sent.writes(f.writes[l], ch, path, route{leaf: r.leaf})
	known := false
	for _, o := range sent.out {
		if o.Kind != Const { // a channel that is only made here has no sender in sight
			known = true
			t.emit(o, r)
		}
	}
	// A channel that came in as a parameter, or out of a call.
	switch x := ch.(type) {
	case *ssa.Parameter:
		if !known {
			t.piece(in, x, path, r)
		}
	default:
		if !known {
			sub := t.sub()
			sub.value(ch, path, route{leaf: r.leaf})
			informative := false
			for _, o := range sub.out {
				if o.Kind != Unknown && o.Kind != Call && o.Kind != Const {
					informative = true
					t.emit(o, r)
				}
			}
			if !informative {
				t.emit(Origin{Kind: Piece, Pos: in.Pos(), Instr: in, What: "channel receive"}, r)
			}
		}
	}
}

func (t *tracer) piece(in ssa.Instruction, p *ssa.Parameter, path Path, r route) {
	t.emit(Origin{Kind: Param, Pos: in.Pos(), Instr: in, What: p.Name(), Param: p, Path: path}, r)
}

func (t *tracer) extract(x *ssa.Extract, path Path, r route) {
	switch tuple := x.Tuple.(type) {
	case *ssa.Call:
		t.call(tuple, x.Index, path, r)
	case *ssa.Lookup:
		if x.Index == 0 {
			t.value(tuple.X, path, r)
			return
		}
		t.unknown(x, r)
	case *ssa.TypeAssert:
		if x.Index == 0 {
			t.typed(tuple.AssertedType, tuple, tuple.X, path, r)
			return
		}
		// The verdict of a type switch: it says something about the value's type.
		if t.f.typeRole(tuple.AssertedType) == model.RoleFinish {
			t.emit(Origin{Kind: Finish, Pos: tuple.Pos(), Instr: tuple, What: model.TypeName(tuple.AssertedType)}, r)
			return
		}
		t.unknown(x, r)
	case *ssa.UnOp:
		if tuple.Op == token.ARROW {
			if x.Index == 0 {
				t.channel(tuple, tuple.X, path, r)
			} else {
				t.emit(Origin{Kind: Finish, Pos: tuple.Pos(), Instr: tuple, What: "channel close"}, r)
			}
			return
		}
		t.unknown(x, r)
	case *ssa.Next:
		if x.Index == 0 {
			t.unknown(x, r)
			return
		}
		rng, ok := tuple.Iter.(*ssa.Range)
		if !ok {
			t.unknown(x, r)
			return
		}
		t.value(rng.X, path, r)
	case *ssa.Select:
		// (index, recvOk, received values in the order of the receiving cases)
		if x.Index == 1 {
			t.emit(Origin{Kind: Finish, Pos: tuple.Pos(), Instr: tuple, What: "channel close"}, r)
			return
		}
		n := 2
		for _, s := range tuple.States {
			if s.Dir != types.RecvOnly {
				continue
			}
			if n == x.Index {
				t.channel(tuple, s.Chan, path, r)
				return
			}
			n++
		}
		t.unknown(x, r)
	default:
		t.unknown(x, r)
	}
}

// call traces result i of a call.
func (t *tracer) call(call *ssa.Call, i int, path Path, r route) {
	f := t.f
	args := Args(call)
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		t.builtin(call, b.Name(), args, path, r)
		return
	}
	callee := Callee(call)
	name := model.FuncName(callee)
	if sig := call.Call.Signature(); i < sig.Results().Len() && IsError(sig.Results().At(i).Type()) {
		t.emit(Origin{Kind: Error, Pos: call.Pos(), Instr: call, What: callWords(call)}, r)
		return
	}
	if callee != nil {
		for _, s := range f.sources(name) {
			if s.Out != model.Result || i != 0 && !(s.State == model.Frame && i == 1 && callee.Signature().Results().Len() == 3) {
				continue
			}
			t.source(call, s, path, r)
			return
		}
		if d, ok := model.LookupDecoder(name); ok {
			if i == 0 && d.Into == model.Result && !d.Bool {
				o := Origin{Kind: Decoded, Pos: call.Pos(), Instr: call, What: shortName(callee), Path: path}
				if ds := f.decodeOf(call); len(ds) > 0 {
					o.Decode = ds[0]
				}
				t.emit(o, r)
				return
			}
			t.unknown(call, r)
			return
		}
		if p, ok := model.LookupPass(name); ok {
			if i > 0 && !IsText(call.Call.Signature().Results().At(i).Type()) {
				t.unknown(call, r) // the verdict of Cut, CutPrefix
				return
			}
			if p.Join {
				r = r.join(call)
			}
			for _, a := range p.Args {
				if a < len(args) {
					t.value(args[a], path, r)
				}
			}
			return
		}
		switch name {
		case "fmt.Sprintf", "fmt.Sprint", "fmt.Sprintln", "fmt.Append", "fmt.Appendf":
			t.format(call, name, args, path, r)
			return
		}
	}
	if t.depth < maxDepth {
		if bodies := f.callees(call); len(bodies) > 0 {
			for _, body := range bodies {
				t.substitute(f.results(body, i, path, t.depth), body, call, r.pass(call))
			}
			return
		}
	}
	if callee != nil && callee.Pkg() != f.pass.Pkg {
		if fact := f.funcFact(callee); fact != nil {
			if t.factResult(fact, call, i, args, path, r) {
				return
			}
		}
	}
	if len(path) > 0 && call.Call.Signature().Results().Len() > i {
		if f.typeRole(call.Call.Signature().Results().At(i).Type()) == model.RoleDelta {
			t.fragment(call, path.String(), path, r)
			return
		}
	}
	t.emit(Origin{Kind: Call, Pos: call.Pos(), Instr: call, What: callWords(call), Path: path}, r)
}

func (t *tracer) source(call *ssa.Call, s model.Source, path Path, r route) {
	o := Origin{Kind: kindOf(s.State), Pos: call.Pos(), Instr: call, What: callWords(call)}
	if s.Func == "(bufio.Reader).Peek" && !arbitrary(call.Call.Args[1]) {
		o.Kind = Unknown // a length that somebody computed: perhaps that of a record
	}
	// ReadAll of something in memory is what the memory holds.
	if s.State == model.Whole && len(Args(call)) > 0 {
		if in := call.Call.Args[0]; len(path) == 0 {
			sub := t.sub()
			sub.value(in, nil, route{})
			for _, x := range sub.out {
				if x.Kind == Chunk || x.Kind == Fragment {
					t.emit(x, r)
					return
				}
			}
		}
	}
	t.emit(o, r)
}

// arbitrary reports whether a length has nothing to do with the data: a constant,
// or what happens to be buffered.
func arbitrary(n ssa.Value) bool {
	switch x := n.(type) {
	case *ssa.Const:
		return true
	case *ssa.Call:
		return CalleeName(x) == "(bufio.Reader).Buffered"
	}
	return false
}

func (t *tracer) builtin(call *ssa.Call, name string, args []ssa.Value, path Path, r route) {
	switch name {
	case "append":
		if isBytes(call.Type()) && !emptySlice(args[0]) {
			r = r.join(call)
			if t.f.keepsRest(args[0]) {
				r.carried = true
			}
		}
		if !emptySlice(args[0]) {
			t.value(args[0], path, r)
		}
		if len(args) > 1 {
			t.value(args[1], path, r)
		}
	default:
		t.unknown(call, r)
	}
}

// emptySlice reports whether v is nil, or a slice cut to length zero.
func emptySlice(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Const:
		return x.Value == nil
	case *ssa.Slice:
		if c, ok := x.High.(*ssa.Const); ok {
			return c.Int64() == 0
		}
		if a, ok := x.X.(*ssa.Alloc); ok && x.High == nil {
			if p, ok := a.Type().Underlying().(*types.Pointer); ok {
				if arr, ok := p.Elem().Underlying().(*types.Array); ok {
					return arr.Len() == 0
				}
			}
		}
	case *ssa.MakeSlice:
		c, ok := x.Len.(*ssa.Const)
		return ok && c.Int64() == 0
	case *ssa.Convert:
		return emptySlice(x.X)
	case *ssa.ChangeType:
		return emptySlice(x.X)
	}
	return false
}

// format traces fmt.Sprintf and its kin: with more than one argument that is text
// the result is a join.
func (t *tracer) format(call *ssa.Call, name string, args []ssa.Value, path Path, r route) {
	list := args[len(args)-1]
	s, ok := list.(*ssa.Slice)
	if !ok {
		t.unknown(call, r)
		return
	}
	alloc, ok := s.X.(*ssa.Alloc)
	if !ok {
		t.unknown(call, r)
		return
	}
	var parts []ssa.Value
	for _, ref := range *alloc.Referrers() {
		ia, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *ia.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == ia {
				mi, ok := st.Val.(*ssa.MakeInterface)
				if !ok || !IsText(mi.X.Type()) {
					continue
				}
				if k, ok := ia.Index.(*ssa.Const); ok && !keepsText(name, args, int(k.Int64()), mi.X.Type()) {
					continue
				}
				parts = append(parts, mi.X)
			}
		}
	}
	if len(parts) == 0 {
		t.unknown(call, r)
		return
	}
	if len(parts) > 1 {
		r = r.join(call)
	}
	for _, p := range parts {
		t.value(p, path, r)
	}
}

// substitute continues the origins of a callee at its call: where they end in
// the callee's parameters, the arguments are traced.
func (t *tracer) substitute(origins []Origin, body *ssa.Function, call ssa.CallInstruction, r route) {
	args := Args(call)
	for _, o := range origins {
		if o.Kind != Param || o.Param == nil || o.Param.Parent() != body {
			t.emit(o, r)
			continue
		}
		k := paramIndex(o.Param)
		if k < 0 || k >= len(args) {
			t.unknown(call, r)
			continue
		}
		inner := r
		inner.joins = append(append([]ssa.Instruction(nil), r.joins...), o.Joins...)
		inner.carried = r.carried || o.Carried
		inner.count = r.count || o.Count
		t.value(args[k], o.Path, inner)
	}
}

func paramIndex(p *ssa.Parameter) int {
	for i, q := range p.Parent().Params {
		if q == p {
			return i
		}
	}
	return -1
}

// summaryKey names a result of a function of the package, or a part of it.
type summaryKey struct {
	fn   *ssa.Function
	i    int
	path string
}

// results gives the origins of result i of a function of the package, with the
// function's own parameters left standing.
func (f *Flow) results(body *ssa.Function, i int, path Path, depth int) []Origin {
	k := summaryKey{body, i, path.String()}
	if out, ok := f.summaries[k]; ok {
		return out
	}
	f.summaries[k] = nil // a recursive call adds nothing
	t := f.tracer(depth + 1)
	for _, b := range body.Blocks {
		if ret, ok := last(b).(*ssa.Return); ok && i < len(ret.Results) {
			t.value(ret.Results[i], path, route{})
		}
	}
	out := t.done()
	f.summaries[k] = out
	return out
}

// readCount reports whether v is the count that a read returned, or computed
// from one.
func (t *tracer) readCount(v ssa.Value) bool {
	seen := make(map[ssa.Value]bool)
	var ask func(v ssa.Value) bool
	ask = func(v ssa.Value) bool {
		if seen[v] {
			return false
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Extract:
			call, ok := x.Tuple.(*ssa.Call)
			return ok && x.Index == 0 && Callee(call) != nil && isReadMethod(Callee(call))
		case *ssa.Phi:
			for _, e := range x.Edges {
				if ask(e) {
					return true
				}
			}
		case *ssa.BinOp:
			return ask(x.X) || ask(x.Y)
		case *ssa.Convert:
			return ask(x.X)
		}
		return false
	}
	return ask(v)
}
