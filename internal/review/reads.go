package review

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// lineReads are the methods that give one line or record of a stream.
var lineReads = []string{
	"(bufio.Reader).ReadString", "(bufio.Reader).ReadBytes", "(bufio.Reader).ReadLine", "(bufio.Reader).ReadSlice",
	"(net/textproto.Reader).ReadLine", "(net/textproto.Reader).ReadLineBytes",
	"(net/textproto.Reader).ReadContinuedLine", "(net/textproto.Reader).ReadContinuedLineBytes",
}

// recordReads fill a buffer of known length.
var recordReads = []string{"io.ReadFull", "io.ReadAtLeast"}

// findReads finds where pieces of streams come in, and the requests whose answers
// are read there.
func (c *collector) findReads() {
	for _, s := range c.io.Scanners() {
		if !c.streamScanner(s) {
			continue
		}
		for _, call := range s.Method("Scan") {
			c.read(call, s.New.Call.Args[0])
		}
	}
	for _, name := range lineReads {
		for _, call := range c.io.Named(name) {
			if c.flow.InLoop(call) && c.streams(streamflow.Args(call)[0]) {
				c.read(call, streamflow.Args(call)[0])
			}
		}
	}
	for _, name := range recordReads {
		for _, call := range c.io.Named(name) {
			if c.streams(streamflow.Args(call)[0]) {
				c.read(call, streamflow.Args(call)[0])
			}
		}
	}
	for _, call := range c.io.Named("(encoding/json.Decoder).Decode") {
		if src := decoderSource(call); src != nil && c.flow.InLoop(call) && c.streams(src) {
			c.read(call, src)
		}
	}
	c.each(func(_ *ssa.Function, in ssa.Instruction) {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			return
		}
		switch {
		case streamflow.IsRead(call):
			if c.flow.InLoop(call) && c.rawRead(call) != nil {
				c.read(call, streamflow.Args(call)[0])
			}
		case c.messages(call) != "":
			c.read(call, streamflow.Args(call)[0])
		}
	})
}

// read notes that a piece of a stream comes in at an instruction, read from v.
func (c *collector) read(in ssa.Instruction, v ssa.Value) {
	c.reads[in] = true
	c.received[in.Parent()] = true
	w := &walk{c: c, seen: make(map[ssa.Value]bool)}
	w.value(v, 0)
	for call := range w.opens {
		c.opens[call] = true
	}
}

// streams reports whether a reader reads from something that can break off.
func (c *collector) streams(v ssa.Value) bool { return c.io.Source(v).Reader.Has(streamflow.Streams) }

// streamScanner reports whether a scanner is one over a stream, or over a reader
// of the caller's whose lines are a wire protocol's.
func (c *collector) streamScanner(s *streamflow.Scanner) bool {
	return s.Reader.Has(streamflow.Streams) || s.Reader.Has(streamflow.Given) && c.io.Wire(s)
}

// decoderSource gives the reader that a json.Decoder decodes from.
func decoderSource(call ssa.CallInstruction) ssa.Value {
	v := streamflow.Args(call)[0]
	for range 4 {
		switch x := v.(type) {
		case *ssa.Call:
			if streamflow.CalleeName(x) == "encoding/json.NewDecoder" {
				return x.Call.Args[0]
			}
			return nil
		case *ssa.UnOp:
			a, ok := x.X.(*ssa.Alloc)
			if !ok {
				return nil
			}
			v = nil
			for _, ref := range *a.Referrers() {
				if st, ok := ref.(*ssa.Store); ok && st.Addr == a {
					v = st.Val
				}
			}
		default:
			return nil
		}
	}
	return nil
}

// rawRead gives the chunk that a Read leaves in its buffer, if it is one of a
// stream.
func (c *collector) rawRead(call ssa.CallInstruction) *streamflow.Origin {
	args := streamflow.Args(call)
	if len(args) != 2 || !c.streams(args[0]) {
		return nil
	}
	for _, v := range slicesOf(args[1]) {
		for _, o := range c.flow.Trace(v) {
			if o.Kind == streamflow.Chunk && o.Instr == ssa.Instruction(call) {
				return &o
			}
		}
	}
	return nil
}

// slicesOf gives the parts that are cut out of a buffer.
func slicesOf(buf ssa.Value) []ssa.Value {
	base := buf
	if s, ok := base.(*ssa.Slice); ok {
		base = s.X
	}
	var out []ssa.Value
	add := func(v ssa.Value) {
		if v.Referrers() == nil {
			return
		}
		for _, ref := range *v.Referrers() {
			if s, ok := ref.(*ssa.Slice); ok && s.X == v && ssa.Value(s) != buf {
				out = append(out, s)
			}
		}
	}
	add(base)
	if base != buf {
		add(buf)
	}
	if load, ok := base.(*ssa.UnOp); ok && load.X.Referrers() != nil {
		for _, ref := range *load.X.Referrers() {
			if other, ok := ref.(*ssa.UnOp); ok {
				add(other)
			}
		}
	}
	return out
}

// messages names a call that gives one whole message of a stream: of a table of
// a library's, or Recv of gRPC; "" for others.
func (c *collector) messages(call ssa.CallInstruction) string {
	fn := streamflow.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() == nil || !foreign(fn) {
		return ""
	}
	for _, s := range model.LookupSources(model.FuncName(fn)) {
		if s.State == model.Frame && !s.Stream {
			return c.called(call)
		}
	}
	sig := fn.Signature()
	if fn.Name() == "Recv" && sig.Params().Len() == 0 && sig.Results().Len() == 2 && streamflow.ErrorResult(sig) == 1 && has(sig.Recv().Type(), "RecvMsg") {
		return c.called(call)
	}
	return ""
}

// foreign reports whether a function is of no package of the standard library:
// what is a message there (a line, a token) is told apart by the reader.
func foreign(fn *types.Func) bool {
	return !standardPackage(fn.Pkg().Path())
}

func has(t types.Type, method string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, method)
	_, ok := obj.(*types.Func)
	return ok
}

// framings judges the places at which messages are cut out of a stream.
func (c *collector) framings() {
	for _, s := range c.io.Scanners() {
		if c.streamScanner(s) {
			c.scanner(s)
		}
	}
	for _, name := range lineReads {
		for _, call := range c.io.Named(name) {
			if c.reads[call] {
				c.right(call, framing, fmt.Sprintf("whole lines of %s: a line that a read cuts is put together", words(c.io.Source(streamflow.Args(call)[0]))))
				c.endless(call)
			}
		}
	}
	for _, name := range recordReads {
		for _, call := range c.io.Named(name) {
			if c.reads[call] {
				c.right(call, framing, fmt.Sprintf("a record of known length is read from %s until it is full", words(c.io.Source(streamflow.Args(call)[0]))))
			}
		}
	}
	for _, call := range c.io.Named("(encoding/json.Decoder).Decode") {
		if c.reads[call] {
			c.right(call, framing, fmt.Sprintf("the decoder cuts the documents out of %s itself", words(c.io.Source(decoderSource(call)))))
		}
	}
	c.each(func(_ *ssa.Function, in ssa.Instruction) {
		call, ok := in.(ssa.CallInstruction)
		if !ok || !c.reads[call] {
			return
		}
		if streamflow.IsRead(call) {
			c.rawChunk(call)
			return
		}
		what := c.messages(call)
		if what == "" {
			return
		}
		i := streamflow.ErrorResult(call.Common().Signature())
		if i >= 0 && dropped(call, i) {
			c.open(call, ending, fmt.Sprintf("the error of %s is dropped: what ends the stream is not seen", what))
			return
		}
		c.right(call, framing, what+" gives one whole message at a time")
	})
}

func (c *collector) scanner(s *streamflow.Scanner) {
	what := words(s.Source)
	limit, known := s.TokenLimit()
	switch {
	case c.io.FixedSplit(s):
		for _, call := range s.Method("Split") {
			c.right(call, framing, fmt.Sprintf("tokens of %s that do not grow with a line", what))
		}
		c.right(s.New, framing, fmt.Sprintf("tokens of %s that do not grow with a line", what))
	case known && limit <= streamflow.MaxToken:
		why := fmt.Sprintf("a Scanner cuts out the lines of %s and stops at one over 64 KiB: whether there can be one, only a test with long lines tells", what)
		c.open(s.New, framing, why)
		for _, call := range s.Method("Buffer") {
			c.open(call, framing, why)
		}
	default:
		why := fmt.Sprintf("a Scanner cuts out the lines of %s, with room for long ones", what)
		if known {
			why += " (" + size(limit) + ")"
		}
		c.right(s.New, framing, why)
		for _, call := range s.Method("Buffer") {
			c.right(call, framing, why)
		}
	}
	errs := s.Method("Err")
	for _, call := range errs {
		c.right(call, ending, fmt.Sprintf("Scanner.Err is asked, so a break in %s is told from its end", what))
	}
	for _, call := range s.Method("Scan") {
		switch {
		case s.Reader.Has(streamflow.Child) && len(errs) > 0:
			c.right(call, framing, "lines of a child process, with Scanner.Err asked; its exit status shows the end")
		case len(errs) == 0 && !s.Escapes:
			c.open(call, ending, fmt.Sprintf("nothing here asks Scanner.Err: a break in %s looks like its end", what))
		case len(errs) > 0 && c.marker(call.Parent()):
			c.right(call, ending, fmt.Sprintf("lines of %s until its end marker, with Scanner.Err asked", what))
		case len(errs) > 0:
			c.open(call, ending, fmt.Sprintf("nothing that comes from %s shows which line is the last: a sender that stops early passes for one that is done", what))
		}
	}
}

// endless judges a loop over lines: whether anything shows the last one.
func (c *collector) endless(call ssa.CallInstruction) {
	src := c.io.Source(streamflow.Args(call)[0])
	if src.Reader.Has(streamflow.Child) || c.marker(call.Parent()) {
		return
	}
	c.open(call, ending, fmt.Sprintf("nothing that comes from %s shows which line is the last: a sender that stops early passes for one that is done", words(src)))
}

func size(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// rawChunk judges a Read of raw bytes by what becomes of them.
func (c *collector) rawChunk(call ssa.CallInstruction) {
	o := c.rawRead(call)
	if o == nil {
		return
	}
	what := words(c.io.Source(streamflow.Args(call)[0]))
	switch {
	case c.flow.RestKept(o):
		c.right(call, carry, fmt.Sprintf("the unfinished rest of what was read from %s is kept for the next read", what))
	case c.onlyCopied(streamflow.Args(call)[1]):
		c.right(call, chunks, fmt.Sprintf("bytes of %s are handed on as bytes: their borders mean nothing and nothing takes them for a message", what))
	default:
		c.open(call, chunks, fmt.Sprintf("a read from %s ends anywhere; no check sees whether what comes next takes its border for one of a message or a character", what))
	}
}

// onlyCopied reports whether all that is done with the bytes of a buffer is to
// write them somewhere.
func (c *collector) onlyCopied(buf ssa.Value) bool {
	parts := slicesOf(buf)
	for _, v := range parts {
		for _, ref := range *v.Referrers() {
			call, ok := ref.(ssa.CallInstruction)
			if !ok {
				return false
			}
			fn := streamflow.Callee(call)
			if fn == nil || fn.Name() != "Write" || streamflow.ErrorResult(fn.Signature()) < 0 || len(c.flow.Callees(call)) > 0 {
				return false
			}
		}
	}
	return len(parts) > 0
}
