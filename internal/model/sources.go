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
	{Func: "(encoding/json.Decoder).Buffered", Out: Result, State: Chunk, Mod: modStd, Stream: true},
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
}
