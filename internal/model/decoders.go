package model

// Decoders are the functions that take one whole document.
var Decoders = []Decoder{
	{Func: "encoding/json.Unmarshal", Data: 0, Into: 1, Mod: "std"},
	{Func: "(encoding/json.Decoder).Decode", Data: 0, Into: 1, Mod: "std"},
	{Func: "encoding/json.Valid", Data: 0, Into: Result, Mod: "std", Bool: true},
	{Func: "encoding/json/v2.Unmarshal", Data: 0, Into: 1, Mod: "std"},
	{Func: "encoding/json/v2.UnmarshalRead", Data: 0, Into: 1, Mod: "std"},
	{Func: "encoding/xml.Unmarshal", Data: 0, Into: 1, Mod: "std"},
	{Func: "(encoding/xml.Decoder).Decode", Data: 0, Into: 1, Mod: "std"},
}
