package chunk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
)

type doc struct{ A int }

// One Read is taken for the whole body.
func oneRead(r *http.Request) (d doc, err error) {
	body := make([]byte, r.ContentLength)
	r.Body.Read(body)
	err = json.Unmarshal(body, &d) // want `json.Unmarshal decodes one chunk`
	return d, err
}

func nopeReadFull(r *http.Request) (d doc, err error) {
	body := make([]byte, r.ContentLength)
	if _, err := io.ReadFull(r.Body, body); err != nil {
		return d, err
	}
	err = json.Unmarshal(body, &d)
	return d, err
}

func getBytes(r *http.Request) []byte {
	body := make([]byte, r.ContentLength)
	r.Body.Read(body) // want `Read is called once and its chunk is decoded as a whole document by json.Unmarshal`
	return body
}

func throughHelper(r *http.Request) (d doc, err error) {
	err = json.Unmarshal(getBytes(r), &d)
	return d, err
}

func readAll(r *http.Request) []byte {
	b, _ := io.ReadAll(r.Body)
	return b
}

func nopeThroughHelper(r *http.Request) (d doc, err error) {
	err = json.Unmarshal(readAll(r), &d)
	return d, err
}

// A chunk split into lines stays a chunk: the last line has no end.
func splitLines(conn net.Conn, emit func(doc)) error {
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return err
		}
		for _, line := range strings.Split(string(buf[:n]), "\n") {
			var d doc
			if json.Unmarshal([]byte(line), &d) == nil { // want `json.Unmarshal decodes one chunk`
				emit(d)
			}
		}
	}
}

// The unfinished line is kept for the next read.
func nopeCarry(conn net.Conn, emit func(doc)) error {
	buf := make([]byte, 4096)
	var rest []byte
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return err
		}
		rest = append(rest, buf[:n]...)
		for {
			i := bytes.IndexByte(rest, '\n')
			if i < 0 {
				break
			}
			var d doc
			if err := json.Unmarshal(rest[:i], &d); err != nil {
				return err
			}
			emit(d)
			rest = rest[i+1:]
		}
	}
}

type lineReader struct {
	rest string
	emit func(doc)
}

func (l *lineReader) nopeCarryField(chunk []byte) error {
	lines := strings.Split(l.rest+string(chunk), "\n")
	l.rest = lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		var d doc
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			return err
		}
		l.emit(d)
	}
	return nil
}

func pump(r io.Reader, l *lineReader) error {
	buf := make([]byte, 1024)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return err
		}
		if err := l.nopeCarryField(buf[:n]); err != nil {
			return err
		}
	}
}

// Accumulated, tried after each read.
func untilParses(conn net.Conn) (d doc, err error) {
	var all []byte
	buf := make([]byte, 1024)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return d, err
		}
		all = append(all, buf[:n]...)
		if json.Unmarshal(all, &d) == nil { // want `json.Unmarshal decodes what has arrived so far`
			return d, nil
		}
	}
}

func nopeUntilEOF(conn net.Conn) (d doc, err error) {
	var all []byte
	buf := make([]byte, 1024)
	for {
		n, err := conn.Read(buf)
		all = append(all, buf[:n]...)
		if err == io.EOF {
			return d, json.Unmarshal(all, &d)
		}
		if err != nil {
			return d, err
		}
	}
}

// Filled to a length that the header told.
func nopeLengthPrefix(conn net.Conn) (d doc, err error) {
	var head [4]byte
	if _, err := io.ReadFull(conn, head[:]); err != nil {
		return d, err
	}
	want := int(binary.BigEndian.Uint32(head[:]))
	frame := make([]byte, want)
	got := 0
	for got < want {
		n, err := conn.Read(frame[got:])
		if err != nil {
			return d, err
		}
		got += n
	}
	return d, json.Unmarshal(frame, &d)
}

// Datagrams are whole messages.
func nopeUDP(c *net.UDPConn, emit func(doc)) error {
	buf := make([]byte, 65536)
	for {
		n, _, err := c.ReadFrom(buf)
		if err != nil {
			return err
		}
		var d doc
		if err := json.Unmarshal(buf[:n], &d); err != nil {
			return err
		}
		emit(d)
	}
}

func nopeDialledUDP() (d doc, err error) {
	conn, err := net.Dial("udp", "localhost:1")
	if err != nil {
		return d, err
	}
	buf := make([]byte, 65536)
	n, err := conn.Read(buf)
	if err != nil {
		return d, err
	}
	return d, json.Unmarshal(buf[:n], &d)
}

// A message reader has another Read.
type socket struct{}

func (socket) Read(ctx context.Context) (int, []byte, error) { return 0, nil, nil }

func nopeMessageRead(ctx context.Context, s socket) (d doc, err error) {
	_, b, err := s.Read(ctx)
	if err != nil {
		return d, err
	}
	return d, json.Unmarshal(b, &d)
}

// Other decoders.
func otherDecoders(conn net.Conn) error {
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return err
		}
		var d doc
		if err := xml.Unmarshal(buf[:n], &d); err != nil { // want `xml.Unmarshal decodes one chunk`
			return err
		}
		if err := json.NewDecoder(bytes.NewReader(buf[:n])).Decode(&d); err != nil { // want `Decoder.Decode decodes one chunk`
			return err
		}
	}
}

// A writer that a stream is copied into.
type decodingWriter struct{ emit func(doc) }

func (w decodingWriter) Write(p []byte) (int, error) {
	var d doc
	if err := json.Unmarshal(p, &d); err != nil { // want `json.Unmarshal decodes one chunk`
		return 0, err
	}
	w.emit(d)
	return len(p), nil
}

func runChild(cmd *exec.Cmd) error {
	cmd.Stdout = decodingWriter{}
	return cmd.Run()
}

// A writer that gets one record a call, as a logging library promises.
type recordWriter struct{ emit func(doc) }

func (w *recordWriter) Write(p []byte) (int, error) {
	var d doc
	if err := json.Unmarshal(p, &d); err != nil { // nope: nobody copies a stream into it
		return 0, err
	}
	w.emit(d)
	return len(p), nil
}

// Lines.
func nopeScanner(r io.Reader, emit func(doc)) error {
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		var d doc
		if err := json.Unmarshal(sc.Bytes(), &d); err != nil {
			return err
		}
		emit(d)
	}
	return sc.Err()
}

// A buffer of one's own that is never read into.
func nopeOwnBuffer(src string) (d doc, err error) {
	buf := make([]byte, len(src))
	copy(buf, src)
	return d, json.Unmarshal(buf, &d)
}

// Framed by the reader: an error asks for more of the same frame.
func nopeFramer(r io.Reader, buf []byte) (d doc, err error) {
	base := 0
	for {
		n, err := r.Read(buf[base:])
		if err == io.ErrShortBuffer {
			buf = append(buf, make([]byte, len(buf))...)
			base += n
			continue
		}
		if err != nil {
			return d, err
		}
		base += n
		break
	}
	return d, json.Unmarshal(buf[:base], &d)
}

// The rest of each chunk is put into a field for the next call.
type restKeeper struct {
	rest []byte
	emit func(doc)
}

func (k *restKeeper) nopeWrite(data []byte) error {
	if len(k.rest) > 0 {
		data = append(k.rest, data...)
	}
	start := 0
	for i, c := range data {
		if c != '\n' {
			continue
		}
		var d doc
		if err := json.Unmarshal(data[start:i], &d); err != nil {
			return err
		}
		k.emit(d)
		start = i + 1
	}
	k.rest = make([]byte, len(data)-start)
	copy(k.rest, data[start:])
	return nil
}

func feedKeeper(conn net.Conn, k *restKeeper) error {
	buf := make([]byte, 1024)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return err
		}
		if err := k.nopeWrite(buf[:n]); err != nil {
			return err
		}
	}
}

// The loop is a recursion.
func recursive(conn net.Conn, acc []byte, emit func(doc)) error {
	buf := make([]byte, 1024)
	n, err := conn.Read(buf)
	if err != nil {
		return err
	}
	acc = append(acc, buf[:n]...)
	var d doc
	if json.Unmarshal(acc, &d) == nil { // want `json.Unmarshal decodes what has arrived so far`
		emit(d)
		acc = nil
	}
	return recursive(conn, acc, emit)
}

func startRecursive(conn net.Conn, emit func(doc)) error { return recursive(conn, nil, emit) }

// The recursion ends at io.EOF, and only then is decoded.
func nopeRecursive(conn net.Conn, acc []byte) (d doc, err error) {
	buf := make([]byte, 1024)
	n, err := conn.Read(buf)
	acc = append(acc, buf[:n]...)
	if err == io.EOF {
		return d, json.Unmarshal(acc, &d)
	}
	if err != nil {
		return d, err
	}
	return nopeRecursive(conn, acc)
}

func startNopeRecursive(conn net.Conn) (doc, error) { return nopeRecursive(conn, nil) }

// A hand-made io.ReadFull: the rest of the buffer is read into until there is none.
func fill(r io.Reader, p []byte) error {
	for len(p) > 0 {
		n, err := r.Read(p)
		p = p[n:]
		if err != nil {
			return err
		}
	}
	return nil
}

func nopeFilled(conn net.Conn, size int) (d doc, err error) {
	data := make([]byte, size)
	if err := fill(conn, data); err != nil {
		return d, err
	}
	return d, json.Unmarshal(data, &d)
}
