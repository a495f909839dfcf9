package silentdefault

import (
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// rank says how sure it is that data is of a stream, weakest first.
type rank uint8

const (
	elsewhere rank = iota // nothing is known of it
	answer                // what a call over the network gave
	asked                 // the body of a request to this server
	given                 // text that came in as a parameter
	body                  // the body of an HTTP response, the output of a program
	streamed              // a message or a piece of a stream
	output                // the output of a model, or arguments of a tool call
)

// scope says what data a decode gets.
type scope struct {
	rank rank
	own  bool // bytes that this program has encoded itself, or a constant
	file bool // a local file
	// part says that the data is a part of a document that was decoded already.
	part bool
	at   streamflow.Origin
	// raw says that it is a json.RawMessage parameter of the function itself: a part
	// of a document that somebody has decoded, looked at for its shape.
	raw bool
}

func (c *checker) scope(s *subject) scope {
	var sc scope
	known, constants := false, 0
	consider := func(r rank, o streamflow.Origin, part bool) {
		if r > sc.rank {
			sc.rank, sc.at, sc.part = r, o, part
		}
		known = known || r > elsewhere
	}
	var look func(list []streamflow.Origin, depth int, part bool)
	look = func(list []streamflow.Origin, depth int, part bool) {
		for _, o := range list {
			switch o.Kind {
			case streamflow.Own:
				sc.own = true
			case streamflow.Const:
				constants++
			case streamflow.Chunk, streamflow.Frame, streamflow.Piece:
				if c.localFile(o) {
					sc.file = true
				} else {
					consider(streamed, o, part)
				}
			case streamflow.Whole:
				if c.localFile(o) {
					sc.file = true
				} else {
					consider(body, o, part)
				}
			case streamflow.Fragment, streamflow.Delta, streamflow.Output:
				consider(output, o, part)
			case streamflow.Decoded:
				if o.Decode != nil && depth < 4 {
					look(c.origins(o.Decode.Call, o.Decode.Data, o.Decode.Path), depth+1, true)
				}
			case streamflow.Param:
				r := c.param(o)
				if r == given && rawMessage(o.Param.Type()) {
					consider(r, o, true)
					continue
				}
				if r == elsewhere && part {
					r = answer
				}
				consider(r, o, part)
			case streamflow.Call:
				if in := pointee(o); in != nil && depth < 4 {
					switch c.flow.FieldRole(in) {
					case model.RolePiece, model.RoleDelta, model.RoleOutput, model.RoleWhole:
						consider(output, o, part)
						continue
					}
					look(c.origins(o.Instr, in, nil), depth+1, part)
					continue
				}
				consider(c.result(o), o, part)
			}
		}
	}
	look(c.origins(s.call, s.data, s.path), 0, false)
	if toolArguments(s.data) && len(s.path) == 0 || argumentsAt(s.data.Type(), s.path) {
		consider(output, streamflow.Origin{Kind: streamflow.Output, Pos: s.data.Pos(), What: "the arguments of a tool call"}, false)
	}
	for _, o := range c.flow.TracePath(s.data, s.path) {
		if o.Kind == streamflow.Param && o.Param != nil && o.Param.Parent() == s.fn && len(o.Path) == 0 && textOrReader(o.Param.Type()) {
			sc.raw = rawMessage(o.Param.Type())
			if !sc.own && !sc.file {
				consider(given, o, rawMessage(o.Param.Type()))
			}
		}
	}
	c.arrives(s, consider, &sc)
	if sc.rank < streamed && c.framed(s) {
		consider(streamed, streamflow.Origin{Kind: streamflow.Frame, Pos: s.data.Pos(), What: "the message read in this loop"}, false)
	}
	if r := reader(s.data); r != nil {
		if kind := httpBody(r); kind > elsewhere {
			consider(kind, streamflow.Origin{Kind: streamflow.Whole, Pos: r.Pos(), What: "an HTTP body"}, false)
		}
	}
	sc.own = sc.own && !known
	return sc
}

// arrives looks at how the value is written down: a channel receive, an answer of a
// call, an argument of a callback, or a field of one of these.
func (c *checker) arrives(s *subject, consider func(rank, streamflow.Origin, bool), sc *scope) {
	seen := make(map[ssa.Value]bool)
	var look func(v ssa.Value, part bool)
	look = func(v ssa.Value, part bool) {
		if v == nil || seen[v] || len(seen) > 60 {
			return
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Convert:
			look(x.X, part)
		case *ssa.ChangeType:
			look(x.X, part)
		case *ssa.MakeInterface:
			look(x.X, part)
		case *ssa.TypeAssert:
			look(x.X, part)
		case *ssa.Slice:
			look(x.X, part)
		case *ssa.Field:
			look(x.X, true)
		case *ssa.FieldAddr:
			look(x.X, true)
		case *ssa.IndexAddr:
			look(x.X, part)
		case *ssa.Index:
			look(x.X, part)
		case *ssa.Lookup:
			look(x.X, part)
		case *ssa.Range:
			look(x.X, part)
		case *ssa.Next:
			look(x.Iter, part)
		case *ssa.Phi:
			for _, e := range x.Edges {
				look(e, part)
			}
		case *ssa.UnOp:
			if x.Op == token.ARROW {
				consider(streamed, streamflow.Origin{Kind: streamflow.Piece, Pos: x.Pos(), What: "channel receive"}, false)
				return
			}
			look(x.X, part)
		case *ssa.Alloc:
			if x == root(strip(s.into)) {
				return
			}
			for _, ref := range *x.Referrers() {
				if st, ok := ref.(*ssa.Store); ok && st.Addr == x {
					look(st.Val, part)
				}
			}
		case *ssa.Extract:
			switch t := x.Tuple.(type) {
			case *ssa.Select:
				if x.Index > 1 {
					consider(streamed, streamflow.Origin{Kind: streamflow.Piece, Pos: x.Pos(), What: "channel receive"}, false)
				}
			case *ssa.Call:
				o := streamflow.Origin{Kind: streamflow.Call, Pos: t.Pos(), Instr: t, What: streamflow.CallWords(t)}
				if part {
					o.Path = streamflow.Path{"?"}
				}
				consider(c.result(o), o, false)
			default:
				look(x.Tuple, part)
			}
		case *ssa.Parameter:
			if part && eventCallback(x) {
				consider(streamed, streamflow.Origin{Kind: streamflow.Param, Pos: x.Pos(), What: x.Name(), Param: x}, false)
			}
		}
	}
	look(s.data, false)
}

// eventCallback reports whether a parameter is what a function handed to somebody
// gets together with an error, message by message.
func eventCallback(p *ssa.Parameter) bool {
	fn := p.Parent()
	if fn.Parent() == nil {
		return false
	}
	for _, q := range fn.Params {
		if q != p && streamflow.IsError(q.Type()) {
			return true
		}
	}
	return false
}

// pointee gives the argument of a call that turns a *string into a string.
func pointee(o streamflow.Origin) ssa.Value {
	call, ok := o.Instr.(*ssa.Call)
	if !ok || len(o.Path) > 0 || len(call.Call.Args) == 0 || !streamflow.IsText(call.Type()) {
		return nil
	}
	arg := call.Call.Args[0]
	if p, ok := arg.Type().Underlying().(*types.Pointer); ok && types.Identical(p.Elem(), call.Type()) {
		return arg
	}
	return nil
}

// argumentsAt reports whether path leads from a struct to the arguments of a tool
// call.
func argumentsAt(t types.Type, path streamflow.Path) bool {
	for n, name := range path {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return false
		}
		i := 0
		for i < s.NumFields() && s.Field(i).Name() != name {
			i++
		}
		if i == s.NumFields() {
			return false
		}
		if n == len(path)-1 {
			return argumentsField(t, i)
		}
		t = s.Field(i).Type()
	}
	return false
}

func (c *checker) origins(use ssa.Instruction, v ssa.Value, path streamflow.Path) []streamflow.Origin {
	var out []streamflow.Origin
	for _, a := range c.flow.Arrivals(use, v, path) {
		if a.Kind == streamflow.Param && a.Param != nil && !leadsTo(a.Uses, a.Param) {
			a.Kind = streamflow.Unknown // what another function once put into a field
		}
		out = append(out, a.Origin)
	}
	return out
}

// leadsTo reports whether each use is a call of the function that the one before
// stands in, and the parameter one of the last.
func leadsTo(uses []ssa.Instruction, p *ssa.Parameter) bool {
	for i, in := range uses[1:] {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			return false
		}
		if fn := call.Common().StaticCallee(); fn != nil && fn != uses[i].Parent() && fn.Origin() != uses[i].Parent() {
			return false
		}
	}
	return p.Parent() == uses[len(uses)-1].Parent()
}

// param ranks a parameter that nothing in the package calls.
func (c *checker) param(o streamflow.Origin) rank {
	if o.Param == nil {
		return elsewhere
	}
	t := o.Param.Type()
	if _, ok := t.Underlying().(*types.Chan); ok {
		return streamed
	}
	if len(o.Path) > 0 && eventCallback(o.Param) {
		return streamed
	}
	if len(o.Path) == 0 {
		if textOrReader(t) || textSlice(t) {
			return given
		}
		return elsewhere
	}
	switch model.TypeName(t) {
	case "net/http.Response":
		return body
	case "net/http.Request":
		if o.Path[len(o.Path)-1] == "Body" {
			return asked
		}
	}
	return elsewhere
}

// framed reports whether the data comes out of a call in the same loop whose error
// is compared with io.EOF there: a reader of messages, home-made.
func (c *checker) framed(s *subject) bool {
	v := s.data
	for range 12 {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.Alloc:
			var st *ssa.Store
			for _, ref := range *x.Referrers() {
				if r, ok := ref.(*ssa.Store); ok && r.Addr == x {
					st = r
				}
			}
			if st == nil {
				return false
			}
			v = st.Val
		case *ssa.Extract:
			call, ok := x.Tuple.(*ssa.Call)
			if !ok || !c.flow.SameLoop(call, s.call) {
				return false
			}
			err := streamflow.Result(call, call.Call.Signature().Results().Len()-1)
			return err != nil && comparedWithEOF(err)
		default:
			return false
		}
	}
	return false
}

func comparedWithEOF(err ssa.Value) bool {
	isEOF := func(v ssa.Value) bool {
		u, ok := v.(*ssa.UnOp)
		if !ok {
			return false
		}
		g, ok := u.X.(*ssa.Global)
		return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "io" && g.Name() == "EOF"
	}
	for _, ref := range *err.Referrers() {
		switch x := ref.(type) {
		case *ssa.BinOp:
			if isEOF(x.X) || isEOF(x.Y) {
				return true
			}
		case *ssa.Call:
			if streamflow.CalleeName(x) == "errors.Is" && len(x.Call.Args) == 2 && isEOF(x.Call.Args[1]) {
				return true
			}
		}
	}
	return false
}

// result ranks the result of a call of which nothing is known: one that takes a
// context and can fail goes over the network.
func (c *checker) result(o streamflow.Origin) rank {
	call, ok := o.Instr.(ssa.CallInstruction)
	if !ok {
		return elsewhere
	}
	sig := call.Common().Signature()
	for i := range sig.Results().Len() {
		if model.TypeName(sig.Results().At(i).Type()) == "net/http.Response" && len(o.Path) > 0 {
			return body
		}
	}
	if streamflow.ErrorResult(sig) < 1 || sig.Params().Len() == 0 || model.TypeName(sig.Params().At(0).Type()) != "context.Context" {
		return elsewhere
	}
	return answer
}

// localFile reports whether an origin reads a file of this machine.
func (c *checker) localFile(o streamflow.Origin) bool {
	call, ok := o.Instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	switch streamflow.CalleeName(call) {
	case "os.ReadFile", "io/ioutil.ReadFile", "io/fs.ReadFile", "(embed.FS).ReadFile", "(os.Root).ReadFile":
		return true
	}
	for i, arg := range streamflow.Args(call) {
		if i > 1 {
			break
		}
		if c.opensFile(call, arg, 0) {
			return true
		}
	}
	return false
}

func (c *checker) opensFile(use ssa.Instruction, v ssa.Value, depth int) bool {
	if depth > 3 {
		return false
	}
	if model.TypeName(strip(v).Type()) == "os.File" && !isStandard(strip(v)) {
		return true
	}
	for _, o := range c.origins(use, v, nil) {
		call, ok := o.Instr.(ssa.CallInstruction)
		if !ok || o.Kind != streamflow.Call {
			continue
		}
		switch name := streamflow.CalleeName(call); {
		case name == "os.Open", name == "os.OpenFile", name == "os.Create", strings.HasSuffix(name, "FS).Open"), name == "io/fs.Open":
			return true
		case strings.HasPrefix(name, "compress/"), strings.HasPrefix(name, "archive/"):
			for _, a := range call.Common().Args {
				if c.opensFile(call, a, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// isStandard reports whether v is os.Stdin.
func isStandard(v ssa.Value) bool {
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := u.X.(*ssa.Global)
	return ok && g.Name() == "Stdin"
}

// rawMessage reports whether t is a part of a document that was decoded already.
func rawMessage(t types.Type) bool {
	n := model.TypeName(t)
	return strings.HasSuffix(n, ".RawMessage") || strings.HasSuffix(n, "jsontext.Value")
}

func textOrReader(t types.Type) bool {
	if streamflow.IsText(t) {
		return true
	}
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for k := range i.NumMethods() {
		if i.Method(k).Name() == "Read" {
			return true
		}
	}
	return false
}

func textSlice(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && streamflow.IsText(s.Elem())
}

// reader gives what the decoder made on the spot reads from.
func reader(v ssa.Value) ssa.Value {
	call, ok := v.(*ssa.Call)
	if !ok || !strings.HasSuffix(streamflow.CalleeName(call), ".NewDecoder") || len(call.Call.Args) == 0 {
		return nil
	}
	return strip(call.Call.Args[0])
}

// httpBody ranks a reader that is the body of an HTTP message.
func httpBody(v ssa.Value) rank {
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return elsewhere
	}
	fa, ok := u.X.(*ssa.FieldAddr)
	if !ok {
		return elsewhere
	}
	switch model.TypeName(fa.X.Type()) {
	case "net/http.Response":
		return body
	case "net/http.Request":
		return asked
	}
	return elsewhere
}

// toolArguments reports whether v is read from a field that holds the arguments of
// a tool call: called arguments on the wire, next to a name.
func toolArguments(v ssa.Value) bool {
	for range 12 {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			return argumentsField(x.X.Type(), x.Field)
		case *ssa.Field:
			return argumentsField(x.X.Type(), x.Field)
		case *ssa.Call:
			if b := base(x); b != v {
				v = b
				continue
			}
			return false
		default:
			return false
		}
	}
	return false
}

func argumentsField(t types.Type, i int) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || wireName(s, i) != "arguments" {
		return false
	}
	ft := s.Field(i).Type()
	if _, isAny := ft.Underlying().(*types.Interface); !isAny && !streamflow.IsText(ft) {
		return false
	}
	for k := range s.NumFields() {
		if wireName(s, k) == "name" {
			return true
		}
	}
	return false
}

// wireName gives the name of a field in JSON, in lower case.
func wireName(s *types.Struct, i int) string {
	name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
	if name == "" {
		name = s.Field(i).Name()
	}
	return strings.ToLower(name)
}

// allows reports whether an event on such data is to be reported.
func (sc *scope) allows(ev *event, s *subject, w *walk) bool {
	if s.valid && ev.kind == returned && textResult(s.fn) {
		return false // a filter on candidates: "" means that this one is none
	}
	if s.helper && ev.kind == skipped && w.c.tellsItself(s) {
		return false
	}
	if s.valid && ev.replaced && ev.kind >= returned {
		// Text that is no document is replaced by an empty one: whatever it was for.
		return !sc.file && !ev.said || sc.rank == output
	}
	if s.helper && s.result && ev.kind != skipped && types.Identical(w.t.typ, s.data.Type()) {
		return false // text made from text: the function may give back what it got
	}
	if sc.part && scalar(w.t.typ) {
		return false // a part of a document that was decoded already, probed for its type
	}
	switch ev.kind {
	case used:
		if loose(w.t.typ) && w.c.decodedBefore(s) {
			return false // any object decodes into it, and that it is one was shown
		}
		if sc.rank == answer && ev.said && !ev.quietly {
			return false
		}
		switch {
		case sc.rank >= body, sc.rank == given, sc.rank == answer:
			return true
		case sc.rank == asked:
			return !w.dropped // a body that may be missing is read just so
		}
		// A helper that returns the value and a nil error whatever happens.
		_, ret := ev.at.(*ssa.Return)
		return w.dropped && !sc.file && !sc.own && (ret || w.returnsValue()) && streamflow.ErrorResult(s.fn.Signature) >= 0 && (w.t.out || s.fn.Signature.Results().Len() > 1)
	case returned:
		if w.c.decodedByCaller(s) || sc.raw {
			return false // an extra, or another shape than hoped for
		}
		if ev.said && !ev.quietly {
			return sc.rank == output
		}
		if sc.rank == given && textResult(s.fn) || saysNone(s.fn, ev.at) || w.c.decodedBefore(s) {
			return false // "" is how such a function says that there is none
		}
		return sc.rank >= given
	case skipped:
		if ev.said || len(w.full.uses) == 0 && !w.t.out || w.c.readsTokens(s) {
			return false
		}
		if rawMessage(unconverted(s.data).Type()) && loose(w.t.typ) {
			return false // a part of a decoded document that is no object is left out
		}
		if textResult(s.fn) && w.c.ofParameter(s) {
			return false // a text is searched for something that decodes
		}
		if w.c.accumulating(s) || w.c.decodedBefore(s) {
			return false // nothing is lost: it is tried again with more, or was decoded already
		}
		return !w.c.decodedByCaller(s) && w.losesPiece(ev, sc)
	}
	return false
}

// textResult reports whether a function gives a plain string: empty, it means
// that there is none.
func textResult(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	return res.Len() == 1 && types.Identical(res.At(0).Type(), types.Typ[types.String])
}

// saysNone reports whether a function gives an empty string, and no error, in
// another place too: that is how it says that there is none.
func saysNone(fn *ssa.Function, at ssa.Instruction) bool {
	res := fn.Signature.Results()
	if res.Len() == 0 || !types.Identical(res.At(0).Type(), types.Typ[types.String]) {
		return false
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || ssa.Instruction(ret) == at || len(ret.Results) == 0 {
			continue
		}
		none := true
		for _, r := range ret.Results {
			none = none && isDefault(resultOf(r, b))
		}
		if none {
			return true
		}
	}
	return false
}

func unconverted(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Convert:
			v = x.X
		default:
			return v
		}
	}
}

// ofParameter reports whether what is decoded is a part of the function's own
// parameter.
func (c *checker) ofParameter(s *subject) bool {
	origins := c.flow.TracePath(s.data, s.path)
	for _, o := range origins {
		if o.Kind != streamflow.Param && o.Kind != streamflow.Const {
			return false
		}
	}
	return len(origins) > 0
}

// loose reports whether every JSON object decodes into t: a map of anything, or
// anything at all.
func loose(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return u.Empty()
	case *types.Map:
		i, ok := u.Elem().Underlying().(*types.Interface)
		return ok && i.Empty() || rawMessage(u.Elem())
	case *types.Pointer:
		return loose(u.Elem())
	}
	return false
}

// tellsItself reports whether a function that decodes logs by itself what went
// wrong.
func (c *checker) tellsItself(s *subject) bool {
	body := c.flow.Body(s.call)
	if body == nil {
		return false
	}
	for _, call := range c.flow.Calls(body) {
		if streamflow.IsPrint(call) {
			return true
		}
	}
	return false
}

// resultOf gives what a block that ends in a return returns: in a function with
// defers, a result is stored in a variable first and loaded again.
func resultOf(r ssa.Value, b *ssa.BasicBlock) ssa.Value {
	load, ok := r.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return r
	}
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		if st, ok := b.Instrs[i].(*ssa.Store); ok && st.Addr == load.X {
			return st.Val
		}
	}
	return r
}

// accumulating reports whether what is decoded is all that has arrived so far: if
// it does not decode yet, the next piece is put behind it. (That it is decoded so
// early is a finding of another check.)
func (c *checker) accumulating(s *subject) bool {
	joined := false
	for _, a := range c.flow.Arrivals(s.call, s.data, s.path) {
		if a.Kind == streamflow.Const {
			continue
		}
		if !a.Joined() || a.Carried {
			return false
		}
		joined = joined || c.flow.Receiving(&a)
	}
	return joined
}

// decodedBefore reports whether the function has decoded the same text already and
// looked at the error: this is a further look at it.
func (c *checker) decodedBefore(s *subject) bool {
	for _, d := range c.inside[s.fn] {
		if d.call != s.call && !d.valid && referred(d.err) && same(d.data, s.data, 0) &&
			d.call.Block().Dominates(s.call.Block()) && c.flow.Reaches(d.call, s.call) && !c.flow.Reaches(s.call, d.call) {
			return true
		}
	}
	return false
}

// readsTokens reports whether the function also takes the document token by token:
// what is broken shows there, and a part of another type is left out.
func (c *checker) readsTokens(s *subject) bool {
	if !strings.HasSuffix(model.TypeName(s.data.Type()), ".Decoder") {
		return false
	}
	for _, call := range c.flow.Calls(s.fn) {
		if fn := streamflow.Callee(call); fn != nil && fn.Name() == "Token" && same(streamflow.Args(call)[0], s.data, 0) {
			return true
		}
	}
	return false
}

// decodedByCaller reports whether a function that calls this one decodes the same
// text too and looks at the error: what is done here is an extra.
func (c *checker) decodedByCaller(s *subject) bool {
	for _, a := range c.flow.Arrivals(s.call, s.data, s.path) {
		p, ok := base(s.data).(*ssa.Parameter)
		for _, call := range a.Uses[1:] {
			in, isCall := call.(ssa.CallInstruction)
			if !isCall || !ok {
				break
			}
			args := streamflow.Args(in)
			k := position(p)
			if k < 0 || k >= len(args) {
				break
			}
			for _, d := range c.inside[call.Parent()] {
				if d.call != in && d.call != s.call && !d.valid && referred(d.err) && same(d.data, args[k], 0) && !(d.into != nil && errorShaped(strip(d.into).Type())) {
					return true
				}
			}
			p, ok = base(args[k]).(*ssa.Parameter)
		}
	}
	return false
}

// returnsValue reports whether the value, or something it was put into, leaves by a
// return.
func (w *walk) returnsValue() bool {
	for in := range w.full.uses {
		if m, ok := in.(*ssa.MapUpdate); ok {
			if _, ok := m.Map.(*ssa.Parameter); ok {
				return true
			}
		}
		if _, ok := in.(*ssa.Return); ok {
			return true
		}
	}
	return false
}

// losesPiece reports whether a skip loses a message: in a loop that receives, or in
// a function called for each.
func (w *walk) losesPiece(ev *event, sc *scope) bool {
	flow := w.c.flow
	if flow.InLoop(w.s.call) {
		if !w.arrivesInLoop() {
			return false // several shapes are tried on one text
		}
		if sc.rank < streamed && !w.goesRound() {
			return false // asked until it parses
		}
		switch {
		case sc.rank >= body, sc.rank == given:
			return true
		case sc.rank == answer:
			return streamflow.ErrorResult(w.s.fn.Signature) >= 0
		}
		return false
	}
	if ev.again {
		return false
	}
	return sc.rank >= given && sc.rank != body && w.perEvent()
}

// perEvent reports whether the function runs once for each message: it is a callback
// handed to somebody, or called from a loop.
func (w *walk) perEvent() bool {
	fn := w.s.fn
	if fn.Parent() == nil || len(fn.Params) == 0 {
		return w.c.flow.PerEvent(fn)
	}
	for _, call := range w.c.flow.Calls(fn.Parent()) {
		for _, a := range call.Common().Args {
			switch f := strip(a).(type) {
			case *ssa.Function:
				if f == fn {
					return true
				}
			case *ssa.MakeClosure:
				if f.Fn == fn {
					return true
				}
			}
		}
	}
	return w.c.flow.PerEvent(fn)
}

// arrivesInLoop reports whether the data is another one in each turn.
func (w *walk) arrivesInLoop() bool {
	v := w.s.data
	for range 20 {
		if in, ok := v.(ssa.Instruction); ok && w.c.flow.SameLoop(in, w.s.call) {
			switch x := v.(type) {
			case *ssa.Convert:
				v = x.X
				continue
			case *ssa.ChangeType:
				v = x.X
				continue
			case *ssa.MakeInterface:
				v = x.X
				continue
			case *ssa.UnOp:
				if x.Op == token.ARROW {
					return true
				}
				v = x.X
				continue
			case *ssa.FieldAddr:
				v = x.X
				continue
			case *ssa.Slice:
				v = x.X
				continue
			}
			return true
		}
		if a, ok := v.(*ssa.Alloc); ok { // a variable filled in the loop
			for _, ref := range *a.Referrers() {
				if st, ok := ref.(*ssa.Store); ok && st.Addr == a && w.c.flow.SameLoop(st, w.s.call) {
					return true
				}
			}
			return false
		}
		// A decoder or scanner made before the loop gives another document each turn.
		return strings.HasSuffix(model.TypeName(v.Type()), ".Decoder") || strings.HasSuffix(model.TypeName(v.Type()), ".Scanner")
	}
	return false
}

// goesRound reports whether the loop goes on after a decode that went well.
func (w *walk) goesRound() bool {
	for _, b := range w.s.fn.Blocks {
		ifi, ok := last(b).(*ssa.If)
		if !ok {
			continue
		}
		t, f := w.failing(ifi.Cond)
		if t == f {
			continue
		}
		good := b.Succs[0]
		if t {
			good = b.Succs[1]
		}
		if w.c.flow.SameLoop(good.Instrs[0], w.s.call) {
			return true
		}
	}
	return false
}

func scalar(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Interface:
		return u.Empty()
	case *types.Slice:
		return scalar(u.Elem())
	}
	return false
}

// errorWords are the names that the fields of an error body have.
var errorWords = map[string]bool{
	"error": true, "errors": true, "message": true, "msg": true, "code": true, "type": true, "status": true, "detail": true,
	"details": true, "param": true, "reason": true, "request_id": true, "requestid": true, "error_description": true,
	"title": true, "errormessage": true, "error_message": true, "errmsg": true, "errcode": true, "error_code": true,
	"statuscode": true, "success": true, "ok": true, "fault": true, "__type": true, "description": true,
}

// errorShaped reports whether a type is the body of an error answer: it is an error
// itself, or all its fields tell of one.
func errorShaped(t types.Type) bool {
	for {
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		t = p.Elem()
	}
	if _, ok := t.Underlying().(*types.Interface); !ok && isErrorType(t) {
		return true
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || s.NumFields() == 0 {
		return false
	}
	tells := false
	for i := range s.NumFields() {
		n := wireName(s, i)
		if !errorWords[n] {
			if isErrorType(s.Field(i).Type()) {
				tells = true
				continue
			}
			return false
		}
		switch n {
		case "error", "errors", "message", "msg", "error_description", "errormessage", "error_message", "errmsg", "detail", "fault":
			tells = true
		}
	}
	return tells
}
