package byteslice

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/streamflow"
)

// originsAt gives what the engine knows of the text that is cut, callers included.
func (c *checker) originsAt(x *cut) []streamflow.Origin {
	if c.origins == nil {
		c.origins = make(map[token.Pos][]streamflow.Origin)
	}
	if out, ok := c.origins[x.expr.Lbrack]; ok {
		return out
	}
	var out []streamflow.Origin
	for _, fn := range c.flow.Functions() {
		if syntax := fn.Syntax(); syntax == nil || x.expr.Pos() < syntax.Pos() || syntax.End() < x.expr.Pos() {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				s, ok := in.(*ssa.Slice)
				if !ok || s.Pos() != x.expr.Lbrack {
					continue
				}
				for _, a := range c.flow.Arrivals(s, s.X, nil) {
					out = append(out, a.Origin)
				}
			}
		}
	}
	c.origins[x.expr.Lbrack] = out
	return out
}
