// Package silent has the right twins.
package silent

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/gorilla/websocket"
)

type event struct {
	Text string `json:"text,omitempty"`
	Data []byte `json:"data,omitempty"`
}

func nopeBytes(r io.Reader, enc *json.Encoder) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		enc.Encode(event{Data: buf[:n]})
		enc.Encode(map[string]any{"data": buf[:n], "len": n})
	}
}

func nopeBase64(r io.Reader, enc *json.Encoder) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		enc.Encode(event{Text: base64.StdEncoding.EncodeToString(buf[:n])})
		enc.Encode(event{Text: hex.EncodeToString(buf[:n])})
		enc.Encode(event{Text: fmt.Sprintf("%x", buf[:n])})
	}
}

func nopeBinary(r io.Reader, ws *websocket.Conn) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		ws.WriteMessage(websocket.BinaryMessage, buf[:n])
	}
}

func nopeCopied(r io.Reader, w io.Writer) string {
	var sb strings.Builder
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return sb.String()
		}
		sb.WriteString(string(buf[:n]))
		io.WriteString(w, string(buf[:n]))
		fmt.Fprintf(os.Stderr, "[server] %s", buf[:n])
	}
}

func nopeJoined(r io.Reader, enc *json.Encoder) {
	var sb strings.Builder
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		sb.WriteString(string(buf[:n]))
		if err != nil {
			break
		}
	}
	enc.Encode(event{Text: sb.String()})
}

func nopeAppended(r io.Reader, enc *json.Encoder) {
	var all []byte
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		all = append(all, buf[:n]...)
		if err != nil {
			break
		}
	}
	enc.Encode(event{Text: string(all)})
}

func nopeLines(r io.Reader, enc *json.Encoder) {
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		enc.Encode(event{Text: sc.Text()})
		for _, c := range sc.Text() {
			_ = c
		}
	}
}

func nopeWhole(r io.Reader, enc *json.Encoder) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return enc.Encode(event{Text: string(b)})
}

func nopeFrames(in, out *websocket.Conn) {
	for {
		_, p, err := in.ReadMessage()
		if err != nil {
			return
		}
		out.WriteMessage(websocket.TextMessage, p)
	}
}

func nopeDatagram(c *net.UDPConn, enc *json.Encoder) {
	buf := make([]byte, 1500)
	for {
		n, _, err := c.ReadFrom(buf)
		if err != nil {
			return
		}
		enc.Encode(event{Text: string(buf[:n])})
	}
}

func nopeDecoded(r io.Reader, enc *json.Encoder) {
	dec := json.NewDecoder(r)
	for {
		var ev event
		if dec.Decode(&ev) != nil {
			return
		}
		enc.Encode(event{Text: ev.Text})
		_ = []rune(ev.Text)
	}
}

func nopeRunes(r *bufio.Reader, put func(rune)) {
	for {
		c, _, err := r.ReadRune()
		if err != nil {
			return
		}
		put(c)
	}
}

// nopeTail keeps the rest in a variable.
func nopeTail(r io.Reader, enc *json.Encoder) {
	var rest []byte
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		b := append(rest, buf[:n]...)
		end := len(b)
		for end > 0 && !utf8.FullRune(b[whole(b):]) {
			end--
		}
		enc.Encode(event{Text: string(b[:end])})
		rest = bytes.Clone(b[end:])
		if err != nil {
			return
		}
	}
}

func whole(b []byte) int {
	i := len(b) - 1
	for i > 0 && !utf8.RuneStart(b[i]) {
		i--
	}
	return i
}

// nopeHelper leaves it to a helper.
func nopeHelper(r io.Reader, enc *json.Encoder) {
	buf := make([]byte, 512)
	keep := 0
	for {
		n, err := r.Read(buf[keep:])
		if err != nil {
			return
		}
		n += keep
		end := whole(buf[:n])
		enc.Encode(event{Text: string(buf[:end])})
		keep = copy(buf, buf[end:n])
	}
}

func nopeCompared(r io.Reader) bool {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return false
		}
		if strings.Contains(strings.ToLower(string(buf[:n])), "password:") {
			return true
		}
	}
}

// logWriter gets one record a call.
type logWriter struct{ enc *json.Encoder }

func (w *logWriter) Write(p []byte) (int, error) {
	return len(p), w.enc.Encode(event{Text: string(p)})
}

func nopeLogger(w io.Writer) {
	log.SetOutput(&logWriter{json.NewEncoder(w)})
}

// recorder wraps a ResponseWriter.
type recorder struct {
	http.ResponseWriter
	enc *json.Encoder
}

func (w *recorder) Write(p []byte) (int, error) {
	w.enc.Encode(event{Text: string(p)})
	return w.ResponseWriter.Write(p)
}

func nopeStack(enc *json.Encoder) {
	buf := make([]byte, 4096)
	n := runtime.Stack(buf, false)
	enc.Encode(event{Text: string(buf[:n])})
}

// nopeOnce reads one small answer.
func nopeOnce(c net.Conn, enc *json.Encoder) error {
	buf := make([]byte, 64)
	n, err := c.Read(buf)
	if err != nil {
		return err
	}
	return enc.Encode(event{Text: string(buf[:n])})
}

func nopeFixed(r io.Reader, enc *json.Encoder) error {
	var head [4]byte
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return err
		}
		enc.Encode(event{Text: string(head[:])})
	}
}

// nopeRecord cuts records out of what it has read, by their length.
func nopeRecord(r io.Reader, put func(string)) {
	buf := make([]byte, 4096)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		rec := record(buf[:n])
		if utf8.Valid(rec) {
			put(string(rec))
		}
	}
}

func record(b []byte) []byte {
	size := int(b[0])
	return b[1 : 1+size]
}

// nopeUntilValid keeps what is not valid yet.
func nopeUntilValid(r io.Reader, put func(string)) {
	var kept []byte
	buf := make([]byte, 4096)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		if !utf8.Valid(buf[:n]) {
			kept = append(kept, buf[:n]...)
			continue
		}
		put(string(kept) + string(buf[:n]))
		kept = nil
	}
}

// page gets whole messages by its callers' contract.
type page struct{ ws *websocket.Conn }

func (p *page) Write(b []byte) (int, error) { // want Write:`text\(1\)`
	return len(b), p.ws.WriteMessage(websocket.TextMessage, b)
}

func nopeUnseenWriter(ws *websocket.Conn) io.Writer { return &page{ws} }
