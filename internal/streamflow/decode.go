package streamflow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// Decode is a call that decodes a whole document: a decoder of the tables, a
// user's own, or a function of another package whose fact says that it hands a
// parameter to one.
type Decode struct {
	Call  ssa.CallInstruction
	Name  string    // the callee for a message: json.Unmarshal, llm.ParseArgs
	Data  ssa.Value // the document (for (Decoder).Decode: the decoder)
	Path  Path      // where in Data the document lies, for a helper that takes a struct
	Into  ssa.Value // what is filled: a pointer argument or the result; nil where the program drops it
	Err   ssa.Value // the error (or bool) result; nil where the program drops it
	Bool  bool      // Err is a bool: json.Valid
	Model model.Decoder
	// Helper says that the call is known by a fact and not by the tables.
	Helper bool
}

// Pos is the position of the decode in the source.
func (d *Decode) Pos() token.Pos { return d.Call.Pos() }

// Decodes gives the decode calls of the package, in source order of their
// functions.
func (f *Flow) Decodes() []*Decode { return f.decodes }

// decodeOf looks a call up among the decoders.
func (f *Flow) decodeOf(call ssa.CallInstruction) []*Decode {
	callee := Callee(call)
	if callee == nil {
		return nil
	}
	name := model.FuncName(callee)
	args := Args(call)
	m, ok := model.LookupDecoder(name)
	if !ok {
		m, ok = f.config.decoder(name)
	}
	if ok {
		if m.Data >= len(args) {
			return nil
		}
		d := &Decode{Call: call, Name: shortName(callee), Data: args[m.Data], Bool: m.Bool, Model: m}
		switch {
		case m.Into == model.Result && !m.Bool:
			d.Into = Result(call, 0)
		case m.Into >= 0 && m.Into < len(args):
			d.Into = args[m.Into]
		}
		if m.Bool {
			d.Err = Result(call, 0)
		} else if i := ErrorResult(callee.Signature()); i >= 0 {
			d.Err = Result(call, i)
		}
		return []*Decode{d}
	}
	if f.Body(call) != nil || callee.Pkg() == nil || callee.Pkg() == f.pass.Pkg {
		return nil // its own decode is in the list
	}
	fact := f.funcFact(callee)
	if fact == nil {
		return nil
	}
	var out []*Decode
	for _, p := range fact.Decodes {
		if p.Param >= len(args) {
			continue
		}
		d := &Decode{Call: call, Name: shortName(callee), Data: args[p.Param], Path: p.Path, Helper: true,
			Model: model.Decoder{Func: name, Data: p.Param, Into: model.Result}}
		d.Into = Result(call, 0)
		if i := ErrorResult(callee.Signature()); i >= 0 {
			d.Err = Result(call, i)
			if i == 0 {
				d.Into = nil
			}
		}
		out = append(out, d)
	}
	return out
}

// shortName names a function as its callers write it: json.Unmarshal,
// (*json.Decoder).Decode as Decoder.Decode.
func shortName(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			return n.Obj().Name() + "." + fn.Name()
		}
		return fn.Name()
	}
	if fn.Pkg() == nil {
		return fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}

// IsDecode reports whether a call is one of the package's decode calls.
func (f *Flow) IsDecode(call ssa.CallInstruction) bool {
	for _, d := range f.decodes {
		if d.Call == call {
			return true
		}
	}
	return false
}
