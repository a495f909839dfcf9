package blindretry

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/streamflow"
)

// opFact is what importing packages need to know of a function.
type opFact struct {
	// Emits lists the parameters (a receiver is 0) that get the data of a stream
	// which the function opens.
	Emits []int
	// Gives lists the results that are, or hold, a stream which the function has
	// opened.
	Gives []int
	// Repeats lists the parameters, functions, that are called again after an error.
	Repeats []int
}

// AFact marks the type as a fact.
func (*opFact) AFact() {}

func (f *opFact) String() string {
	var parts []string
	for _, x := range []struct {
		word string
		list []int
	}{{"emits", f.Emits}, {"gives", f.Gives}, {"repeats", f.Repeats}} {
		if len(x.list) > 0 {
			parts = append(parts, x.word+strings.ReplaceAll(fmt.Sprint(x.list), " ", ","))
		}
	}
	return strings.Join(parts, " ")
}

func (c *checker) fact(fn *types.Func) *opFact {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == c.pass.Pkg {
		return nil
	}
	var f opFact
	if c.pass.ImportObjectFact(fn.Origin(), &f) {
		return &f
	}
	return nil
}

func (c *checker) exportFacts() {
	for _, fn := range c.flow.Functions() {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !obj.Exported() || fn.Parent() != nil {
			continue
		}
		var fact opFact
		seen := make(map[int]bool)
		for _, e := range c.op(fn) {
			p, ok := e.target.(*ssa.Parameter)
			if !ok || p.Parent() != fn || e.unknown || !e.fails {
				continue
			}
			i := streamflow.ParamIndex(p)
			if fn.Signature.Recv() != nil && i == 0 {
				continue // the object's own affair
			}
			if i >= 0 && !seen[i] {
				seen[i] = true
				fact.Emits = append(fact.Emits, i)
			}
		}
		fact.Gives = c.gives(fn)
		for i, p := range fn.Params {
			if c.repeatsParam(fn, p) {
				fact.Repeats = append(fact.Repeats, i)
			}
		}
		if len(fact.Emits)+len(fact.Gives)+len(fact.Repeats) > 0 {
			c.pass.ExportObjectFact(obj, &fact)
		}
	}
}

// repeatsParam reports whether fn calls its parameter p again after an error: a
// retry helper.
func (c *checker) repeatsParam(fn *ssa.Function, p *ssa.Parameter) bool {
	sig, ok := p.Type().Underlying().(*types.Signature)
	if !ok || streamflow.ErrorResult(sig) < 0 {
		return false
	}
	for _, call := range c.flow.Calls(fn) {
		if call.Common().IsInvoke() || c.root(call.Common().Value) != ssa.Value(p) {
			continue
		}
		if c.turns(call) == onError {
			return true
		}
	}
	return false
}
