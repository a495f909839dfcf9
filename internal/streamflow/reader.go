package streamflow

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// Reader says what an io.Reader reads, as a set: different ways can lead to it.
type Reader uint16

// What a reader can read.
const (
	Network Reader = 1 << iota // a connection, a response or request body
	Child                      // the output of a child process
	Pipe                       // an io.Pipe or os.Pipe
	File                       // a file, /proc included
	Stdin                      // the standard input
	Memory                     // bytes in memory
	Limited                    // no more than a constant number of bytes, see Limit
	Given                      // a parameter that no call in the package fills
	Unseen                     // something the package does not show
	Answer                     // the body of an HTTP response; Network is set too
	Request                    // the body of an HTTP request; Network is set too
)

// Streams are the readers that can break off half way.
const Streams = Network | Child | Pipe

// Has reports whether one of the kinds is in the set.
func (r Reader) Has(kinds Reader) bool { return r&kinds != 0 }

// Source is what is known of a reader.
type Source struct {
	Reader Reader
	Limit  int64            // for Limited: the largest number of bytes
	Params []*ssa.Parameter // for Given: the parameters
	Words  string           // for a message: resp.Body, stdout; "" where nothing names it
}

// Source finds what a reader reads.
func (o *IO) Source(v ssa.Value) Source {
	s := &sourcer{io: o, f: o.flow, seen: make(map[ssa.Value]bool)}
	s.out.Reader = s.value(v, 0)
	return s.out
}

type sourcer struct {
	io   *IO
	f    *Flow
	seen map[ssa.Value]bool
	out  Source
}

// named notes how the source is called, the first time.
func (s *sourcer) named(words string) {
	if s.out.Words == "" {
		s.out.Words = words
	}
}

func (s *sourcer) value(v ssa.Value, depth int) Reader {
	if depth > 12 {
		return Unseen
	}
	if s.seen[v] {
		return 0
	}
	s.seen[v] = true
	if r, ok := s.byType(v.Type()); ok {
		if r.Has(Streams) {
			s.named(valueWords(v))
		}
		return r
	}
	switch x := v.(type) {
	case *ssa.Const:
		return 0 // nil
	case *ssa.MakeInterface:
		return s.value(x.X, depth)
	case *ssa.ChangeInterface:
		return s.value(x.X, depth)
	case *ssa.ChangeType:
		return s.value(x.X, depth)
	case *ssa.TypeAssert:
		return s.value(x.X, depth)
	case *ssa.Phi:
		var r Reader
		for _, e := range x.Edges {
			r |= s.value(e, depth+1)
		}
		return r
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.Call:
			return s.call(t, x.Index, depth)
		case *ssa.TypeAssert:
			return s.value(t.X, depth+1)
		}
	case *ssa.Call:
		return s.call(x, 0, depth)
	case *ssa.UnOp:
		return s.value(x.X, depth+1)
	case *ssa.FieldAddr:
		return s.field(x, x.X, x.Field, depth)
	case *ssa.Field:
		return s.field(x, x.X, x.Field, depth)
	case *ssa.FreeVar:
		if b := s.f.binding(x); b != nil {
			return s.value(b, depth+1)
		}
	case *ssa.Alloc:
		return s.stored(x, depth)
	case *ssa.Global:
		if x.Pkg != nil && x.Pkg.Pkg.Path() == "os" && x.Name() == "Stdin" {
			return Stdin
		}
		return s.stored(x, depth)
	case *ssa.Parameter:
		return s.param(x, depth)
	}
	return Unseen
}

// byType says what the type alone tells.
func (s *sourcer) byType(t types.Type) (Reader, bool) {
	switch name := model.TypeName(t); name {
	case "strings.Reader", "bytes.Reader", "bytes.Buffer", "strings.Builder":
		return Memory, true
	case "io.SectionReader", "mime/multipart.File", "io/fs.File", "embed.FS", "archive/tar.Reader":
		return File, true
	case "io.PipeReader":
		return Pipe, true
	case "":
	default:
		if model.NetworkReaders[name] {
			return Network, true
		}
	}
	if isConn(t) {
		return Network, true
	}
	return 0, false
}

// isConn reports whether t has the methods of a network connection.
func isConn(t types.Type) bool {
	if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Invalid {
		return false
	}
	for _, name := range []string{"RemoteAddr", "SetReadDeadline", "Read"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj == nil {
			return false
		} else if _, ok := obj.(*types.Func); !ok {
			return false
		}
	}
	return true
}

// wraps are the functions whose result reads what an argument reads.
var wraps = map[string]int{
	"io.NopCloser": 0, "io/ioutil.NopCloser": 0, "io.TeeReader": 0, "bufio.NewReader": 0, "bufio.NewReaderSize": 0,
	"net/textproto.NewReader": 0, "net/http.MaxBytesReader": 1, "encoding/base64.NewDecoder": 1, "encoding/hex.NewDecoder": 0,
}

func (s *sourcer) call(call *ssa.Call, result, depth int) Reader {
	args := Args(call)
	name := CalleeName(call)
	if i, ok := wraps[name]; ok && i < len(args) {
		return s.value(args[i], depth+1)
	}
	switch name {
	case "(os/exec.Cmd).StdoutPipe", "(os/exec.Cmd).StderrPipe":
		s.named(callWords(call))
		return Child
	case "os.Pipe":
		s.named(callWords(call))
		return Pipe
	case "os.Open", "os.OpenFile", "os.Create", "os.CreateTemp", "(os.Root).Open", "(os.Root).OpenFile", "os.NewFile",
		"(archive/zip.File).Open", "(archive/zip.Reader).Open", "(mime/multipart.FileHeader).Open", "io/ioutil.TempFile":
		return File
	case "strings.NewReader", "bytes.NewReader", "bytes.NewBuffer", "bytes.NewBufferString":
		return Memory
	case "io.LimitReader":
		r := s.value(args[0], depth+1)
		if k, ok := args[1].(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Int {
			if n, exact := constant.Int64Val(k.Value); exact {
				s.out.Limit = max(s.out.Limit, n)
				return r | Limited
			}
		}
		return r
	case "io.MultiReader":
		return s.elements(args, depth)
	}
	if body := s.f.Body(call); body != nil {
		if r := s.results(body, result, depth); r != 0 && r != Unseen {
			return r
		}
		return s.wrapped(call, args, depth)
	}
	callees := s.f.callees(call)
	if len(callees) > 0 {
		var r Reader
		for _, c := range callees {
			r |= s.results(c, result, depth)
		}
		if r != 0 && r != Unseen {
			return r
		}
	}
	return s.foreign(call, args, result, depth)
}

// results gives what the i-th result of a function of the package reads.
func (s *sourcer) results(fn *ssa.Function, i, depth int) Reader {
	var r Reader
	for _, b := range fn.Blocks {
		if ret, ok := last(b).(*ssa.Return); ok && i < len(ret.Results) {
			r |= s.value(ret.Results[i], depth+2)
		}
	}
	return r
}

// wrapped takes a call that gets one reader and returns another for a wrapper of
// it: gzip.NewReader, a decoder of a character set.
func (s *sourcer) wrapped(call *ssa.Call, args []ssa.Value, depth int) Reader {
	var one ssa.Value
	for _, a := range args {
		if isReader(a.Type()) {
			if one != nil {
				return Unseen
			}
			one = a
		}
	}
	if one == nil {
		return Unseen
	}
	return s.value(one, depth+1)
}

// foreign judges the result of a function of another package.
func (s *sourcer) foreign(call *ssa.Call, args []ssa.Value, result, depth int) Reader {
	fn := Callee(call)
	if fn == nil {
		return Unseen
	}
	sig := fn.Signature()
	if result >= sig.Results().Len() {
		return Unseen
	}
	if r := s.wrapped(call, args, depth); r != Unseen {
		return r
	}
	// A reader that must be closed, and that a context opens: the body of an
	// answer, the log of a container.
	if closable(sig.Results().At(result).Type()) && takesContext(sig) {
		s.named(callWords(call))
		return Network
	}
	return Unseen
}

func takesContext(sig *types.Signature) bool {
	for i := range sig.Params().Len() {
		if model.TypeName(sig.Params().At(i).Type()) == "context.Context" {
			return true
		}
	}
	return false
}

func closable(t types.Type) bool { return hasMethod(t, "Read") && hasMethod(t, "Close") }

func isReader(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "Read")
	fn, ok := obj.(*types.Func)
	return ok && readShape(fn.Signature())
}

func hasMethod(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	_, ok := obj.(*types.Func)
	return ok
}

// elements joins what the operands of io.MultiReader read.
func (s *sourcer) elements(args []ssa.Value, depth int) Reader {
	if len(args) != 1 {
		return Unseen
	}
	sl, ok := args[0].(*ssa.Slice)
	if !ok || sl.X.Referrers() == nil {
		return Unseen
	}
	var r Reader
	for _, ref := range *sl.X.Referrers() {
		ia, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *ia.Referrers() {
			if st, ok := use.(*ssa.Store); ok {
				r |= s.value(st.Val, depth+1)
			}
		}
	}
	return r
}

func (s *sourcer) field(at ssa.Value, owner ssa.Value, i, depth int) Reader {
	v := fieldVar(owner.Type(), i)
	switch name := model.FieldName(owner.Type(), v); name {
	case "net/http.Response.Body":
		s.named(valueWords(at))
		return Network | Answer
	case "net/http.Request.Body":
		s.named(valueWords(at))
		return Network | Request
	}
	if v.Pkg() != s.f.pass.Pkg {
		if closable(v.Type()) && types.IsInterface(v.Type()) {
			s.named(valueWords(at)) // the body in an SDK's answer
			return Network
		}
		return Unseen
	}
	var r Reader
	for _, w := range s.f.writes[any(v)] {
		if w.kind == wrStore {
			r |= s.value(w.val, depth+1)
		}
	}
	if r == 0 {
		return Unseen
	}
	return r
}

func (s *sourcer) stored(v ssa.Value, depth int) Reader {
	var r Reader
	for _, w := range s.f.writes[any(v)] {
		if w.kind == wrStore {
			r |= s.value(w.val, depth+1)
		}
	}
	if r == 0 {
		return Unseen
	}
	return r
}

func (s *sourcer) param(p *ssa.Parameter, depth int) Reader {
	fn := p.Parent()
	sites := s.f.Callers(fn)
	k := paramIndex(p)
	var r Reader
	for _, site := range sites {
		if k < len(site.Args) {
			r |= s.value(site.Args[k], depth+2)
		}
	}
	if len(sites) == 0 || visible(fn) && r == 0 {
		s.named(p.Name())
		s.out.Params = append(s.out.Params, p)
		r |= Given
	}
	return r
}

// valueWords names a value as the source does: resp.Body, conn.
func valueWords(v ssa.Value) string {
	switch x := v.(type) {
	case *ssa.UnOp:
		return valueWords(x.X)
	case *ssa.FieldAddr:
		return fieldOf(x.X, fieldVar(x.X.Type(), x.Field))
	case *ssa.Field:
		return fieldOf(x.X, fieldVar(x.X.Type(), x.Field))
	case *ssa.Parameter:
		return x.Name()
	case *ssa.FreeVar:
		return x.Name()
	case *ssa.Global:
		return x.Name()
	case *ssa.Alloc:
		return x.Comment
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return callWords(call)
		}
	case *ssa.Call:
		return callWords(x)
	}
	return ""
}

func fieldOf(owner ssa.Value, field *types.Var) string {
	switch t := shortTypeName(owner.Type()); t {
	case "struct":
		return field.Name()
	case "Response", "Request":
		return strings.ToLower(t) + "." + field.Name()
	default:
		return t + "." + field.Name()
	}
}
