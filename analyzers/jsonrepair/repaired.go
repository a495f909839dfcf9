package jsonrepair

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

const maxDepth = 30

type resultKey struct {
	fn *ssa.Function
	i  int
}

// repaired gives the place where a text was completed, nil where it was not or that
// is out of sight.
func (c *checker) repaired(v ssa.Value, depth int, seen map[ssa.Value]bool) *repair {
	if v == nil || depth > maxDepth || seen[v] {
		return nil
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Convert:
		return c.repaired(x.X, depth+1, seen)
	case *ssa.ChangeType:
		return c.repaired(x.X, depth+1, seen)
	case *ssa.MultiConvert:
		return c.repaired(x.X, depth+1, seen)
	case *ssa.MakeInterface:
		return c.repaired(x.X, depth+1, seen)
	case *ssa.ChangeInterface:
		return c.repaired(x.X, depth+1, seen)
	case *ssa.Slice:
		return c.repaired(x.X, depth+1, seen)
	case *ssa.Phi:
		var weak *repair
		for _, e := range x.Edges {
			r := c.repaired(e, depth+1, seen)
			if r != nil && !r.quote {
				return r
			}
			if r != nil {
				weak = r
			}
		}
		return weak
	case *ssa.BinOp:
		if x.Op != token.ADD {
			return nil
		}
		inner := c.repaired(x.X, depth+1, seen)
		if inner != nil && !inner.quote {
			return inner
		}
		if c.closes(x.Y, 0) && !c.opened(x.X, 0, make(map[ssa.Value]bool)) && !c.restores(x.X, streamflow.ConstText(x.Y)) {
			return &repair{at: x, pos: x.Pos(), what: "closers appended", quote: strings.Trim(streamflow.ConstText(x.Y), `"`) == "" && streamflow.ConstText(x.Y) != ""}
		}
		return inner
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return c.stored(x.X, depth, seen)
		}
	case *ssa.FreeVar:
		return c.stored(x, depth, seen)
	case *ssa.Alloc:
		return c.stored(x, depth, seen)
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return c.called(call, x.Index, depth, seen)
		}
	case *ssa.Call:
		return c.called(x, 0, depth, seen)
	}
	return nil
}

// stored looks at what is put into a variable. Fields are left alone: which object's
// field it is, is out of sight.
func (c *checker) stored(addr ssa.Value, depth int, seen map[ssa.Value]bool) *repair {
	switch addr.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global:
		return nil
	}
	for _, p := range c.flow.Puts(c.flow.Location(addr)) {
		if p.Val == nil {
			continue
		}
		if r := c.repaired(p.Val, depth+1, seen); r != nil {
			return r
		}
	}
	return nil
}

func (c *checker) called(call *ssa.Call, i, depth int, seen map[ssa.Value]bool) *repair {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if b.Name() != "append" || len(call.Call.Args) < 2 {
			return nil
		}
		if c.closes(call.Call.Args[1], 0) && !c.opened(call.Call.Args[0], 0, make(map[ssa.Value]bool)) && !c.restores(call.Call.Args[0], "}") {
			return &repair{at: call, pos: call.Pos(), what: "closers appended", quote: onlyQuotes(call.Call.Args[1])}
		}
		return c.repaired(call.Call.Args[0], depth+1, seen)
	}
	callee := streamflow.Callee(call)
	name := model.FuncName(callee)
	args := streamflow.Args(call)
	switch name {
	case "(strings.Builder).String", "(bytes.Buffer).String", "(bytes.Buffer).Bytes":
		return c.built(args[0])
	case "fmt.Sprintf", "fmt.Sprint":
		return nil
	}
	if model.RepairFuncs[name] {
		return &repair{at: call, pos: call.Pos(), what: streamflow.CallWords(call), text: firstText(args)}
	}
	if p, ok := model.LookupPass(name); ok {
		if p.Join {
			return nil
		}
		for _, a := range p.Args {
			if a < len(args) {
				if r := c.repaired(args[a], depth+1, seen); r != nil {
					return r
				}
			}
		}
		return nil
	}
	if body := c.flow.Body(call); body != nil {
		if !takesText(body) {
			return nil // it makes a document, of whatever it is given
		}
		if r := c.result(body, i, depth+1); r != nil {
			return &repair{at: r.at, pos: r.pos, what: streamflow.CallWords(call), quote: r.quote, text: firstText(args)}
		}
		return nil
	}
	if callee == nil {
		return nil
	}
	if callee.Pkg() == nil || callee.Pkg() == c.pass.Pkg && !call.Call.IsInvoke() {
		return nil
	}
	var fact repairFact
	if c.pass.ImportObjectFact(callee.Origin(), &fact) {
		if fact.Result == i {
			return &repair{at: call, pos: call.Pos(), what: streamflow.CallWords(call), text: firstText(args)}
		}
		return nil
	}
	sig := callee.Signature()
	if i == 0 && sig.Params().Len() > 0 && sig.Results().Len() > 0 && streamflow.IsText(sig.Results().At(0).Type()) &&
		streamflow.IsText(sig.Params().At(0).Type()) && model.NamesRepair(callee.Pkg().Name(), callee.Name()) {
		return &repair{at: call, pos: call.Pos(), what: streamflow.CallWords(call), text: firstText(args)}
	}
	return nil
}

// firstText gives the first argument that is text.
func firstText(args []ssa.Value) ssa.Value {
	for _, a := range args {
		if streamflow.IsText(a.Type()) {
			return a
		}
	}
	return nil
}

// takesText reports whether a function has a parameter that is text.
func takesText(fn *ssa.Function) bool {
	for _, p := range fn.Params {
		if streamflow.IsText(p.Type()) {
			return true
		}
	}
	return false
}

// mends reports whether a function can be one that mends a text: it gets that text and
// nothing else to write. One that gets a key or a value as well edits a document.
func mends(fn *ssa.Function) bool {
	texts := 0
	params := fn.Signature.Params()
	for i := range params.Len() {
		switch t := params.At(i).Type(); {
		case streamflow.IsText(t):
			texts++
		case types.IsInterface(t) && t.String() != "context.Context":
			return false
		}
	}
	return texts == 1
}

// onlyQuotes reports whether the bytes of an append are quotes and nothing else.
func onlyQuotes(v ssa.Value) bool {
	if k := streamflow.ConstText(v); k != "" {
		return strings.Trim(k, `"`) == ""
	}
	return eachByte(v, func(k rune) bool { return k == '"' })
}

// eachByte reports whether the bytes of an append are constants that all pass a test.
func eachByte(v ssa.Value, ok func(rune) bool) bool {
	s, isSlice := v.(*ssa.Slice)
	if !isSlice {
		return false
	}
	a, isAlloc := s.X.(*ssa.Alloc)
	if !isAlloc {
		return false
	}
	found := false
	for _, ref := range *a.Referrers() {
		ia, isElem := ref.(*ssa.IndexAddr)
		if !isElem {
			continue
		}
		for _, use := range *ia.Referrers() {
			if st, isStore := use.(*ssa.Store); isStore && st.Addr == ia {
				k, isConst := runeConst(st.Val)
				if !isConst || !ok(k) {
					return false
				}
				found = true
			}
		}
	}
	return found
}

// result looks at what a function of the package gives back.
func (c *checker) result(fn *ssa.Function, i, depth int) *repair {
	k := resultKey{fn, i}
	if r, ok := c.results[k]; ok {
		return r
	}
	if depth > maxDepth {
		return nil
	}
	c.results[k] = nil // a recursive call adds nothing
	for _, b := range fn.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || i >= len(ret.Results) {
			continue
		}
		if r := c.repaired(ret.Results[i], depth+1, make(map[ssa.Value]bool)); r != nil {
			c.results[k] = r
			return r
		}
	}
	return nil
}

// built looks at what is written to a builder: a text that comes from elsewhere, and
// closers behind it, with no opener of its own.
func (c *checker) built(recv ssa.Value) *repair {
	var text bool
	var at ssa.Instruction
	for _, p := range c.flow.Puts(c.flow.Location(recv)) {
		if p.Val == nil {
			continue
		}
		if k := streamflow.ConstText(p.Val); k != "" {
			if strings.ContainsAny(k, "{[") {
				return nil
			}
		}
		if c.closes(p.Val, 0) {
			at = p.Instr
			continue
		}
		text = text || streamflow.ConstText(p.Val) == ""
	}
	// WriteByte and WriteRune are not among the writes that the tables list.
	if refs := recv.Referrers(); refs != nil {
		for _, ref := range *refs {
			call, ok := ref.(*ssa.Call)
			if !ok {
				continue
			}
			switch streamflow.CalleeName(call) {
			case "(strings.Builder).WriteByte", "(strings.Builder).WriteRune", "(bytes.Buffer).WriteByte", "(bytes.Buffer).WriteRune":
				args := streamflow.Args(call)
				if k, ok := runeConst(args[1]); ok && (k == '{' || k == '[') {
					return nil
				}
				if c.closer(args[1], 0) {
					at = call
				} else {
					text = true
				}
			}
		}
	}
	if !text || at == nil {
		return nil
	}
	return &repair{at: at, pos: at.Pos(), what: "closers appended"}
}

// restores reports whether the program itself has taken a closer off the text that it
// appends it to: off the front, where the split of a stream had left it, or as the
// separator that the text was split at.
func (c *checker) restores(v ssa.Value, closer string) bool {
	if closer = strings.TrimSpace(closer); closer == "" {
		return false
	}
	from := func(call *ssa.Call, names ...string) bool {
		args := streamflow.Args(call)
		return slices.Contains(names, streamflow.CalleeName(call)) && len(args) > 1 && strings.HasPrefix(strings.TrimSpace(streamflow.ConstText(args[1])), closer)
	}
	switch x := v.(type) {
	case *ssa.Convert:
		return c.restores(x.X, closer)
	case *ssa.BinOp: // the document without its end, and more: doc[:len(doc)-1] + member + "}"
		more := false
		for b, ok := v.(*ssa.BinOp); ok && b.Op == token.ADD; b, ok = v.(*ssa.BinOp) {
			more = more || !c.closes(b.Y, 0)
			v = b.X
		}
		return more && trimmed(v)
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && len(x.Call.Args) > 1 {
			more := false
			for {
				more = more || !c.closes(x.Call.Args[1], 0)
				v = x.Call.Args[0]
				next, ok := v.(*ssa.Call)
				if !ok {
					break
				}
				if b, ok := next.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || len(next.Call.Args) < 2 {
					break
				}
				x = next
			}
			return more && trimmed(v)
		}
		return from(x, "strings.TrimPrefix", "strings.TrimLeft", "bytes.TrimPrefix", "bytes.TrimLeft")
	case *ssa.Extract:
		call, ok := x.Tuple.(*ssa.Call)
		return ok && x.Index == 0 && from(call, "strings.Cut", "bytes.Cut", "strings.CutPrefix", "bytes.CutPrefix")
	case *ssa.UnOp: // an element of what was split
		if ia, ok := x.X.(*ssa.IndexAddr); ok && x.Op == token.MUL {
			call, ok := ia.X.(*ssa.Call)
			return ok && from(call, "strings.Split", "strings.SplitN", "bytes.Split", "bytes.SplitN")
		}
	}
	return false
}

// trimmed reports whether the end of a text was taken off by its length.
func trimmed(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Convert:
		return trimmed(x.X)
	case *ssa.Slice:
		b, ok := x.High.(*ssa.BinOp)
		if !ok || b.Op != token.SUB {
			return false
		}
		n, ok := b.X.(*ssa.Call)
		_, isConst := b.Y.(*ssa.Const)
		if !ok || !isConst {
			return false
		}
		bi, ok := n.Call.Value.(*ssa.Builtin)
		return ok && bi.Name() == "len"
	}
	return false
}

func runeConst(v ssa.Value) (rune, bool) {
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value != nil && x.Value.Kind() == constant.Int {
			return rune(x.Int64()), true
		}
	case *ssa.Convert:
		return runeConst(x.X)
	}
	return 0, false
}

// closes reports whether a text is made of closers only: "}", "]}", a number of
// them, an element of a stack of them.
func (c *checker) closes(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Const:
		s := streamflow.ConstText(x)
		return s != "" && strings.Trim(s, "}]\" \n\t") == "" && strings.ContainsAny(s, "}]\"")
	case *ssa.Convert:
		if streamflow.IsText(x.X.Type()) {
			return c.closes(x.X, depth+1)
		}
		return c.closer(x.X, depth+1)
	case *ssa.Phi:
		found := false
		for _, e := range x.Edges {
			if streamflow.ConstText(e) == "" {
				if k, ok := e.(*ssa.Const); ok && k.Value != nil {
					continue // the empty text
				}
			}
			if e == v || !c.closes(e, depth+1) {
				return false
			}
			found = true
		}
		return found
	case *ssa.Call:
		if streamflow.CalleeName(x) == "strings.Repeat" || streamflow.CalleeName(x) == "bytes.Repeat" {
			return c.closes(x.Call.Args[0], depth+1)
		}
	case *ssa.Slice: // the variadic bytes of append
		a, ok := x.X.(*ssa.Alloc)
		return ok && c.allClosers(a)
	case *ssa.UnOp: // an element of a stack of strings
		if ia, ok := x.X.(*ssa.IndexAddr); ok && x.Op == token.MUL {
			return c.stack(ia) || c.endings(ia.X)
		}
	}
	return false
}

// endings reports whether a slice literal holds closers, and perhaps the empty text:
// the endings that are tried in turn.
func (c *checker) endings(v ssa.Value) bool {
	if s, ok := v.(*ssa.Slice); ok {
		v = s.X
	}
	a, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	found := false
	for _, ref := range *a.Referrers() {
		ia, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *ia.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok || st.Addr != ia {
				continue
			}
			k, ok := st.Val.(*ssa.Const)
			if !ok {
				return false
			}
			switch {
			case c.closes(k, 0):
				found = true
			case streamflow.ConstText(k) != "":
				return false
			}
		}
	}
	return found
}

// closer reports whether a byte or a rune is a closer.
func (c *checker) closer(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Const:
		k, ok := runeConst(x)
		return ok && (k == '}' || k == ']' || k == '"')
	case *ssa.Convert:
		return c.closer(x.X, depth+1)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if e == v || !c.closer(e, depth+1) {
				return false
			}
		}
		return true
	case *ssa.UnOp:
		if ia, ok := x.X.(*ssa.IndexAddr); ok && x.Op == token.MUL {
			return c.stack(ia)
		}
	case *ssa.Lookup: // a map from openers to closers
		return strings.Contains(x.X.Type().Underlying().String(), "map[")
	}
	return false
}

// stack reports whether what is appended to a slice in this function are closers.
func (c *checker) stack(ia *ssa.IndexAddr) bool {
	found := false
	for _, b := range ia.Parent().Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || len(call.Call.Args) < 2 || !types.Identical(call.Type(), ia.X.Type()) {
				continue
			}
			if bi, ok := call.Call.Value.(*ssa.Builtin); !ok || bi.Name() != "append" {
				continue
			}
			s, ok := call.Call.Args[1].(*ssa.Slice)
			if !ok {
				return false
			}
			a, ok := s.X.(*ssa.Alloc)
			if !ok || !c.allClosers(a) {
				return false
			}
			found = true
		}
	}
	return found
}

// allClosers reports whether all that is stored in an array are closers.
func (c *checker) allClosers(a *ssa.Alloc) bool {
	found := false
	for _, ref := range *a.Referrers() {
		ia, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *ia.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok || st.Addr != ia {
				continue
			}
			// Constants only: what else a stack may hold is no closer for sure.
			k, ok := st.Val.(*ssa.Const)
			if !ok || !c.closer(k, 0) && !c.closes(k, 0) {
				return false
			}
			found = true
		}
	}
	return found
}

// opened reports whether the program itself has put an opener at the front: it makes
// a document then, and does not mend one. A constant text is its own, too.
func (c *checker) opened(v ssa.Value, depth int, seen map[ssa.Value]bool) bool {
	if depth > maxDepth || seen[v] {
		return false
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Const:
		return strings.ContainsAny(streamflow.ConstText(x), "{[\"")
	case *ssa.Convert:
		return c.opened(x.X, depth+1, seen)
	case *ssa.ChangeType:
		return c.opened(x.X, depth+1, seen)
	case *ssa.BinOp:
		return c.opened(x.X, depth+1, seen)
	case *ssa.Slice:
		return c.opened(x.X, depth+1, seen)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if c.opened(e, depth+1, seen) {
				return true
			}
		}
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return false
		}
		for _, p := range c.flow.Puts(c.flow.Location(x.X)) {
			if p.Val != nil && c.opened(p.Val, depth+1, seen) {
				return true
			}
		}
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return c.opened(call, depth+1, seen)
		}
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "append" && len(x.Call.Args) > 1 && (c.opened(x.Call.Args[0], depth+1, seen) || opens(x.Call.Args[1]))
		}
		name := streamflow.CalleeName(x)
		args := streamflow.Args(x)
		switch name {
		case "fmt.Sprintf", "fmt.Sprint", "strings.Join", "bytes.Join":
			return true // put together here
		case "(strings.Builder).String", "(bytes.Buffer).String", "(bytes.Buffer).Bytes":
			for _, p := range c.flow.Puts(c.flow.Location(args[0])) {
				if p.Val != nil && strings.ContainsAny(streamflow.ConstText(p.Val), "{[") {
					return true
				}
			}
			return false
		}
		if p, ok := model.LookupPass(name); ok && len(p.Args) > 0 && p.Args[0] < len(args) {
			return c.opened(args[p.Args[0]], depth+1, seen)
		}
		// AppendFormat(dst, ...): what is appended stands behind what was there.
		if fn := streamflow.Callee(x); fn != nil && strings.HasPrefix(fn.Name(), "Append") {
			for _, a := range args {
				if types.Identical(a.Type(), x.Type()) {
					return c.opened(a, depth+1, seen)
				}
			}
		}
	}
	return false
}

// opens reports whether the bytes of an append begin a document.
func opens(v ssa.Value) bool {
	if k := streamflow.ConstText(v); k != "" {
		return strings.ContainsAny(k, "{[\"")
	}
	found := false
	eachByte(v, func(k rune) bool {
		found = found || strings.ContainsRune("{[\"", k)
		return true
	})
	return found
}

// balances reports whether a function goes through a text as JSON is written: it
// looks for both openers and for quotes.
func balances(fn *ssa.Function) bool {
	found := make(map[rune]bool)
	note := func(v ssa.Value) {
		if k, ok := runeConst(v); ok {
			found[k] = true
		}
		for _, k := range streamflow.ConstText(v) {
			found[k] = true
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.BinOp:
				if x.Op == token.EQL || x.Op == token.NEQ {
					note(x.X)
					note(x.Y)
				}
			case *ssa.Call:
				switch streamflow.CalleeName(x) {
				case "strings.Count", "bytes.Count", "strings.HasSuffix", "strings.HasPrefix":
					note(x.Call.Args[1])
				}
			}
		}
	}
	return found['{'] && found['['] && (found['"'] || found['}'] && found[']'])
}
