package byteslice

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/streamlint/streamlint/internal/model"
)

// searches are calls that only look for something in a text, or read a value from
// it: a cut in the middle of a character changes nothing there.
var searches = map[string]bool{
	"strings.Contains": true, "strings.ContainsAny": true, "strings.ContainsRune": true, "strings.ContainsFunc": true,
	"strings.HasPrefix": true, "strings.HasSuffix": true, "strings.EqualFold": true, "strings.Count": true, "strings.Compare": true,
	"strings.Index": true, "strings.IndexByte": true, "strings.IndexAny": true, "strings.IndexRune": true, "strings.IndexFunc": true,
	"strings.LastIndex": true, "strings.LastIndexByte": true, "strings.LastIndexAny": true, "strings.LastIndexFunc": true,
	"bytes.Contains": true, "bytes.ContainsAny": true, "bytes.HasPrefix": true, "bytes.HasSuffix": true, "bytes.EqualFold": true,
	"bytes.Equal": true, "bytes.Compare": true, "bytes.Count": true, "bytes.Index": true, "bytes.IndexByte": true, "bytes.LastIndex": true, "bytes.LastIndexByte": true,
	"net/http.DetectContentType": true, "path.Match": true, "path/filepath.Match": true,
	"strconv.Atoi": true, "strconv.ParseInt": true, "strconv.ParseUint": true, "strconv.ParseFloat": true, "strconv.ParseBool": true,
	"time.Parse": true, "time.ParseInLocation": true, "time.ParseDuration": true,
	"unicode/utf8.RuneCountInString": true, "unicode/utf8.RuneCount": true,
	"bytes.NewReader": false,
}

// passesText reports whether a function's result is its text in another dress.
func passesText(name string) bool {
	switch name {
	case "fmt.Sprintf", "fmt.Sprint", "fmt.Sprintln", "strings.Join", "strings.Clone", "bytes.Clone":
		return true
	}
	_, ok := model.LookupPass(name)
	return ok
}

func makesError(name string) bool {
	switch name {
	case "fmt.Errorf", "errors.New", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf", "github.com/pkg/errors.Wrap", "github.com/pkg/errors.Wrapf":
		return true
	}
	return false
}

// formatted reports whether argument i of a call is printed by a verb that leaves no
// half character: %x and its kin, or %q, which escapes it.
func formatted(info *types.Info, call *ast.CallExpr, fn *types.Func, i int) bool {
	if fn == nil || !fn.Signature().Variadic() {
		return false
	}
	first := fn.Signature().Params().Len() - 1
	if first < 1 || i < first || first > len(call.Args) {
		return false
	}
	verb := verbOf(info, call.Args[first-1], i-first)
	return verb == 'q' || isPlainVerb(verb)
}

// quoted reports whether a call's result is an operand that another call prints so.
func (c *checker) quoted(p inspector.Cursor) bool {
	outer, ok := p.Parent().Node().(*ast.CallExpr)
	return ok && p.ParentEdgeKind() == edge.CallExpr_Args && formatted(c.info, outer, callee(c.info, outer), p.ParentEdgeIndex())
}

// plainVerb reports whether operand n of a format is written in one-byte characters
// only.
func plainVerb(info *types.Info, e ast.Expr, n int) bool { return isPlainVerb(verbOf(info, e, n)) }

func isPlainVerb(verb byte) bool { return verb != 0 && strings.IndexByte("xXdTp", verb) >= 0 }

// verbOf gives the verb that prints operand n of a format, 0 where it is not known.
func verbOf(info *types.Info, e ast.Expr, n int) byte {
	tv := info.Types[e]
	if tv.Value == nil || tv.Value.Kind() != constant.String {
		return 0
	}
	format := constant.StringVal(tv.Value)
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.", format[i]) >= 0; i++ {
		}
		if i >= len(format) || format[i] == '[' || format[i] == '*' {
			return 0
		}
		if format[i] == '%' {
			continue
		}
		if n == 0 {
			return format[i]
		}
		n--
	}
	return 0
}

// sink says what a call brings the text of its argument i to, "" for nothing that
// the tables know.
func (c *checker) sink(call *ast.CallExpr, fn *types.Func, name string, i int) string {
	switch name {
	case "fmt.Print", "fmt.Printf", "fmt.Println":
		return "a terminal"
	case "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "io.WriteString":
		if i > 0 {
			return c.output(call.Args[0])
		}
		return ""
	}
	if fn == nil {
		return ""
	}
	if model.ModelFuncs[name] {
		return "a model"
	}
	recv := fn.Signature().Recv()
	at := i
	if recv != nil {
		at++
	}
	for _, s := range model.LookupTextSinks(name) {
		if s.Arg != at || strings.HasPrefix(s.Func, "strings.") || strings.HasPrefix(s.Func, "bytes.") || strings.HasPrefix(s.Func, "unicode/") {
			continue
		}
		return "an encoder"
	}
	if fn.Pkg() != nil && model.ShowPackages[model.Path(fn.Pkg().Path())] {
		return "a reader"
	}
	if logs(fn) {
		return "a log"
	}
	if recv != nil && (fn.Name() == "Write" || fn.Name() == "WriteString") {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return c.output(sel.X)
		}
	}
	return ""
}

// output says what is behind a writer: the terminal, an HTTP response.
func (c *checker) output(w ast.Expr) string {
	if sel, ok := ast.Unparen(w).(*ast.SelectorExpr); ok {
		if v, ok := c.info.Uses[sel.Sel].(*types.Var); ok && v.Pkg() != nil && v.Pkg().Path() == "os" {
			return "a terminal"
		}
	}
	switch model.TypeName(c.info.TypeOf(w)) {
	case "net/http.ResponseWriter":
		return "an HTTP client"
	case "text/tabwriter.Writer":
		return "a terminal"
	}
	return ""
}

// logs reports whether a function has the shape and the name of a logging call:
// Infof(format string, args ...any) of whatever logger.
func logs(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Recv() == nil || !sig.Variadic() {
		return false
	}
	s, ok := sig.Params().At(sig.Params().Len() - 1).Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	if i, ok := s.Elem().Underlying().(*types.Interface); !ok || !i.Empty() {
		return false
	}
	name := fn.Name()
	for _, suffix := range []string{"Context", "Ctx", "f", "w", "ln"} {
		if cut, ok := strings.CutSuffix(name, suffix); ok {
			name = cut
			break
		}
	}
	switch name {
	case "Trace", "Debug", "Info", "Warn", "Warning", "Error", "Fatal", "Notice", "Log", "Print":
		return true
	}
	return false
}
