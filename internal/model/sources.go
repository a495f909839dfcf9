package model

// Sources are the calls that bring stream data in. Any method
// Read([]byte) (int, error) is a chunk source without an entry, unless its type is
// listed here with another state.
var Sources = []Source{
	{Func: "(bufio.Scanner).Bytes", Out: Result, State: Frame, Mod: "std"},
	{Func: "(bufio.Scanner).Text", Out: Result, State: Frame, Mod: "std"},
	{Func: "(bufio.Reader).ReadBytes", Out: Result, State: Frame, Mod: "std"},
	{Func: "(bufio.Reader).ReadString", Out: Result, State: Frame, Mod: "std"},
	{Func: "(bufio.Reader).ReadLine", Out: Result, State: Frame, Mod: "std"},
	{Func: "(bufio.Reader).ReadSlice", Out: Result, State: Frame, Mod: "std"},
	{Func: "(bufio.Reader).Peek", Out: Result, State: Chunk, Mod: "std"},
	{Func: "io.ReadAll", Out: Result, State: Whole, Mod: "std"},
	{Func: "io.ReadFull", Out: 1, State: Whole, Mod: "std"},
	{Func: "io.ReadAtLeast", Out: 1, State: Whole, Mod: "std"},
	{Func: "os.ReadFile", Out: Result, State: Whole, Mod: "std"},
	{Func: "encoding/binary.Read", Out: 2, State: Whole, Mod: "std"},
	{Func: "(bytes.Reader).Read", Out: 1, State: Whole, Mod: "std"},
	{Func: "(bytes.Buffer).Read", Out: 1, State: Whole, Mod: "std"},
	{Func: "(strings.Reader).Read", Out: 1, State: Whole, Mod: "std"},
	{Func: "(net.UDPConn).Read", Out: 1, State: Frame, Mod: "std"},
	{Func: "(net.UnixConn).ReadFromUnix", Out: 1, State: Frame, Mod: "std"},
	{Func: "(math/rand.Rand).Read", Out: 1, State: NoState, Mod: "std"},
	{Func: "(github.com/gorilla/websocket.Conn).ReadMessage", Out: Result, State: Frame, Mod: "github.com/gorilla/websocket@v1.5.3"},
}
