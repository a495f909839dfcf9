package streamtimeout

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// opening says what a call opens.
type opening uint8

const (
	nothing opening = iota
	answer          // an HTTP answer or a reader: what is done with it tells whether it is a stream
	endless         // a stream of an SDK, a watch
	listing         // a stream of messages that may be short: gRPC
	rows            // an iterator over what a database holds
)

// opens tells what a call opens. Calls of functions whose body is in the package
// open nothing themselves.
func (c *checker) opens(call ssa.CallInstruction) opening {
	if _, ok := call.Common().Value.(*ssa.Builtin); ok {
		return nothing
	}
	callee := streamflow.Callee(call)
	name := model.FuncName(callee)
	if o, known := model.LookupOpen(name); known {
		switch {
		case o.Unary, strings.Contains(name, "websocket"), strings.Contains(name, "gobwas/ws"):
			return nothing
		case strings.HasPrefix(name, "(net/http."), strings.HasPrefix(name, "net/http."), strings.Contains(name, "go-retryablehttp."):
			return answer
		case strings.HasPrefix(name, "(google.golang.org/grpc."):
			return listing
		case name == "(k8s.io/client-go/rest.Request).Stream":
			return answer
		}
		return endless
	}
	if len(c.flow.Callees(call)) > 0 {
		return nothing
	}
	sig := call.Common().Signature()
	if sig.Results().Len() == 0 {
		return nothing
	}
	t := sig.Results().At(0).Type()
	tn := model.TypeName(t)
	switch {
	case tn == "database/sql.Rows":
		return rows
	case model.IsLive(tn):
		return endless
	case tn == "net/http.Response" && streamflow.ErrorResult(sig) == 1 && name != "net/http.ReadResponse": // that one sends nothing
		return answer
	case tn == "io.ReadCloser" && streamflow.ErrorResult(sig) == 1 && takesContext(sig) && callee != nil && callee.Pkg() != nil && strings.Contains(callee.Pkg().Path(), "."):
		return answer
	case serverStream(t) && takesContext(sig):
		return listing
	}
	return nothing
}

func takesContext(sig *types.Signature) bool {
	return sig.Params().Len() > 0 && isContext(sig.Params().At(0).Type())
}

func isContext(t types.Type) bool { return model.TypeName(t) == "context.Context" }

// serverStream reports whether t is the client's end of a gRPC stream that only
// the server sends on.
func serverStream(t types.Type) bool {
	return has(t, "Recv") && has(t, "RecvMsg") && has(t, "CloseSend") && !has(t, "Send")
}

func has(t types.Type, method string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, method)
	_, ok := obj.(*types.Func)
	return ok
}

// isReader reports whether t has Read([]byte) (int, error).
func isReader(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "Read")
	fn, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	sig := fn.Signature()
	return sig.Params().Len() == 1 && sig.Results().Len() == 2 && streamflow.IsText(sig.Params().At(0).Type())
}
