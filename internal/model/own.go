package model

// Encoders are the sources of bytes that the program has just made itself: they
// decode again without fail.
var Encoders = []Source{
	{Func: "encoding/json.Marshal", Out: Result, State: Own, Mod: "std"},
	{Func: "encoding/json.MarshalIndent", Out: Result, State: Own, Mod: "std"},
	{Func: "encoding/json/v2.Marshal", Out: Result, State: Own, Mod: "std"},
	{Func: "encoding/xml.Marshal", Out: Result, State: Own, Mod: "std"},
	{Func: "encoding/xml.MarshalIndent", Out: Result, State: Own, Mod: "std"},
}
