package unfinished

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// isPrint reports whether a call only shows something to a person. Calls that end
// the program are none.
func isPrint(call ssa.CallInstruction) bool {
	return streamflow.IsPrint(call) && !stops(streamflow.Callee(call))
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
