// Package ollama reads the NDJSON stream of Ollama's /api/chat into
// [toolcall.Turn].
//
// Source: the chat endpoint of the Ollama API documentation. Each line is one
// frame; the terminal marker is "done": true with its done_reason. Calls come
// whole, with arguments as an object; older servers number each of them 0.
package ollama

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
	"github.com/streamlint/streamlint/stream/toolcall"
	"github.com/streamlint/streamlint/stream/toolcall/internal/framing"
)

// New gives a turn for one chat response. Feed it each line with an empty event
// name; [Lines] splits a body.
func New(tools *toolcall.Set, opts ...toolcall.Option) *toolcall.Turn {
	return toolcall.NewTurn(&wire{}, tools, opts...)
}

type wire struct{ in framing.Reader }

type call struct {
	id, name, args []byte
}

func (w *wire) Frame(s *toolcall.Sink, event string, data []byte) {
	data, ok := w.in.Open(s, event, data)
	if !ok {
		return
	}
	c := &w.in.Cursor
	var (
		failed, done   bool
		reason         []byte
		text, thinking []byte
		calls          []call
	)
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "error":
			failed = strictjson.Says(c.Skip())
		case "done":
			done = c.Bool()
		case "done_reason":
			reason = c.String()
		case "message":
			if c.Null() {
				break
			}
			for c.Object(); c.Next(); {
				switch string(c.Key()) {
				case "content":
					text = c.String()
				case "thinking":
					thinking = c.String()
				case "tool_calls":
					if c.Null() {
						break
					}
					for c.Array(); c.Next(); {
						var tc call
						tc.read(c)
						calls = append(calls, tc)
					}
				default:
					c.Skip()
				}
			}
		default:
			c.Skip()
		}
	}
	if !w.in.Close(s, data, failed) {
		return
	}
	s.Touch(0)
	s.Emit(toolcall.Reasoning, 0, thinking)
	s.Emit(toolcall.Text, 0, text)
	for _, tc := range calls {
		s.Add(toolcall.Delta{
			Index: toolcall.NoIndex, ID: string(tc.id), Name: string(tc.name), Args: tc.args, New: true,
		})
	}
	if !done {
		return
	}
	s.Done()
	if len(reason) == 0 {
		reason = []byte("done") // servers before done_reason
	}
	s.Finish(0, string(reason))
}

func (tc *call) read(c *strictjson.Cursor) {
	for c.Object(); c.Next(); {
		switch string(c.Key()) {
		case "id":
			tc.id = c.String()
		case "function":
			if c.Null() {
				break
			}
			for c.Object(); c.Next(); {
				switch string(c.Key()) {
				case "name":
					tc.name = c.String()
				case "arguments":
					tc.args = c.Text() // a string comes from proxies
				default:
					c.Skip()
				}
			}
		default:
			c.Skip()
		}
	}
}

// LineTooLongError says that a line of the body is above the cap of [Lines].
// Nothing of it is delivered.
type LineTooLongError struct {
	Line   int   // its number, from 1
	Offset int64 // byte offset at which it starts
	Limit  int   // the cap, in bytes
}

func (e *LineTooLongError) Error() string {
	return fmt.Sprintf("ollama: line %d, at byte %d, is longer than %d bytes", e.Line, e.Offset, e.Limit)
}

// Lines splits a body into the frames of [toolcall.Turn.Run], one for each line
// that is not blank; the data is valid until the next one. maxLine caps a line
// in bytes, 0 means 16 MiB; a longer one gives a [*LineTooLongError]. A last line
// without its newline is given only if the body ended cleanly; the JSON in it
// shows whether it was cut.
func Lines(r io.Reader, maxLine int) iter.Seq2[toolcall.Frame, error] {
	if maxLine <= 0 {
		maxLine = 16 << 20
	}
	return func(yield func(toolcall.Frame, error) bool) {
		br := bufio.NewReaderSize(r, 32<<10)
		var line []byte
		start := int64(0)
		for n := 1; ; n++ {
			start += int64(len(line))
			line = line[:0]
			var err error
			for {
				var part []byte
				part, err = br.ReadSlice('\n')
				line = append(line, part...)
				if len(line) > maxLine {
					yield(toolcall.Frame{}, &LineTooLongError{Line: n, Offset: start, Limit: maxLine})
					return
				}
				if !errors.Is(err, bufio.ErrBufferFull) {
					break
				}
			}
			if err != nil && err != io.EOF {
				yield(toolcall.Frame{}, err)
				return
			}
			if len(bytes.TrimSpace(line)) > 0 && !yield(toolcall.Frame{Data: line}, nil) {
				return
			}
			if err == io.EOF {
				return
			}
		}
	}
}
