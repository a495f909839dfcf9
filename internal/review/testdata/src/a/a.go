package a

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/gorilla/websocket"
	openai "github.com/sashabaranov/go-openai"
)

type event struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// An answer read line by line, with all that belongs to it.
func lines(url string, f func(string)) error {
	resp, err := http.Get(url) // want `settled header check: the answer of http.Get is read as a stream after a look at its status`
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 { // want `settled header check: the status is looked at`
		return errors.New(resp.Status)
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") { // want `settled header check: the content type is looked at`
		return errors.New("no stream")
	}
	sc := bufio.NewScanner(resp.Body) // want `settled framing: a Scanner cuts out the lines of response.Body, with room for long ones \(1 MiB\)`
	sc.Buffer(nil, 1<<20)             // want `settled framing: a Scanner .*1 MiB`
	for sc.Scan() {                   // want `settled end of stream: lines of response.Body until its end marker, with Scanner.Err asked`
		data, ok := strings.CutPrefix(sc.Text(), "data:") // want `settled event format: a line is taken for a field of an event by "data:"`
		if !ok {
			continue
		}
		if strings.TrimSpace(data) == "[DONE]" { // want `settled end of stream: asks for the end of the stream: "\[DONE\]"`
			return nil
		}
		var ev event
		if err := json.Unmarshal([]byte(data), &ev); err != nil { // want `settled decode: json.Unmarshal decodes one whole message`
			return err
		}
		f(ev.Text)
	}
	return sc.Err() // want `settled end of stream: Scanner.Err is asked`
}

// The same without the looks at status, size, marker and error.
func linesOpen(url string, f func(string)) {
	resp, err := http.Get(url) // want `unsettled header check: the answer of http.Get is read as a stream and its status is not looked at`
	if err != nil {
		return
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body) // want `unsettled framing: a Scanner .* stops at one over 64 KiB`
	for sc.Scan() {                   // want `unsettled end of stream: nothing here asks Scanner.Err`
		if data, ok := strings.CutPrefix(sc.Text(), "data: "); ok { // want `unsettled event format: takes "data: " for a field of an event: the blank`
			f(data)
		}
	}
}

func noMarker(conn net.Conn, f func(string)) error {
	r := bufio.NewReader(conn)
	for {
		line, err := r.ReadString('\n') // want `settled framing: whole lines of conn` `unsettled end of stream: nothing that comes from conn shows which line is the last`
		if errors.Is(err, io.EOF) {     // want `settled end of stream: io.EOF is told from other errors`
			return nil
		}
		if err != nil {
			return err
		}
		f(line)
	}
}

// What is no stream has no places: a file, a text in memory, an answer read whole.
func noFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		var ev event
		if err := json.Unmarshal(sc.Bytes(), &ev); err != nil {
			return err
		}
	}
	return sc.Err()
}

func noStream(url string) (event, error) {
	var ev event
	resp, err := http.Get(url)
	if err != nil {
		return ev, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return ev, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = ctx
	return ev, json.Unmarshal(data, &ev)
}

func child(f func(string)) error {
	cmd := exec.Command("x")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	sc := bufio.NewScanner(out) // want `settled framing: a Scanner`
	sc.Buffer(nil, 1<<20)       // want `settled framing: a Scanner`
	for sc.Scan() {             // want `settled framing: lines of a child process`
		f(sc.Text())
	}
	if err := sc.Err(); err != nil { // want `settled end of stream: Scanner.Err is asked`
		return err
	}
	return cmd.Wait()
}

func records(conn net.Conn, f func([]byte)) error {
	var head [4]byte
	for {
		if _, err := io.ReadFull(conn, head[:]); err != nil { // want `settled framing: a record of known length`
			return err
		}
		f(head[:])
	}
}

func documents(conn net.Conn, f func(event)) error {
	dec := json.NewDecoder(conn)
	for {
		var ev event
		if err := dec.Decode(&ev); err == io.EOF { // want `settled framing: the decoder cuts the documents out of conn itself` `settled end of stream: io.EOF`
			return nil
		} else if err != nil {
			return err
		}
		f(ev)
	}
}

type lineReader struct{ rest []byte }

func (l *lineReader) run(conn net.Conn, f func([]byte)) error {
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf) // want `settled carry-over: the unfinished rest of what was read from conn is kept`
		if err != nil {
			return err
		}
		data := append(l.rest, buf[:n]...)
		for {
			i := bytes.IndexByte(data, '\n')
			if i < 0 {
				break
			}
			f(data[:i])
			data = data[i+1:]
		}
		l.rest = data
	}
}

func copies(conn net.Conn, w io.Writer) error {
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf) // want `settled raw bytes: bytes of conn are handed on as bytes`
		if err != nil {
			return err
		}
		if _, err := w.Write(buf[:n]); err != nil {
			return err
		}
	}
}

func searched(conn net.Conn, f func(string)) error {
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf) // want `unsettled raw bytes: a read from conn ends anywhere`
		if err != nil {
			return err
		}
		if bytes.Contains(buf[:n], []byte("ready")) { // want `unsettled raw bytes: looks for something in one piece`
			f("ready")
		}
	}
}

func socket(ws *websocket.Conn, f func([]byte)) error {
	for {
		_ = ws.SetReadDeadline(time.Now().Add(time.Minute)) // want `unsettled timeout: SetReadDeadline, renewed with each turn`
		_, msg, err := ws.ReadMessage()                     // want `settled framing: Conn.ReadMessage gives one whole message`
		if err != nil {
			return err
		}
		f(msg)
	}
}

func socketDropped(ws *websocket.Conn, f func([]byte)) {
	for {
		_, msg, _ := ws.ReadMessage() // want `unsettled end of stream: the error of Conn.ReadMessage is dropped`
		f(msg)
	}
}

func tokens(ctx context.Context, c *openai.Client, f func(string)) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute) // want `unsettled timeout: a time \(1m0s\) for a stream from its first byte to its last`
	defer cancel()
	s, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{}) // want `settled request: Client.CreateChatCompletionStream opens a stream`
	if err != nil {
		return "", err
	}
	defer s.Close()
	args := map[int]string{}
	for {
		r, err := s.Recv()          // want `settled framing: .*Recv gives one whole message`
		if errors.Is(err, io.EOF) { // want `settled end of stream: io.EOF`
			return args[0], nil
		}
		if err != nil {
			return "", err
		}
		f(r.Choices[0].Delta.Content) // want `settled text pieces: Content is taken as one piece`
		for _, call := range r.Choices[0].Delta.ToolCalls {
			args[*call.Index] += call.Function.Arguments
		}
		if r.Choices[0].FinishReason == "length" { // want `settled end of stream: FinishReason is read` `settled end of stream: asks for the end of the stream: "length"`
			return "", errors.New("cut")
		}
	}
}

func again(ctx context.Context, c *openai.Client, f func(string)) error {
	var err error
	for range 3 {
		if _, err = tokens(ctx, c, f); err == nil { // want `unsettled retry: tokens is called again after an error`
			return nil
		}
	}
	return err
}

// A pause between attempts is no time for the stream itself.
func withPause(ctx context.Context, c *openai.Client, f func(string)) error {
	for {
		s, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{}) // want `settled request` `unsettled retry: Client.CreateChatCompletionStream is called again after an error`
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		for {
			r, err := s.Recv() // want `settled framing`
			if err == io.EOF { // want `settled end of stream: io.EOF`
				return nil
			}
			if err != nil {
				break
			}
			f(r.Choices[0].Delta.Content) // want `settled text pieces`
		}
		select {
		case <-time.After(2 * time.Second): // want `unsettled retry: a pause \(2s\) before the request of a stream is sent again`
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func idle(evs *openai.ChatCompletionStream, f func(string)) error {
	t := time.NewTimer(time.Minute) // want `unsettled timeout: a time \(1m0s\) chosen by hand beside a stream`
	defer t.Stop()
	for {
		r, err := evs.Recv() // want `settled framing`
		if err != nil {
			return err
		}
		t.Reset(time.Minute)          // want `unsettled timeout: a time \(1m0s\)`
		f(r.Choices[0].Delta.Content) // want `settled text pieces`
	}
}

// Another request for each item is none that is sent again.
func noRetry(ctx context.Context, c *openai.Client, models []string, f func(string)) error {
	for _, m := range models {
		if err := one(ctx, c, m, f); err != nil {
			fmt.Println(err)
		}
	}
	return nil
}

func one(ctx context.Context, c *openai.Client, model string, f func(string)) error {
	s, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{Model: model}) // want `settled request`
	if err != nil {
		return err
	}
	defer s.Close()
	for {
		r, err := s.Recv() // want `settled framing`
		if err != nil {
			return err
		}
		f(r.Choices[0].Delta.Content) // want `settled text pieces`
	}
}

type streamer struct{ client *http.Client }

func noAccept(req *http.Request) { req.Header.Set("Accept", "text/event-stream") }

func newStreamer() *streamer {
	return &streamer{client: &http.Client{
		Timeout:   30 * time.Second,                                    // want `unsettled timeout: Client.Timeout \(30s\) ends the whole answer of a client that streams`
		Transport: &http.Transport{ResponseHeaderTimeout: time.Minute}, // want `settled timeout: ResponseHeaderTimeout bounds`
	}}
}

func (s *streamer) run(req *http.Request, w io.Writer) error {
	resp, err := s.client.Do(req) // want `unsettled header check: the answer of Client.Do`
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	buf := make([]byte, 512)
	for {
		n, err := resp.Body.Read(buf) // want `settled raw bytes`
		if _, err := w.Write(buf[:n]); err != nil {
			return err
		}
		if err == io.EOF { // want `settled end of stream: io.EOF`
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// A client whose answers are read as a whole may have any time.
var noStreamClient = &http.Client{Timeout: time.Second}

func whole(url string) ([]byte, error) {
	resp, err := noStreamClient.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

var streamClient = &http.Client{
	Timeout: time.Minute, // want `unsettled timeout: Client.Timeout \(1m0s\)`
}

func follow(url string, f func(string)) error {
	resp, err := streamClient.Get(url) // want `unsettled header check`
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body) // want `settled framing`
	sc.Buffer(nil, 1<<20)             // want `settled framing`
	for sc.Scan() {                   // want `unsettled end of stream: nothing that comes from response.Body shows which line is the last`
		f(sc.Text())
	}
	return sc.Err() // want `settled end of stream`
}

func inMemory(answer string) (out []string) {
	for _, line := range strings.Split(answer, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "data:") { // want `settled event format: a line is taken for a field of an event`
			out = append(out, line)
		}
	}
	return out
}

// A URL with data in it is no event.
func noEvent(urls []string) (out []string) {
	for _, u := range urls {
		if strings.HasPrefix(u, "data:") {
			out = append(out, u)
		}
	}
	return out
}

func serve(w http.ResponseWriter, evs <-chan event, names <-chan string) {
	w.Header().Set("Content-Type", "text/event-stream") // want `settled event format: the answer is declared`
	for ev := range evs {
		data, err := json.Marshal(ev)
		if err != nil {
			return
		}
		fmt.Fprintf(w, "data: %s\n\n", data)    // want `settled event format: the event's data is JSON`
		fmt.Fprintf(w, "data: %s\n\n", <-names) // want `unsettled event format: a text is put into an event's data as it is`
		w.(http.Flusher).Flush()                // want `settled event format: what was written is sent at once`
	}
}

func server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:      h,
		WriteTimeout: 10 * time.Second, // want `unsettled timeout: WriteTimeout \(10s\) holds for every answer`
	}
}
