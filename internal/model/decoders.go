package model

// Decoders are the functions that take one whole document. Of a streaming
// decoder the receiver stands for the document: the constructors are in Passes,
// so that NewDecoder(bytes.NewReader(x)).Decode is traced to x.
var Decoders = []Decoder{
	{Func: "encoding/json.Unmarshal", Data: 0, Into: 1, Mod: modStd},
	{Func: "(encoding/json.Decoder).Decode", Data: 0, Into: 1, Mod: modStd},
	{Func: "encoding/json.Valid", Data: 0, Into: Result, Mod: modStd, Bool: true},
	{Func: "encoding/json.Compact", Data: 1, Into: 0, Mod: modStd},
	{Func: "encoding/json.Indent", Data: 1, Into: 0, Mod: modStd},
	{Func: "encoding/json/v2.Unmarshal", Data: 0, Into: 1, Mod: modStd},
	{Func: "encoding/json/v2.UnmarshalRead", Data: 0, Into: 1, Mod: modStd},
	{Func: "encoding/json/v2.UnmarshalDecode", Data: 0, Into: 1, Mod: modStd},
	{Func: "(encoding/json/jsontext.Value).IsValid", Data: 0, Into: Result, Mod: modStd, Bool: true},
	{Func: "(encoding/json/jsontext.Value).Compact", Data: 0, Into: 0, Mod: modStd},
	{Func: "(encoding/json/jsontext.Value).Indent", Data: 0, Into: 0, Mod: modStd},
	{Func: "(encoding/json/jsontext.Value).Canonicalize", Data: 0, Into: 0, Mod: modStd},
	{Func: "encoding/json/jsontext.AppendFormat", Data: 1, Into: Result, Mod: modStd},
	{Func: "encoding/xml.Unmarshal", Data: 0, Into: 1, Mod: modStd},
	{Func: "(encoding/xml.Decoder).Decode", Data: 0, Into: 1, Mod: modStd},
	{Func: "(encoding/xml.Decoder).DecodeElement", Data: 0, Into: 1, Mod: modStd},
	{Func: "(encoding/gob.Decoder).Decode", Data: 0, Into: 1, Mod: modStd},
	{Func: "encoding/asn1.Unmarshal", Data: 0, Into: 1, Mod: modStd},
}
