package unfinished

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/streamflow"
)

// success says in which words of a message a consumer is told, when control goes
// on from a block, that all went well; "" where the analysis sees none.
func (c *checker) success(fn *ssa.Function, from *ssa.BasicBlock) string {
	if from == nil {
		if len(fn.Blocks) == 0 {
			return ""
		}
		from = fn.Blocks[0]
	}
	if i := streamflow.ErrorResult(fn.Signature); i >= 0 {
		for _, b := range fn.Blocks {
			ret, ok := last(b).(*ssa.Return)
			if !ok || i >= len(ret.Results) || !(b == from || reaches(from, b, nil)) {
				continue
			}
			if zero(resultValue(ret, i)) || clears(from, resultValue(ret, i)) {
				return "nil is returned"
			}
		}
		return ""
	}
	if yieldsError(fn) {
		return "the iteration ends without an error"
	}
	if fn.Signature.Results().Len() == 0 {
		return c.closes(fn)
	}
	return ""
}

// clears reports whether a block sets the named result that is returned to nil:
// err = nil before a bare return.
func clears(b *ssa.BasicBlock, result ssa.Value) bool {
	a := namedResult(result)
	if a == nil {
		return false
	}
	nothing := false
	for _, in := range b.Instrs {
		if st, ok := in.(*ssa.Store); ok && st.Addr == a {
			nothing = zero(st.Val)
		}
	}
	return nothing
}

// namedResult gives the variable of a named result that is returned as it stands.
func namedResult(v ssa.Value) *ssa.Alloc {
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	a, _ := u.X.(*ssa.Alloc)
	return a
}

// yieldsError reports whether a function is the body of an iterator that can
// yield an error.
func yieldsError(fn *ssa.Function) bool {
	if len(fn.Params) != 1 || fn.Signature.Results().Len() != 0 {
		return false
	}
	sig, ok := fn.Params[0].Type().Underlying().(*types.Signature)
	if !ok || sig.Results().Len() != 1 || sig.Params().Len() != 2 {
		return false
	}
	return streamflow.IsError(sig.Params().At(1).Type())
}

// closes reports, in words, whether a function that hands data on by a channel or
// a pipe closes it at the end.
func (c *checker) closes(fn *ssa.Function) string {
	sends := false
	closed := ""
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.Send:
				sends = true
			case *ssa.Select:
				for _, s := range x.States {
					sends = sends || s.Dir == types.SendOnly
				}
			case ssa.CallInstruction:
				if b, ok := x.Common().Value.(*ssa.Builtin); ok {
					if b.Name() == "close" && closed == "" {
						closed = "the channel is closed"
					}
					continue
				}
				switch streamflow.CalleeName(x) {
				case "(io.PipeWriter).Close":
					closed = "the pipe is closed like a whole one"
				case "(io.PipeWriter).Write":
					sends = true
				}
				if body := c.flow.Body(x); body != nil && sendsOn(body) {
					sends = true
				}
			}
		}
	}
	// A deferred closure closes.
	for _, anon := range fn.AnonFuncs {
		for _, call := range c.flow.Calls(anon) {
			if b, ok := call.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" && closed == "" {
				closed = "the channel is closed"
			}
		}
	}
	if !sends && closed != "" {
		// The body of a range-over-func loop, or the callback of an iterator, sends.
		for _, anon := range fn.AnonFuncs {
			sends = sends || sendsOn(anon)
		}
	}
	if !sends {
		return ""
	}
	return closed
}

func sendsOn(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.Send:
				return true
			case *ssa.Select:
				for _, s := range x.States {
					if s.Dir == types.SendOnly {
						return true
					}
				}
			}
		}
	}
	return false
}

// usedAsValue reports whether a function of the package is handed to somebody as a
// value: a callback that is given its reader.
func (c *checker) usedAsValue(fn *ssa.Function) bool {
	if c.values == nil {
		c.values = make(map[*ssa.Function]bool)
		for _, f := range c.flow.Functions() {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					c.noteValues(in)
				}
			}
		}
	}
	return c.values[fn]
}

func (c *checker) noteValues(in ssa.Instruction) {
	if mc, ok := in.(*ssa.MakeClosure); ok {
		// A method value: its wrapper calls the method.
		if w := mc.Fn.(*ssa.Function); w.Synthetic != "" && w.Parent() == nil {
			if obj, ok := w.Object().(*types.Func); ok {
				if m := w.Prog.FuncValue(obj); m != nil {
					c.values[m] = true
				}
			}
		}
		return
	}
	call, isCall := in.(ssa.CallInstruction)
	for _, op := range in.Operands(nil) {
		fn, ok := (*op).(*ssa.Function)
		if ok && !(isCall && call.Common().Value == *op) {
			c.values[fn] = true
		}
	}
}
