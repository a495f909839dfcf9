package model

var proxyFields = []Field{
	// Body callbacks of proxies: the pieces are as the network cut them.
	{Name: "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc.HttpBody.Body", Role: RoleChunk, Mod: modExtProc},
	{Name: "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc.HttpBody.EndOfStream", Role: RoleFinish, Mod: modExtProc},
}

var proxyTypes = []Type{
	// A bytes parameter with a bool after it, next to one of these, is a piece of a body.
	{Name: "github.com/higress-group/wasm-go/pkg/wrapper.HttpContext", Role: RoleChunk, Mod: modHigress},
}
