// Package ends holds receive loops of protocols that show their end.
package ends

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"strings"

	"render"
)

type delta struct {
	Content string `json:"content"`
}

type choice struct {
	Delta        delta  `json:"delta"`
	FinishReason string `json:"finish_reason"`
}

type chunk struct {
	Choices []choice `json:"choices"`
}

func marker(resp *http.Response) (string, error) {
	br := bufio.NewReader(resp.Body)
	var sb strings.Builder
	for {
		line, err := br.ReadString('\n')
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
			if data == "[DONE]" {
				return sb.String(), nil
			}
			var c chunk
			if err := json.Unmarshal([]byte(data), &c); err != nil {
				return "", err
			}
			for _, ch := range c.Choices {
				sb.WriteString(ch.Delta.Content)
			}
		}
		if err == io.EOF {
			return sb.String(), nil // want `a connection closed before \[DONE\] \(line \d+\) ends the stream like the marker itself`
		}
		if err != nil {
			return "", err
		}
	}
}

func markerBreak(resp *http.Response) (string, error) {
	sc := bufio.NewScanner(resp.Body)
	text := ""
	for sc.Scan() { // want `a connection closed before \[DONE\]`
		if render.IsDone(sc.Text()) {
			break
		}
		text += sc.Text()
	}
	if err := sc.Err(); err != nil {
		return "", err
	}
	return text, nil
}

func nopeMarkerFlag(resp *http.Response) (string, error) {
	sc := bufio.NewScanner(resp.Body)
	text, done := "", false
	for sc.Scan() {
		if sc.Text() == "data: [DONE]" {
			done = true
			break
		}
		text += sc.Text()
	}
	if err := sc.Err(); err != nil {
		return "", err
	}
	if !done {
		return text, io.ErrUnexpectedEOF
	}
	return text, nil
}

func nopeMarkerError(resp *http.Response) (string, error) {
	br := bufio.NewReader(resp.Body)
	text := ""
	for {
		line, err := br.ReadString('\n')
		if strings.HasPrefix(line, "data: [DONE]") {
			return text, nil
		}
		if err == io.EOF {
			return text, io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", err
		}
		text += line
	}
}

// nopeFinish takes a finish reason for the end: some servers close without the
// marker.
func nopeFinish(resp *http.Response) (string, error) {
	sc := bufio.NewScanner(resp.Body)
	text, finish := "", ""
	for sc.Scan() {
		data := strings.TrimPrefix(sc.Text(), "data: ")
		if data == "[DONE]" {
			break
		}
		var c chunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			return "", err
		}
		for _, ch := range c.Choices {
			text += ch.Delta.Content
			finish += ch.FinishReason
		}
	}
	if err := sc.Err(); err != nil {
		return "", err
	}
	if finish == "" {
		return "", io.ErrUnexpectedEOF
	}
	return text, nil
}

// nopeCallback tells the consumer of the marker.
func nopeCallback(resp *http.Response, data, end func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		if sc.Text() == "data: [DONE]" {
			end("done")
			return nil
		}
		data(sc.Text())
	}
	return sc.Err()
}

// An end marker made up for the client.
func relay(w io.Writer, resp *http.Response) {
	sc := bufio.NewScanner(resp.Body)
	done := false
	for sc.Scan() {
		if sc.Text() == "event: done" {
			render.Done(w)
			done = true
			break
		}
		render.Data(w, sc.Text())
	}
	if err := sc.Err(); err != nil {
		render.Data(w, err.Error())
		return
	}
	if !done {
		render.Done(w) // want `\[DONE\] is sent here when the stream was closed before its end too`
	}
}

func relayLogged(w io.Writer, resp *http.Response) {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		render.Data(w, sc.Text())
	}
	if err := sc.Err(); err != nil { // want `only logged, and the end marker \[DONE\] is sent all the same`
		log.Print(err)
	}
	render.Done(w)
}

func nopeRelay(w io.Writer, resp *http.Response) {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		render.Data(w, sc.Text())
	}
	if err := sc.Err(); err != nil {
		render.Data(w, `{"error":"upstream broke off"}`)
		return
	}
	render.Done(w)
}

// A done flag set at io.EOF as at the protocol's own end.
type answer struct {
	Text string `json:"text"`
	Done bool   `json:"done"`
}

type event struct {
	text string
	last bool
}

type reader struct{ resp *http.Response }

func (r *reader) next() (*event, error) { return nil, io.EOF }

func doneTwice(resp *http.Response, out chan<- answer) {
	defer close(out)
	r := &reader{resp}
	for {
		ev, err := r.next()
		if err != nil {
			if err == io.EOF { // want `a connection closed before the protocol's end \(line \d+\) is reported as done too`
				out <- answer{Done: true}
			} else {
				out <- answer{Text: err.Error(), Done: true}
			}
			return
		}
		if ev.last {
			out <- answer{Done: true}
			return
		}
		out <- answer{Text: ev.text}
	}
}

// nopeDoneOnce: io.EOF is all that this stream shows of its end.
func nopeDoneOnce(resp *http.Response, out chan<- answer) {
	defer close(out)
	r := &reader{resp}
	for {
		ev, err := r.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				out <- answer{Done: true}
			} else {
				out <- answer{Text: err.Error(), Done: true}
			}
			return
		}
		out <- answer{Text: ev.text}
	}
}

// A finish reason that nothing showed.
type whole struct {
	Text         string `json:"text"`
	FinishReason string `json:"finish_reason"`
}

func madeUp(resp *http.Response) (*whole, error) {
	sc := bufio.NewScanner(resp.Body)
	text := ""
	for sc.Scan() {
		text += sc.Text()
	}
	if err := sc.Err(); err != nil {
		return nil, err
	}
	return &whole{Text: text, FinishReason: "stop"}, nil // want `the finish reason "stop" is made up here`
}

func nopeTakenOver(resp *http.Response) (*whole, error) {
	sc := bufio.NewScanner(resp.Body)
	var c chunk
	text, finish := "", ""
	for sc.Scan() {
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			return nil, err
		}
		for _, ch := range c.Choices {
			text += ch.Delta.Content
			finish = ch.FinishReason
		}
	}
	if err := sc.Err(); err != nil {
		return nil, err
	}
	if finish == "end_turn" {
		return &whole{Text: text, FinishReason: "stop"}, nil
	}
	return &whole{Text: text, FinishReason: finish}, nil
}

// A done flag that nobody looks at.
func ignored(resp *http.Response) (string, error) {
	br := bufio.NewReader(resp.Body)
	text := ""
	for {
		line, err := br.ReadBytes('\n')
		if err != nil {
			if err == io.EOF { // want `the messages say in Done whether they are the last, and nobody looks`
				break
			}
			return "", err
		}
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			return "", err
		}
		text += a.Text
	}
	return text, nil
}

func nopeIgnored(resp *http.Response) (string, error) {
	br := bufio.NewReader(resp.Body)
	text := ""
	for {
		line, err := br.ReadBytes('\n')
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return "", err
		}
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			return "", err
		}
		text += a.Text
		if a.Done {
			return text, nil
		}
	}
}

// nopeRecords: a protocol without an end marker.
func nopeRecords(resp *http.Response, emit func(string)) error {
	dec := json.NewDecoder(resp.Body)
	for {
		var v struct{ Line string }
		if err := dec.Decode(&v); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		emit(v.Line)
	}
}

// The flag only keeps the last message out.
func skipped(resp *http.Response) ([]string, error) {
	dec := json.NewDecoder(resp.Body)
	var parts []string
	for {
		var a answer
		err := dec.Decode(&a)
		if errors.Is(err, io.EOF) { // want `the messages say in Done whether they are the last`
			break
		}
		if err != nil {
			return nil, err
		}
		if !a.Done {
			parts = append(parts, a.Text)
		}
	}
	return parts, nil
}

// A loop of its own scanner type.
type lines struct {
	line string
	err  error
}

func (l *lines) Scan() bool   { return false }
func (l *lines) Text() string { return l.line }
func (l *lines) Err() error   { return l.err }

type source struct {
	sc  *lines
	out chan string
	err error
}

func (s *source) run() {
	defer close(s.out)
	for {
		if !s.sc.Scan() { // want `a connection closed before \[DONE\]`
			if err := s.sc.Err(); err != nil {
				s.err = err
			}
			return
		}
		if render.IsDone(s.sc.Text()) {
			return
		}
		s.out <- s.sc.Text()
	}
}

// A named result and a bare return.
func bare(resp *http.Response, out chan<- string) (err error) {
	defer close(out)
	br := bufio.NewReader(resp.Body)
	for {
		var line []byte
		if line, err = br.ReadBytes('\n'); err != nil {
			if err == io.EOF { // want `a connection closed before \[DONE\]`
				err = nil
				break
			}
			return
		}
		if string(line) == "[DONE]" {
			break
		}
		out <- string(line)
	}
	return
}

func nopeBare(resp *http.Response, out chan<- string) (err error) {
	defer close(out)
	br := bufio.NewReader(resp.Body)
	for {
		var line []byte
		if line, err = br.ReadBytes('\n'); err != nil {
			return
		}
		if string(line) == "[DONE]" {
			break
		}
		out <- string(line)
	}
	return
}

// The error of an early end is made before the one place that hands errors on.
func nopeMade(resp *http.Response) func(func(string, error) bool) {
	return func(yield func(string, error) bool) {
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() {
			if render.IsDone(sc.Text()) {
				return
			}
			if !yield(sc.Text(), nil) {
				return
			}
		}
		err := sc.Err()
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		yield("", err)
	}
}

func nopeMadeSent(resp *http.Response, out chan<- string, errs chan<- error) {
	defer close(out)
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		if render.IsDone(sc.Text()) {
			return
		}
		out <- sc.Text()
	}
	err := sc.Err()
	if err == nil {
		err = errors.New("closed before [DONE]")
	}
	errs <- err
}

func nopeMadeDeferred(resp *http.Response, out chan<- string, errs chan<- error) {
	var err error
	defer func() {
		errs <- err
		close(out)
	}()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		if render.IsDone(sc.Text()) {
			return
		}
		out <- sc.Text()
	}
	if err = sc.Err(); err == nil {
		err = io.ErrUnexpectedEOF
	}
}

// The same without it.
func unmade(resp *http.Response) func(func(string, error) bool) {
	return func(yield func(string, error) bool) {
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() { // want `a connection closed before \[DONE\]`
			if render.IsDone(sc.Text()) {
				return
			}
			if !yield(sc.Text(), nil) {
				return
			}
		}
		if err := sc.Err(); err != nil {
			yield("", err)
		}
	}
}
