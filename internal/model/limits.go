package model

import "sync"

// Limit is a call that limits how long a whole exchange may take, the reading of
// its body included.
type Limit struct {
	Func string
	Arg  int // position of the duration
	On   int // position of what is limited from then on, or Result
	Mod  string
}

// Limits are the calls that set a total time limit.
var Limits = []Limit{
	{Func: "github.com/openai/openai-go/option.WithRequestTimeout", Arg: 0, On: Result, Mod: modOpenAI},
	{Func: "github.com/anthropics/anthropic-sdk-go/option.WithRequestTimeout", Arg: 0, On: Result, Mod: modAnthropic},
}

// LimitField is a struct field that limits how long a whole exchange may take.
type LimitField struct {
	Name string // pkg.Type.Field, of type time.Duration
	Mod  string
}

// LimitFields are the fields that hold a total time limit.
var LimitFields = []LimitField{
	{Name: "net/http.Client.Timeout", Mod: modStd},
	{Name: "k8s.io/client-go/rest.Config.Timeout", Mod: modClientGo},
}

// Watcher is a function that keeps streams open over a client it is given.
type Watcher struct {
	Func string
	Arg  int // position of the client
	Mod  string
}

// Watchers are the functions that go on reading streams of a client.
var Watchers = []Watcher{
	{Func: "k8s.io/client-go/informers.NewSharedInformerFactory", Arg: 0, Mod: modClientGo},
	{Func: "k8s.io/client-go/informers.NewSharedInformerFactoryWithOptions", Arg: 0, Mod: modClientGo},
	{Func: "k8s.io/client-go/informers.NewFilteredSharedInformerFactory", Arg: 0, Mod: modClientGo},
	{Func: "k8s.io/client-go/dynamic/dynamicinformer.NewDynamicSharedInformerFactory", Arg: 0, Mod: modClientGo},
	{Func: "k8s.io/client-go/dynamic/dynamicinformer.NewFilteredDynamicSharedInformerFactory", Arg: 0, Mod: modClientGo},
	{Func: "k8s.io/client-go/metadata/metadatainformer.NewSharedInformerFactory", Arg: 0, Mod: modClientGo},
	{Func: "k8s.io/client-go/tools/cache.NewListWatchFromClient", Arg: 0, Mod: modClientGo},
	{Func: "k8s.io/client-go/tools/cache.NewFilteredListWatchFromClient", Arg: 0, Mod: modClientGo},
	{Func: "(k8s.io/client-go/kubernetes/typed/core.PodInterface).Watch", Arg: 0, Mod: modClientGo},
	{Func: "(k8s.io/client-go/kubernetes/typed/core.EventInterface).Watch", Arg: 0, Mod: modClientGo},
	{Func: "(k8s.io/client-go/kubernetes/typed/core.ConfigMapInterface).Watch", Arg: 0, Mod: modClientGo},
	{Func: "(k8s.io/client-go/kubernetes/typed/core.SecretInterface).Watch", Arg: 0, Mod: modClientGo},
	{Func: "(k8s.io/client-go/kubernetes/typed/core.NamespaceInterface).Watch", Arg: 0, Mod: modClientGo},
	{Func: "(k8s.io/client-go/kubernetes/typed/core.NodeInterface).Watch", Arg: 0, Mod: modClientGo},
	{Func: "(k8s.io/client-go/kubernetes/typed/core.ServiceInterface).Watch", Arg: 0, Mod: modClientGo},
	{Func: "(k8s.io/client-go/kubernetes/typed/apps.DeploymentInterface).Watch", Arg: 0, Mod: modClientGo},
	{Func: "(k8s.io/client-go/kubernetes/typed/batch.JobInterface).Watch", Arg: 0, Mod: modClientGo},
	{Func: "(k8s.io/client-go/dynamic.ResourceInterface).Watch", Arg: 0, Mod: modClientGo},
}

// Live is a type whose values are streams that are still being received: who
// gets one from a call has opened it.
type Live struct {
	Type string
	Mod  string
}

// Lives are the types of open streams.
var Lives = []Live{
	{Type: "k8s.io/apimachinery/pkg/watch.Interface", Mod: modApimachinery},
	{Type: "github.com/openai/openai-go/packages/ssestream.Stream", Mod: modOpenAI},
	{Type: "github.com/anthropics/anthropic-sdk-go/packages/ssestream.Stream", Mod: modAnthropic},
	{Type: "github.com/sashabaranov/go-openai.ChatCompletionStream", Mod: modGoOpenAI},
	{Type: "github.com/sashabaranov/go-openai.CompletionStream", Mod: modGoOpenAI},
	{Type: "github.com/cohere-ai/cohere-go/core.Stream", Mod: modCohere},
	{Type: "database/sql.Rows", Mod: modStd},
}

var limitIndex = sync.OnceValue(func() (out struct {
	limits   map[string]Limit
	fields   map[string]bool
	watchers map[string]Watcher
	lives    map[string]bool
}) {
	out.limits = make(map[string]Limit)
	for _, e := range Limits {
		out.limits[e.Func] = e
	}
	out.fields = make(map[string]bool)
	for _, e := range LimitFields {
		out.fields[e.Name] = true
	}
	out.watchers = make(map[string]Watcher)
	for _, e := range Watchers {
		out.watchers[e.Func] = e
	}
	out.lives = make(map[string]bool)
	for _, e := range Lives {
		out.lives[e.Type] = true
	}
	return out
})

// LookupLimit gives the entry of a call that sets a total time limit.
func LookupLimit(name string) (Limit, bool) { e, ok := limitIndex().limits[name]; return e, ok }

// IsLimitField reports whether the named field holds a total time limit.
func IsLimitField(name string) bool { return limitIndex().fields[name] }

// LookupWatcher gives the entry of a function that keeps streams open.
func LookupWatcher(name string) (Watcher, bool) { e, ok := limitIndex().watchers[name]; return e, ok }

// IsLive reports whether values of the named type are streams being received.
func IsLive(typeName string) bool { return limitIndex().lives[typeName] }
