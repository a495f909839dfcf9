package callindex

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// piece is a read of the arguments of one call in a list.
type piece struct {
	read ssa.Value // the text
	call ssa.Value // the element it belongs to
	list ssa.Value // the list it is taken from, nil where that is out of sight
	pos  ssa.Value // its position in the list
}

// pieceOf gives the read behind a text, where it is one of arguments.
func pieceOf(v ssa.Value, depth int) (piece, bool) {
	if depth > 6 {
		return piece{}, false
	}
	switch x := v.(type) {
	case *ssa.Convert:
		return pieceOf(x.X, depth+1)
	case *ssa.ChangeType:
		return pieceOf(x.X, depth+1)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return piece{}, false
		}
		if fa, ok := x.X.(*ssa.FieldAddr); ok {
			if isArgs(fa.X.Type(), fa.Field) {
				p := piece{read: x, call: holder(fa.X)}
				p.list, p.pos = element(p.call, 0)
				return p, true
			}
			return piece{}, false
		}
		return pieceOf(x.X, depth+1) // *tc.Arguments
	case *ssa.Field:
		if isArgs(x.X.Type(), x.Field) {
			p := piece{read: x, call: holder(x.X)}
			p.list, p.pos = element(p.call, 0)
			return p, true
		}
	}
	return piece{}, false
}

// holder climbs from Function to the call that it belongs to.
func holder(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.FieldAddr:
		if path, ok := argsPath(x.X.Type()); ok && len(path) == 2 {
			return x.X
		}
	case *ssa.Field:
		if path, ok := argsPath(x.X.Type()); ok && len(path) == 2 {
			return x.X
		}
	case *ssa.UnOp:
		if fa, ok := x.X.(*ssa.FieldAddr); ok {
			if path, ok := argsPath(fa.X.Type()); ok && len(path) == 2 {
				return fa.X
			}
		}
	}
	return v
}

// element gives the list and the position that a call was taken from.
func element(v ssa.Value, depth int) (list, pos ssa.Value) {
	if depth > 6 {
		return nil, nil
	}
	switch x := v.(type) {
	case *ssa.IndexAddr:
		return x.X, x.Index
	case *ssa.Index:
		return x.X, x.Index
	case *ssa.UnOp:
		return element(x.X, depth+1)
	case *ssa.Alloc:
		for _, ref := range *x.Referrers() {
			if st, ok := ref.(*ssa.Store); ok && st.Addr == x {
				return element(st.Val, depth+1)
			}
		}
	}
	return nil, nil
}

// join is a place where a piece is put behind what has arrived of a call.
type join struct {
	piece
	at   ssa.Instruction
	dest ssa.Value // the address of the text that grows
}

func (c *checker) allJoins() []join {
	var out []join
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.BinOp:
				if x.Op != token.ADD || !streamflow.IsText(x.Type()) {
					continue
				}
				p, ok := pieceOf(x.Y, 0)
				if !ok {
					continue
				}
				for _, ref := range *x.Referrers() {
					if st, ok := ref.(*ssa.Store); ok && st.Val == x && c.grows(x.X, st.Addr) {
						out = append(out, join{p, x, st.Addr})
					}
				}
			case *ssa.Call:
				args := streamflow.Args(x)
				w, ok := model.LookupWrite(streamflow.CalleeName(x))
				if !ok || w.Whole || w.Arg >= len(args) || w.To >= len(args) {
					continue
				}
				if p, ok := pieceOf(args[w.Arg], 0); ok {
					out = append(out, join{p, x, args[w.To]})
				}
			}
		}
	}
	return out
}

// grows reports whether a text is what is at an address: x.Args = x.Args + piece.
func (c *checker) grows(v, addr ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && load.Op == token.MUL && c.flow.Location(load.X) == c.flow.Location(addr)
}

// by says how a join finds the call that a fragment belongs to.
type by uint8

const (
	unsure   by = iota
	wire        // by the index that came with it
	last        // the last call of a list
	current     // one variable for whatever call is on
	id          // by the id, which only the first fragment has
	place       // by its position in the delta
	fallback    // by the index, and by a constant where there is none, in a list that holds more than calls
)

// joins finds fragments that are joined by anything but their index.
func (c *checker) joins() {
	for _, j := range c.allJoins() {
		how := c.found(j)
		if how == unsure || how == wire || c.asksIndex(j, how) {
			continue
		}
		path, ok := argsPath(j.call.Type())
		if !ok {
			continue
		}
		at, fragment := c.fragment(j.at, j.call, path, true)
		if !fragment && (how != last || j.list == nil) {
			continue // only pieces are ever put behind the arguments of the last call
		}
		text := ""
		switch how {
		case last:
			text = "the fragment goes to the call seen last, whatever call it belongs to: the arguments of parallel calls are mixed"
		case current:
			if !c.callLike(j) || j.list == nil || isConstInt(j.pos, 0) {
				continue
			}
			text = "the fragments of all calls go to one: the arguments of parallel calls are mixed"
		case id:
			text = "the fragment is filed under its id, which only the first fragment of a call has: the rest of the arguments goes to a call without an id"
		case place:
			text = "the fragment is filed under its position in this delta, which is not the call's index: the next delta may hold another call at that position"
		case fallback:
			if j.list == nil {
				continue
			}
			text = "fragments without an index all go to one place of a list that holds more than calls: the arguments of parallel calls are mixed"
		}
		c.r.Report(report.Finding{Pos: j.at.Pos(), Message: text + "; join fragments by the index that comes with each", Related: related(at, "the delta")})
	}
}

// found says how the text that a join adds to is found.
func (c *checker) found(j join) by {
	return c.foundFrom(j, j.dest, 0, make(map[ssa.Value]bool))
}

func (c *checker) foundFrom(j join, v ssa.Value, depth int, seen map[ssa.Value]bool) by {
	if depth > 14 || seen[v] {
		return unsure
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return c.foundFrom(j, x.X, depth+1, seen)
	case *ssa.Field:
		return c.foundFrom(j, x.X, depth+1, seen)
	case *ssa.UnOp:
		return c.foundFrom(j, x.X, depth+1, seen)
	case *ssa.IndexAddr:
		return c.indexedBy(j, x.Index, x.X)
	case *ssa.Lookup:
		return c.indexedBy(j, x.Index, x.X)
	case *ssa.Extract:
		if l, ok := x.Tuple.(*ssa.Lookup); ok {
			return c.indexedBy(j, l.Index, l.X)
		}
		return unsure
	case *ssa.Alloc:
		// A copy of an element, or a variable that points to one; or the text itself.
		how := current
		for _, ref := range *x.Referrers() {
			st, ok := ref.(*ssa.Store)
			if !ok || st.Addr != x {
				continue
			}
			switch y := st.Val.(type) {
			case *ssa.UnOp, *ssa.Extract, *ssa.Lookup, *ssa.Phi:
				if h := c.foundFrom(j, y, depth+1, seen); h != current {
					how = h
				}
			}
		}
		return how
	case *ssa.Phi:
		how := by(unsure)
		for _, e := range x.Edges {
			switch h := c.foundFrom(j, e, depth+1, seen); h {
			case unsure:
			case wire:
				return wire
			case current:
				// A call made here, where the list or map has none yet.
				if how == unsure {
					how = current
				}
			default:
				how = h
			}
		}
		return how
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return current
	}
	return unsure
}

// indexedBy says what an index or a key of the list of calls is.
func (c *checker) indexedBy(j join, index, list ssa.Value) by {
	seen := make(map[ssa.Value]bool)
	var fromWire, fixed, counted, lastOne, byID, other bool
	var walk func(v ssa.Value, depth int)
	walk = func(v ssa.Value, depth int) {
		if depth > 10 || seen[v] {
			return
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Const:
			fixed = true
		case *ssa.Convert:
			walk(x.X, depth+1)
		case *ssa.ChangeType:
			walk(x.X, depth+1)
		case *ssa.MakeInterface:
			walk(x.X, depth+1)
		case *ssa.Phi:
			if v == j.pos || isRangeIndex(x) {
				counted = true
				return
			}
			for _, e := range x.Edges {
				walk(e, depth+1)
			}
		case *ssa.BinOp:
			if v == j.pos {
				counted = true
				return
			}
			if x.Op == token.SUB && isConstInt(x.Y, 1) && isLen(x.X) {
				lastOne = true
				return
			}
			other = true
		case *ssa.UnOp:
			if fa, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL {
				c.keyField(fa.X.Type(), fa.Field, &fromWire, &byID, &other)
				return
			}
			if al, ok := x.X.(*ssa.Alloc); ok {
				for _, ref := range *al.Referrers() {
					if st, ok := ref.(*ssa.Store); ok && st.Addr == al {
						walk(st.Val, depth+1)
					}
				}
				return
			}
			walk(x.X, depth+1)
		case *ssa.Field:
			c.keyField(x.X.Type(), x.Field, &fromWire, &byID, &other)
		default:
			other = true
		}
	}
	walk(index, 0)
	switch {
	case other:
		return unsure
	case fromWire && fixed && !counted && !byID && c.mixedList(list):
		return fallback
	case fromWire:
		return wire
	case byID && !fixed && !counted && !lastOne:
		return id
	case lastOne && !fixed && !counted:
		return last
	case counted && !fixed && !lastOne:
		return place
	}
	return unsure
}

// mixedList reports whether a list holds other parts of a message beside calls. In a
// list or map of calls, to take a fragment without an index for call 0 is right for
// the providers that make one call at a time.
func (c *checker) mixedList(list ssa.Value) bool {
	if !isSlice(list.Type()) {
		return false
	}
	_, calls := argsPath(elem(list.Type()))
	return !calls && structOf(elem(list.Type())) != nil
}

func (c *checker) keyField(owner types.Type, i int, fromWire, byID, other *bool) {
	s := structOf(owner)
	switch {
	case s == nil:
		*other = true
	case known(s, i, model.CallIndexTags) || strings.HasSuffix(strings.ToLower(s.Field(i).Name()), "index"):
		*fromWire = true
	case known(s, i, model.CallIDTags):
		if _, ok := argsPath(owner); ok {
			*byID = true
		} else {
			*other = true
		}
	default:
		*other = true
	}
}

func isLen(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	return ok && isBuiltin(call, "len")
}

// isRangeIndex reports whether a value counts the rounds of a loop.
func isRangeIndex(phi *ssa.Phi) bool {
	for _, e := range phi.Edges {
		if b, ok := e.(*ssa.BinOp); ok && b.Op == token.ADD && b.X == phi && isConstInt(b.Y, 1) {
			return true
		}
	}
	return false
}

// asksIndex reports whether the function looks at the index of the fragments.
func (c *checker) asksIndex(j join, how by) bool {
	if how == fallback {
		return false
	}
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			owner, i, ok := fieldRead(in)
			if !ok {
				continue
			}
			if _, call := argsPath(owner); call && known(structOf(owner), i, model.CallIndexTags) {
				return true
			}
		}
	}
	return false
}

func fieldRead(in ssa.Instruction) (types.Type, int, bool) {
	switch x := in.(type) {
	case *ssa.FieldAddr:
		for _, ref := range *x.Referrers() {
			if st, ok := ref.(*ssa.Store); ok && st.Addr == x {
				continue
			}
			return x.X.Type(), x.Field, true
		}
	case *ssa.Field:
		return x.X.Type(), x.Field, true
	}
	return nil, 0, false
}

// callLike reports whether what a join adds to stands for a call: the arguments of a
// struct that has a name or an id too, or a text that is decoded. A text that only
// counts or shows what came is none.
func (c *checker) callLike(j join) bool {
	if fa, ok := j.dest.(*ssa.FieldAddr); ok && isArgs(fa.X.Type(), fa.Field) {
		return true
	}
	for _, p := range c.flow.Puts(c.flow.Location(j.dest)) {
		if p.Instr == j.at || p.Val == nil {
			continue
		}
		if v, ok := p.Val.(*ssa.BinOp); ok && v == j.at {
			continue
		}
		for _, o := range c.flow.Trace(p.Val) {
			if o.Kind == streamflow.Fragment && o.Instr != nil && !argsOrigin(o.What) {
				return false
			}
		}
	}
	for _, d := range c.flow.Decodes() {
		for _, o := range c.flow.Trace(d.Data) {
			for _, k := range o.Joins {
				if k == j.at {
					return true
				}
			}
		}
	}
	return false
}

func argsOrigin(what string) bool {
	what = strings.ToLower(what)
	return strings.HasSuffix(what, "arguments") || strings.HasSuffix(what, "args")
}
