package partialapply

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// plans looks at the readers of items that the package makes.
func (c *checker) plans() {
	for _, e := range model.PlanReaders {
		for _, in := range c.io.Named(e.New) {
			call, ok := in.(*ssa.Call)
			if !ok || e.Reader >= len(call.Call.Args) {
				continue
			}
			c.plan(e, call)
		}
	}
}

func (c *checker) plan(e model.PlanReader, made *ssa.Call) {
	o := c.io.Follow(made)
	var items []ssa.CallInstruction
	for _, name := range e.Items {
		items = append(items, o.Method(name)...)
	}
	if len(items) == 0 {
		return
	}
	reader := made.Call.Args[e.Reader]
	src := c.io.Source(reader)
	for _, item := range items {
		rcv := &receiver{from: src.Words, pos: item.Pos(), at: item, fn: item.Parent(), reader: reader}
		if e.Out == model.Result {
			rcv.item = []ssa.Value{streamflow.Result(item, 0)}
		} else if args := streamflow.Args(item); e.Out < len(args) {
			rcv.item = []ssa.Value{root(args[e.Out])}
		}
		if rcv.from == "" {
			rcv.from = "the stream"
			if src.Reader.Has(streamflow.Stdin) {
				rcv.from = "the standard input"
			}
		}
		shape, ok := c.shapeOf(e, o, src, item)
		if !ok {
			// What the package itself gives a function to read says nothing of its importers.
			if given(reader, nil) == nil {
				continue
			}
			if shape, ok = c.shapeOf(e, o, streamflow.Source{Reader: streamflow.Given}, item); !ok {
				continue
			}
			rcv.shape = shape
			c.follow(rcv)
			continue
		}
		rcv.shape = shape
		c.report(rcv, c.follow(rcv))
	}
}

// given gives the parameter (of fn, if that is not nil) that a reader is or wraps.
func given(v ssa.Value, fn *ssa.Function) *ssa.Parameter {
	for range 10 {
		switch x := v.(type) {
		case *ssa.Parameter:
			if fn != nil && x.Parent() != fn {
				return nil
			}
			return x
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp: // a variable that a closure captures
			v = x.X
		case *ssa.Alloc:
			var one ssa.Value
			for _, ref := range *x.Referrers() {
				if st, ok := ref.(*ssa.Store); ok && st.Addr == x {
					if one != nil {
						return nil
					}
					one = st.Val
				}
			}
			v = one
		case *ssa.FreeVar:
			b := bindingOf(x)
			if b == nil {
				return nil
			}
			v = b
		case *ssa.Call: // a wrapper
			if len(x.Call.Args) == 0 {
				return nil
			}
			v = x.Call.Args[0]
		default:
			return nil
		}
	}
	return nil
}

// bindingOf gives what a free variable is bound to where its closure is made.
func bindingOf(fv *ssa.FreeVar) ssa.Value {
	fn := fv.Parent()
	if fn.Parent() == nil {
		return nil
	}
	for i, v := range fn.FreeVars {
		if v != fv {
			continue
		}
		for _, b := range fn.Parent().Blocks {
			for _, in := range b.Instrs {
				if mc, ok := in.(*ssa.MakeClosure); ok && mc.Fn == fn {
					return mc.Bindings[i]
				}
			}
		}
	}
	return nil
}

// shapeOf says what the items of a reader are to each other, and false where each may
// well be a unit of its own.
func (c *checker) shapeOf(e model.PlanReader, o *streamflow.Object, src streamflow.Source, item ssa.CallInstruction) (shape, bool) {
	if !breaks(src) {
		return 0, false
	}
	switch e.Shape {
	case model.Elements:
		if len(o.Method("More")) > 0 && c.steppedInto(o.Method("Token"), item) {
			return parts, true
		}
		return scripts, bounded(src)
	case model.Nested:
		return parts, src.Reader.Has(streamflow.Answer | streamflow.Request)
	}
	if src.Reader.Has(streamflow.Answer) && !c.wire(o, item) && !c.follows(item.Parent()) {
		return lines, true
	}
	if bounded(src) && c.cutsStatements(o, item) && !c.interactive(item.Parent()) {
		return scripts, true
	}
	return 0, false
}

// breaks reports whether a reader brings something from elsewhere that can break off
// half way. What a child process or another part of the program writes is no plan that
// somebody sent.
func breaks(src streamflow.Source) bool {
	if slices.ContainsFunc(src.Params, func(p *ssa.Parameter) bool { return model.TypeName(p.Type()) == "os.File" }) {
		return false
	}
	return src.Reader.Has(streamflow.Network|streamflow.Stdin|streamflow.Given) &&
		!src.Reader.Has(streamflow.File|streamflow.Memory|streamflow.Unseen)
}

// bounded reports whether what a reader gives has an end by which it is whole: over
// connections, pipes and from children any number of messages may come.
func bounded(src streamflow.Source) bool {
	return src.Reader.Has(streamflow.Answer|streamflow.Request) || !src.Reader.Has(streamflow.Streams)
}

// steppedInto reports whether a document was opened with Token before its parts are
// decoded: the call does not stand in the loop that takes the parts.
func (c *checker) steppedInto(tokens []ssa.CallInstruction, item ssa.CallInstruction) bool {
	return slices.ContainsFunc(tokens, func(t ssa.CallInstruction) bool {
		if t.Parent() != item.Parent() {
			return true
		}
		return c.flow.Reaches(t, item) && !c.flow.SameLoop(t, item)
	})
}

// wire reports whether the items are lines of a protocol: each is a message.
func (c *checker) wire(o *streamflow.Object, item ssa.CallInstruction) bool {
	s := &streamflow.Scanner{Object: &streamflow.Object{Calls: map[string][]ssa.CallInstruction{"Text": {item}}}}
	return c.io.Wire(s)
}

// follows reports whether a function, or one that calls it, asks for a stream that goes
// on: log lines and events come one by one, and no line belongs to the next.
func (c *checker) follows(fn *ssa.Function) bool {
	all := []*ssa.Function{fn}
	for _, s := range c.flow.Callers(fn) {
		all = append(all, s.Call.Parent())
	}
	var ops []*ssa.Value
	for _, fn := range all {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				ops = in.Operands(ops[:0])
				for _, op := range ops {
					if *op == nil {
						continue
					}
					text := strings.ToLower(textOf(*op, 5))
					if slices.ContainsFunc(model.EndlessWords, func(w string) bool { return strings.Contains(text, w) }) {
						return true
					}
				}
			}
		}
	}
	return false
}

// cutsStatements reports whether the items are cut, or joined, at semicolons: by a
// split function, by the delimiter of a read, or by what the function around looks for.
func (c *checker) cutsStatements(o *streamflow.Object, item ssa.CallInstruction) bool {
	for _, call := range o.Method("Split") {
		args := streamflow.Args(call)
		if len(args) != 2 {
			continue
		}
		if fn, ok := stripType(args[1]).(*ssa.Function); ok && fn.Pkg == item.Parent().Pkg && semicolons(fn) {
			return true
		}
		if mc, ok := stripType(args[1]).(*ssa.MakeClosure); ok && semicolons(mc.Fn.(*ssa.Function)) {
			return true
		}
	}
	return semicolons(item.Parent())
}

func stripType(v ssa.Value) ssa.Value {
	for {
		ct, ok := v.(*ssa.ChangeType)
		if !ok {
			return v
		}
		v = ct.X
	}
}

// semicolons reports whether a function looks for semicolons.
func semicolons(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.BinOp:
				if (x.Op == token.EQL || x.Op == token.NEQ) && (isSemicolon(x.X) || isSemicolon(x.Y)) {
					return true
				}
			case ssa.CallInstruction:
				fn := streamflow.Callee(x)
				if fn == nil || fn.Pkg() == nil {
					continue
				}
				switch fn.Pkg().Path() {
				case "strings", "bytes", "bufio":
					if slices.ContainsFunc(streamflow.Args(x), isSemicolon) {
						return true
					}
				}
			}
		}
	}
	return false
}

func isSemicolon(v ssa.Value) bool {
	if conv, ok := v.(*ssa.Convert); ok {
		v = conv.X
	}
	k, ok := v.(*ssa.Const)
	if !ok || k.Value == nil {
		return false
	}
	switch k.Value.Kind() {
	case constant.String:
		return strings.TrimSpace(constant.StringVal(k.Value)) == ";"
	case constant.Int:
		n, _ := constant.Int64Val(k.Value)
		b, ok := k.Type().Underlying().(*types.Basic)
		return ok && n == ';' && (b.Kind() == types.Uint8 || b.Kind() == types.Int32)
	}
	return false
}

// interactive reports whether a function talks with a person: it prints a prompt, text
// that does not end its line.
func (c *checker) interactive(fn *ssa.Function) bool {
	for _, call := range c.flow.Calls(fn) {
		args := streamflow.Args(call)
		switch streamflow.CalleeName(call) {
		case "fmt.Print", "fmt.Fprint":
			return true
		case "fmt.Printf":
			if !strings.HasSuffix(textOf(args[0], 0), "\n") {
				return true
			}
		case "fmt.Fprintf":
			if !strings.HasSuffix(textOf(args[1], 0), "\n") {
				return true
			}
		}
	}
	return false
}

// target is a function that a call runs, with the arguments lined up with its
// parameters.
type target struct {
	fn   *ssa.Function
	args []ssa.Value
}

// targets gives the functions of the package that a call may run.
func (c *checker) targets(call ssa.CallInstruction) []target {
	if c.values == nil {
		c.values = make(map[ssa.CallInstruction][]target)
		for _, fn := range c.flow.Functions() {
			for _, s := range c.flow.Callers(fn) {
				c.values[s.Call] = append(c.values[s.Call], target{fn, s.Args})
			}
		}
	}
	return c.values[call]
}

// repeated reports whether what happens in a frame happens for each item of many.
func (c *checker) repeated(f *frame) bool {
	for f.up != nil {
		f = f.up
	}
	return f.anchor == nil || c.flow.InLoop(f.anchor) || c.calledInLoop(f.fn, 0)
}

func (c *checker) calledInLoop(fn *ssa.Function, depth int) bool {
	return slices.ContainsFunc(c.flow.Callers(fn), func(s streamflow.Site) bool {
		return c.flow.InLoop(s.Call) || depth < 2 && c.calledInLoop(s.Call.Parent(), depth+1)
	})
}
