package model

// Sources are the calls that bring stream data in. Any method
// Read([]byte) (int, error) is a chunk source without an entry, unless its type is
// listed here with another state.
var Sources = []Source{
	// Framers.
	{Func: "(bufio.Scanner).Bytes", Out: Result, State: Frame, Mod: modStd},
	{Func: "(bufio.Scanner).Text", Out: Result, State: Frame, Mod: modStd},
	{Func: "(bufio.Reader).ReadBytes", Out: Result, State: Frame, Mod: modStd},
	{Func: "(bufio.Reader).ReadString", Out: Result, State: Frame, Mod: modStd},
	{Func: "(bufio.Reader).ReadLine", Out: Result, State: Frame, Mod: modStd},
	{Func: "(bufio.Reader).ReadSlice", Out: Result, State: Frame, Mod: modStd},
	{Func: "(net/textproto.Reader).ReadLine", Out: Result, State: Frame, Mod: modStd},
	{Func: "(net/textproto.Reader).ReadLineBytes", Out: Result, State: Frame, Mod: modStd},
	{Func: "(net/textproto.Reader).ReadContinuedLine", Out: Result, State: Frame, Mod: modStd},
	{Func: "(net/textproto.Reader).ReadContinuedLineBytes", Out: Result, State: Frame, Mod: modStd},
	{Func: "(net/textproto.Reader).ReadDotBytes", Out: Result, State: Whole, Mod: modStd},
	{Func: "(net/textproto.Reader).ReadDotLines", Out: Result, State: Whole, Mod: modStd},
	{Func: "(encoding/csv.Reader).Read", Out: Result, State: Frame, Mod: modStd},
	{Func: "(encoding/csv.Reader).ReadAll", Out: Result, State: Whole, Mod: modStd},
	{Func: "(encoding/json.Decoder).Token", Out: Result, State: Frame, Mod: modStd},
	{Func: "(encoding/json/jsontext.Decoder).ReadValue", Out: Result, State: Frame, Mod: modStd},
	{Func: "(encoding/json/jsontext.Decoder).ReadToken", Out: Result, State: Frame, Mod: modStd},

	// Bytes with borders that mean nothing.
	{Func: "(bufio.Reader).Peek", Out: Result, State: Chunk, Mod: modStd},
	{Func: "syscall.Read", Out: 1, State: Chunk, Mod: modStd},

	// Everything up to the end, or a count that was asked for.
	{Func: "io.ReadAll", Out: Result, State: Whole, Mod: modStd},
	{Func: "io/ioutil.ReadAll", Out: Result, State: Whole, Mod: modStd},
	{Func: "io/ioutil.ReadFile", Out: Result, State: Whole, Mod: modStd},
	{Func: "io.ReadFull", Out: 1, State: Whole, Mod: modStd},
	{Func: "io.ReadAtLeast", Out: 1, State: Whole, Mod: modStd},
	{Func: "os.ReadFile", Out: Result, State: Whole, Mod: modStd},
	{Func: "io/fs.ReadFile", Out: Result, State: Whole, Mod: modStd},
	{Func: "(embed.FS).ReadFile", Out: Result, State: Whole, Mod: modStd},
	{Func: "(os.Root).ReadFile", Out: Result, State: Whole, Mod: modStd},
	{Func: "encoding/binary.Read", Out: 2, State: Whole, Mod: modStd},
	{Func: "(os/exec.Cmd).Output", Out: Result, State: Whole, Mod: modStd},
	{Func: "(os/exec.Cmd).CombinedOutput", Out: Result, State: Whole, Mod: modStd},
	{Func: "net/http/httputil.DumpResponse", Out: Result, State: Whole, Mod: modStd},
	{Func: "net/http/httputil.DumpRequest", Out: Result, State: Whole, Mod: modStd},

	// Read methods whose result is no piece of a stream: memory is read to its end, a datagram is a message, random bytes are neither.
	{Func: "(bytes.Reader).Read", Out: 1, State: Whole, Mod: modStd},
	{Func: "(bytes.Buffer).Read", Out: 1, State: Whole, Mod: modStd},
	{Func: "(strings.Reader).Read", Out: 1, State: Whole, Mod: modStd},
	{Func: "(net.UDPConn).ReadFrom", Out: 1, State: Frame, Mod: modStd},
	{Func: "(net.UDPConn).ReadFromUDP", Out: 1, State: Frame, Mod: modStd},
	{Func: "(net.UDPConn).ReadFromUDPAddrPort", Out: 1, State: Frame, Mod: modStd},
	{Func: "(net.UDPConn).ReadMsgUDP", Out: 1, State: Frame, Mod: modStd},
	{Func: "(net.UDPConn).ReadMsgUDPAddrPort", Out: 1, State: Frame, Mod: modStd},
	{Func: "(net.IPConn).ReadFrom", Out: 1, State: Frame, Mod: modStd},
	{Func: "(net.IPConn).ReadFromIP", Out: 1, State: Frame, Mod: modStd},
	{Func: "(net.IPConn).ReadMsgIP", Out: 1, State: Frame, Mod: modStd},
	{Func: "(net.UnixConn).ReadFrom", Out: 1, State: Frame, Mod: modStd},
	{Func: "(net.UnixConn).ReadFromUnix", Out: 1, State: Frame, Mod: modStd},
	{Func: "(net.UnixConn).ReadMsgUnix", Out: 1, State: Frame, Mod: modStd},
	{Func: "(net.PacketConn).ReadFrom", Out: 1, State: Frame, Mod: modStd},
	{Func: "syscall.Recvfrom", Out: 1, State: Frame, Mod: modStd},
	{Func: "(math/rand.Rand).Read", Out: 1, State: NoState, Mod: modStd},
	{Func: "(math/rand/v2.ChaCha8).Read", Out: 1, State: NoState, Mod: modStd},
	{Func: "(crypto/sha3.SHAKE).Read", Out: 1, State: NoState, Mod: modStd},

	{Func: "(github.com/openai/openai-go/packages/ssestream.Stream).Current", Out: Result, State: Frame, Mod: modOpenAI},
	{Func: "(github.com/openai/openai-go/packages/ssestream.Decoder).Event", Out: Result, State: Frame, Mod: modOpenAI},
	{Func: "(github.com/openai/openai-go.ChatCompletionAccumulator).JustFinishedToolCall", Out: Result, State: Whole, Mod: modOpenAI},
	{Func: "(github.com/openai/openai-go.ChatCompletionAccumulator).JustFinishedContent", Out: Result, State: Whole, Mod: modOpenAI},
	{Func: "(github.com/openai/openai-go.ChatCompletionAccumulator).JustFinishedRefusal", Out: Result, State: Whole, Mod: modOpenAI},

	{Func: "(github.com/sashabaranov/go-openai.streamReader).Recv", Out: Result, State: Frame, Mod: modGoOpenAI},
	{Func: "(github.com/sashabaranov/go-openai.streamReader).RecvRaw", Out: Result, State: Frame, Mod: modGoOpenAI},

	{Func: "(github.com/anthropics/anthropic-sdk-go/packages/ssestream.Stream).Current", Out: Result, State: Frame, Mod: modAnthropic},
	{Func: "(github.com/anthropics/anthropic-sdk-go/packages/ssestream.Decoder).Event", Out: Result, State: Frame, Mod: modAnthropic},

	{Func: "(google.golang.org/genai.Models).GenerateContentStream", Out: Result, State: Fragment, Mod: modGenAI},
	{Func: "(google.golang.org/genai.Chat).SendMessageStream", Out: Result, State: Fragment, Mod: modGenAI},
	{Func: "(google.golang.org/genai.Chat).SendStream", Out: Result, State: Fragment, Mod: modGenAI},
	{Func: "(google.golang.org/genai.Session).Receive", Out: Result, State: Frame, Mod: modGenAI},

	{Func: "(cloud.google.com/go/vertexai/genai.GenerateContentResponseIterator).Next", Out: Result, State: Fragment, Mod: modVertexAI},
	{Func: "(cloud.google.com/go/vertexai/genai.GenerateContentResponseIterator).MergedResponse", Out: Result, State: Whole, Mod: modVertexAI},

	{Func: "(github.com/google/generative-ai-go/genai.GenerateContentResponseIterator).Next", Out: Result, State: Fragment, Mod: modGenerativeAI},
	{Func: "(github.com/google/generative-ai-go/genai.GenerateContentResponseIterator).MergedResponse", Out: Result, State: Whole, Mod: modGenerativeAI},

	{Func: "(github.com/aws/aws-sdk-go-v2/service/bedrockruntime.ConverseStreamEventStream).Events", Out: Result, State: Frame, Mod: modBedrock},
	{Func: "(github.com/aws/aws-sdk-go-v2/service/bedrockruntime.InvokeModelWithResponseStreamEventStream).Events", Out: Result, State: Frame, Mod: modBedrock},
	{Func: "(github.com/aws/aws-sdk-go-v2/service/bedrockruntime.ConverseStreamOutputReader).Events", Out: Result, State: Frame, Mod: modBedrock},
	{Func: "(github.com/aws/aws-sdk-go-v2/service/bedrockruntime.ResponseStreamReader).Events", Out: Result, State: Frame, Mod: modBedrock},
	{Func: "(github.com/aws/aws-sdk-go-v2/service/bedrockruntime.InvokeModelWithBidirectionalStreamEventStream).Events", Out: Result, State: Frame, Mod: modBedrock},

	{Func: "(github.com/gorilla/websocket.Conn).ReadMessage", Out: Result, State: Frame, Mod: modGorilla},
	{Func: "(github.com/gorilla/websocket.Conn).NextReader", Out: Result, State: Frame, Mod: modGorilla, Stream: true},
	{Func: "(github.com/gorilla/websocket.Conn).ReadJSON", Out: 1, State: Frame, Mod: modGorilla},
	{Func: "github.com/gorilla/websocket.ReadJSON", Out: 1, State: Frame, Mod: modGorilla},

	// What a StreamReader gives is meant to be concatenated.
	{Func: "(github.com/cloudwego/eino/schema.StreamReader).Recv", Out: Result, State: Fragment, Mod: modEino},
	{Func: "github.com/cloudwego/eino/schema.ConcatMessages", Out: Result, State: Whole, Mod: modEino},
	{Func: "github.com/cloudwego/eino/schema.ConcatMessageStream", Out: Result, State: Whole, Mod: modEino},
	{Func: "github.com/cloudwego/eino/schema.ConcatMessageArray", Out: Result, State: Whole, Mod: modEino},

	{Func: "(github.com/cohere-ai/cohere-go/core.Stream).Recv", Out: Result, State: Frame, Mod: modCohere},

	{Func: "(github.com/gage-technologies/mistral-go.MistralClient).ChatStream", Out: Result, State: Frame, Mod: modMistral},

	{Func: "(github.com/conneroisu/groq-go/pkg/streams.StreamReader).Recv", Out: Result, State: Frame, Mod: modGroq},

	{Func: "(github.com/cohesion-org/deepseek-go.ChatCompletionStream).Recv", Out: Result, State: Frame, Mod: modDeepSeek},
	{Func: "(github.com/cohesion-org/deepseek-go.FIMChatCompletionStream).FIMRecv", Out: Result, State: Frame, Mod: modDeepSeek},

	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime/utils.ChatCompletionStreamReader).Recv", Out: Result, State: Frame, Mod: modVolcengine},
	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime/utils.BotChatCompletionStreamReader).Recv", Out: Result, State: Frame, Mod: modVolcengine},
	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime/utils.ResponsesStreamReader).Recv", Out: Result, State: Frame, Mod: modVolcengine},
	{Func: "(github.com/volcengine/volcengine-go-sdk/service/arkruntime/utils.EventStreamDecoder).Event", Out: Result, State: Frame, Mod: modVolcengine},

	{Func: "(github.com/envoyproxy/go-control-plane/envoy/service/ext_proc.HttpBody).GetBody", Out: Result, State: Chunk, Mod: modExtProc},

	{Func: "(github.com/coder/websocket.Conn).Read", Out: Result, State: Frame, Mod: modCoder},
	{Func: "(github.com/coder/websocket.Conn).Reader", Out: Result, State: Frame, Mod: modCoder, Stream: true},
	{Func: "github.com/coder/websocket/wsjson.Read", Out: 2, State: Frame, Mod: modCoder},

	{Func: "(nhooyr.io/websocket.Conn).Read", Out: Result, State: Frame, Mod: modNhooyr},
	{Func: "(nhooyr.io/websocket.Conn).Reader", Out: Result, State: Frame, Mod: modNhooyr, Stream: true},
	{Func: "nhooyr.io/websocket/wsjson.Read", Out: 2, State: Frame, Mod: modNhooyr},

	{Func: "(golang.org/x/net/websocket.Codec).Receive", Out: 2, State: Frame, Mod: modXNet},

	{Func: "github.com/gobwas/ws.ReadFrame", Out: Result, State: Frame, Mod: modGobwas},
	{Func: "github.com/gobwas/ws.MustReadFrame", Out: Result, State: Frame, Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.ReadData", Out: Result, State: Frame, Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.ReadClientData", Out: Result, State: Frame, Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.ReadServerData", Out: Result, State: Frame, Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.ReadClientText", Out: Result, State: Frame, Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.ReadServerText", Out: Result, State: Frame, Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.ReadClientBinary", Out: Result, State: Frame, Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.ReadServerBinary", Out: Result, State: Frame, Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.ReadMessage", Out: Result, State: Frame, Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.ReadClientMessage", Out: Result, State: Frame, Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.ReadServerMessage", Out: Result, State: Frame, Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.NextReader", Out: Result, State: Frame, Mod: modGobwas, Stream: true},

	{Func: "(google.golang.org/grpc.ServerStreamingClient).Recv", Out: Result, State: Frame, Mod: modGRPC},
	{Func: "(google.golang.org/grpc.BidiStreamingClient).Recv", Out: Result, State: Frame, Mod: modGRPC},
	{Func: "(google.golang.org/grpc.BidiStreamingServer).Recv", Out: Result, State: Frame, Mod: modGRPC},
	{Func: "(google.golang.org/grpc.ClientStreamingServer).Recv", Out: Result, State: Frame, Mod: modGRPC},
	{Func: "(google.golang.org/grpc.GenericClientStream).Recv", Out: Result, State: Frame, Mod: modGRPC},
	{Func: "(google.golang.org/grpc.GenericServerStream).Recv", Out: Result, State: Frame, Mod: modGRPC},
	{Func: "(google.golang.org/grpc.Stream).RecvMsg", Out: 1, State: Frame, Mod: modGRPC},
	{Func: "(google.golang.org/grpc.ClientStream).RecvMsg", Out: 1, State: Frame, Mod: modGRPC},
	{Func: "(google.golang.org/grpc.ServerStream).RecvMsg", Out: 1, State: Frame, Mod: modGRPC},
	{Func: "(google.golang.org/grpc.ClientStreamingClient).CloseAndRecv", Out: Result, State: Whole, Mod: modGRPC},
	{Func: "(google.golang.org/grpc.GenericClientStream).CloseAndRecv", Out: Result, State: Whole, Mod: modGRPC},

	{Func: "github.com/tmaxmax/go-sse.Read", Out: Result, State: Frame, Mod: modGoSSE},

	{Func: "(github.com/r3labs/sse.EventStreamReader).ReadEvent", Out: Result, State: Frame, Mod: modR3labs},
	{Func: "(github.com/r3labs/sse.Client).SubscribeChan", Out: 2, State: Frame, Mod: modR3labs},
	{Func: "(github.com/r3labs/sse.Client).SubscribeChanWithContext", Out: 3, State: Frame, Mod: modR3labs},
	{Func: "(github.com/r3labs/sse.Client).SubscribeChanRaw", Out: 1, State: Frame, Mod: modR3labs},
	{Func: "(github.com/r3labs/sse.Client).SubscribeChanRawWithContext", Out: 2, State: Frame, Mod: modR3labs},

	{Func: "(github.com/launchdarkly/eventsource.Event).Data", Out: Result, State: Frame, Mod: modLaunchDarkly},
	{Func: "(github.com/launchdarkly/eventsource.Decoder).Decode", Out: Result, State: Frame, Mod: modLaunchDarkly},

	{Func: "(github.com/donovanhide/eventsource.Event).Data", Out: Result, State: Frame, Mod: modDonovanhide},
	{Func: "(github.com/donovanhide/eventsource.Decoder).Decode", Out: Result, State: Frame, Mod: modDonovanhide},

	{Func: "golang.org/x/sys/unix.Read", Out: 1, State: Chunk, Mod: modXSys},
	{Func: "golang.org/x/sys/unix.Recvfrom", Out: 1, State: Frame, Mod: modXSys},

	// What the program has just encoded itself.
	{Func: "github.com/bytedance/sonic.Marshal", Out: Result, State: Own, Mod: modSonic},
	{Func: "github.com/bytedance/sonic.MarshalIndent", Out: Result, State: Own, Mod: modSonic},
	{Func: "github.com/bytedance/sonic.MarshalString", Out: Result, State: Own, Mod: modSonic},
	{Func: "(github.com/bytedance/sonic.API).Marshal", Out: Result, State: Own, Mod: modSonic},
	{Func: "(github.com/bytedance/sonic.API).MarshalIndent", Out: Result, State: Own, Mod: modSonic},
	{Func: "(github.com/bytedance/sonic.API).MarshalToString", Out: Result, State: Own, Mod: modSonic},

	{Func: "github.com/json-iterator/go.Marshal", Out: Result, State: Own, Mod: modJsoniter},
	{Func: "github.com/json-iterator/go.MarshalIndent", Out: Result, State: Own, Mod: modJsoniter},
	{Func: "github.com/json-iterator/go.MarshalToString", Out: Result, State: Own, Mod: modJsoniter},
	{Func: "(github.com/json-iterator/go.API).Marshal", Out: Result, State: Own, Mod: modJsoniter},
	{Func: "(github.com/json-iterator/go.API).MarshalIndent", Out: Result, State: Own, Mod: modJsoniter},
	{Func: "(github.com/json-iterator/go.API).MarshalToString", Out: Result, State: Own, Mod: modJsoniter},

	{Func: "github.com/goccy/go-json.Marshal", Out: Result, State: Own, Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.MarshalIndent", Out: Result, State: Own, Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.MarshalNoEscape", Out: Result, State: Own, Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.MarshalWithOption", Out: Result, State: Own, Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.MarshalContext", Out: Result, State: Own, Mod: modGoccyJSON},

	{Func: "github.com/segmentio/encoding/json.Marshal", Out: Result, State: Own, Mod: modSegmentio},
	{Func: "github.com/segmentio/encoding/json.MarshalIndent", Out: Result, State: Own, Mod: modSegmentio},

	{Func: "github.com/mailru/easyjson.Marshal", Out: Result, State: Own, Mod: modEasyjson},

	{Func: "github.com/go-json-experiment/json.Marshal", Out: Result, State: Own, Mod: modJSONExperiment},

	{Func: "google.golang.org/protobuf/proto.Marshal", Out: Result, State: Own, Mod: modProtobuf},
	{Func: "google.golang.org/protobuf/encoding/protojson.Marshal", Out: Result, State: Own, Mod: modProtobuf},
	{Func: "google.golang.org/protobuf/encoding/prototext.Marshal", Out: Result, State: Own, Mod: modProtobuf},
	{Func: "(google.golang.org/protobuf/proto.MarshalOptions).Marshal", Out: Result, State: Own, Mod: modProtobuf},
	{Func: "(google.golang.org/protobuf/encoding/protojson.MarshalOptions).Marshal", Out: Result, State: Own, Mod: modProtobuf},
	{Func: "(google.golang.org/protobuf/encoding/prototext.MarshalOptions).Marshal", Out: Result, State: Own, Mod: modProtobuf},

	{Func: "github.com/gogo/protobuf/proto.Marshal", Out: Result, State: Own, Mod: modGogoProtobuf},

	{Func: "github.com/golang/protobuf/proto.Marshal", Out: Result, State: Own, Mod: modGolangProtobuf},

	{Func: "gopkg.in/yaml.v2.Marshal", Out: Result, State: Own, Mod: modYAMLv2},

	{Func: "gopkg.in/yaml.v3.Marshal", Out: Result, State: Own, Mod: modYAMLv3},

	{Func: "go.yaml.in/yaml.Marshal", Out: Result, State: Own, Mod: modYAMLin},

	{Func: "github.com/goccy/go-yaml.Marshal", Out: Result, State: Own, Mod: modGoccyYAML},

	{Func: "sigs.k8s.io/yaml.Marshal", Out: Result, State: Own, Mod: modSigsYAML},

	{Func: "github.com/BurntSushi/toml.Marshal", Out: Result, State: Own, Mod: modBurntSushi},

	{Func: "github.com/pelletier/go-toml.Marshal", Out: Result, State: Own, Mod: modPelletier},

	{Func: "github.com/vmihailenco/msgpack.Marshal", Out: Result, State: Own, Mod: modMsgpack},

	{Func: "github.com/fxamacker/cbor.Marshal", Out: Result, State: Own, Mod: modCBOR},

	{Func: "go.mongodb.org/mongo-driver/bson.Marshal", Out: Result, State: Own, Mod: modBSON},

	{Func: "(charm.land/fantasy.StreamObjectResult).TextStream", Out: Result, State: Fragment, Mod: modFantasy},
	{Func: "(charm.land/fantasy.StreamObjectResult).FullStream", Out: Result, State: Frame, Mod: modFantasy},

	{Func: "(github.com/fasthttp/websocket.Conn).ReadMessage", Out: Result, State: Frame, Mod: modFasthttp},
	{Func: "(github.com/fasthttp/websocket.Conn).NextReader", Out: Result, State: Frame, Mod: modFasthttp, Stream: true},
	{Func: "(github.com/fasthttp/websocket.Conn).ReadJSON", Out: 1, State: Frame, Mod: modFasthttp},
	{Func: "github.com/fasthttp/websocket.ReadJSON", Out: 1, State: Frame, Mod: modFasthttp},
}
