// Package streamtimeout defines an Analyzer that reports deadlines for a whole
// exchange that end a stream which is still alive. The check's page,
// docs/checks/streamtimeout.md, says what it reports and what it leaves alone.
package streamtimeout

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/docs"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// Analyzer reports total timeouts, deadlines that are never renewed, and
// cancellations at return, of streams.
var Analyzer = &analysis.Analyzer{
	Name:      "streamtimeout",
	Doc:       docs.Check("streamtimeout"),
	URL:       report.URL("streamtimeout"),
	Requires:  []*analysis.Analyzer{streamflow.Analyzer},
	FactTypes: []analysis.Fact{new(funcFact), new(limitFact), new(serverFact)},
	Run:       report.Safe(run),
}

var (
	opts *report.Options
	// clientMax and contextMax are the longest limits that are still reported.
	clientMax, contextMax time.Duration
	// streams and clients are functions of the user's: those that read the reader they
	// are given as a stream, and those that stream over the client they are given.
	streams, clients names
)

func init() {
	opts = report.AddFlags(Analyzer)
	Analyzer.Flags.DurationVar(&clientMax, "max", 10*time.Minute, "report total timeouts of clients, servers and connections up to this length")
	Analyzer.Flags.DurationVar(&contextMax, "contextmax", 5*time.Minute, "report fixed timeouts of contexts up to this length")
	Analyzer.Flags.Var(&streams, "streams", "comma-separated functions, pkg.Func:POS or (pkg.Type).Method:POS, that read the reader or response at POS as a stream")
	Analyzer.Flags.Var(&clients, "clients", "comma-separated functions, pkg.Func:POS or (pkg.Type).Method:POS, that receive streams with the client at POS (0 is a method's receiver)")
	streamflow.AddFlags(Analyzer)
}

// checker looks at one package.
type checker struct {
	pass  *analysis.Pass
	flow  *streamflow.Flow
	r     *report.Reporter
	funcs []*ssa.Function // with the package's initializer

	reads   map[*types.Var][]ssa.Value // where fields are named
	globals map[*ssa.Global][]ssa.Instruction
	stores  map[any][]*ssa.Store // by field, global or local variable
	uses    map[ssa.CallInstruction]*streamUse
	protos  map[*ssa.Function]bool
	given   map[*ssa.Function][]give
	// gaveLimited are the functions found to give a client with a total limit.
	gaveLimited map[*types.Func][]resultLimit
	// spoken are the functions whose limits are reported here: importing packages
	// have nothing to add.
	spoken map[*types.Func]bool
}

func run(pass *analysis.Pass) (any, error) {
	r := report.New(pass, opts)
	servers(pass, r)
	constants(pass)
	flow := streamflow.Of(pass)
	if flow.Empty() {
		return nil, nil
	}
	c := &checker{pass: pass, flow: flow, r: r,
		reads: make(map[*types.Var][]ssa.Value), globals: make(map[*ssa.Global][]ssa.Instruction),
		stores: make(map[any][]*ssa.Store), uses: make(map[ssa.CallInstruction]*streamUse),
		protos: make(map[*ssa.Function]bool), given: make(map[*ssa.Function][]give),
		gaveLimited: make(map[*types.Func][]resultLimit), spoken: make(map[*types.Func]bool)}
	c.index()
	c.clients()
	c.contexts()
	c.deadlines()
	c.exportFacts()
	return nil, nil
}

// index notes where fields and globals are named and what is stored where.
func (c *checker) index() {
	c.funcs = c.flow.Functions()
	for _, fn := range c.funcs {
		if fn.Pkg != nil {
			if init := fn.Pkg.Func("init"); init != nil {
				c.funcs = append(c.funcs[:len(c.funcs):len(c.funcs)], init)
			}
			break
		}
	}
	for _, fn := range c.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if owner, i, ok := streamflow.FieldAt(valueOf(in)); ok {
					f := fieldOf(owner, i)
					c.reads[f] = append(c.reads[f], valueOf(in))
				}
				if st, ok := in.(*ssa.Store); ok {
					if p := place(st.Addr); p != nil {
						c.stores[p] = append(c.stores[p], st)
					}
				}
				for _, op := range in.Operands(nil) {
					if g, ok := (*op).(*ssa.Global); ok {
						c.globals[g] = append(c.globals[g], in)
					}
				}
			}
		}
	}
}

func valueOf(in ssa.Instruction) ssa.Value { v, _ := in.(ssa.Value); return v }

// place gives the variable that an address names: a field of any object, a global
// or a local variable.
func place(addr ssa.Value) any {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		return fieldOf(a.X, a.Field)
	case *ssa.Global, *ssa.Alloc:
		return a
	}
	return nil
}

// fieldOf gives field i of the struct that owner is or points to, the same for
// every instance of a generic type.
func fieldOf(owner ssa.Value, i int) *types.Var {
	if s, ok := streamflow.Deref(owner.Type()).Underlying().(*types.Struct); ok {
		return s.Field(i).Origin()
	}
	return nil
}

// words writes a duration without the zero parts that String has: 2m, not 2m0s.
func words(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// where names a line as seen from another: with its file, where that differs.
func (c *checker) where(pos, from token.Pos) string {
	p := c.pass.Fset.Position(pos)
	if p.Filename == c.pass.Fset.Position(from).Filename {
		return fmt.Sprintf("line %d", p.Line)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

func related(pos token.Pos, message string) []analysis.RelatedInformation {
	if !pos.IsValid() {
		return nil
	}
	return []analysis.RelatedInformation{{Pos: pos, Message: message}}
}
