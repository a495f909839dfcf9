package model

// TextSinks are the calls at which a split character is lost.
var TextSinks = []TextSink{
	// JSON and XML encoders put U+FFFD in the place of what is no UTF-8; json/v2 refuses it.
	{Func: "encoding/json.Marshal", Arg: 0, Deep: true, How: "json.Marshal replaces it by U+FFFD", Mod: modStd},
	{Func: "encoding/json.MarshalIndent", Arg: 0, Deep: true, How: "json.MarshalIndent replaces it by U+FFFD", Mod: modStd},
	{Func: "(encoding/json.Encoder).Encode", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modStd},
	{Func: "encoding/json/v2.Marshal", Arg: 0, Deep: true, How: "json.Marshal refuses text that is not UTF-8", Mod: modStd},
	{Func: "encoding/json/v2.MarshalWrite", Arg: 1, Deep: true, How: "json.MarshalWrite refuses text that is not UTF-8", Mod: modStd},
	{Func: "encoding/json/v2.MarshalEncode", Arg: 1, Deep: true, How: "json.MarshalEncode refuses text that is not UTF-8", Mod: modStd},
	{Func: "encoding/json/jsontext.AppendQuote", Arg: 1, How: "AppendQuote replaces it by U+FFFD and gives an error", Mod: modStd},
	{Func: "encoding/json/jsontext.String", Arg: 0, How: "the JSON encoder refuses text that is not UTF-8", Mod: modStd},
	{Func: "encoding/xml.Marshal", Arg: 0, Deep: true, How: "xml.Marshal replaces it by U+FFFD", Mod: modStd},
	{Func: "encoding/xml.MarshalIndent", Arg: 0, Deep: true, How: "xml.MarshalIndent replaces it by U+FFFD", Mod: modStd},
	{Func: "(encoding/xml.Encoder).Encode", Arg: 1, Deep: true, How: "the XML encoder replaces it by U+FFFD", Mod: modStd},
	{Func: "(encoding/xml.Encoder).EncodeElement", Arg: 1, Deep: true, How: "the XML encoder replaces it by U+FFFD", Mod: modStd},
	{Func: "encoding/xml.EscapeText", Arg: 1, How: "xml.EscapeText replaces it by U+FFFD", Mod: modStd},
	{Func: "encoding/xml.Escape", Arg: 1, How: "xml.Escape replaces it by U+FFFD", Mod: modStd},

	// Functions that go character by character. (html.EscapeString, template.HTMLEscape and template.JSEscape keep every byte and are no sinks.)
	{Func: "strings.ToUpper", Arg: 0, How: "strings.ToUpper replaces it by U+FFFD", Mod: modStd},
	{Func: "strings.ToLower", Arg: 0, How: "strings.ToLower replaces it by U+FFFD", Mod: modStd},
	{Func: "strings.ToTitle", Arg: 0, How: "strings.ToTitle replaces it by U+FFFD", Mod: modStd},
	{Func: "strings.Title", Arg: 0, How: "strings.Title replaces it by U+FFFD", Mod: modStd},
	{Func: "strings.ToUpperSpecial", Arg: 1, How: "strings.ToUpperSpecial replaces it by U+FFFD", Mod: modStd},
	{Func: "strings.ToLowerSpecial", Arg: 1, How: "strings.ToLowerSpecial replaces it by U+FFFD", Mod: modStd},
	{Func: "strings.ToTitleSpecial", Arg: 1, How: "strings.ToTitleSpecial replaces it by U+FFFD", Mod: modStd},
	{Func: "strings.Map", Arg: 1, How: "strings.Map replaces it by U+FFFD", Mod: modStd},
	{Func: "strings.ToValidUTF8", Arg: 0, How: "strings.ToValidUTF8 drops it", Mod: modStd},
	{Func: "strings.FieldsFunc", Arg: 0, How: "strings.FieldsFunc sees the half character as U+FFFD", Mod: modStd},
	{Func: "strings.FieldsFuncSeq", Arg: 0, How: "strings.FieldsFuncSeq sees the half character as U+FFFD", Mod: modStd},
	{Func: "bytes.ToUpper", Arg: 0, How: "bytes.ToUpper replaces it by U+FFFD", Mod: modStd},
	{Func: "bytes.ToLower", Arg: 0, How: "bytes.ToLower replaces it by U+FFFD", Mod: modStd},
	{Func: "bytes.ToTitle", Arg: 0, How: "bytes.ToTitle replaces it by U+FFFD", Mod: modStd},
	{Func: "bytes.Title", Arg: 0, How: "bytes.Title replaces it by U+FFFD", Mod: modStd},
	{Func: "bytes.ToUpperSpecial", Arg: 1, How: "bytes.ToUpperSpecial replaces it by U+FFFD", Mod: modStd},
	{Func: "bytes.ToLowerSpecial", Arg: 1, How: "bytes.ToLowerSpecial replaces it by U+FFFD", Mod: modStd},
	{Func: "bytes.ToTitleSpecial", Arg: 1, How: "bytes.ToTitleSpecial replaces it by U+FFFD", Mod: modStd},
	{Func: "bytes.Map", Arg: 1, How: "bytes.Map replaces it by U+FFFD", Mod: modStd},
	{Func: "bytes.ToValidUTF8", Arg: 0, How: "bytes.ToValidUTF8 drops it", Mod: modStd},
	{Func: "bytes.FieldsFunc", Arg: 0, How: "bytes.FieldsFunc sees the half character as U+FFFD", Mod: modStd},
	{Func: "bytes.FieldsFuncSeq", Arg: 0, How: "bytes.FieldsFuncSeq sees the half character as U+FFFD", Mod: modStd},
	{Func: "bytes.Runes", Arg: 0, How: "bytes.Runes turns it into U+FFFD", Mod: modStd},
	{Func: "unicode/utf8.Valid", Arg: 0, How: "utf8.Valid takes a half character for broken text", Mod: modStd},
	{Func: "unicode/utf8.ValidString", Arg: 0, How: "utf8.ValidString takes a half character for broken text", Mod: modStd},
	{Func: "unicode/utf8.DecodeRune", Arg: 0, How: "utf8.DecodeRune gives U+FFFD for it", Mod: modStd},
	{Func: "unicode/utf8.DecodeRuneInString", Arg: 0, How: "utf8.DecodeRuneInString gives U+FFFD for it", Mod: modStd},
	{Func: "unicode/utf8.DecodeLastRune", Arg: 0, How: "utf8.DecodeLastRune gives U+FFFD for it", Mod: modStd},
	{Func: "unicode/utf8.DecodeLastRuneInString", Arg: 0, How: "utf8.DecodeLastRuneInString gives U+FFFD for it", Mod: modStd},

	// Quoting writes the bytes of a half character as \x escapes.
	{Func: "strconv.Quote", Arg: 0, How: "strconv.Quote writes its bytes as \\x escapes", Mod: modStd},
	{Func: "strconv.QuoteToASCII", Arg: 0, How: "strconv.QuoteToASCII writes its bytes as \\x escapes", Mod: modStd},
	{Func: "strconv.QuoteToGraphic", Arg: 0, How: "strconv.QuoteToGraphic writes its bytes as \\x escapes", Mod: modStd},
	{Func: "strconv.AppendQuote", Arg: 1, How: "strconv.AppendQuote writes its bytes as \\x escapes", Mod: modStd},
	{Func: "strconv.AppendQuoteToASCII", Arg: 1, How: "strconv.AppendQuoteToASCII writes its bytes as \\x escapes", Mod: modStd},
	{Func: "strconv.AppendQuoteToGraphic", Arg: 1, How: "strconv.AppendQuoteToGraphic writes its bytes as \\x escapes", Mod: modStd},

	// html/template replaces it in attributes without quotes and in script values.
	{Func: "(html/template.Template).Execute", Arg: 2, Deep: true, How: "html/template replaces it by U+FFFD in attributes and scripts", Mod: modStd},
	{Func: "(html/template.Template).ExecuteTemplate", Arg: 3, Deep: true, How: "html/template replaces it by U+FFFD in attributes and scripts", Mod: modStd},

	{Func: "(github.com/gorilla/websocket.Conn).WriteMessage", Arg: 2, HasIf: true, If: 1, IfConst: 1, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modGorilla},
	{Func: "(github.com/gorilla/websocket.Conn).WriteJSON", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGorilla},
	{Func: "github.com/gorilla/websocket.NewPreparedMessage", Arg: 1, HasIf: true, If: 0, IfConst: 1, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modGorilla},
	{Func: "github.com/gorilla/websocket.WriteJSON", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGorilla},

	{Func: "(github.com/coder/websocket.Conn).Write", Arg: 3, HasIf: true, If: 2, IfConst: 1, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modCoder},
	{Func: "github.com/coder/websocket/wsjson.Write", Arg: 2, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modCoder},

	{Func: "(nhooyr.io/websocket.Conn).Write", Arg: 3, HasIf: true, If: 2, IfConst: 1, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modNhooyr},
	{Func: "nhooyr.io/websocket/wsjson.Write", Arg: 2, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modNhooyr},

	// A Codec sends a string as a text frame and bytes as a binary one. (Write follows PayloadType, which is often set to binary, so it is not listed.)
	{Func: "(golang.org/x/net/websocket.Codec).Send", Arg: 2, Deep: true, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modXNet},

	{Func: "github.com/gobwas/ws/wsutil.WriteServerText", Arg: 1, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.WriteClientText", Arg: 1, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.WriteServerMessage", Arg: 2, HasIf: true, If: 1, IfConst: 1, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.WriteClientMessage", Arg: 2, HasIf: true, If: 1, IfConst: 1, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modGobwas},
	{Func: "github.com/gobwas/ws/wsutil.WriteMessage", Arg: 3, HasIf: true, If: 2, IfConst: 1, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modGobwas},
	{Func: "github.com/gobwas/ws.NewTextFrame", Arg: 0, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modGobwas},
	{Func: "github.com/gobwas/ws.NewFrame", Arg: 2, HasIf: true, If: 0, IfConst: 1, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modGobwas},

	// A string field of a message must be UTF-8; bytes fields take anything.
	{Func: "(google.golang.org/grpc.ServerStreamingServer).Send", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGRPC},
	{Func: "(google.golang.org/grpc.BidiStreamingClient).Send", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGRPC},
	{Func: "(google.golang.org/grpc.BidiStreamingServer).Send", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGRPC},
	{Func: "(google.golang.org/grpc.ClientStreamingClient).Send", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGRPC},
	{Func: "(google.golang.org/grpc.GenericClientStream).Send", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGRPC},
	{Func: "(google.golang.org/grpc.GenericServerStream).Send", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGRPC},
	{Func: "(google.golang.org/grpc.ClientStreamingServer).SendAndClose", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGRPC},
	{Func: "(google.golang.org/grpc.GenericServerStream).SendAndClose", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGRPC},
	{Func: "(google.golang.org/grpc.Stream).SendMsg", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGRPC},
	{Func: "(google.golang.org/grpc.ClientStream).SendMsg", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGRPC},
	{Func: "(google.golang.org/grpc.ServerStream).SendMsg", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGRPC},

	{Func: "google.golang.org/protobuf/proto.Marshal", Arg: 0, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modProtobuf},
	{Func: "google.golang.org/protobuf/encoding/protojson.Marshal", Arg: 0, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modProtobuf},
	{Func: "google.golang.org/protobuf/encoding/prototext.Marshal", Arg: 0, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modProtobuf},
	{Func: "(google.golang.org/protobuf/proto.MarshalOptions).Marshal", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modProtobuf},
	{Func: "(google.golang.org/protobuf/encoding/protojson.MarshalOptions).Marshal", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modProtobuf},
	{Func: "(google.golang.org/protobuf/encoding/prototext.MarshalOptions).Marshal", Arg: 1, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modProtobuf},

	{Func: "github.com/gogo/protobuf/proto.Marshal", Arg: 0, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGogoProtobuf},

	{Func: "github.com/golang/protobuf/proto.Marshal", Arg: 0, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGolangProtobuf},

	// Server-sent events are UTF-8, each read by itself.
	{Func: "github.com/gin-contrib/sse.Encode", Arg: 1, Deep: true, How: "an event is text: the reader decodes each by itself and replaces it by U+FFFD", Mod: modGinSSE},
	{Func: "(github.com/gin-contrib/sse.Event).Render", Arg: 0, Deep: true, How: "an event is text: the reader decodes each by itself and replaces it by U+FFFD", Mod: modGinSSE},

	{Func: "(github.com/gin-gonic/gin.Context).SSEvent", Arg: 2, Deep: true, How: "an event is text: the reader decodes each by itself and replaces it by U+FFFD", Mod: modGin},
	{Func: "(github.com/gin-gonic/gin.Context).JSON", Arg: 2, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGin},
	{Func: "(github.com/gin-gonic/gin.Context).IndentedJSON", Arg: 2, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGin},
	{Func: "(github.com/gin-gonic/gin.Context).SecureJSON", Arg: 2, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGin},
	{Func: "(github.com/gin-gonic/gin.Context).JSONP", Arg: 2, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGin},
	{Func: "(github.com/gin-gonic/gin.Context).AsciiJSON", Arg: 2, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGin},
	{Func: "(github.com/gin-gonic/gin.Context).PureJSON", Arg: 2, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGin},
	{Func: "(github.com/gin-gonic/gin.Context).AbortWithStatusJSON", Arg: 2, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGin},
	{Func: "(github.com/gin-gonic/gin.Context).XML", Arg: 2, Deep: true, How: "the XML encoder replaces it by U+FFFD", Mod: modGin},
	{Func: "(github.com/gin-gonic/gin.Context).ProtoBuf", Arg: 2, Deep: true, How: "a proto string field must be UTF-8: the message is refused", Mod: modGin},

	{Func: "(github.com/labstack/echo.Context).JSON", Arg: 2, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modEcho},
	{Func: "(github.com/labstack/echo.Context).JSONPretty", Arg: 2, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modEcho},
	{Func: "(github.com/labstack/echo.Context).JSONP", Arg: 3, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modEcho},
	{Func: "(github.com/labstack/echo.Context).XML", Arg: 2, Deep: true, How: "the XML encoder replaces it by U+FFFD", Mod: modEcho},
	{Func: "(github.com/labstack/echo.Context).XMLPretty", Arg: 2, Deep: true, How: "the XML encoder replaces it by U+FFFD", Mod: modEcho},

	{Func: "(github.com/gofiber/fiber.Ctx).JSON", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modFiber},
	{Func: "(github.com/gofiber/fiber.Ctx).JSONP", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modFiber},
	{Func: "(github.com/gofiber/fiber.Ctx).XML", Arg: 1, Deep: true, How: "the XML encoder replaces it by U+FFFD", Mod: modFiber},

	{Func: "(github.com/gofiber/fiber.Res).JSON", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modFiberV3},
	{Func: "(github.com/gofiber/fiber.Res).JSONP", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modFiberV3},
	{Func: "(github.com/gofiber/fiber.Res).XML", Arg: 1, Deep: true, How: "the XML encoder replaces it by U+FFFD", Mod: modFiberV3},
	{Func: "(github.com/gofiber/fiber.DefaultRes).JSON", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modFiberV3},
	{Func: "(github.com/gofiber/fiber.DefaultRes).JSONP", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modFiberV3},
	{Func: "(github.com/gofiber/fiber.DefaultRes).XML", Arg: 1, Deep: true, How: "the XML encoder replaces it by U+FFFD", Mod: modFiberV3},

	// Sonic as it is by default keeps the bytes, so that its output is not JSON.
	{Func: "github.com/bytedance/sonic.Marshal", Arg: 0, Deep: true, How: "the encoder writes half a character into the JSON and its reader replaces it by U+FFFD", Mod: modSonic},
	{Func: "github.com/bytedance/sonic.MarshalString", Arg: 0, Deep: true, How: "the encoder writes half a character into the JSON and its reader replaces it by U+FFFD", Mod: modSonic},
	{Func: "github.com/bytedance/sonic.MarshalIndent", Arg: 0, Deep: true, How: "the encoder writes half a character into the JSON and its reader replaces it by U+FFFD", Mod: modSonic},
	{Func: "(github.com/bytedance/sonic.API).Marshal", Arg: 1, Deep: true, How: "the encoder writes half a character into the JSON and its reader replaces it by U+FFFD", Mod: modSonic},
	{Func: "(github.com/bytedance/sonic.API).MarshalToString", Arg: 1, Deep: true, How: "the encoder writes half a character into the JSON and its reader replaces it by U+FFFD", Mod: modSonic},
	{Func: "(github.com/bytedance/sonic.API).MarshalIndent", Arg: 1, Deep: true, How: "the encoder writes half a character into the JSON and its reader replaces it by U+FFFD", Mod: modSonic},
	{Func: "(github.com/bytedance/sonic.Encoder).Encode", Arg: 1, Deep: true, How: "the encoder writes half a character into the JSON and its reader replaces it by U+FFFD", Mod: modSonic},

	// The other JSON encoders do as the standard library does.
	{Func: "github.com/json-iterator/go.Marshal", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modJsoniter},
	{Func: "github.com/json-iterator/go.MarshalToString", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modJsoniter},
	{Func: "github.com/json-iterator/go.MarshalIndent", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modJsoniter},
	{Func: "(github.com/json-iterator/go.API).Marshal", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modJsoniter},
	{Func: "(github.com/json-iterator/go.API).MarshalToString", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modJsoniter},
	{Func: "(github.com/json-iterator/go.API).MarshalIndent", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modJsoniter},
	{Func: "(github.com/json-iterator/go.Encoder).Encode", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modJsoniter},

	{Func: "github.com/goccy/go-json.Marshal", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.MarshalIndent", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.MarshalNoEscape", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.MarshalWithOption", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.MarshalIndentWithOption", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.MarshalContext", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGoccyJSON},
	{Func: "(github.com/goccy/go-json.Encoder).Encode", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGoccyJSON},
	{Func: "(github.com/goccy/go-json.Encoder).EncodeContext", Arg: 2, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGoccyJSON},
	{Func: "(github.com/goccy/go-json.Encoder).EncodeWithOption", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modGoccyJSON},

	{Func: "github.com/segmentio/encoding/json.Marshal", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modSegmentio},
	{Func: "github.com/segmentio/encoding/json.MarshalIndent", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modSegmentio},
	{Func: "(github.com/segmentio/encoding/json.Encoder).Encode", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modSegmentio},

	{Func: "github.com/mailru/easyjson.Marshal", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modEasyjson},
	{Func: "github.com/mailru/easyjson.MarshalToWriter", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modEasyjson},
	{Func: "github.com/mailru/easyjson.MarshalToHTTPResponseWriter", Arg: 0, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modEasyjson},
	{Func: "(github.com/mailru/easyjson/jwriter.Writer).String", Arg: 1, How: "the JSON encoder replaces it by U+FFFD", Mod: modEasyjson},

	{Func: "github.com/go-json-experiment/json.Marshal", Arg: 0, Deep: true, How: "json.Marshal refuses text that is not UTF-8", Mod: modJSONExperiment},
	{Func: "github.com/go-json-experiment/json.MarshalWrite", Arg: 1, Deep: true, How: "json.MarshalWrite refuses text that is not UTF-8", Mod: modJSONExperiment},
	{Func: "github.com/go-json-experiment/json.MarshalEncode", Arg: 1, Deep: true, How: "json.MarshalEncode refuses text that is not UTF-8", Mod: modJSONExperiment},

	// YAML and TOML encoders that do not keep the text. (goccy/go-yaml and BurntSushi/toml keep every byte.)
	{Func: "gopkg.in/yaml.v2.Marshal", Arg: 0, Deep: true, How: "yaml.Marshal writes it as base64 (!!binary)", Mod: modYAMLv2},
	{Func: "(gopkg.in/yaml.v2.Encoder).Encode", Arg: 1, Deep: true, How: "the YAML encoder writes it as base64 (!!binary)", Mod: modYAMLv2},

	{Func: "gopkg.in/yaml.v3.Marshal", Arg: 0, Deep: true, How: "yaml.Marshal writes it as base64 (!!binary)", Mod: modYAMLv3},
	{Func: "(gopkg.in/yaml.v3.Encoder).Encode", Arg: 1, Deep: true, How: "the YAML encoder writes it as base64 (!!binary)", Mod: modYAMLv3},

	{Func: "go.yaml.in/yaml.Marshal", Arg: 0, Deep: true, How: "yaml.Marshal writes it as base64 (!!binary)", Mod: modYAMLin},
	{Func: "(go.yaml.in/yaml.Encoder).Encode", Arg: 1, Deep: true, How: "the YAML encoder writes it as base64 (!!binary)", Mod: modYAMLin},

	{Func: "sigs.k8s.io/yaml.Marshal", Arg: 0, Deep: true, How: "yaml.Marshal replaces it by U+FFFD", Mod: modSigsYAML},

	{Func: "github.com/pelletier/go-toml.Marshal", Arg: 0, Deep: true, How: "toml.Marshal writes its bytes as \\u escapes", Mod: modPelletier},

	// One-shot conversions take the end of the piece for the end of the text. (transform.NewReader keeps the rest and is no sink.)
	{Func: "(golang.org/x/text/encoding.Decoder).Bytes", Arg: 1, How: "the converter takes the half character for broken text", Mod: modXText},
	{Func: "(golang.org/x/text/encoding.Decoder).String", Arg: 1, How: "the converter takes the half character for broken text", Mod: modXText},
	{Func: "(golang.org/x/text/encoding.Encoder).Bytes", Arg: 1, How: "the converter takes the half character for broken text", Mod: modXText},
	{Func: "(golang.org/x/text/encoding.Encoder).String", Arg: 1, How: "the converter takes the half character for broken text", Mod: modXText},
	{Func: "golang.org/x/text/transform.Bytes", Arg: 1, How: "the converter takes the half character for broken text", Mod: modXText},
	{Func: "golang.org/x/text/transform.String", Arg: 1, How: "the converter takes the half character for broken text", Mod: modXText},

	{Func: "(github.com/fasthttp/websocket.Conn).WriteMessage", Arg: 2, HasIf: true, If: 1, IfConst: 1, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modFasthttp},
	{Func: "(github.com/fasthttp/websocket.Conn).WriteJSON", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modFasthttp},
	{Func: "github.com/fasthttp/websocket.NewPreparedMessage", Arg: 1, HasIf: true, If: 0, IfConst: 1, How: "a text frame must be UTF-8: the peer closes the connection", Mod: modFasthttp},
	{Func: "github.com/fasthttp/websocket.WriteJSON", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: modFasthttp},
}
