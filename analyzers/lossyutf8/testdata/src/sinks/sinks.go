// Package sinks has chunks that meet what works on characters.
package sinks

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"
	"github.com/gorilla/websocket"
	"golang.org/x/text/encoding"
)

type event struct {
	Kind string `json:"kind"`
	Body body   `json:"body"`
}

type body struct {
	Text string `json:"text"`
}

func nested(r io.Reader, enc *json.Encoder) error {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return err
		}
		if err := enc.Encode(event{Kind: "out", Body: body{Text: string(buf[:n])}}); err != nil { // want `lossyutf8: Encoder.Encode gets a chunk of Reader.Read \(line 34\)`
			return err
		}
	}
}

func inMap(r net.Conn) error {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return err
		}
		b, _ := json.Marshal(map[string]any{"data": string(buf[:n])}) // want `lossyutf8: `
		fmt.Println(string(b))
	}
}

func inSlice(r io.Reader, c *gin.Context) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		c.JSON(200, []string{"out", string(buf[:n])}) // want `lossyutf8: `
	}
}

func inH(r io.Reader, c *gin.Context) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		c.SSEvent("out", gin.H{"text": string(buf[:n])}) // want `lossyutf8: `
	}
}

func byPointer(r io.Reader, ws *websocket.Conn) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		m := &event{Kind: "out"}
		m.Body.Text = string(buf[:n])
		ws.WriteJSON(m) // want `lossyutf8: `
	}
}

// byChannel sends chunks to the goroutine that encodes.
func byChannel(r io.Reader, enc *json.Encoder) {
	ch := make(chan string)
	go func() {
		for s := range ch {
			enc.Encode(body{Text: s}) // want `lossyutf8: `
		}
	}()
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		ch <- string(buf[:n])
	}
}

type hub struct{ ws *websocket.Conn }

func (h *hub) send(p []byte) error {
	return h.ws.WriteMessage(websocket.TextMessage, p) // want `lossyutf8: Conn.WriteMessage gets a chunk`
}

func byMethod(r io.Reader, h *hub) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		h.send(buf[:n])
	}
}

func byClosure(r io.Reader, each func([]byte)) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		each(buf[:n])
	}
}

func closureUser(r io.Reader, ws *websocket.Conn) {
	byClosure(r, func(p []byte) {
		ws.WriteMessage(websocket.TextMessage, p) // want `lossyutf8: `
	})
}

// dressed puts a byte in front, as terminal protocols do.
func dressed(r io.Reader, ws *websocket.Conn) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		ws.WriteMessage(websocket.TextMessage, append([]byte{'1'}, buf[:n]...)) // want `lossyutf8: `
	}
}

func writerOfFrame(r io.Reader, ws *websocket.Conn) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		w, err := ws.NextWriter(websocket.TextMessage)
		if err != nil {
			return
		}
		w.Write(buf[:n]) // want `lossyutf8: a websocket text frame gets`
		w.Close()
	}
}

func runes(r io.Reader, put func(rune)) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		for _, c := range string(buf[:n]) { // want `lossyutf8: range gets`
			put(c)
		}
	}
}

func runeSlice(r io.Reader, put func([]rune)) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		put([]rune(string(buf[:n]))) // want `lossyutf8: `
	}
}

func decodeRune(r *bufio.Reader, put func(rune)) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		for b := buf[:n]; len(b) > 0; {
			c, size := utf8.DecodeRune(b) // want `lossyutf8: `
			put(c)
			b = b[size:]
		}
	}
}

func upper(r io.Reader, w io.Writer) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		io.WriteString(w, strings.ToUpper(string(buf[:n]))) // want `lossyutf8: `
	}
}

func repaired(r io.Reader, w io.Writer) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		io.WriteString(w, strings.ToValidUTF8(string(buf[:n]), "?")) // want `lossyutf8: `
	}
}

func dropped(r io.Reader, put func(string)) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		if !utf8.Valid(buf[:n]) { // want `lossyutf8: `
			continue
		}
		put(string(buf[:n]))
	}
}

func letters(r io.Reader) (n int) {
	buf := make([]byte, 512)
	for {
		k, err := r.Read(buf)
		if err != nil {
			return n
		}
		for i := range k {
			if unicode.IsLetter(rune(buf[i])) { // want `lossyutf8: `
				n++
			}
		}
	}
}

func quoted(r io.Reader, w io.Writer) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		fmt.Fprintf(w, "%s: %q\n", "out", buf[:n])             // want `lossyutf8: `
		fmt.Fprintln(w, strconv.Quote(string(buf[:n])), "...") // want `lossyutf8: `
	}
}

func converted(r io.Reader, d *encoding.Decoder, w io.Writer) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		b, err := d.Bytes(buf[:n]) // want `lossyutf8: `
		if err != nil {
			return
		}
		w.Write(b)
	}
}

// eventWriter is fed by a command.
type eventWriter struct{ enc *json.Encoder }

func (w *eventWriter) Write(p []byte) (int, error) {
	return len(p), w.emit("stdout", string(p))
}

func (w *eventWriter) emit(kind, text string) error {
	return w.enc.Encode(event{kind, body{text}}) // want `lossyutf8: `
}

func run(cmd *exec.Cmd, w io.Writer) error {
	cmd.Stdout = io.MultiWriter(w, &eventWriter{json.NewEncoder(w)})
	return cmd.Run()
}

// peeked holds the beginning of a body.
type peeked struct { // the field's fact is that of text cut at a limit
	Bytes   []byte // want Bytes:"cut"
	Reached bool
}

func peek(r io.Reader) (*peeked, error) {
	buf := make([]byte, 4096)
	n, err := io.ReadFull(r, buf)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	return &peeked{buf[:n], n == len(buf)}, nil
}

func judged(r *http.Request) (string, error) {
	p, err := peek(r.Body)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(p.Bytes) { // want `lossyutf8: utf8.Valid gets text cut at a byte limit`
		return "", fmt.Errorf("not UTF-8")
	}
	return string(p.Bytes), nil
}

func nopeJudgedWhole(r *http.Request) (string, error) {
	p, err := peek(r.Body)
	if err != nil {
		return "", err
	}
	if !p.Reached && utf8.Valid(p.Bytes) {
		return string(p.Bytes), nil
	}
	return "", nil
}
