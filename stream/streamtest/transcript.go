package streamtest

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:embed testdata/*.sse
var transcripts embed.FS

// Transcript returns a stream by name, as bytes on the wire:
//
//   - openai-chat: chat completion chunks; text, then two parallel tool calls
//     (lookup_contact, create_event) whose fragments alternate, a finish
//     reason, a usage chunk and [DONE]
//   - openai-responses: Responses API events; text and one function call, up
//     to response.completed
//   - anthropic-messages: Messages API events; text, a ping, one tool call, up
//     to message_stop
//   - dropped-socket: events with IDs and two-byte characters, then [DONE]
//
// It panics if there is no such stream.
func Transcript(name string) []byte {
	b, err := transcripts.ReadFile("testdata/" + name + ".sse")
	if err != nil {
		panic(fmt.Sprintf("streamtest: no transcript %q (there are %v)", name, Transcripts()))
	}
	return b
}

// Transcripts returns the names that [Transcript] knows, sorted.
func Transcripts() []string {
	files, err := transcripts.ReadDir("testdata")
	if err != nil {
		panic(err) // the directory is compiled in
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(path.Base(f.Name()), ".sse"))
	}
	slices.Sort(names)
	return names
}

// Blocks cuts a text/event-stream behind each blank line: an element is a block
// with the line ends that close it. An unfinished block comes last.
func Blocks(raw []byte) [][]byte {
	var blocks [][]byte
	start, blank := 0, true // whether the current line has no byte yet
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c != '\r' && c != '\n' {
			blank = false
			continue
		}
		if c == '\r' && i+1 < len(raw) && raw[i+1] == '\n' {
			i++
		}
		if blank {
			blocks = append(blocks, raw[start:i+1:i+1])
			start = i + 1
		}
		blank = true
	}
	if start < len(raw) {
		blocks = append(blocks, raw[start:])
	}
	return blocks
}

// fields returns the values that a block sets the named field to, in order.
func fields(block []byte, name string) []string {
	lines := strings.FieldsFunc(string(block), func(r rune) bool { return r == '\r' || r == '\n' })
	var values []string
	for _, line := range lines {
		if n, value, _ := strings.Cut(line, ":"); n == name {
			values = append(values, strings.TrimPrefix(value, " "))
		}
	}
	return values
}

func hasID(block []byte, id string) bool {
	ids := fields(block, "id")
	return len(ids) > 0 && ids[len(ids)-1] == id
}

// RepeatID returns raw with the block that sets the given event ID sent twice,
// as a server does that resumes one event too early. It panics if there is no such
// block: a test over an unchanged stream would show nothing.
func RepeatID(raw []byte, id string) []byte {
	var out []byte
	for _, b := range Blocks(raw) {
		out = append(out, b...)
		if hasID(b, id) {
			out = append(out, b...)
		}
	}
	if len(out) == len(raw) {
		panic(fmt.Sprintf("streamtest: no event sets the id %q", id))
	}
	return out
}

// OmitDone returns raw without the blocks whose data is [DONE]. It panics if there
// are none.
func OmitDone(raw []byte) []byte {
	var out []byte
	for _, b := range Blocks(raw) {
		if strings.TrimSpace(strings.Join(fields(b, "data"), "\n")) != "[DONE]" {
			out = append(out, b...)
		}
	}
	if len(out) == len(raw) {
		panic("streamtest: no [DONE] to omit")
	}
	return out
}

// After returns what a server sends to a client that has seen the event with
// this ID: the blocks behind it. It is all of raw if id is empty or not in it.
func After(raw []byte, id string) []byte {
	if id == "" {
		return bytes.Clone(raw)
	}
	off := 0
	for _, b := range Blocks(raw) {
		off += len(b)
		if hasID(b, id) {
			return bytes.Clone(raw[off:])
		}
	}
	return bytes.Clone(raw)
}
