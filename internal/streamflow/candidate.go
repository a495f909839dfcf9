package streamflow

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/report"
)

// MayHoldFacts reports whether a package with these imports can have anything to
// tell its importers. Drivers that compute facts on demand ask it before they
// load a package from source.
func MayHoldFacts(imports []string) bool {
	for _, p := range imports {
		if telling[p] || p != "" && !standard(p) && model.Packages(p) {
			return true
		}
	}
	return false
}

// telling are the packages of the standard library whose importers may decode,
// read chunks, or send requests.
var telling = map[string]bool{
	"bufio": true, "encoding/json": true, "encoding/xml": true, "encoding/json/v2": true,
	"io": true, "net": true, "net/http": true, "os": true, "os/exec": true, "database/sql": true,
}

// standard reports whether an import path is one of the standard library: a
// module of a user's may have no dot in its path either.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return standardRoots[first]
}

// allGenerated reports whether every file of the package is generated: nothing is
// reported there, and what such packages hold (messages, clients) the tables know
// or nobody does.
func (f *Flow) allGenerated() bool {
	if report.GeneratedAsked() {
		return false
	}
	for _, file := range f.pass.Files {
		if !report.IsGenerated(file) {
			return false
		}
	}
	return true
}

// inStandardLibrary reports whether the package is one of Go's own: the tables
// say all that the engine needs to know of those.
func (f *Flow) inStandardLibrary() bool {
	if m := f.pass.Module; m != nil && m.Path != "" && m.Path != "std" && m.Path != "cmd" {
		return false
	}
	return standard(f.pass.Pkg.Path())
}

// standardRoots are the first elements of the import paths of the standard
// library and the go command.
var standardRoots = map[string]bool{
	"archive": true, "bufio": true, "builtin": true, "bytes": true, "cmd": true, "cmp": true, "compress": true,
	"container": true, "context": true, "crypto": true, "database": true, "debug": true, "embed": true,
	"encoding": true, "errors": true, "expvar": true, "flag": true, "fmt": true, "go": true, "hash": true,
	"html": true, "image": true, "index": true, "internal": true, "io": true, "iter": true, "log": true,
	"maps": true, "math": true, "mime": true, "net": true, "os": true, "path": true, "plugin": true,
	"reflect": true, "regexp": true, "runtime": true, "slices": true, "sort": true, "strconv": true,
	"strings": true, "structs": true, "sync": true, "syscall": true, "testing": true, "text": true,
	"time": true, "unicode": true, "unique": true, "unsafe": true, "vendor": true, "weak": true,
}

// candidate reports whether the package can hold a finding or a fact: whether it
// has a call or a method that any rule starts from. Most packages have none, and
// cost one walk over their calls.
func (f *Flow) candidate(insp *inspector.Inspector) bool {
	if len(f.pass.Files) == 0 || f.pass.Pkg == nil || len(f.pass.TypeErrors) > 0 {
		return false
	}
	if f.inStandardLibrary() || f.allGenerated() {
		return false
	}
	if f.config.names() {
		return true
	}
	for _, imp := range f.pass.Pkg.Imports() {
		if !standard(imp.Path()) && model.HasIncrements(imp.Path()) {
			return true
		}
	}
	f.findFuncVars(insp)
	info := f.pass.TypesInfo
	known := make(map[*types.Func]bool)
	found := len(f.funcVars) > 0
	for cur := range insp.Root().Preorder((*ast.CallExpr)(nil), (*ast.FuncDecl)(nil), (*ast.Field)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.Field:
			// A struct made after a wire format for the arguments of tool calls: what
			// joins its fragments may call nothing that the tables know.
			if n.Tag != nil && strings.Contains(n.Tag.Value, `json:"arguments`) {
				found = true
			}
		case *ast.FuncDecl:
			if fn, ok := info.Defs[n.Name].(*types.Func); ok && isWriteMethod(fn) {
				found = true
			}
		case *ast.CallExpr:
			fn, _ := typeutil.Callee(info, n).(*types.Func)
			if fn == nil {
				// A function value that is called with a callback, as in
				// run(ctx, prompt, onToken): what a retry loop goes round.
				if handsCallback(info, n) || f.funcVar(n) {
					found = true
				}
				break
			}
			hit, ok := known[fn]
			if !ok {
				hit = f.startsRule(fn)
				known[fn] = hit
			}
			if hit || handsCallback(info, n) {
				found = true
			}
		}
		if found {
			return true
		}
	}
	return false
}

// startsRule reports whether a call of fn can be where a rule starts.
func (f *Flow) startsRule(fn *types.Func) bool {
	if isReadMethod(fn) {
		return true
	}
	if fn.Pkg() == nil {
		return false
	}
	if fn.Pkg() != f.pass.Pkg && !standard(fn.Pkg().Path()) && f.funcFact(fn) != nil {
		return true
	}
	if !model.Packages(fn.Pkg().Path()) {
		return false
	}
	return model.StartsRule(model.FuncName(fn))
}

// handsCallback reports whether a call hands a function of text or of a struct to
// a callee that can fail.
func handsCallback(info *types.Info, call *ast.CallExpr) bool {
	sig, ok := info.TypeOf(call.Fun).(*types.Signature)
	if !ok || ErrorResult(sig) < 0 {
		return false
	}
	for i := range sig.Params().Len() {
		if cb, ok := sig.Params().At(i).Type().Underlying().(*types.Signature); ok && cb.Params().Len() > 0 {
			for j := range cb.Params().Len() {
				if IsText(cb.Params().At(j).Type()) {
					return true
				}
			}
		}
	}
	return false
}
