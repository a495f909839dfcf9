package unfinished

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// logPackages are those of loggers.
var logPackages = map[string]bool{
	"log": true, "log/slog": true, "github.com/sirupsen/logrus": true, "go.uber.org/zap": true, "github.com/rs/zerolog": true,
	"github.com/rs/zerolog/log": true, "k8s.io/klog": true, "github.com/golang/glog": true, "github.com/go-logr/logr": true,
	"github.com/hashicorp/go-hclog": true, "github.com/charmbracelet/log": true, "charm.land/log": true, "github.com/go-kit/log": true,
}

// isPrint reports whether a call only shows something to a person: it logs, or
// prints to the terminal. Calls that end the program are none.
func isPrint(call ssa.CallInstruction) bool {
	fn := streamflow.Callee(call)
	if fn == nil || stops(fn) {
		return false
	}
	if fn.Pkg() != nil {
		path := model.Path(fn.Pkg().Path())
		if logPackages[path] {
			return true
		}
		if path == "fmt" {
			if strings.HasPrefix(fn.Name(), "Print") {
				return true
			}
			return strings.HasPrefix(fn.Name(), "Fprint") && isTerminal(streamflow.Args(call)[0])
		}
	}
	if logName(fn.Name()) && fn.Signature().Results().Len() == 0 && fn.Signature().Params().Len() > 0 {
		return true
	}
	return false
}

// stops reports whether a function ends the program or the goroutine.
func stops(fn *types.Func) bool {
	for _, p := range []string{"Fatal", "Panic", "Exit"} {
		if strings.HasPrefix(fn.Name(), p) {
			return true
		}
	}
	return false
}

// logName reports whether a function without results has the name of a log level,
// as home-made loggers have.
func logName(name string) bool {
	n := strings.ToLower(name)
	n = strings.TrimPrefix(n, "log")
	n = strings.TrimPrefix(n, "sys")
	for _, suffix := range []string{"f", "ln", "w", "ctx", "context"} {
		n = strings.TrimSuffix(n, suffix)
	}
	switch n {
	case "", "debug", "trace", "in", "info", "warn", "warning", "error", "notice", "print", "verbose", "lo", "err":
		return true
	}
	return false
}

// isTerminal reports whether a writer is the standard output or error.
func isTerminal(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.UnOp:
			g, ok := x.X.(*ssa.Global)
			return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "os" && (g.Name() == "Stdout" || g.Name() == "Stderr")
		default:
			return false
		}
	}
}

// isPure reports whether a call only computes or tidies up: nobody learns from it
// that something failed.
func isPure(call ssa.CallInstruction) bool {
	if b, ok := call.Common().Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "copy", "panic", "delete", "clear":
			return false
		}
		return true
	}
	fn := streamflow.Callee(call)
	if fn == nil {
		return false
	}
	noParams := fn.Signature().Params().Len() == 0
	switch fn.Name() {
	case "Err", "Error", "String":
		return noParams
	case "Close", "Unlock", "RUnlock", "Lock", "RLock", "Done":
		return noParams && fn.Signature().Recv() != nil
	case "Flush":
		return noParams
	}
	if fn.Pkg() == nil {
		return false
	}
	switch model.Path(fn.Pkg().Path()) {
	case "fmt":
		return strings.HasPrefix(fn.Name(), "Sprint") || fn.Name() == "Errorf" || strings.HasPrefix(fn.Name(), "Append")
	case "strings", "bytes":
		return fn.Signature().Recv() == nil
	case "errors", "strconv", "unicode", "unicode/utf8", "path", "path/filepath", "time", "github.com/pkg/errors":
		return true
	}
	return false
}
