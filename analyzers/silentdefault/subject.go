package silentdefault

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// parses is the fact that a function decodes its parameter Param (a method's
// receiver is 0) and says so with an error when that fails.
type parses struct {
	Param int
	Path  streamflow.Path
	// Into is the position of the parameter that is filled, or -1: the results are.
	Into int
}

// AFact marks the type as a fact.
func (*parses) AFact() {}

func (p *parses) String() string { return fmt.Sprintf("parses(%d%s)", p.Param, p.Path) }

// collect finds the subjects: the decoders' own calls, then the calls of functions
// that decode, in this package and by facts in others.
func (c *checker) collect() {
	facts := make(map[*ssa.Function]parses)
	for _, d := range c.flow.Decodes() {
		if d.Helper || d.Model.Lenient || optionalParts(d.Model.Func) {
			continue
		}
		s := &subject{call: d.Call, fn: d.Call.Parent(), name: d.Name, data: d.Data, path: d.Path,
			into: d.Into, err: d.Err, valid: d.Bool, result: d.Model.Into == model.Result}
		if s.into != nil && !s.valid && streamflow.IsError(s.into.Type()) {
			continue // a decoder that only checks
		}
		c.add(s)
	}
	for range 3 { // helpers of helpers
		before := len(facts)
		for _, s := range c.subjects {
			c.learn(s, facts)
		}
		for fn, p := range facts {
			for _, site := range c.flow.Callers(fn) {
				c.addHelper(site.Call, fn.Name(), p, site.Args)
			}
		}
		if len(facts) == before {
			break
		}
	}
	for fn, p := range facts {
		if obj, ok := fn.Object().(*types.Func); ok && obj.Exported() && fn.Parent() == nil {
			c.pass.ExportObjectFact(obj, &p)
		}
	}
	c.exportInterfaces(facts)
	for _, fn := range c.flow.Functions() {
		for _, call := range c.flow.Calls(fn) {
			callee := streamflow.Callee(call)
			if callee == nil || callee.Pkg() == nil || callee.Pkg() == c.pass.Pkg {
				continue
			}
			var p parses
			if c.pass.ImportObjectFact(callee.Origin(), &p) {
				c.addHelper(call, streamflow.CallWords(call), p, streamflow.Args(call))
			}
		}
	}
	sortSubjects(c.subjects)
}

func sortSubjects(list []*subject) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j].call.Pos() < list[j-1].call.Pos(); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

func (c *checker) add(s *subject) {
	if s.fn == nil || c.byCall[s.call] != nil {
		return
	}
	c.byCall[s.call] = s
	c.inside[s.fn] = append(c.inside[s.fn], s)
	c.subjects = append(c.subjects, s)
}

func (c *checker) addHelper(call ssa.CallInstruction, name string, p parses, args []ssa.Value) {
	if p.Param >= len(args) || call.Parent() == nil {
		return
	}
	sig := call.Common().Signature()
	i := streamflow.ErrorResult(sig)
	if i < 0 {
		return
	}
	s := &subject{call: call, fn: call.Parent(), name: name, data: args[p.Param], path: p.Path, helper: true, err: streamflow.Result(call, i)}
	switch {
	case p.Into >= 0 && p.Into < len(args):
		s.into = args[p.Into]
	case i > 0:
		s.into, s.result = streamflow.Result(call, 0), true
	default:
		return
	}
	c.add(s)
}

// learn notes that the function around a decode is one that decodes a parameter.
func (c *checker) learn(s *subject, facts map[*ssa.Function]parses) {
	fn := s.fn
	if _, ok := facts[fn]; ok || s.valid || fn.Parent() != nil || !canFail(fn) {
		return
	}
	for _, o := range c.flow.TracePath(s.data, s.path) {
		if o.Kind != streamflow.Param || o.Param == nil || o.Param.Parent() != fn {
			continue
		}
		p := parses{Param: position(o.Param), Path: o.Path, Into: -1}
		if !streamflow.IsText(o.Param.Type()) && len(o.Path) == 0 {
			continue
		}
		if fn.Signature.Recv() != nil && p.Param == 0 {
			continue // a method that decodes what its object holds
		}
		if into, ok := strip(s.into).(*ssa.Parameter); ok {
			p.Into = position(into)
		} else if fn.Signature.Results().Len() < 2 || !c.givesBack(s) {
			continue
		}
		facts[fn] = p
		return
	}
}

// givesBack reports whether the function's first result comes from what the subject
// decodes.
func (c *checker) givesBack(s *subject) bool {
	t := c.target(s)
	if t == nil {
		return false
	}
	full := c.fullTarget(s, t)
	for _, b := range s.fn.Blocks {
		if ret, ok := last(b).(*ssa.Return); ok && len(ret.Results) > 0 && full.values[results(ret)[0]] {
			return true
		}
	}
	return false
}

// canFail reports whether a function returns an error that is not always nil.
func canFail(fn *ssa.Function) bool {
	i := streamflow.ErrorResult(fn.Signature)
	if i < 0 {
		return false
	}
	for _, b := range fn.Blocks {
		if ret, ok := last(b).(*ssa.Return); ok && i < len(ret.Results) {
			if k, ok := results(ret)[i].(*ssa.Const); !ok || k.Value != nil {
				return true
			}
		}
	}
	return false
}

// exportInterfaces gives an interface's method the fact that the package's own
// implementations share.
func (c *checker) exportInterfaces(facts map[*ssa.Function]parses) {
	methods := make(map[string][]*ssa.Function)
	for fn := range facts {
		if fn.Signature.Recv() != nil && fn.Parent() == nil {
			methods[fn.Name()] = append(methods[fn.Name()], fn)
		}
	}
	if len(methods) == 0 {
		return
	}
	scope := c.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !tn.Exported() {
			continue
		}
		iface, ok := tn.Type().Underlying().(*types.Interface)
		if !ok {
			continue
		}
		for i := range iface.NumExplicitMethods() {
			m := iface.ExplicitMethod(i)
			var best *parses
			for _, fn := range methods[m.Name()] {
				if p := facts[fn]; implements(fn.Signature.Recv().Type(), iface) && (best == nil || p.Param < best.Param) {
					best = &p
				}
			}
			if best != nil {
				c.pass.ExportObjectFact(m, best)
			}
		}
	}
}

func implements(t types.Type, iface *types.Interface) bool {
	if types.Implements(t, iface) {
		return true
	}
	if _, ok := t.Underlying().(*types.Pointer); ok {
		return false
	}
	return types.Implements(types.NewPointer(t), iface)
}

// optionalParts reports whether a decoder looks one part of a document up, so that
// its error mostly says that the part is not there.
func optionalParts(name string) bool {
	for _, p := range []string{"github.com/buger/jsonparser.", "github.com/bytedance/sonic.Get", "github.com/goccy/go-json.Compact", "github.com/goccy/go-json.Indent"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return strings.HasSuffix(name, ".Compact") || strings.HasSuffix(name, ".Indent") || strings.HasSuffix(name, ".Canonicalize")
}

func position(p *ssa.Parameter) int {
	for i, q := range p.Parent().Params {
		if p == q {
			return i
		}
	}
	return -1
}

func last(b *ssa.BasicBlock) ssa.Instruction {
	if len(b.Instrs) == 0 {
		return nil
	}
	return b.Instrs[len(b.Instrs)-1]
}

// strip takes the dress of an interface or a conversion off a value.
func strip(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return v
		}
	}
}
