package partialapply

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// applyFact says that a function applies parameters of its own.
type applyFact struct {
	Applies []applied
}

// applied is a parameter (the receiver of a method is 0) that reaches an effect.
type applied struct {
	Param  int
	Kind   model.EffectKind
	Script bool // it is the statement itself
	Verb   string
	Via    string // the effect at the end, for messages
}

// AFact marks the type as a fact.
func (*applyFact) AFact() {}

func (f *applyFact) String() string {
	var out []string
	for _, a := range f.Applies {
		s := fmt.Sprintf("applies(%d by %s)", a.Param, a.Via)
		if a.Script {
			s = fmt.Sprintf("executes(%d by %s)", a.Param, a.Via)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// appliesFact says that a package has functions with an applyFact, so that packages
// that import none need not be read.
type appliesFact struct{}

// AFact marks the type as a fact.
func (*appliesFact) AFact() {}

func (*appliesFact) String() string { return "applies things" }

// itemFact says that a function brings the items of a plan one by one.
type itemFact struct {
	Shape shape
	From  string
	// Reader is the parameter that they are read from, by the caller's choice; -1
	// where the function, or what made its receiver, chose a stream.
	Reader    int
	Results   []int    // a call gives the next item in one of them
	Callbacks [][2]int // the parameter that is called, and its argument that is the item
	Yields    [][2]int // the result that is an iterator, and the argument of its yield
}

// AFact marks the type as a fact.
func (*itemFact) AFact() {}

func (f *itemFact) String() string {
	var out []string
	for _, r := range f.Results {
		out = append(out, fmt.Sprintf("brings(%d)", r))
	}
	for _, c := range f.Callbacks {
		out = append(out, fmt.Sprintf("calls(%d with item %d)", c[0], c[1]))
	}
	for _, c := range f.Yields {
		out = append(out, fmt.Sprintf("yields(%d with item %d)", c[0], c[1]))
	}
	return strings.Join(out, " ")
}

func (f *itemFact) addResult(i int) {
	for _, r := range f.Results {
		if r == i {
			return
		}
	}
	f.Results = append(f.Results, i)
}

func (f *itemFact) addCallback(param, arg int) {
	f.Callbacks = addPair(f.Callbacks, [2]int{param, arg})
}
func (f *itemFact) addYield(result, arg int) { f.Yields = addPair(f.Yields, [2]int{result, arg}) }

func addPair(list [][2]int, p [2]int) [][2]int {
	for _, have := range list {
		if have == p {
			return list
		}
	}
	return append(list, p)
}

// readerOf gives the parameter of a function that items are read from, or -1 where
// the package chose the stream; false where neither is sure.
func (c *checker) readerOf(fn *ssa.Function, rcv *receiver) (int, bool) {
	if rcv.reader == nil {
		return -1, true
	}
	if p := given(rcv.reader, fn); p != nil {
		return streamflow.ParamIndex(p), true
	}
	if src := c.io.Source(rcv.reader); src.Reader.Has(streamflow.Given) || !breaks(src) {
		return 0, fn.Signature.Recv() != nil // what made the receiver was given the reader
	}
	return -1, true
}

// exportItems writes the facts of the functions that bring items.
func (c *checker) exportItems() {
	for fn, f := range c.items {
		c.pass.ExportObjectFact(fn, f)
	}
}

// applies gives the fact of a function of another package.
func (c *checker) applies(call ssa.CallInstruction) *applyFact {
	fn := streamflow.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == c.pass.Pkg {
		return nil
	}
	var f applyFact
	if c.pass.ImportObjectFact(fn.Origin(), &f) {
		return &f
	}
	return nil
}

// foreign looks at functions of other packages that bring items.
func (c *checker) foreign() {
	for _, fn := range c.flow.Functions() {
		for _, in := range c.flow.Calls(fn) {
			callee := streamflow.Callee(in)
			if callee == nil || callee.Pkg() == nil || callee.Pkg() == c.pass.Pkg || userMessages.has(model.FuncName(callee)) {
				continue
			}
			var f itemFact
			if c.pass.ImportObjectFact(callee.Origin(), &f) {
				c.brought(fn, in, &f)
			}
		}
	}
}

func (c *checker) brought(fn *ssa.Function, call ssa.CallInstruction, f *itemFact) {
	rcv := receiver{shape: f.Shape, from: f.From, pos: call.Pos()}
	if f.Reader >= 0 {
		args := streamflow.Args(call)
		if f.Reader >= len(args) {
			return
		}
		src := c.io.Source(args[f.Reader])
		if !breaks(src) || f.Shape == scripts && !bounded(src) {
			return
		}
		rcv.from, rcv.reader = src.Words, args[f.Reader]
	}
	if rcv.from == "" {
		rcv.from = "the stream"
	}
	for _, i := range f.Results {
		r := rcv
		r.at, r.fn, r.item = call, fn, []ssa.Value{streamflow.Result(call, i)}
		c.report(&r, c.follow(&r))
	}
	// The bodies that are called with the items.
	bodies := func(v ssa.Value, arg int) {
		for _, body := range c.functionsOf(v) {
			if arg < len(body.Params) {
				r := rcv
				r.fn, r.item = body, []ssa.Value{body.Params[arg]}
				c.report(&r, c.follow(&r))
			}
		}
	}
	for _, cb := range f.Callbacks {
		if args := streamflow.Args(call); cb[0] < len(args) {
			bodies(args[cb[0]], cb[1])
		}
	}
	for _, y := range f.Yields {
		it := streamflow.Result(call, y[0])
		if it == nil {
			continue
		}
		for _, use := range *it.Referrers() {
			if ct, ok := use.(*ssa.ChangeType); ok && len(*ct.Referrers()) == 1 {
				use = (*ct.Referrers())[0]
			}
			if run, ok := use.(ssa.CallInstruction); ok && len(run.Common().Args) == 1 && !run.Common().IsInvoke() {
				bodies(run.Common().Args[0], y[1])
			}
		}
	}
}

// functionsOf gives the closure or function that an argument is.
func (c *checker) functionsOf(v ssa.Value) []*ssa.Function {
	switch x := stripType(v).(type) {
	case *ssa.Function:
		return []*ssa.Function{x}
	case *ssa.MakeClosure:
		return []*ssa.Function{x.Fn.(*ssa.Function)}
	}
	return nil
}
