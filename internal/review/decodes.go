package review

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// decodes judges the decodes of what a stream brought: what came in, and whether
// it was whole.
func (c *collector) decodes() {
	for _, d := range c.flow.Decodes() {
		if d.Bool {
			continue
		}
		arrivals := c.flow.Arrivals(d.Call, d.Data, d.Path)
		verdict, k, why := c.decode(d, arrivals)
		if why == "" {
			continue
		}
		if verdict == settled && !d.Model.Lenient && canFail(d) && (d.Err == nil || len(*d.Err.Referrers()) == 0) {
			verdict, k, why = unsettled, decoding, fmt.Sprintf("the error of %s is dropped; no check sees that what it leaves is used", d.Name)
		}
		c.note(d.Call, verdict, k, why)
	}
}

func canFail(d *streamflow.Decode) bool {
	fn := streamflow.Callee(d.Call)
	return fn != nil && streamflow.ErrorResult(fn.Signature()) >= 0
}

// decode judges one decode by the worst of the ways on which its document comes.
// A document that is none of a stream's gives no reason.
func (c *collector) decode(d *streamflow.Decode, arrivals []streamflow.Arrival) (verdict string, k kind, why string) {
	better := func(v string, kd kind, text string) {
		if why == "" || verdict == settled && v == unsettled {
			verdict, k, why = v, kd, text
		}
	}
	for i := range arrivals {
		a := &arrivals[i]
		switch a.Kind {
		case streamflow.Frame:
			if c.fromStream(a) {
				better(settled, decoding, fmt.Sprintf("%s decodes one whole message (%s)", d.Name, a.What))
			}
		case streamflow.Output:
			better(settled, arguments, fmt.Sprintf("%s decodes %s, which is whole here, and its error is looked at", d.Name, a.What))
		case streamflow.Chunk, streamflow.Fragment:
			switch {
			case a.Carried || c.flow.RestKept(&a.Origin):
				better(settled, carry, fmt.Sprintf("%s decodes what was cut out of an accumulator that keeps its unfinished rest", d.Name))
			case c.flow.EndingAll(a.Uses) == streamflow.Terminal:
				better(settled, ending, fmt.Sprintf("%s decodes what was joined only when the end was shown", d.Name))
			case a.Joined() && !c.flow.Receiving(a):
				better(settled, ending, fmt.Sprintf("%s decodes what was joined after the stream has been read", d.Name))
			case c.flow.EndingAll(a.Uses) == streamflow.Open:
				better(unsettled, decoding, fmt.Sprintf("%s decodes a piece (%s), and nothing here shows that it is a whole document", d.Name, a.What))
			default:
				better(unsettled, decoding, fmt.Sprintf("%s decodes pieces (%s) under a condition that no check understands: test with every cut of the stream", d.Name, a.What))
			}
		case streamflow.Piece:
			better(unsettled, decoding, fmt.Sprintf("%s decodes what arrives one by one (%s); whether each is whole, its sender decides", d.Name, a.What))
		}
	}
	return verdict, k, why
}

// fromStream reports whether a frame was cut out of a stream and not out of a file
// or of memory.
func (c *collector) fromStream(a *streamflow.Arrival) bool {
	call, ok := a.Instr.(ssa.CallInstruction)
	if !ok {
		return true // the data of an SDK's event
	}
	fn := streamflow.Callee(call)
	if fn == nil || fn.Pkg() == nil || foreign(fn) {
		return true
	}
	switch model.FuncName(fn) {
	case "(bufio.Scanner).Bytes", "(bufio.Scanner).Text":
		for _, s := range c.io.Scanners() {
			for _, t := range s.Tokens() {
				if t == call {
					return c.streamScanner(s)
				}
			}
		}
		return false
	}
	args := streamflow.Args(call)
	return len(args) > 0 && c.streams(args[0])
}

// endings judges what asks for the end: comparisons with what ends a protocol,
// with io.EOF, the error of an iterator.
func (c *collector) endings() {
	c.each(func(_ *ssa.Function, in ssa.Instruction) {
		switch x := in.(type) {
		case *ssa.BinOp:
			if x.Op != token.EQL && x.Op != token.NEQ {
				return
			}
			if what := c.endMark(x); what != "" {
				c.right(x, ending, "asks for the end of the stream: "+what)
			} else if eof(x.X) && c.streamError(x.Y) || eof(x.Y) && c.streamError(x.X) {
				c.right(x, ending, "io.EOF is told from other errors of the stream")
			}
		case *ssa.TypeAssert:
			if c.flow.TypeRole(x.AssertedType) == model.RoleFinish {
				c.right(x, ending, "asks for the event that ends the stream: "+types.TypeString(x.AssertedType, c.short))
			}
		case *ssa.Call:
			c.endCall(x)
		}
	})
}

func (c *collector) short(p *types.Package) string { return p.Name() }

func (c *collector) endCall(x *ssa.Call) {
	args := streamflow.Args(x)
	switch name := streamflow.CalleeName(x); name {
	case "errors.Is":
		if eof(args[1]) && c.streamError(args[0]) {
			c.right(x, ending, "io.EOF is told from other errors of the stream")
		}
	case "strings.HasPrefix", "strings.Contains", "strings.HasSuffix", "strings.EqualFold", "strings.CutPrefix",
		"bytes.HasPrefix", "bytes.Contains", "bytes.HasSuffix", "bytes.Equal", "bytes.EqualFold", "bytes.CutPrefix":
		if s := streamflow.ConstText(args[1]); model.IsEnding(s) && c.comesIn(args[0], streamflow.Frame, streamflow.Chunk, streamflow.Fragment) {
			c.right(x, ending, fmt.Sprintf("asks for the end of the stream: %q", strings.TrimSpace(s)))
		}
	default:
		fn := streamflow.Callee(x)
		if fn == nil || fn.Name() != "Err" || fn.Signature().Recv() == nil || len(args) != 1 || streamflow.ErrorResult(fn.Signature()) != 0 || fn.Pkg() == nil || !foreign(fn) {
			return
		}
		if t := args[0].Type(); has(t, "Next") && has(t, "Current") || has(t, "Events") {
			c.right(x, ending, c.called(x)+" is asked, so a break in the stream is told from its end")
		}
	}
}

// endMark names what a comparison asks for, if that ends the protocol of a stream.
func (c *collector) endMark(b *ssa.BinOp) string {
	x, y := b.X, b.Y
	if _, ok := x.(*ssa.Const); ok {
		x, y = y, x
	}
	if c.flow.FieldRole(x) == model.RoleFinish || c.comesIn(x, streamflow.Finish) {
		if s := streamflow.ConstText(y); s != "" {
			return fmt.Sprintf("%q", s)
		}
		return "a finish reason"
	}
	s := streamflow.ConstText(y)
	if s == "" || !model.IsEnding(s) || !c.comesIn(x, streamflow.Frame, streamflow.Chunk, streamflow.Fragment, streamflow.Delta) && !c.decodedField(x) {
		return ""
	}
	return fmt.Sprintf("%q", s)
}

// decodedField reports whether v was read out of something decoded from a stream.
func (c *collector) decodedField(v ssa.Value) bool {
	for _, o := range c.flow.Trace(v) {
		if o.Kind != streamflow.Decoded || o.Decode == nil {
			continue
		}
		if src := decoderSource2(o.Decode); src != nil && c.streams(src) {
			return true
		}
		for _, a := range c.flow.Arrivals(o.Decode.Call, o.Decode.Data, o.Decode.Path) {
			switch a.Kind {
			case streamflow.Frame:
				if c.fromStream(&a) {
					return true
				}
			case streamflow.Chunk, streamflow.Fragment:
				return true
			}
		}
	}
	return false
}

func decoderSource2(d *streamflow.Decode) ssa.Value {
	if streamflow.CalleeName(d.Call) != "(encoding/json.Decoder).Decode" {
		return nil
	}
	return decoderSource(d.Call)
}

// comesIn reports whether a value comes from one of the kinds of origin.
func (c *collector) comesIn(v ssa.Value, kinds ...streamflow.Kind) bool {
	for _, o := range c.flow.Trace(v) {
		for _, k := range kinds {
			if o.Kind != k {
				continue
			}
			if k != streamflow.Frame || c.fromStream(&streamflow.Arrival{Origin: o}) {
				return true
			}
		}
	}
	return false
}

// eof reports whether v is io.EOF.
func eof(v ssa.Value) bool {
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := u.X.(*ssa.Global)
	return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "io" && g.Name() == "EOF"
}

// streamError reports whether an error comes from a place where a stream is read.
func (c *collector) streamError(v ssa.Value) bool {
	for _, o := range c.flow.Trace(v) {
		if o.Kind == streamflow.Error && o.Instr != nil && c.reads[o.Instr] {
			return true
		}
	}
	return false
}

// marker reports whether a function, what it calls in the package, or a function
// around it looks for what ends the protocol.
func (c *collector) marker(fn *ssa.Function) bool { return c.marks(outermost(fn), 4) }

func (c *collector) marks(fn *ssa.Function, depth int) bool {
	if m := c.marked[fn]; m != 0 {
		return m > 0
	}
	c.marked[fn] = -1
	found := false
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.BinOp:
				found = found || (x.Op == token.EQL || x.Op == token.NEQ) && (c.asksEnd(x.X) || c.asksEnd(x.Y))
			case *ssa.FieldAddr, *ssa.Field:
				found = found || c.flow.FieldRole(x.(ssa.Value)) == model.RoleFinish
			case *ssa.TypeAssert:
				found = found || c.flow.TypeRole(x.AssertedType) == model.RoleFinish
			case ssa.CallInstruction:
				for _, arg := range streamflow.Args(x) {
					found = found || c.asksEnd(arg) && compares(streamflow.CalleeName(x))
				}
				if depth > 0 {
					for _, callee := range c.flow.Callees(x) {
						found = found || c.marks(callee, depth-1)
					}
				}
			}
			if found {
				c.marked[fn] = 1
				return true
			}
		}
	}
	for _, inner := range fn.AnonFuncs {
		if c.marks(inner, depth) {
			c.marked[fn] = 1
			return true
		}
	}
	return false
}

func (c *collector) asksEnd(v ssa.Value) bool {
	if s := streamflow.ConstText(v); s != "" {
		return model.IsEnding(s)
	}
	if load, ok := v.(*ssa.UnOp); ok {
		if g, ok := load.X.(*ssa.Global); ok && g.Pkg == nil {
			return false
		} else if ok {
			for _, o := range c.flow.Trace(v) {
				if o.Kind == streamflow.Const && model.IsEnding(o.What) {
					return true
				}
			}
		}
	}
	return false
}

func compares(name string) bool {
	for _, pkg := range []string{"strings.", "bytes."} {
		if rest, ok := strings.CutPrefix(name, pkg); ok {
			switch rest {
			case "HasPrefix", "HasSuffix", "Contains", "Equal", "EqualFold", "CutPrefix", "CutSuffix":
				return true
			}
		}
	}
	return false
}

// fields judges reads of the fields that carry increments or show the end.
func (c *collector) fields() {
	indexed := make(map[*ssa.Function]bool)
	c.each(func(fn *ssa.Function, in ssa.Instruction) {
		if v, t := fieldOf(in); v != nil && model.CallIndexTags[jsonTag(t, v)] {
			indexed[outermost(fn)] = true
		}
	})
	c.each(func(fn *ssa.Function, in ssa.Instruction) {
		v, t := fieldOf(in)
		if v == nil {
			return
		}
		val := in.(ssa.Value)
		switch c.flow.FieldRole(val) {
		case model.RoleFinish:
			if read(val) && c.fromDelta(fn) {
				c.right(in, ending, fmt.Sprintf("%s is read: it shows whether the answer is complete", v.Name()))
			}
		case model.RolePiece:
			if !read(val) {
				return
			}
			if tag := jsonTag(t, v); model.ArgumentTags[tag] || model.PieceTags[tag] || v.Name() == "Arguments" {
				if indexed[outermost(fn)] {
					c.right(in, arguments, fmt.Sprintf("fragments of a tool call's arguments (%s) are told apart by the index sent with them", v.Name()))
				} else {
					c.open(in, arguments, fmt.Sprintf("fragments of a tool call's arguments (%s), and no index read with them: test with two calls whose fragments alternate", v.Name()))
				}
				return
			}
			c.right(in, pieces, fmt.Sprintf("%s is taken as one piece of a text; nothing decodes it before the end", v.Name()))
		}
	})
}

// fromDelta reports whether a function handles increments or reads of a stream:
// a finish reason of a whole answer is no stream's.
func (c *collector) fromDelta(fn *ssa.Function) bool {
	if c.received[fn] || c.received[outermost(fn)] {
		return true
	}
	for _, f := range append([]*ssa.Function{outermost(fn)}, outermost(fn).AnonFuncs...) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if v, ok := in.(ssa.Value); ok {
					switch c.flow.FieldRole(v) {
					case model.RoleDelta, model.RolePiece:
						return true
					}
				}
			}
		}
	}
	return false
}

// read reports whether a field is read at an instruction, and not only written.
func read(v ssa.Value) bool {
	if _, ok := v.(*ssa.Field); ok {
		return true
	}
	if v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == v {
			continue
		}
		return true
	}
	return false
}

func jsonTag(t types.Type, v *types.Var) string {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	for i := range s.NumFields() {
		if s.Field(i).Origin() == v {
			name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
			return name
		}
	}
	return ""
}

// searches notes where something is looked for in a piece of a stream: what is
// looked for may be split between two.
func (c *collector) searches() {
	c.each(func(_ *ssa.Function, in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		name := streamflow.CalleeName(call)
		if !searching[name] {
			return
		}
		args := streamflow.Args(call)
		what := args[1]
		if strings.HasPrefix(name, "(regexp.") {
			what, args = args[0], args[1:]
		}
		text := streamflow.ConstText(what)
		if eventPrefix(text) && c.aLine(args[0]) {
			c.eventField(call, text)
			return
		}
		if model.IsEnding(text) && text != "" {
			return
		}
		for _, o := range c.flow.Trace(args[0]) {
			if (o.Kind == streamflow.Chunk || o.Kind == streamflow.Fragment) && !o.Joined() && !o.Carried {
				k := chunks
				if o.Kind == streamflow.Fragment {
					k = pieces
				}
				c.open(call, k, fmt.Sprintf("looks for something in one piece of a stream (%s): what lies half in this piece and half in the next is missed", o.What))
				return
			}
		}
	})
}

var searching = map[string]bool{
	"strings.Contains": true, "strings.Index": true, "strings.HasPrefix": true, "strings.HasSuffix": true, "strings.Split": true,
	"strings.Cut": true, "strings.TrimPrefix": true, "strings.CutPrefix": true, "strings.TrimSuffix": true, "strings.LastIndex": true,
	"bytes.Contains": true, "bytes.Index": true, "bytes.HasPrefix": true, "bytes.HasSuffix": true, "bytes.Split": true,
	"bytes.Cut": true, "bytes.TrimPrefix": true, "bytes.CutPrefix": true, "bytes.TrimSuffix": true, "bytes.LastIndex": true, "bytes.IndexByte": true,
	"strings.IndexByte": true, "(regexp.Regexp).MatchString": true, "(regexp.Regexp).Match": true,
	"(regexp.Regexp).FindStringSubmatch": true, "(regexp.Regexp).ReplaceAllString": true, "(regexp.Regexp).FindString": true,
}

// eventPrefix reports whether s is the name of a field of server-sent events.
func eventPrefix(s string) bool {
	switch strings.TrimSpace(s) {
	case "data:", "event:", "id:", "retry:":
		return true
	}
	return false
}

// aLine reports whether a text is a line or part of one that was cut out of
// something: what looks for a field of an event there reads server-sent events,
// also those of an answer that was read as a whole.
func (c *collector) aLine(v ssa.Value) bool {
	for _, o := range c.flow.Trace(v) {
		switch o.Kind {
		case streamflow.Frame, streamflow.Whole, streamflow.Chunk:
			return true
		}
	}
	return splitOff(v, 0)
}

// splitOff reports whether a text is an element of what a split at line ends gave.
func splitOff(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Convert:
		return splitOff(x.X, depth+1)
	case *ssa.Call:
		if p, ok := model.LookupPass(streamflow.CalleeName(x)); ok && len(p.Args) > 0 {
			return splitOff(streamflow.Args(x)[p.Args[0]], depth+1)
		}
	case *ssa.UnOp:
		at, ok := x.X.(*ssa.IndexAddr)
		if !ok {
			return false
		}
		call, ok := at.X.(*ssa.Call)
		if !ok {
			return false
		}
		switch streamflow.CalleeName(call) {
		case "strings.Split", "strings.SplitN", "strings.SplitAfter", "bytes.Split", "bytes.SplitN", "bytes.SplitAfter":
			return strings.HasSuffix(streamflow.ConstText(call.Call.Args[1]), "\n")
		}
	}
	return false
}

func (c *collector) eventField(call *ssa.Call, text string) {
	if strings.HasSuffix(text, " ") && !strings.HasPrefix(c.called(call), "TrimPrefix") {
		c.open(call, events, fmt.Sprintf("takes %q for a field of an event: the blank behind the colon is optional, and a server that leaves it out is not understood", text))
		return
	}
	c.right(call, events, fmt.Sprintf("a line is taken for a field of an event by %q", strings.TrimSpace(text)))
}
