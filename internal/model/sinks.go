package model

// TextSinks are the calls at which a split character is lost.
var TextSinks = []TextSink{
	{Func: "encoding/json.Marshal", Arg: 0, Deep: true, How: "json.Marshal replaces it by U+FFFD", Mod: "std"},
	{Func: "encoding/json.MarshalIndent", Arg: 0, Deep: true, How: "json.MarshalIndent replaces it by U+FFFD", Mod: "std"},
	{Func: "(encoding/json.Encoder).Encode", Arg: 1, Deep: true, How: "the JSON encoder replaces it by U+FFFD", Mod: "std"},
	{Func: "(github.com/gorilla/websocket.Conn).WriteMessage", Arg: 2, HasIf: true, If: 1, IfConst: 1, How: "a text frame must be valid UTF-8: the peer closes the connection", Mod: "github.com/gorilla/websocket@v1.5.3"},
}
