// Package parallelcalls holds the frames of incident c: two tool calls whose
// arguments arrive in turns, told apart by their index alone.
package parallelcalls

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Frames of the two calls, each in its own order, without the SSE around them.
var (
	Contact = []string{
		`{"index":0,"id":"call_P1","type":"function","function":{"name":"lookup_contact","arguments":""}}`,
		fragment(0, `{"na`),
		fragment(0, `me": "Lan"}`),
	}
	Event = []string{
		`{"index":1,"id":"call_P2","type":"function","function":{"name":"create_event","arguments":""}}`,
		fragment(1, `{"title": "Sync", `),
		fragment(1, `"minutes": 30}`),
	}
)

// Incident is the order in which they came: the second call opens in the middle of
// the first one's arguments.
var Incident = []string{Contact[0], Contact[1], Event[0], Contact[2], Event[1], Event[2]}

// Text is what the model says before it calls.
const Text = "I’ll look up Lan and set it up."

func fragment(index int, arguments string) string {
	return fmt.Sprintf(`{"index":%d,"function":{"arguments":%s}}`, index, quote(arguments))
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings can be encoded
	}
	return string(b)
}

// Opening is the part of the stream before the calls.
func Opening() []byte {
	return frame(`{"role":"assistant","content":`+quote(Text)+`}`, `null`)
}

// Calls writes frames with one fragment each, and the end of the stream with the
// given reason.
func Calls(fragments []string, reason string) []byte {
	var b bytes.Buffer
	for _, f := range fragments {
		b.Write(frame(`{"tool_calls":[`+f+`]}`, `null`))
	}
	b.Write(frame(`{}`, quote(reason)))
	b.WriteString("data: [DONE]\n\n")
	return b.Bytes()
}

// Stream is the whole stream.
func Stream(fragments []string, reason string) []byte {
	return append(Opening(), Calls(fragments, reason)...)
}

func frame(delta, reason string) []byte {
	return fmt.Appendf(nil, `data: {"id":"chatcmpl-9","object":"chat.completion.chunk","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", delta, reason)
}
