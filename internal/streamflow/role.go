package streamflow

import (
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// fieldRole says what a field means: by a directive, by the user's settings, by
// the tables, or by its JSON tag.
func (f *Flow) fieldRole(owner types.Type, v *types.Var) model.Role {
	if r, ok := f.marks.fields[v]; ok {
		return r
	}
	name := model.FieldName(owner, v)
	if name != "" {
		if r := f.config.fieldRole(name); r != model.NoRole {
			return r
		}
		if r := model.FieldRole(name); r != model.NoRole {
			return r
		}
	}
	return tagRole(owner, v)
}

// FieldRole says what the field that an instruction reads means.
func (f *Flow) FieldRole(v ssa.Value) model.Role {
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return f.fieldRole(x.X.Type(), fieldVar(x.X.Type(), x.Field))
	case *ssa.Field:
		return f.fieldRole(x.X.Type(), fieldVar(x.X.Type(), x.Field))
	case *ssa.UnOp:
		return f.FieldRole(x.X)
	}
	return model.NoRole
}

func tagRole(owner types.Type, v *types.Var) model.Role {
	if p, ok := owner.Underlying().(*types.Pointer); ok {
		owner = p.Elem()
	}
	s, ok := owner.Underlying().(*types.Struct)
	if !ok {
		return model.NoRole
	}
	tag := ""
	siblings := make(map[string]bool)
	for i := range s.NumFields() {
		t := jsonName(s.Tag(i))
		if s.Field(i).Origin() == v {
			tag = t
		}
		siblings[t] = true
	}
	switch {
	case tag == "":
		return model.NoRole
	case model.DeltaTags[tag]:
		if isRaw(v.Type()) {
			return model.NoRole // a whole JSON value of the frame
		}
		if IsText(Deref(v.Type())) {
			if siblings["type"] || siblings["event"] {
				return model.RolePiece
			}
			return model.NoRole
		}
		if holdsStruct(v.Type(), 0) {
			return model.RoleDelta
		}
	case model.PieceTags[tag] && IsText(Deref(v.Type())):
		return model.RolePiece
	case model.FinishTags[tag]:
		return model.RoleFinish
	case model.OutputTags[tag] && IsText(Deref(v.Type())),
		tag == "input" && isRaw(v.Type()) && siblings["name"]:
		return model.RoleOutput
	}
	return model.NoRole
}

func holdsStruct(t types.Type, depth int) bool {
	if depth > 4 {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return holdsStruct(u.Elem(), depth+1)
	case *types.Slice:
		return holdsStruct(u.Elem(), depth+1)
	case *types.Array:
		return holdsStruct(u.Elem(), depth+1)
	case *types.Struct:
		return true
	}
	return false
}

// jsonName gives the name in a json tag, "" where there is none.
func jsonName(tag string) string {
	name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	if name == "-" {
		return ""
	}
	return name
}

// isRaw reports whether t is json.RawMessage or a type like it (jsontext.Value).
func isRaw(t types.Type) bool {
	switch model.TypeName(t) {
	case "encoding/json.RawMessage", "encoding/json/jsontext.Value", "github.com/goccy/go-json.RawMessage",
		"github.com/segmentio/encoding/json.RawMessage", "github.com/json-iterator/go.RawMessage":
		return true
	}
	return false
}

// wholeLeaf reports whether a string field is one that no protocol cuts: an id, a
// name, a type, an enumeration with a type of its own.
func wholeLeaf(v *types.Var) bool {
	if wholeName(v.Name()) {
		return true
	}
	// A named string type is an enumeration (a role, a finish reason).
	if n, ok := types.Unalias(Deref(v.Type())).(*types.Named); ok && isString(n) {
		return true
	}
	return false
}

func wholeName(name string) bool {
	return model.WholeTags[strings.ToLower(name)]
}

func (f *Flow) typeRole(t types.Type) model.Role {
	if t == nil {
		return model.NoRole
	}
	name := model.TypeName(t)
	if name == "" {
		return model.NoRole
	}
	return model.TypeRole(name)
}

// TypeRole says what every value of a type means.
func (f *Flow) TypeRole(t types.Type) model.Role { return f.typeRole(t) }

func shortTypeName(t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return "struct"
}

// fieldWords names a field for a message.
func fieldWords(owner types.Type, v *types.Var) string {
	if t := shortTypeName(owner); t != "struct" {
		return t + "." + v.Name()
	}
	return v.Name()
}

// callWords names a call for a message.
func callWords(call ssa.CallInstruction) string {
	if fn := Callee(call); fn != nil {
		return shortName(fn)
	}
	if fn := call.Common().StaticCallee(); fn != nil {
		return fn.Name()
	}
	switch v := call.Common().Value.(type) {
	case *ssa.Builtin:
		return v.Name()
	case *ssa.Parameter:
		return v.Name()
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.FieldAddr:
			return fieldWords(x.X.Type(), fieldVar(x.X.Type(), x.Field))
		case *ssa.FreeVar:
			return x.Name()
		case *ssa.Global:
			return x.Name()
		}
	case *ssa.FreeVar:
		return v.Name()
	}
	return "a function value"
}

// CallWords names what a call calls as its reader would.
func CallWords(call ssa.CallInstruction) string { return callWords(call) }

// paramRole says whether a parameter brings stream data in by the contract of its
// function: the p of a Write method, the bytes of a proxy's body callback.
func (f *Flow) paramRole(p *ssa.Parameter, path Path) (Kind, string, bool) {
	if obj, ok := p.Object().(*types.Var); ok {
		if k, ok := f.marks.params[obj]; ok {
			return k, p.Name(), true
		}
	}
	if o, ok := f.callbacks[p]; ok && len(path) == 0 {
		return o.Kind, o.What, true
	}
	if len(path) > 0 || !isBytes(p.Type()) {
		return Unknown, "", false
	}
	fn := p.Parent()
	i := paramIndex(p)
	if obj, ok := fn.Object().(*types.Func); ok && i == 1 && isWriteMethod(obj) && f.StreamFed(fn) {
		return Chunk, shortName(obj), true
	}
	// (ctx, chunk []byte, isLast bool) of a proxy's filter API, told by the type
	// of its context.
	if i+1 < len(fn.Params) {
		if b, ok := fn.Params[i+1].Type().Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
			for _, q := range fn.Params[:i] {
				if f.typeRole(q.Type()) == model.RoleChunk {
					return Chunk, fn.Name(), true
				}
			}
		}
	}
	return Unknown, "", false
}

// IsWriteParam reports whether p is the argument of a Write([]byte) (int, error)
// method.
func IsWriteParam(p *ssa.Parameter) bool {
	obj, ok := p.Parent().Object().(*types.Func)
	return ok && paramIndex(p) == 1 && isWriteMethod(obj)
}

// sources gives the source entries of a function: the user's own and the tables'.
func (f *Flow) sources(name string) []model.Source {
	if name == "" {
		return nil
	}
	if s := f.config.source(name); s != nil {
		return s
	}
	return model.LookupSources(name)
}

// readState says what one Read call on a reader without an entry leaves in its
// buffer: a chunk, unless the reader is one of messages or not a stream at all.
func (f *Flow) readState(call ssa.CallInstruction) model.State {
	recv := Args(call)[0]
	t := recv.Type()
	if filledUp(Args(call)[1]) {
		return model.Whole
	}
	switch name := model.TypeName(t); {
	case strings.HasPrefix(name, "crypto/"), strings.HasPrefix(name, "math/rand"), strings.HasPrefix(name, "hash/"),
		strings.HasPrefix(name, "embed."):
		return model.NoState
	}
	if f.typeRole(t) == model.RoleFrame {
		return model.Frame
	}
	if randomAccess(t) {
		return model.NoState
	}
	for _, o := range f.readerTypes(recv, 0) {
		if model.TypeRole(o) == model.RoleFrame {
			return model.Frame
		}
		switch o {
		case "net.UDPConn", "net.UnixConn", "net.IPConn", "net.PacketConn":
			return model.Frame
		case "bytes.Reader", "bytes.Buffer", "strings.Reader":
			return model.Whole
		case "crypto/rand.Reader", "embed", "os.Open":
			return model.NoState
		}
	}
	return model.Chunk
}

// randomAccess reports whether a reader is one over a file format and no stream: a
// type of a library's that can seek.
func randomAccess(t types.Type) bool {
	if n := namedOf(t); n != nil && n.Pkg() != nil && !standard(n.Pkg().Path()) && !types.IsInterface(t) {
		for _, name := range []string{"ReadAt", "Seek"} {
			if obj, _, _ := types.LookupFieldOrMethod(t, true, n.Pkg(), name); obj != nil {
				return true
			}
		}
	}
	return false
}

// filledUp reports whether a buffer is read into until it is full: what is left
// of it is read into again, as in p = p[n:].
func filledUp(buf ssa.Value) bool {
	phi, ok := buf.(*ssa.Phi)
	if !ok {
		return false
	}
	for _, e := range phi.Edges {
		if s, ok := e.(*ssa.Slice); ok && s.X == phi && s.Low != nil && s.High == nil {
			return true
		}
	}
	return false
}

// readerTypes gives what is known of the concrete reader behind an interface
// value: type names, and "net.PacketConn" for a connection dialled with a
// datagram network.
func (f *Flow) readerTypes(v ssa.Value, depth int) []string {
	if depth > 5 {
		return nil
	}
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return []string{model.TypeName(x.X.Type())}
	case *ssa.ChangeInterface:
		return f.readerTypes(x.X, depth+1)
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return f.dialled(call)
		}
	case *ssa.UnOp:
		if g, ok := x.X.(*ssa.Global); ok {
			return []string{model.Path(g.Pkg.Pkg.Path()) + "." + g.Name()}
		}
		var out []string
		for _, w := range f.writes[f.location(x.X)] {
			if w.kind == wrStore {
				out = append(out, f.readerTypes(w.val, depth+1)...)
			}
		}
		return out
	case *ssa.Call:
		return f.dialled(x)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if out := f.readerTypes(e, depth+1); out != nil {
				return out
			}
		}
	}
	if v.Type() != nil {
		if n := model.TypeName(v.Type()); n != "" {
			return []string{n}
		}
	}
	return nil
}

// dialled names the connection a dial call makes, by the network in its arguments,
// or a local file that is opened for reading.
func (f *Flow) dialled(call *ssa.Call) []string {
	if CalleeName(call) == "os.Open" {
		if c, ok := call.Call.Args[0].(*ssa.Const); !ok || !strings.HasPrefix(constName(c), "/dev/") {
			return []string{"os.Open"} // a local file is there as a whole
		}
	}
	for _, arg := range call.Call.Args {
		if c, ok := arg.(*ssa.Const); ok {
			switch constName(c) {
			case "udp", "udp4", "udp6", "unixgram", "ip", "ip4", "ip6", "ip4:icmp":
				return []string{"net.PacketConn"}
			}
		}
	}
	return nil
}

// fieldTag gives the tag of a field of the struct that owner is or points to.
func fieldTag(owner types.Type, v *types.Var) string {
	if p, ok := owner.Underlying().(*types.Pointer); ok {
		owner = p.Elem()
	}
	if s, ok := owner.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			if s.Field(i).Origin() == v {
				return s.Tag(i)
			}
		}
	}
	return ""
}
