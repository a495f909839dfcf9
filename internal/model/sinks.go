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
}
