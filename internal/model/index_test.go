package model

import (
	"go/token"
	"go/types"
	"strings"
	"testing"
)

func TestPackageParts(t *testing.T) {
	for _, c := range []struct {
		name, want string
		field      bool
	}{
		{"encoding/json.Unmarshal", "encoding/json", false},
		{"(encoding/json.Decoder).Decode", "encoding/json", false},
		{"gopkg.in/yaml.v3.Unmarshal", "gopkg.in/yaml.v3", false},
		{"(gopkg.in/yaml.v3.Decoder).Decode", "gopkg.in/yaml.v3", false},
		{"github.com/nats-io/nats.go.Msg", "github.com/nats-io/nats.go", false},
		{"github.com/nats-io/nats.go.Msg.Data", "github.com/nats-io/nats.go", true},
		{"net.UDPConn", "net", false},
	} {
		got := FuncPackage(c.name)
		if c.field {
			got = FieldPackage(c.name)
		}
		if got != c.want {
			t.Errorf("package of %s = %s, want %s", c.name, got, c.want)
		}
	}
}

// TestPackages asks with import paths as they are written, major versions and all.
func TestPackages(t *testing.T) {
	for path, want := range map[string]bool{
		"encoding/json":                         true,
		"gopkg.in/yaml.v3":                      true,
		"github.com/openai/openai-go":           true,
		"github.com/openai/openai-go/v3":        true,
		"github.com/openai/openai-go/v9":        true,
		"github.com/cohere-ai/cohere-go/v2/v2":  true,
		"example.com/x/vendor/gopkg.in/yaml.v3": true,
		"example.com/x":                         false,
		"gopkg.in/yaml":                         false,
	} {
		if got := Packages(path); got != want {
			t.Errorf("Packages(%q) = %t", path, got)
		}
	}
}

// TestRetryOf: backoff.Retry has its operation first up to version 4, and second
// from version 5 on.
func TestRetryOf(t *testing.T) {
	op := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	other := types.NewInterfaceType(nil, nil)
	fn := func(version string, params ...types.Type) *types.Func {
		pkg := types.NewPackage("github.com/cenkalti/backoff/"+version, "backoff")
		var vars []*types.Var
		for _, p := range params {
			vars = append(vars, types.NewParam(token.NoPos, pkg, "", p))
		}
		sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), nil, false)
		return types.NewFunc(token.NoPos, pkg, "Retry", sig)
	}
	for _, c := range []struct {
		fn *types.Func
		op int
		ok bool
	}{
		{fn("v4", op, other), 0, true},
		{fn("v5", other, op), 1, true},
		{fn("v6", other, other), 0, false},
		{fn("v4"), 0, false},
	} {
		e, ok := RetryOf(c.fn)
		if ok != c.ok || ok && e.Op != c.op {
			t.Errorf("RetryOf(%s): %+v, %t", c.fn, e, ok)
		}
	}
}

// TestCovered: each library the project promises to know has lines in the tables
// where they matter. A library that lost its last line would be silence.
func TestCovered(t *testing.T) {
	has := make(map[string]map[string]bool)
	put := func(table, pkg string) {
		if has[table] == nil {
			has[table] = make(map[string]bool)
		}
		has[table][pkg] = true
	}
	for _, e := range Decoders {
		put("decoders", FuncPackage(e.Func))
	}
	for _, e := range Sources {
		put("sources", FuncPackage(e.Func))
	}
	for _, e := range Callbacks {
		put("callbacks", FuncPackage(e.Func))
	}
	for _, e := range TextSinks {
		put("sinks", FuncPackage(e.Func))
	}
	for _, e := range Retries {
		put("retries", FuncPackage(e.Func))
	}
	for _, e := range Opens {
		put("opens", FuncPackage(e.Func))
	}
	for _, e := range Fields {
		put("fields", FieldPackage(e.Name))
	}
	for table, list := range map[string]string{
		"decoders": `encoding/json encoding/json/v2 encoding/xml github.com/bytedance/sonic github.com/json-iterator/go
			github.com/goccy/go-json github.com/segmentio/encoding/json github.com/mailru/easyjson github.com/tidwall/gjson
			github.com/valyala/fastjson github.com/buger/jsonparser google.golang.org/protobuf/proto
			google.golang.org/protobuf/encoding/protojson github.com/gogo/protobuf/proto github.com/golang/protobuf/proto
			gopkg.in/yaml.v2 gopkg.in/yaml.v3 github.com/goccy/go-yaml sigs.k8s.io/yaml github.com/BurntSushi/toml
			github.com/pelletier/go-toml github.com/vmihailenco/msgpack github.com/fxamacker/cbor`,
		"fields": `github.com/openai/openai-go github.com/openai/openai-go/responses github.com/sashabaranov/go-openai
			github.com/anthropics/anthropic-sdk-go google.golang.org/genai cloud.google.com/go/vertexai/genai
			github.com/google/generative-ai-go/genai github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types
			github.com/tmc/langchaingo/llms github.com/cloudwego/eino/schema github.com/cohere-ai/cohere-go
			github.com/gage-technologies/mistral-go github.com/conneroisu/groq-go github.com/cohesion-org/deepseek-go
			github.com/volcengine/volcengine-go-sdk/service/arkruntime/model github.com/ollama/ollama/api
			github.com/tmaxmax/go-sse github.com/r3labs/sse`,
		"sources": `bufio io net github.com/gorilla/websocket github.com/coder/websocket nhooyr.io/websocket
			golang.org/x/net/websocket github.com/gobwas/ws/wsutil google.golang.org/grpc
			github.com/launchdarkly/eventsource github.com/donovanhide/eventsource github.com/r3labs/sse
			github.com/openai/openai-go/packages/ssestream github.com/anthropics/anthropic-sdk-go/packages/ssestream
			google.golang.org/genai github.com/cloudwego/eino/schema`,
		"callbacks": `github.com/tmc/langchaingo/llms github.com/ollama/ollama/api github.com/tmaxmax/go-sse github.com/r3labs/sse`,
		"sinks": `encoding/json encoding/xml unicode/utf8 strings bytes strconv golang.org/x/text/encoding golang.org/x/text/transform
			github.com/gorilla/websocket github.com/coder/websocket golang.org/x/net/websocket github.com/gobwas/ws/wsutil
			github.com/gin-gonic/gin github.com/labstack/echo github.com/gofiber/fiber github.com/gin-contrib/sse
			google.golang.org/grpc google.golang.org/protobuf/proto`,
		"retries": `github.com/cenkalti/backoff github.com/avast/retry-go github.com/sethvargo/go-retry
			github.com/failsafe-go/failsafe-go k8s.io/apimachinery/pkg/util/wait k8s.io/client-go/util/retry`,
		"opens": `net/http github.com/hashicorp/go-retryablehttp github.com/openai/openai-go github.com/openai/openai-go/responses
			github.com/sashabaranov/go-openai github.com/anthropics/anthropic-sdk-go google.golang.org/genai
			github.com/aws/aws-sdk-go-v2/service/bedrockruntime github.com/cloudwego/eino/components/model
			github.com/cohere-ai/cohere-go github.com/gage-technologies/mistral-go github.com/conneroisu/groq-go
			github.com/cohesion-org/deepseek-go github.com/volcengine/volcengine-go-sdk/service/arkruntime
			github.com/ollama/ollama/api github.com/gorilla/websocket github.com/coder/websocket golang.org/x/net/websocket
			github.com/tmaxmax/go-sse github.com/r3labs/sse github.com/launchdarkly/eventsource google.golang.org/grpc`,
	} {
		for _, pkg := range strings.Fields(list) {
			if !has[table][pkg] {
				t.Errorf("no line in %s for %s", table, pkg)
			}
		}
	}
}
