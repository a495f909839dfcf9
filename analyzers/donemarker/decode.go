package donemarker

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// decode reports a decoder that gets the marker: the document is a chunk of a chat
// completion, its text was cut out of a data line, and nothing on the way there asks
// for the marker.
func (c *checker) decode(d *streamflow.Decode) {
	fn := d.Call.Parent()
	if d.Bool || d.Helper || c.global || c.said[fn] || !json(d.Model.Func) || !c.completion(d) {
		return
	}
	if !c.dataLine(d.Data, fn, 0, make(map[ssa.Value]bool)) {
		return
	}
	if c.asked(fn) || c.filtered(d) || c.leaves(d) {
		return
	}
	c.said[fn] = true
	c.r.Report(report.Finding{
		Pos: d.Call.Pos(),
		Message: d.Name + " gets the data of every event, the end marker [DONE] included: it fails there in every stream, which is then an error or an empty event, and the end is not recognised; " +
			"compare the trimmed data with [DONE] before it is decoded",
	})
}

func json(name string) bool {
	return strings.Contains(strings.ToLower(name), "json") || strings.Contains(name, "sonic")
}

// completion reports whether what is decoded has the form of a chunk of a chat
// completion, whose protocol ends with the marker: choices, each with a delta.
func (c *checker) completion(d *streamflow.Decode) bool {
	if d.Into == nil {
		return false
	}
	v := d.Into
	if mi, ok := v.(*ssa.MakeInterface); ok {
		v = mi.X
	}
	t := v.Type()
	for range 3 {
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		t = p.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return hasChoices(u)
	case *types.Map:
		return namesKey(d.Call.Parent(), "choices") && namesKey(d.Call.Parent(), "delta")
	}
	return false
}

func hasChoices(s *types.Struct) bool {
	for i := range s.NumFields() {
		if tagOf(s, i) != "choices" {
			continue
		}
		sl, ok := s.Field(i).Type().Underlying().(*types.Slice)
		if !ok {
			continue
		}
		t := sl.Elem()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		choice, ok := t.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for j := range choice.NumFields() {
			if tagOf(choice, j) == "delta" {
				return true
			}
		}
	}
	return false
}

func tagOf(s *types.Struct, i int) string {
	name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
	return name
}

// namesKey reports whether a function looks a key up in a map.
func namesKey(fn *ssa.Function, key string) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if l, ok := in.(*ssa.Lookup); ok && streamflow.ConstText(l.Index) == key {
				return true
			}
		}
	}
	return false
}

// dataLine reports whether a text was cut out of a line that begins with "data:".
func (c *checker) dataLine(v ssa.Value, fn *ssa.Function, depth int, seen map[ssa.Value]bool) bool {
	if v == nil || depth > 20 || seen[v] {
		return false
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Convert:
		return c.dataLine(x.X, fn, depth+1, seen)
	case *ssa.ChangeType:
		return c.dataLine(x.X, fn, depth+1, seen)
	case *ssa.MakeInterface:
		return c.dataLine(x.X, fn, depth+1, seen)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if c.dataLine(e, fn, depth+1, seen) {
				return true
			}
		}
	case *ssa.Slice:
		if x.Low != nil && asksPrefix(fn, x.X) {
			return true
		}
		return c.dataLine(x.X, fn, depth+1, seen)
	case *ssa.IndexAddr:
		return c.dataLine(x.X, fn, depth+1, seen)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return false
		}
		switch a := x.X.(type) {
		case *ssa.IndexAddr:
			return c.dataLine(a.X, fn, depth+1, seen)
		case *ssa.Alloc, *ssa.FreeVar:
			for _, p := range c.flow.Puts(c.flow.Location(a)) {
				if p.Val != nil && c.dataLine(p.Val, fn, depth+1, seen) {
					return true
				}
			}
		}
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return c.dataCall(call, fn, depth, seen)
		}
	case *ssa.Call:
		return c.dataCall(x, fn, depth, seen)
	case *ssa.Parameter:
		k := streamflow.ParamIndex(x)
		for _, s := range c.flow.Callers(x.Parent()) {
			if k < len(s.Args) && c.dataLine(s.Args[k], s.Call.Parent(), depth+4, seen) {
				return true
			}
		}
	}
	return false
}

func (c *checker) dataCall(call *ssa.Call, fn *ssa.Function, depth int, seen map[ssa.Value]bool) bool {
	name := streamflow.CalleeName(call)
	args := streamflow.Args(call)
	switch name {
	case "strings.TrimPrefix", "bytes.TrimPrefix", "strings.CutPrefix", "bytes.CutPrefix", "strings.Split", "bytes.Split",
		"strings.SplitN", "bytes.SplitN", "strings.Cut", "bytes.Cut", "strings.SplitAfterN", "strings.ReplaceAll", "strings.Replace":
		if strings.HasPrefix(streamflow.ConstText(args[1]), "data:") {
			return true
		}
		return c.dataLine(args[0], fn, depth+1, seen)
	}
	if p, ok := model.LookupPass(name); ok {
		for _, a := range p.Args {
			if a < len(args) && c.dataLine(args[a], fn, depth+1, seen) {
				return true
			}
		}
	}
	return false
}

// asksPrefix reports whether the function asks if the text begins with "data:".
func asksPrefix(fn *ssa.Function, v ssa.Value) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			switch streamflow.CalleeName(call) {
			case "strings.HasPrefix", "bytes.HasPrefix":
				if call.Call.Args[0] == v && strings.HasPrefix(streamflow.ConstText(call.Call.Args[1]), "data:") {
					return true
				}
			}
		}
	}
	return false
}

// asked reports whether the function, one that calls it, or one that these call
// names the marker, or hands the text to a judgement out of sight.
func (c *checker) asked(fn *ssa.Function) bool {
	seen := make(map[*ssa.Function]bool)
	var down func(fn *ssa.Function, depth int) bool
	down = func(fn *ssa.Function, depth int) bool {
		if seen[fn] || depth > 3 {
			return false
		}
		seen[fn] = true
		if c.names(fn, marker) {
			return true
		}
		for _, call := range c.flow.Calls(fn) {
			for _, callee := range c.flow.Callees(call) {
				if down(callee, depth+1) {
					return true
				}
			}
			if judges(call) && len(c.flow.Callees(call)) == 0 {
				return true
			}
		}
		return false
	}
	var up func(fn *ssa.Function, depth int) bool
	visited := make(map[*ssa.Function]bool)
	up = func(fn *ssa.Function, depth int) bool {
		if visited[fn] || depth > 4 {
			return false
		}
		visited[fn] = true
		if down(fn, 0) {
			return true
		}
		if p := fn.Parent(); p != nil && up(p, depth+1) {
			return true
		}
		for _, s := range c.flow.Callers(fn) {
			if up(s.Call.Parent(), depth+1) {
				return true
			}
		}
		return false
	}
	return up(fn, 0)
}

// judges reports whether a call of a function that is no part of the standard
// library judges a text: IsEndOfStream(data) bool.
func judges(call ssa.CallInstruction) bool {
	fn := streamflow.Callee(call)
	if fn == nil || fn.Pkg() == nil || !strings.Contains(strings.SplitN(fn.Pkg().Path(), "/", 2)[0], ".") {
		return fn != nil && call.Common().IsInvoke() && boolOfText(fn)
	}
	return boolOfText(fn)
}

func boolOfText(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Results().Len() == 0 {
		return false
	}
	b, ok := sig.Results().At(sig.Results().Len() - 1).Type().Underlying().(*types.Basic)
	if !ok || b.Kind() != types.Bool {
		return false
	}
	for i := range sig.Params().Len() {
		if streamflow.IsText(sig.Params().At(i).Type()) {
			return true
		}
	}
	return false
}

// names reports whether a function has a constant with the text in it.
func (c *checker) names(fn *ssa.Function, text string) bool {
	if text == marker {
		if found, ok := c.marks[fn]; ok {
			return found
		}
	}
	found := false
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, op := range in.Operands(nil) {
				if *op != nil && strings.Contains(streamflow.ConstText(*op), text) {
					found = true
				}
			}
		}
	}
	if text == marker {
		c.marks[fn] = found
	}
	return found
}

// filtered reports whether only what looks like an object comes to the decoder.
func (c *checker) filtered(d *streamflow.Decode) bool {
	for _, b := range d.Call.Parent().Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.Call:
				switch streamflow.CalleeName(x) {
				case "strings.HasPrefix", "bytes.HasPrefix", "strings.IndexByte", "strings.Index", "bytes.IndexByte":
					k := streamflow.ConstText(x.Call.Args[1])
					if strings.HasPrefix(k, "{") || strings.HasPrefix(k, "[") || isRune(x.Call.Args[1], '{') {
						return true
					}
				case "encoding/json.Valid":
					return true
				}
			case *ssa.BinOp:
				if isRune(x.Y, '{') || isRune(x.Y, '[') {
					return true
				}
			}
		}
	}
	return false
}

func isRune(v ssa.Value, r rune) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && k.Value.Kind() == constant.Int && k.Int64() == int64(r)
}

// leaves reports whether the loop is left when a finish reason has come, so that the
// marker behind it is not read.
func (c *checker) leaves(d *streamflow.Decode) bool {
	for _, b := range d.Call.Parent().Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		ifi, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !c.finish(ifi.Cond, 0) {
			continue
		}
		if !c.flow.Reaches(d.Call, ifi) {
			continue
		}
		for _, to := range b.Succs {
			if len(to.Instrs) > 0 && to.Instrs[0] != ssa.Instruction(d.Call) && !c.flow.Reaches(to.Instrs[0], d.Call) && c.flow.InLoop(d.Call) && c.flow.InLoop(ifi) {
				return true
			}
		}
	}
	return false
}

// finish reports whether a condition is about what shows an end.
func (c *checker) finish(v ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := v.(type) {
	case *ssa.BinOp:
		return c.finish(x.X, depth+1) || c.finish(x.Y, depth+1)
	case *ssa.Const:
		return false
	case *ssa.UnOp:
		if x.Op == token.NOT {
			return c.finish(x.X, depth+1)
		}
	case *ssa.Phi:
		for _, e := range x.Edges {
			if c.finish(e, depth+1) {
				return true
			}
		}
		return false
	}
	for _, o := range c.flow.Trace(v) {
		if o.Kind == streamflow.Finish {
			return true
		}
	}
	return false
}

func newline(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && k.Value.Kind() == constant.Int && k.Int64() == '\n'
}

// variableNames reports whether the declaration of a package variable has the marker
// in it.
func variableNames(pass *analysis.Pass, name string) bool {
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.VAR {
				continue
			}
			for _, s := range d.Specs {
				spec := s.(*ast.ValueSpec)
				for i, id := range spec.Names {
					if id.Name != name || i >= len(spec.Values) {
						continue
					}
					found := false
					ast.Inspect(spec.Values[i], func(n ast.Node) bool {
						if e, ok := n.(ast.Expr); ok {
							if tv := pass.TypesInfo.Types[e]; tv.Value != nil && tv.Value.Kind() == constant.String && strings.Contains(constant.StringVal(tv.Value), marker) {
								found = true
							}
						}
						return !found
					})
					if found {
						return true
					}
				}
			}
		}
	}
	return false
}
