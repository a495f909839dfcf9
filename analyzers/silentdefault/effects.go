package silentdefault

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

type verdict uint8

const (
	unasked verdict = iota
	busy
	yes
	no
)

// purePackages hold functions that do nothing but compute: what goes in comes out
// in another dress.
var purePackages = map[string]bool{
	"strings": true, "bytes": true, "strconv": true, "unicode": true, "unicode/utf8": true, "errors": true,
	"path": true, "path/filepath": true, "slices": true, "maps": true, "math": true, "reflect": true, "cmp": true,
	"encoding/json": true, "encoding/base64": true, "encoding/hex": true, "html": true, "net/url": true, "sort": true,
	"github.com/pkg/errors": true, "golang.org/x/exp/maps": true, "golang.org/x/exp/slices": true, "time": true,
	"google.golang.org/grpc/status": true, "google.golang.org/grpc/codes": true,
}

// isPure reports whether a call only computes.
func isPure(call ssa.CallInstruction) bool {
	if b, ok := call.Common().Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "copy", "close", "panic", "delete", "clear":
			return false
		}
		return true
	}
	fn := streamflow.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return fn != nil && fn.Name() == "Error" // (error).Error
	}
	path := model.Path(fn.Pkg().Path())
	switch path {
	case "fmt":
		return strings.HasPrefix(fn.Name(), "Sprint") || fn.Name() == "Errorf" || strings.HasPrefix(fn.Name(), "Append")
	case "time":
		return fn.Name() != "Sleep"
	case "sync", "context":
		return true // no word about the data
	}
	if fn.Name() == "Error" && fn.Signature().Params().Len() == 0 {
		return true
	}
	if fn.Signature().Recv() != nil {
		switch path {
		case "strings", "bytes": // Builder, Buffer
			return !strings.HasPrefix(fn.Name(), "Write")
		}
	}
	return purePackages[path]
}

// logFields reports whether a map is made for a log call and given to nothing else:
// the fields of a record.
func logFields(m ssa.Value) bool {
	fields, ok := m.(*ssa.MakeMap)
	if !ok {
		return false
	}
	shown := false
	for _, ref := range *fields.Referrers() {
		switch x := ref.(type) {
		case *ssa.MapUpdate, *ssa.DebugRef:
		case ssa.CallInstruction:
			if !streamflow.IsPrint(x) {
				return false
			}
			shown = true
		default:
			return false
		}
	}
	return shown
}

// quiet reports whether a log call is of a level that nobody sees by default.
func quiet(call ssa.CallInstruction) bool {
	fn := streamflow.Callee(call)
	if fn == nil {
		return false
	}
	n := strings.ToLower(fn.Name())
	if strings.Contains(n, "debug") || strings.Contains(n, "trace") || strings.Contains(n, "verbose") {
		return true
	}
	recv := fn.Signature().Recv()
	return recv != nil && strings.HasSuffix(model.TypeName(recv.Type()), ".Verbose")
}

// onlyPrints reports whether a function has no effect but to show something: it
// returns nothing, stores nothing, sends nothing.
func (c *checker) onlyPrints(fn *ssa.Function, depth int) bool {
	if v := c.prints[fn]; v != unasked {
		return v == yes || v == busy
	}
	c.prints[fn] = busy
	out := no
	if depth < 4 && len(fn.Blocks) > 0 && fn.Signature.Results().Len() == 0 && c.showsOnly(fn, depth) {
		out = yes
	}
	c.prints[fn] = out
	return out == yes
}

func (c *checker) showsOnly(fn *ssa.Function, depth int) bool {
	printed := false
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.Send, *ssa.Select, *ssa.MapUpdate, *ssa.Go, *ssa.Panic:
				return false
			case *ssa.Store:
				if _, ok := root(x.Addr).(*ssa.Alloc); !ok {
					return false
				}
			case ssa.CallInstruction:
				if streamflow.IsPrint(x) {
					printed = true
					continue
				}
				if isPure(x) || c.byCall[x] != nil {
					continue
				}
				if body := c.flow.Body(x); body != nil && c.onlyPrints(body, depth+1) {
					printed = true
					continue
				}
				return false
			}
		}
	}
	return printed
}

// root gives the variable that an address lies in.
func root(addr ssa.Value) ssa.Value {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		default:
			return addr
		}
	}
}
