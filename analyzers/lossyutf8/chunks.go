package lossyutf8

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// onlyDressed reports whether the joins on the way put something in front of the
// chunk, or behind it, and do not gather one chunk after the other.
func (c *checker) onlyDressed(a *streamflow.Arrival) bool {
	for _, j := range a.Joins {
		switch x := j.(type) {
		case *ssa.BinOp:
			if feeds(x, x.X) || feeds(x, x.Y) {
				return false
			}
		case *ssa.Call:
			if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
				if feeds(x, x.Call.Args[0]) || stored(x) {
					return false
				}
				continue
			}
			switch streamflow.CalleeName(x) {
			case "fmt.Sprintf", "fmt.Sprint", "fmt.Sprintln":
				if feeds(x, x) {
					return false
				}
				continue
			}
			return false
		default:
			return false
		}
	}
	return true
}

// feeds reports whether a value is computed from the join itself: an accumulator
// that grows from turn to turn, or one that lives in memory.
func feeds(join, v ssa.Value) bool {
	seen := make(map[ssa.Value]bool)
	var ask func(v ssa.Value) bool
	ask = func(v ssa.Value) bool {
		if v == nil || seen[v] {
			return false
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Phi:
			return true // grows, or is cut elsewhere
		case *ssa.UnOp:
			switch x.X.(type) {
			case *ssa.FieldAddr, *ssa.FreeVar, *ssa.Global, *ssa.Alloc:
				return stored(join)
			}
			return false
		case *ssa.BinOp:
			return x != join && (ask(x.X) || ask(x.Y))
		case *ssa.Call:
			if x == join {
				return false
			}
			if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
				return ask(x.Call.Args[0])
			}
			return false
		case *ssa.Convert:
			return ask(x.X)
		case *ssa.Slice:
			return ask(x.X)
		}
		return false
	}
	return ask(v)
}

// stored reports whether a value is kept in a variable or field.
func stored(v ssa.Value) bool {
	if v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		switch x := ref.(type) {
		case *ssa.Store:
			if x.Val == v {
				if _, ok := x.Addr.(*ssa.IndexAddr); !ok {
					return true
				}
			}
		case *ssa.Phi:
			return true
		}
	}
	return false
}

// writeParam gives the argument of a Write method that a chunk came in by.
func writeParam(a *streamflow.Arrival) *ssa.Parameter {
	if a.Param != nil && streamflow.IsWriteParam(a.Param) {
		return a.Param
	}
	return nil
}

// streamed reports whether the chunk is one of many: read in a loop, given to a
// Write method or a callback. A single read is mostly a small message of its own;
// only a judgement on its text (utf8.Valid) minds the cut.
func (c *checker) streamed(s sink, a *streamflow.Arrival) bool {
	if a.Param != nil || a.Instr == nil {
		return true
	}
	if s.kind == valid {
		return true
	}
	if c.flow.InLoop(a.Instr) {
		return true
	}
	for _, site := range c.flow.Callers(a.Instr.Parent()) {
		if c.flow.InLoop(site.Call) {
			return true
		}
	}
	call, ok := a.Instr.(ssa.CallInstruction)
	return ok && !streamflow.IsRead(call) // a proxy's body callback
}

// looksAfter reports whether the program keeps characters whole around here: one
// of the functions on the way, or a method of the same type, asks where a
// character ends.
func (c *checker) looksAfter(s sink, a *streamflow.Arrival) bool {
	fns := make(map[*ssa.Function]bool)
	add := func(fn *ssa.Function) {
		for fn != nil && !fns[fn] {
			fns[fn] = true
			fn = fn.Parent()
		}
	}
	add(s.at.Parent())
	for _, in := range a.Uses {
		add(in.Parent())
	}
	for _, in := range a.Via {
		add(in.Parent())
	}
	if a.Param != nil {
		add(a.Param.Parent())
	}
	for fn := range fns {
		if c.keepsRunes(fn, 1) {
			return true
		}
		recv := fn.Signature.Recv()
		if recv == nil {
			continue
		}
		name := model.TypeName(recv.Type())
		for _, g := range c.flow.Functions() {
			if r := g.Signature.Recv(); r != nil && model.TypeName(r.Type()) == name && c.keepsRunes(g, 0) {
				return true
			}
		}
	}
	return false
}

// keepsRunes reports whether a function asks where a character begins or ends, or
// hands the question on to a function of the package.
func (c *checker) keepsRunes(fn *ssa.Function, depth int) bool {
	if depth == 1 {
		if known, ok := c.keeps[fn]; ok {
			return known
		}
	}
	out := false
	for _, call := range c.flow.Calls(fn) {
		switch streamflow.CalleeName(call) {
		case "unicode/utf8.RuneStart", "unicode/utf8.FullRune", "unicode/utf8.FullRuneInString",
			"unicode/utf8.DecodeLastRune", "unicode/utf8.DecodeLastRuneInString":
			out = true
		}
		if depth > 0 && !out {
			for _, g := range c.flow.Callees(call) {
				out = out || c.keepsRunes(g, depth-1)
			}
		}
	}
	if depth == 1 {
		c.keeps[fn] = out
	}
	return out
}

// feeding says what is written to a writer of the program's own.
type feeding uint8

const (
	unseen  feeding = iota
	pieces          // a copied stream, a command's output
	records         // whole records: a logger, a formatter, a handler's answer
)

// feedingOf looks for where values of the type of a Write method go.
func (c *checker) feedingOf(write *ssa.Function) feeding {
	recv := write.Signature.Recv()
	if recv == nil {
		return unseen
	}
	name := model.TypeName(recv.Type())
	if f, ok := c.fed[name]; ok {
		return f
	}
	f := c.findFeeding(recv.Type(), name)
	c.fed[name] = f
	return f
}

func (c *checker) findFeeding(t types.Type, name string) feeding {
	// An http.ResponseWriter gets what handlers write; a zapcore.WriteSyncer and a
	// zerolog.LevelWriter get records.
	if hasMethod(t, "WriteHeader", "Sync", "WriteLevel") {
		return records
	}
	out := unseen
	for _, fn := range c.flow.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				mi, ok := in.(*ssa.MakeInterface)
				if !ok || model.TypeName(mi.X.Type()) != name {
					continue
				}
				switch c.goesTo(mi, 0) {
				case records:
					return records
				case pieces:
					out = pieces
				}
			}
		}
	}
	return out
}

func (c *checker) goesTo(v ssa.Value, depth int) feeding {
	if depth > 4 || v.Referrers() == nil {
		return unseen
	}
	out := unseen
	for _, ref := range *v.Referrers() {
		got := unseen
		switch x := ref.(type) {
		case *ssa.Store:
			if fa, ok := x.Addr.(*ssa.FieldAddr); ok && x.Val == v {
				switch owner := model.TypeName(fa.X.Type()); {
				case owner == "os/exec.Cmd", outputField(fa):
					got = pieces
				case strings.HasPrefix(owner, "log") || logging(owner):
					got = records
				}
			} else if ia, ok := x.Addr.(*ssa.IndexAddr); ok && x.Val == v {
				got = c.goesTo(ia.X, depth+1) // the arguments of io.MultiWriter
			} else if x.Val == v {
				got = c.goesTo(x.Addr, depth+1)
			}
		case *ssa.UnOp, *ssa.Phi, *ssa.ChangeInterface, *ssa.IndexAddr, *ssa.Slice:
			got = c.goesTo(x.(ssa.Value), depth+1)
		case ssa.CallInstruction:
			name := streamflow.CalleeName(x)
			switch {
			case name == "io.Copy", name == "io.CopyBuffer", name == "io.CopyN", name == "io.TeeReader":
				got = pieces
			case name == "io.MultiWriter":
				if r := x.Value(); r != nil {
					got = c.goesTo(r, depth+1)
				}
			case strings.HasPrefix(name, "log."), strings.HasPrefix(name, "(log."), strings.HasPrefix(name, "log/"), strings.HasPrefix(name, "(log/"), logging(name),
				strings.HasPrefix(name, "fmt.Fprint"), strings.HasPrefix(name, "encoding/json.NewEncoder"), strings.HasPrefix(name, "text/tabwriter."),
				strings.HasPrefix(name, "flag."), strings.HasPrefix(name, "(flag."), strings.Contains(name, "/template.Template)"):
				got = records
			default:
				// A function of the package that takes the writer.
				for _, g := range c.flow.Callees(x) {
					for i, arg := range streamflow.Args(x) {
						if arg == v && i < len(g.Params) {
							got = max(got, c.goesTo(g.Params[i], depth+1))
						}
					}
				}
			}
		}
		out = max(out, got)
	}
	return out
}

// outputField reports whether a field takes the output of a command: an io.Writer
// called as os/exec calls its own, as the options of ssh, of Kubernetes' remote
// commands and of most runners do.
func outputField(fa *ssa.FieldAddr) bool {
	f := field(fa)
	return f != nil && (f.Name() == "Stdout" || f.Name() == "Stderr") && model.TypeName(f.Type()) == "io.Writer"
}

// gathers reports whether a function keeps what it judges not to be whole yet: it
// appends bytes to a field or to a variable that outlives it.
func gathers(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.Store:
				switch x.Addr.(type) {
				case *ssa.FieldAddr, *ssa.FreeVar:
					if appended(x.Val) {
						return true
					}
				}
			case *ssa.Phi:
				for _, e := range x.Edges {
					if appended(e) {
						return true
					}
				}
			case *ssa.Call:
				switch streamflow.CalleeName(x) {
				case "(bytes.Buffer).Write", "(bytes.Buffer).WriteString", "(strings.Builder).Write", "(strings.Builder).WriteString":
					return true
				}
			}
		}
	}
	return false
}

func appended(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Slice:
		return appended(x.X)
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && streamflow.IsText(x.Type())
	}
	return false
}

// logging reports whether a name belongs to a logging library.
func logging(name string) bool {
	for _, lib := range []string{"github.com/sirupsen/logrus", "github.com/rs/zerolog", "go.uber.org/zap", "github.com/charmbracelet/log",
		"github.com/go-kit/log", "github.com/hashicorp/go-hclog", "k8s.io/klog", "github.com/phuslu/log", "github.com/apex/log", "github.com/labstack/gommon/log"} {
		if strings.Contains(name, lib) {
			return true
		}
	}
	return false
}

// cutOut reports whether a value was taken out of a chunk at a border of the
// program's own: a length it has read, the place of a delimiter. What ends there
// does not end where the read did.
func (c *checker) cutOut(v ssa.Value, depth int, seen map[ssa.Value]bool) bool {
	if v == nil || depth > 12 || seen[v] {
		return false
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Slice:
		if x.High != nil && !readCount(x.High, make(map[ssa.Value]bool)) {
			if _, ok := x.High.(*ssa.Const); !ok {
				return true
			}
		}
		return c.cutOut(x.X, depth+1, seen)
	case *ssa.Convert:
		return c.cutOut(x.X, depth+1, seen)
	case *ssa.ChangeType:
		return c.cutOut(x.X, depth+1, seen)
	case *ssa.MakeInterface:
		return c.cutOut(x.X, depth+1, seen)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if c.cutOut(e, depth+1, seen) {
				return true
			}
		}
	case *ssa.Parameter:
		for _, site := range c.flow.Callers(x.Parent()) {
			if i := streamflow.ParamIndex(x); i >= 0 && i < len(site.Args) && c.cutOut(site.Args[i], depth+1, seen) {
				return true
			}
		}
	case *ssa.Call:
		return c.returnsCut(x, 0, depth, seen)
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return c.returnsCut(call, x.Index, depth, seen)
		}
	}
	return false
}

func (c *checker) returnsCut(call *ssa.Call, i, depth int, seen map[ssa.Value]bool) bool {
	for _, g := range c.flow.Callees(call) {
		for _, b := range g.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(ret.Results) && c.cutOut(ret.Results[i], depth+1, seen) {
				return true
			}
		}
	}
	return false
}

// readCount reports whether a number is the count of a read, or a length: that of
// the whole.
func readCount(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Extract:
		call, ok := x.Tuple.(*ssa.Call)
		return ok && x.Index == 0 && streamflow.Callee(call) != nil
	case *ssa.Phi:
		for _, e := range x.Edges {
			if !readCount(e, seen) {
				return false
			}
		}
		return true
	case *ssa.Const:
		return true
	case *ssa.Convert:
		return readCount(x.X, seen)
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "min")
	case *ssa.UnOp, *ssa.FreeVar, *ssa.Parameter:
		return true // unknown: perhaps the count kept somewhere
	}
	return false
}
