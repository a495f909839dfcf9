package streamflow

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// IsPrint reports whether a call only shows something to a person: it logs, or
// prints to the terminal. A home-made logger is known by what a logger looks like:
// it is named for a level, takes something and gives nothing back.
func IsPrint(call ssa.CallInstruction) bool {
	fn := Callee(call)
	if fn == nil {
		return false
	}
	if fn.Pkg() != nil {
		path := model.Path(fn.Pkg().Path())
		if model.LogPackages[path] {
			return true
		}
		if path == "fmt" {
			return strings.HasPrefix(fn.Name(), "Print") || strings.HasPrefix(fn.Name(), "Fprint") && IsTerminal(Args(call)[0])
		}
	}
	return levelName(fn.Name()) && fn.Signature().Results().Len() == 0 && fn.Signature().Params().Len() > 0
}

// levelName reports whether a function is named for a log level.
func levelName(name string) bool {
	n := strings.ToLower(name)
	n = strings.TrimPrefix(n, "log")
	n = strings.TrimPrefix(n, "sys")
	for _, suffix := range []string{"f", "ln", "w", "ctx", "context"} {
		n = strings.TrimSuffix(n, suffix)
	}
	switch n {
	case "": // Log, Logf
		return true
	case "debug", "trace", "in", "info", "warn", "warning", "err", "error", "notice", "print", "verbose", "lo", "fatal":
		return true
	}
	return false
}

// IsTerminal reports whether a writer is the process's standard output or error.
func IsTerminal(w ssa.Value) bool {
	for {
		switch x := w.(type) {
		case *ssa.MakeInterface:
			w = x.X
		case *ssa.ChangeInterface:
			w = x.X
		case *ssa.UnOp:
			g, ok := x.X.(*ssa.Global)
			return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "os" && (g.Name() == "Stdout" || g.Name() == "Stderr")
		default:
			return false
		}
	}
}
