package lossyutf8

import (
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// sinks gives the places of a function at which text has to be whole characters.
func (c *checker) sinks(fn *ssa.Function) []sink {
	var out []sink
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case ssa.CallInstruction:
				out = append(out, c.callSinks(x)...)
			case *ssa.Convert:
				if isRunes(x.Type()) && isString(x.X.Type()) {
					out = append(out, sink{at: x, v: x.X, name: "[]rune", how: "the conversion turns it into U+FFFD", kind: chars})
				}
			case *ssa.Range:
				if isString(x.X.Type()) {
					out = append(out, sink{at: x, v: x.X, name: "range", how: "the loop sees it as U+FFFD", kind: chars})
				}
			}
		}
	}
	return out
}

func (c *checker) callSinks(call ssa.CallInstruction) []sink {
	callee := streamflow.Callee(call)
	name := model.FuncName(callee)
	args := streamflow.Args(call)
	var out []sink
	known := model.LookupTextSinks(name)
	if pos, ok := c.flow.Sink(name); ok {
		known = append(known[:len(known):len(known)], model.TextSink{Func: name, Arg: pos, How: "its consumer needs whole characters"})
	}
	for _, t := range known {
		if t.Arg >= len(args) || t.HasIf && !isConst(args, t.If, t.IfConst) {
			continue
		}
		s := sink{at: call, v: args[t.Arg], name: streamflow.CallWords(call), how: t.How, kind: kindOf(name)}
		if s.kind == chars && !c.kept(call) {
			continue
		}
		if !t.Deep {
			out = append(out, s)
			continue
		}
		out = append(out, c.deep(s, args[t.Arg], protobuf(t.How))...)
	}
	if len(known) > 0 {
		return out
	}
	if callee != nil && callee.Pkg() != c.pass.Pkg {
		if f := c.sinkFact(callee); f != nil {
			for _, p := range f.Params {
				if p.Param < len(args) {
					out = append(out, sink{at: call, v: args[p.Param], name: streamflow.CallWords(call), how: p.How, kind: p.Kind})
				}
			}
			return out
		}
	}
	switch {
	case strings.HasPrefix(name, "unicode."):
		if cv, ok := args[0].(*ssa.Convert); ok && isByte(cv.X.Type()) {
			if base := element(cv.X); base != nil {
				out = append(out, sink{at: call, v: base, name: streamflow.CallWords(call), how: "a byte of a longer character is no character of its own", kind: chars})
			}
		}
		return out
	case name == "fmt.Sprintf", name == "fmt.Appendf", name == "fmt.Fprintf":
		return c.quoted(call, name, args)
	}
	// The text frame of a writer: w, _ := conn.NextWriter(TextMessage); w.Write(p).
	if callee != nil && callee.Name() == "Write" && len(args) == 2 && textFrame(args[0]) {
		return []sink{{at: call, v: args[1], name: "a websocket text frame", how: "a text frame must be UTF-8: the peer closes the connection"}}
	}
	// A message of a generated client or server: told by its own type.
	if callee != nil && (streamflow.ErrorResult(call.Common().Signature()) >= 0) && c.flow.Body(call) == nil {
		for i, arg := range args {
			if i == 0 && callee.Signature().Recv() != nil || !isProto(arg.Type()) {
				continue
			}
			s := sink{at: call, name: streamflow.CallWords(call), how: "a proto string field must be UTF-8: the message is refused"}
			out = append(out, c.deep(s, arg, true)...)
		}
	}
	return out
}

func protobuf(how string) bool { return strings.Contains(how, "proto") }

func kindOf(name string) kind {
	switch {
	case name == "unicode/utf8.Valid", name == "unicode/utf8.ValidString":
		return valid
	case strings.HasPrefix(name, "unicode"), strings.HasPrefix(name, "strings."), strings.HasPrefix(name, "bytes."):
		return chars
	}
	return encode
}

// kept reports whether the result of a function over characters goes anywhere: one
// that is only searched or compared loses nothing.
func (c *checker) kept(call ssa.CallInstruction) bool {
	v := call.Value()
	if v == nil || v.Referrers() == nil {
		return false
	}
	if _, ok := v.Type().(*types.Tuple); ok {
		return true
	}
	return keptValue(v, 0)
}

func keptValue(v ssa.Value, depth int) bool {
	if depth > 4 || v.Referrers() == nil {
		return true
	}
	for _, ref := range *v.Referrers() {
		switch x := ref.(type) {
		case *ssa.BinOp:
			if x.Op != token.EQL && x.Op != token.NEQ && x.Op != token.LSS && x.Op != token.GTR {
				return true
			}
		case *ssa.DebugRef:
		case *ssa.Convert, *ssa.ChangeType, *ssa.Slice, *ssa.Phi:
			if keptValue(x.(ssa.Value), depth+1) {
				return true
			}
		case *ssa.Call:
			if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
				continue
			}
			switch name := streamflow.CalleeName(x); name {
			case "strings.Contains", "strings.HasPrefix", "strings.HasSuffix", "strings.Index", "strings.EqualFold", "strings.Count", "strings.ContainsAny",
				"bytes.Contains", "bytes.HasPrefix", "bytes.HasSuffix", "bytes.Index", "bytes.EqualFold", "bytes.Equal", "bytes.Count", "strings.LastIndex",
				"(regexp.Regexp).MatchString", "(regexp.Regexp).Match":
			case "strings.TrimSpace", "bytes.TrimSpace", "strings.Trim", "strings.TrimRight", "strings.TrimLeft":
				if keptValue(x, depth+1) {
					return true
				}
			default:
				return true
			}
		default:
			return true
		}
	}
	return false
}

// quoted finds the operands of %q.
func (c *checker) quoted(call ssa.CallInstruction, name string, args []ssa.Value) []sink {
	i := 0
	if name != "fmt.Sprintf" {
		i = 1
	}
	if name == "fmt.Fprintf" && streamflow.IsTerminal(args[0]) {
		return nil
	}
	k, ok := args[i].(*ssa.Const)
	if !ok || k.Value == nil || k.Value.Kind() != constant.String || !strings.Contains(constant.StringVal(k.Value), "%q") {
		return nil
	}
	verbs := streamflow.FormatVerbs(constant.StringVal(k.Value))
	var out []sink
	for n, v := range listed(args[len(args)-1]) {
		if n < len(verbs) && verbs[n] == 'q' {
			if mi, ok := v.(*ssa.MakeInterface); ok && streamflow.IsText(mi.X.Type()) {
				out = append(out, sink{at: call, v: mi.X, name: streamflow.CallWords(call) + " with %q", how: "its bytes are written as \\x escapes"})
			}
		}
	}
	return out
}

// listed gives the values of a slice literal by position.
func listed(v ssa.Value) map[int]ssa.Value {
	out := make(map[int]ssa.Value)
	s, ok := v.(*ssa.Slice)
	if !ok {
		return out
	}
	alloc, ok := s.X.(*ssa.Alloc)
	if !ok {
		return out
	}
	for _, ref := range *alloc.Referrers() {
		ia, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		k, ok := ia.Index.(*ssa.Const)
		if !ok {
			continue
		}
		for _, use := range *ia.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == ia {
				out[int(k.Int64())] = st.Val
			}
		}
	}
	return out
}

func isConst(args []ssa.Value, i int, want int64) bool {
	if i >= len(args) {
		return false
	}
	k, ok := args[i].(*ssa.Const)
	return ok && k.Value != nil && k.Value.Kind() == constant.Int && k.Int64() == want
}

// textFrame reports whether a writer is that of one text frame.
func textFrame(v ssa.Value) bool {
	x, ok := v.(*ssa.Extract)
	if !ok {
		return false
	}
	call, ok := x.Tuple.(*ssa.Call)
	if !ok {
		return false
	}
	switch streamflow.CalleeName(call) {
	case "(github.com/gorilla/websocket.Conn).NextWriter":
		return isConst(streamflow.Args(call), 1, 1)
	case "(github.com/coder/websocket.Conn).Writer", "(nhooyr.io/websocket.Conn).Writer":
		return isConst(streamflow.Args(call), 2, 1)
	}
	return false
}

// isProto reports whether t is a generated protobuf message.
func isProto(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "ProtoReflect")
	_, ok := obj.(*types.Func)
	return ok
}

const (
	maxStrings = 40 // strings looked at inside one value
	maxNest    = 4
)

// deep gives the strings inside a value that an encoder goes through. Bytes are no
// text there: they are sent as base64, or as a bytes field.
func (c *checker) deep(s sink, v ssa.Value, proto bool) []sink {
	d := &deepener{c: c, s: s, proto: proto, seen: make(map[ssa.Value]bool)}
	d.value(v, 0)
	return d.out
}

type deepener struct {
	c     *checker
	s     sink
	proto bool
	seen  map[ssa.Value]bool
	out   []sink
}

func (d *deepener) text(v ssa.Value, path streamflow.Path) {
	if len(d.out) < maxStrings {
		s := d.s
		s.v, s.path = v, path
		d.out = append(d.out, s)
	}
}

func (d *deepener) value(v ssa.Value, depth int) {
	if v == nil || depth > 12 || d.seen[v] {
		return
	}
	d.seen[v] = true
	if isString(v.Type()) && !hasMethod(v.Type(), "MarshalJSON", "MarshalText") {
		d.text(v, nil)
		return
	}
	if hasMethod(v.Type(), "MarshalJSON", "MarshalText") && !d.proto {
		return
	}
	switch x := v.(type) {
	case *ssa.MakeInterface:
		d.value(x.X, depth+1)
		return
	case *ssa.ChangeInterface:
		d.value(x.X, depth+1)
		return
	case *ssa.ChangeType:
		d.value(x.X, depth+1)
		return
	case *ssa.Phi:
		for _, e := range x.Edges {
			d.value(e, depth+1)
		}
		return
	}
	switch t := v.Type().Underlying().(type) {
	case *types.Map:
		for _, p := range d.c.flow.Puts(d.c.flow.Location(v)) {
			d.value(p.Val, depth+1)
		}
	case *types.Slice:
		if streamflow.IsText(t) {
			return
		}
		if list := listed(v); len(list) > 0 {
			for _, e := range list {
				d.value(e, depth+1)
			}
			return
		}
	case *types.Pointer:
		if st, ok := t.Elem().Underlying().(*types.Struct); ok {
			d.fields(v, st, nil, 0)
			d.literals(v, depth)
		}
	case *types.Struct:
		d.fields(v, t, nil, 0)
		if load, ok := v.(*ssa.UnOp); ok {
			d.literals(load.X, depth)
		}
	case *types.Interface:
		if p, ok := v.(*ssa.Parameter); ok && depth < 4 {
			// A helper that encodes whatever it is given: its callers say what.
			for _, site := range d.c.flow.Callers(p.Parent()) {
				if i := streamflow.ParamIndex(p); i >= 0 && i < len(site.Args) {
					inner := &deepener{c: d.c, s: d.s, proto: d.proto, seen: d.seen}
					inner.s.at = site.Call
					inner.value(site.Args[i], depth+4)
					d.out = append(d.out, inner.out...)
				}
			}
		}
	}
}

// fields asks for the string fields of a struct, by their paths.
func (d *deepener) fields(v ssa.Value, st *types.Struct, path streamflow.Path, depth int) {
	if depth > maxNest {
		return
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if !f.Exported() && !f.Embedded() {
			continue
		}
		if !d.proto && strings.HasPrefix(reflect.StructTag(st.Tag(i)).Get("json"), "-") {
			continue
		}
		if !d.proto && hasMethod(f.Type(), "MarshalJSON", "MarshalText") {
			continue
		}
		p := append(append(streamflow.Path(nil), path...), f.Name())
		switch t := f.Type().Underlying().(type) {
		case *types.Basic:
			if t.Info()&types.IsString != 0 {
				d.text(v, p)
			}
		case *types.Struct:
			d.fields(v, t, p, depth+1)
		}
	}
}

// literals goes through what is stored in the fields of a struct made here, where
// a field's type alone does not tell a string: interfaces, maps, pointers, slices.
func (d *deepener) literals(v ssa.Value, depth int) {
	alloc, ok := v.(*ssa.Alloc)
	if !ok {
		return
	}
	for _, ref := range *alloc.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, use := range *fa.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok || st.Addr != fa {
				continue
			}
			switch st.Val.Type().Underlying().(type) {
			case *types.Interface, *types.Map, *types.Slice, *types.Pointer:
				if !streamflow.IsText(st.Val.Type()) {
					d.value(st.Val, depth+1)
				}
			}
		}
	}
}

func hasMethod(t types.Type, names ...string) bool {
	for _, name := range names {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj != nil {
			if _, ok := obj.(*types.Func); ok {
				if _, iface := t.Underlying().(*types.Interface); !iface {
					return true
				}
			}
		}
	}
	return false
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

func isRunes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Int32
}

// element gives the text that a byte was taken from.
func element(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.UnOp:
		if ia, ok := x.X.(*ssa.IndexAddr); ok {
			return ia.X
		}
	case *ssa.Lookup:
		return x.X
	case *ssa.Index:
		return x.X
	}
	return nil
}
