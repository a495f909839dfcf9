package partialapply

import (
	"go/constant"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// harmless reports whether an effect leaves no half plan behind, or may not.
func (c *checker) harmless(h *hit) bool {
	switch h.effect.Kind {
	case model.SQLEffect:
		return h.via == "" && (h.effect.Maybe && !c.outsideTx(streamflow.Args(h.call)[0], 0) || repeatable(h)) || c.begun(h)
	case model.FileEffect:
		return c.staged(h)
	case model.HTTPEffect:
		return h.via == "" && streamflow.CalleeName(h.call) == "(net/http.Client).Do" && !c.writes(streamflow.Args(h.call)[1], 0)
	}
	return false
}

// functions gives the functions that lead to an effect, those that call the receiving
// one included.
func (c *checker) functions(h *hit) []*ssa.Function {
	out := []*ssa.Function{h.call.Parent()}
	f := h.frame
	for ; f.up != nil; f = f.up {
		out = append(out, f.up.fn)
	}
	for _, s := range c.flow.Callers(f.fn) {
		out = append(out, s.Call.Parent())
	}
	for fn := f.fn.Parent(); fn != nil; fn = fn.Parent() {
		out = append(out, fn)
	}
	return out
}

// repeatable reports whether a statement does no harm when it is run again with the
// rest: an upsert brings each row to the state that the whole would bring it to.
func repeatable(h *hit) bool {
	args := streamflow.Args(h.call)
	query := ""
	switch name := streamflow.CalleeName(h.call); {
	case strings.HasPrefix(name, "(gorm.io/gorm."):
		for v := args[0]; ; {
			call, ok := v.(*ssa.Call)
			if !ok || len(call.Call.Args) == 0 {
				break
			}
			if streamflow.CalleeName(call) == "(gorm.io/gorm.DB).Clauses" {
				return true
			}
			v = call.Call.Args[0]
		}
		if h.effect.Text {
			query = textOf(args[h.effect.Args[0]], 0)
		}
	case h.effect.Text:
		query = textOf(args[h.effect.Args[0]], 0)
	case strings.HasPrefix(name, "(database/sql.Stmt)"):
		if x, ok := args[0].(*ssa.Extract); ok {
			if call, ok := x.Tuple.(*ssa.Call); ok {
				for _, a := range call.Call.Args {
					query += textOf(a, 0)
				}
			}
		}
	}
	return isRepeatable(query)
}

func isRepeatable(query string) bool {
	query = strings.ToUpper(query)
	return slices.ContainsFunc(model.RepeatableSQL, func(s string) bool { return strings.Contains(query, s) })
}

// textOf gives the constant text in a statement, also where it is put together.
func textOf(v ssa.Value, depth int) string {
	if depth > 5 {
		return ""
	}
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value != nil && x.Value.Kind() == constant.String {
			return constant.StringVal(x.Value)
		}
	case *ssa.BinOp:
		return textOf(x.X, depth+1) + textOf(x.Y, depth+1)
	case *ssa.Phi:
		out := ""
		for _, e := range x.Edges {
			out += " " + textOf(e, depth+1)
		}
		return out
	case *ssa.Call:
		if streamflow.CalleeName(x) == "fmt.Sprintf" {
			return textOf(x.Call.Args[0], depth+1)
		}
	case *ssa.UnOp:
		if g, ok := x.X.(*ssa.Global); ok && g.Referrers() == nil {
			return ""
		}
		return textOf(x.X, depth+1)
	}
	return ""
}

// outsideTx reports whether a handle whose type does not tell is surely not that of a
// transaction.
func (c *checker) outsideTx(v ssa.Value, depth int) bool {
	if depth > 8 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Call:
		return c.madeOutsideTx(x, depth)
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return c.madeOutsideTx(call, depth)
		}
	case *ssa.UnOp:
		return c.outsideTx(x.X, depth+1)
	case *ssa.Global:
		return true
	case *ssa.FieldAddr, *ssa.Field:
		if owner, _, ok := streamflow.FieldAt(v); ok && strings.HasPrefix(model.TypeName(owner.Type()), "github.com/jmoiron/sqlx.") {
			return c.outsideTx(owner, depth+1) // the sql.Stmt in a sqlx.Stmt
		}
		// The handle of a store, unless the package puts a transaction there too.
		for _, p := range c.flow.Puts(c.flow.Location(v)) {
			if p.Val == nil || c.isTx(p.Val, 0) {
				return false
			}
		}
		return true
	case *ssa.FreeVar:
		if b := c.flow.Binding(x); b != nil {
			return c.outsideTx(b, depth+1)
		}
	case *ssa.Alloc:
		puts := c.flow.Puts(c.flow.Location(x))
		return len(puts) > 0 && !slices.ContainsFunc(puts, func(p streamflow.Put) bool { return p.Val == nil || !c.outsideTx(p.Val, depth+1) })
	case *ssa.Parameter:
		sites := c.flow.Callers(x.Parent())
		i := streamflow.ParamIndex(x)
		return len(sites) > 0 && !slices.ContainsFunc(sites, func(s streamflow.Site) bool { return i >= len(s.Args) || !c.outsideTx(s.Args[i], depth+1) })
	}
	return false
}

func (c *checker) madeOutsideTx(call *ssa.Call, depth int) bool {
	name := streamflow.CalleeName(call)
	switch name {
	case "(database/sql.DB).Prepare", "(database/sql.DB).PrepareContext", "(database/sql.Conn).PrepareContext",
		"(github.com/jmoiron/sqlx.DB).Preparex", "(github.com/jmoiron/sqlx.DB).PreparexContext", "gorm.io/gorm.Open":
		return true
	case "(gorm.io/gorm.DB).Begin":
		return false
	}
	return strings.HasPrefix(name, "(gorm.io/gorm.DB).") && c.outsideTx(call.Call.Args[0], depth+1)
}

// isTx reports whether a handle is that of a transaction, or may be: it came in from
// somebody who begins transactions.
func (c *checker) isTx(v ssa.Value, depth int) bool {
	switch x := v.(type) {
	case *ssa.Parameter:
		return strings.Contains(strings.ToLower(x.Name()), "tx")
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return c.isTx(call, depth)
		}
	case *ssa.Call:
		name := streamflow.CalleeName(x)
		if strings.HasPrefix(name, "(database/sql.Tx).") || strings.HasPrefix(name, "(github.com/jmoiron/sqlx.Tx).") || strings.HasSuffix(name, ").Begin") {
			return true
		}
		return depth < 5 && strings.HasPrefix(name, "(gorm.io/gorm.DB).") && c.isTx(x.Call.Args[0], depth+1)
	}
	return false
}

// begun reports whether a transaction is begun by a statement around the effect, or
// what was filled takes the place of something after the loop.
func (c *checker) begun(h *hit) bool {
	for _, fn := range c.functions(h) {
		for _, call := range c.flow.Calls(fn) {
			if e, ok := model.LookupEffect(streamflow.CalleeName(call)); !ok || e.Kind != model.SQLEffect || !e.Text {
				continue
			} else if q := strings.ToUpper(textOf(streamflow.Args(call)[e.Args[0]], 0)); startsTx(q) || strings.Contains(q, "RENAME ") {
				return true
			}
		}
	}
	return false
}

func startsTx(query string) bool {
	query = strings.TrimSpace(query)
	return strings.HasPrefix(query, "BEGIN") || strings.HasPrefix(query, "START TRANSACTION") || strings.HasPrefix(query, "SAVEPOINT")
}

// staged reports whether files are made where nobody looks before the whole is there,
// or are taken away again when it does not come: a temporary directory, a rename or a
// removal outside of the loop, a look whether the file is there already.
func (c *checker) staged(h *hit) bool {
	for _, fn := range c.functions(h) {
		for _, f := range append([]*ssa.Function{fn}, fn.AnonFuncs...) {
			for _, call := range c.flow.Calls(f) {
				if call == h.call {
					continue
				}
				switch streamflow.CalleeName(call) {
				case "os.MkdirTemp", "os.CreateTemp", "os.TempDir", "io/ioutil.TempDir", "io/ioutil.TempFile",
					"os.Stat", "os.Lstat", "os.UserCacheDir", "(testing.common).TempDir":
					return true
				case "os.Rename", "os.RemoveAll", "os.Remove":
					if !c.flow.SameLoop(call, h.call) && !slices.Contains(h.path(), ssa.Instruction(call)) && !c.inside(h, call) {
						return true
					}
				}
			}
		}
	}
	return false
}

// inside reports whether a call stands in the loop that an effect belongs to.
func (c *checker) inside(h *hit, call ssa.CallInstruction) bool {
	for f := h.frame; ; f = f.up {
		if call.Parent() == f.fn && (f.anchor == nil || c.flow.SameLoop(f.anchor, call)) {
			_, deferred := call.(*ssa.Defer)
			return !deferred
		}
		if f.up == nil {
			return false
		}
	}
}

// writes reports whether a request is surely one that changes something.
func (c *checker) writes(req ssa.Value, depth int) bool {
	if depth > 5 {
		return false
	}
	switch x := req.(type) {
	case *ssa.Extract:
		call, ok := x.Tuple.(*ssa.Call)
		if !ok {
			return false
		}
		args := streamflow.Args(call)
		switch streamflow.CalleeName(call) {
		case "net/http.NewRequest":
			return isWriting(textOf(args[0], 0))
		case "net/http.NewRequestWithContext":
			return isWriting(textOf(args[1], 0))
		}
	case *ssa.Call: // req.WithContext
		return streamflow.CalleeName(x) == "(net/http.Request).WithContext" && c.writes(x.Call.Args[0], depth+1)
	case *ssa.UnOp:
		if a, ok := x.X.(*ssa.Alloc); ok {
			puts := c.flow.Puts(c.flow.Location(a))
			return len(puts) == 1 && puts[0].Val != nil && c.writes(puts[0].Val, depth+1)
		}
	}
	return false
}

func isWriting(method string) bool {
	switch method {
	case "POST", "PUT", "PATCH", "DELETE":
		return true
	}
	return false
}
