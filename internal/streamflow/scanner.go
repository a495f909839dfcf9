package streamflow

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// Scanner is a bufio.Scanner that the package makes: what it reads, and what is
// done with it anywhere in the package.
type Scanner struct {
	New *ssa.Call // the call of bufio.NewScanner
	Source
	*Object
}

// Scanners gives the scanners of the package in source order.
func (o *IO) Scanners() []*Scanner {
	var out []*Scanner
	for _, in := range o.Named("bufio.NewScanner") {
		call, ok := in.(*ssa.Call)
		if !ok || len(call.Call.Args) != 1 {
			continue
		}
		out = append(out, &Scanner{New: call, Source: o.Source(call.Call.Args[0]), Object: o.Follow(call)})
	}
	return out
}

// Tokens gives the calls that take a token out of the scanner.
func (s *Scanner) Tokens() []ssa.CallInstruction {
	return append(append([]ssa.CallInstruction(nil), s.Method("Text")...), s.Method("Bytes")...)
}

// MaxToken is the limit of bufio.Scanner without a call of Buffer.
const MaxToken = 64 * 1024

// TokenLimit gives the largest limit that calls of Buffer set, MaxToken without
// any; ok is false where a call sets one that is no constant.
func (s *Scanner) TokenLimit() (limit int64, ok bool) {
	calls := s.Method("Buffer")
	if len(calls) == 0 {
		return MaxToken, true
	}
	for _, call := range calls {
		args := Args(call)
		if len(args) != 3 {
			return 0, false
		}
		n, ok := constInt(args[2])
		if !ok {
			return 0, false
		}
		// The scanner takes a buffer that is larger than the maximum for the limit.
		if c, ok := args[1].(*ssa.Const); !ok || c.Value != nil {
			size, ok := bufferSize(args[1])
			if !ok && n <= MaxToken {
				return 0, false
			}
			n = max(n, size)
		}
		limit = max(limit, n)
	}
	return limit, true
}

// constInt evaluates an integer: a constant, or the length of a buffer of
// constant size.
func constInt(v ssa.Value) (int64, bool) {
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value != nil && x.Value.Kind() == constant.Int {
			return constant.Int64Val(x.Value)
		}
	case *ssa.Convert:
		return constInt(x.X)
	case *ssa.Call:
		if isBuiltin(x, "len") || isBuiltin(x, "cap") {
			return bufferSize(x.Call.Args[0])
		}
	}
	return 0, false
}

// bufferSize gives the capacity of a buffer made with a constant size.
func bufferSize(v ssa.Value) (int64, bool) {
	switch x := v.(type) {
	case *ssa.Const: // nil
		return 0, x.Value == nil
	case *ssa.MakeSlice:
		return constInt(x.Cap)
	case *ssa.Slice:
		if p, ok := x.X.Type().Underlying().(*types.Pointer); ok {
			if a, ok := p.Elem().Underlying().(*types.Array); ok {
				return a.Len(), true
			}
		}
		return bufferSize(x.X)
	}
	return 0, false
}

// FixedSplit reports whether the scanner cuts out tokens that do not grow with
// what a line holds (words, runes, bytes), or hands an over-long one over instead
// of failing.
func (o *IO) FixedSplit(s *Scanner) bool {
	for _, call := range s.Method("Split") {
		args := Args(call)
		if len(args) != 2 {
			continue
		}
		v := args[1]
		if ct, ok := v.(*ssa.ChangeType); ok {
			v = ct.X
		}
		if fn, ok := v.(*ssa.Function); ok && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "bufio" {
			if fn.Name() != "ScanLines" {
				return true
			}
			continue
		}
		for _, fn := range o.flow.functionValues(v, 0) {
			if bounded(fn) {
				return true
			}
		}
	}
	return false
}

// bounded reports whether a split function looks at the size of what it has got:
// it compares len(data) with a constant other than 0.
func bounded(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			cmp, ok := in.(*ssa.BinOp)
			if !ok {
				continue
			}
			for _, pair := range [][2]ssa.Value{{cmp.X, cmp.Y}, {cmp.Y, cmp.X}} {
				call, ok := pair[0].(*ssa.Call)
				if !ok || !isBuiltin(call, "len") || len(fn.Params) == 0 || call.Call.Args[0] != fn.Params[0] {
					continue
				}
				if n, ok := constInt(pair[1]); !ok || n != 0 {
					return true
				}
			}
		}
	}
	return false
}

// Wire reports whether tokens of the scanner are lines of a protocol that carries
// documents: JSON is decoded from them, or they are taken apart as server-sent
// events.
func (o *IO) Wire(s *Scanner) bool {
	w := &wire{o: o, seen: make(map[ssa.Value]bool)}
	for _, call := range s.Tokens() {
		if v := call.Value(); v != nil && w.value(v, 0) {
			return true
		}
	}
	return false
}

type wire struct {
	o    *IO
	seen map[ssa.Value]bool
}

func (w *wire) value(v ssa.Value, depth int) bool {
	if v == nil || w.seen[v] || depth > 10 || len(w.seen) > 300 || v.Referrers() == nil {
		return false
	}
	w.seen[v] = true
	for _, in := range *v.Referrers() {
		switch x := in.(type) {
		case *ssa.Phi, *ssa.Convert, *ssa.ChangeType, *ssa.MakeInterface, *ssa.Slice, *ssa.Extract, *ssa.UnOp, *ssa.MultiConvert:
			if w.value(x.(ssa.Value), depth+1) {
				return true
			}
		case *ssa.Store:
			if a, ok := x.Addr.(*ssa.Alloc); ok && x.Val == v && w.value(a, depth+1) {
				return true
			}
		case *ssa.BinOp:
			if eventField(ConstText(x.X)) || eventField(ConstText(x.Y)) {
				return true
			}
		case ssa.CallInstruction:
			if w.call(x, v, depth) {
				return true
			}
		}
	}
	return false
}

func (w *wire) call(call ssa.CallInstruction, v ssa.Value, depth int) bool {
	if w.o.flow.IsDecode(call) && strings.Contains(CalleeName(call), "json") {
		return true
	}
	args := Args(call)
	switch name := CalleeName(call); name {
	case "strings.HasPrefix", "strings.CutPrefix", "strings.TrimPrefix", "strings.TrimLeft",
		"bytes.HasPrefix", "bytes.CutPrefix", "bytes.TrimPrefix", "bytes.TrimLeft":
		if len(args) == 2 && eventField(ConstText(args[1])) {
			return true
		}
		return call.Value() != nil && w.value(call.Value(), depth+1)
	default:
		if _, ok := model.LookupPass(name); ok || name == "bytes.NewReader" || name == "strings.NewReader" || name == "encoding/json.NewDecoder" ||
			strings.HasPrefix(name, "strings.Cut") || strings.HasPrefix(name, "bytes.Cut") || strings.HasPrefix(name, "strings.Split") || strings.HasPrefix(name, "bytes.Split") {
			return call.Value() != nil && w.value(call.Value(), depth+1)
		}
	}
	for _, callee := range w.o.flow.callees(call) {
		for i, a := range args {
			if a == v && i < len(callee.Params) && w.value(callee.Params[i], depth+2) {
				return true
			}
		}
	}
	return false
}

// ConstText gives the text of a constant, also behind a conversion to bytes or to an
// interface; "" where v is none.
func ConstText(v ssa.Value) string {
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value != nil && x.Value.Kind() == constant.String {
			return constant.StringVal(x.Value)
		}
	case *ssa.Convert:
		return ConstText(x.X)
	case *ssa.MakeInterface:
		return ConstText(x.X)
	}
	return ""
}

// eventField reports whether s is the name of a field of server-sent events as
// parsers compare it.
func eventField(s string) bool {
	switch strings.TrimSpace(s) {
	case "data:", "event:", "retry:", "data", "event", "retry", "[DONE]":
		return true
	}
	return false
}
