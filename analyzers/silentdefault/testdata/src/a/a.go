package a

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"log/slog"
	"net/http"
)

type event struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type toolCall struct {
	ID       string   `json:"id"`
	Function function `json:"function"`
}

func run(name string, args map[string]any) {}

func publish(e event) {}

// 1. The error is dropped.

func blank(calls []toolCall) {
	for _, c := range calls {
		var args map[string]any
		_ = json.Unmarshal([]byte(c.Function.Arguments), &args) // want `the error of json.Unmarshal is dropped .* and the value goes on`
		run(c.Function.Name, args)
	}
}

func bare(resp *http.Response) event {
	var e event
	json.NewDecoder(resp.Body).Decode(&e) // want `the error of Decoder.Decode is dropped`
	return e
}

func bareXML(data []byte) event {
	var e event
	xml.Unmarshal(data, &e) // want `the error of xml.Unmarshal is dropped`
	return e
}

func intoPointer(line []byte, out chan<- *event) {
	e := new(event)
	_ = json.Unmarshal(line, e) // want `the error of json.Unmarshal is dropped`
	out <- e
}

func intoCaller(data []byte, v any) error {
	json.Unmarshal(data, v) // want `the error of json.Unmarshal is dropped`
	return nil
}

func underCondition(data []byte, fn func(string)) error {
	var e event
	_ = json.Unmarshal(data, &e) // want `the error of json.Unmarshal is dropped`
	if e.ID == 1 {
		fn(e.Text)
	}
	return nil
}

func parse(s string) (map[string]any, error) {
	var m map[string]any
	if err := json.Unmarshal([]byte(s), &m); err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	return m, nil
}

func parseTwice(s string) (map[string]any, error) { return parse(s) }

func blankHelper(c toolCall) {
	args, _ := parse(c.Function.Arguments) // want `the error of parse is dropped`
	run(c.Function.Name, args)
}

func blankHelperOfHelper(c toolCall) {
	args, _ := parseTwice(c.Function.Arguments) // want `the error of parseTwice is dropped`
	run(c.Function.Name, args)
}

type parser struct{}

func (parser) args(s string) (map[string]any, error) { return parse(s) }

func blankMethod(p parser, c toolCall) {
	args, _ := p.args(c.Function.Arguments) // want `the error of args is dropped`
	run(c.Function.Name, args)
}

func overwritten(conn *bufio.Reader) error {
	line, err := conn.ReadBytes('\n')
	if err != nil {
		return err
	}
	var e event
	err = json.Unmarshal(line, &e) // want `the error of json.Unmarshal is dropped`
	publish(e)
	_, err = conn.ReadByte()
	return err
}

func generic[T any](s string) T {
	var v T
	_ = json.Unmarshal([]byte(s), &v) // want `the error of json.Unmarshal is dropped`
	return v
}

// 2. The error branch goes on with nothing.

func defaultArgs(calls []toolCall) {
	for _, c := range calls {
		var args map[string]any
		if err := json.Unmarshal([]byte(c.Function.Arguments), &args); err != nil { // want `an empty value takes the place`
			args = map[string]any{}
		}
		run(c.Function.Name, args)
	}
}

func defaultLogged(calls []toolCall) {
	for _, c := range calls {
		var args map[string]any
		if err := json.Unmarshal([]byte(c.Function.Arguments), &args); err != nil { // want `an empty value takes the place`
			log.Printf("arguments of %s: %v", c.ID, err)
			args = make(map[string]any)
		}
		run(c.Function.Name, args)
	}
}

func onlyLogged(sc *bufio.Scanner) {
	for sc.Scan() {
		var e event
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil { // want `the error is told but the value still goes on`
			log.Print(err)
		}
		publish(e)
	}
}

func emptyBranch(c toolCall) {
	args, err := parse(c.Function.Arguments) // want `the value goes on`
	if err != nil {
	}
	run(c.Function.Name, args)
}

func stale(r *bufio.Reader, onChunk func(event) error) error {
	var e event
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		err = json.Unmarshal(line, &e) // want `the error is told but the value still goes on`
		if err != nil {
			onChunk(event{})
		}
		if err := onChunk(e); err != nil {
			return err
		}
	}
}

func emptyMap(s string) map[string]any {
	var m map[string]any
	if err := json.Unmarshal([]byte(s), &m); err != nil { // want `an empty value is returned .* with no error`
		return map[string]any{}
	}
	return m
}

func emptyStruct(data []byte) (event, error) {
	var e event
	if json.Unmarshal(data, &e) != nil { // want `an empty value is returned .* with no error`
		return event{}, nil
	}
	return e, nil
}

func nilNil(data []byte) (*event, error) {
	var e event
	if err := json.Unmarshal(data, &e); err != nil { // want `an empty value is returned .* with no error`
		return nil, nil
	}
	return &e, nil
}

func namedResult(data string) (m map[string]any) {
	if err := json.Unmarshal([]byte(data), &m); err != nil { // want `an empty value`
		m = nil
	}
	return
}

func helperDefault(c toolCall) {
	args, err := parse(c.Function.Arguments) // want `an empty value takes the place`
	if err != nil {
		args = map[string]any{}
	}
	run(c.Function.Name, args)
}

func ifNil(calls []toolCall) {
	for _, c := range calls {
		var args map[string]any
		if json.Unmarshal([]byte(c.Function.Arguments), &args) == nil { // want `the value goes on`
			log.Println("arguments", args)
		}
		run(c.Function.Name, args)
	}
}

// A frame that does not decode is left out.

func goOn(body io.Reader, out chan<- event) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		var e event
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil { // want `the piece .* is left out and nobody is told`
			continue
		}
		out <- e
	}
	return sc.Err()
}

func noElse(body io.Reader) (events []event) {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		var e event
		if err := json.Unmarshal(sc.Bytes(), &e); err == nil && e.ID > 0 { // want `the piece .* is left out`
			events = append(events, e)
		}
	}
	return events
}

func chain(body io.Reader, out chan<- event) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		e, err := decodeEvent(sc.Bytes()) // want `the piece .* is left out`
		if err != nil {
			if errors.Is(err, errDone) {
				return nil
			}
			if err.Error() == "comment" {
				continue
			}
			continue
		}
		out <- e
	}
	return sc.Err()
}

var errDone = errors.New("done")

func decodeEvent(line []byte) (e event, err error) {
	if bytes.Equal(line, []byte("[DONE]")) {
		return e, errDone
	}
	err = json.Unmarshal(line, &e)
	return e, err
}

func goroutine(in <-chan []byte, out chan<- event) {
	go func() {
		for {
			var e event
			err := json.Unmarshal(<-in, &e) // want `the function returns .* as if nothing had come`
			if err != nil {
				return
			}
			out <- e
		}
	}()
}

func subscribe(fn func(data []byte) error) {}

func callback() {
	subscribe(func(data []byte) error {
		var e event
		if err := json.Unmarshal(data, &e); err != nil { // want `the function returns .* as if nothing had come`
			return nil
		}
		publish(e)
		return nil
	})
}

func iterate(body io.Reader) iter.Seq2[event, error] {
	return func(yield func(event, error) bool) {
		sc := bufio.NewScanner(body)
		for sc.Scan() {
			var e event
			if err := json.Unmarshal(sc.Bytes(), &e); err != nil { // want `the error is told but the value still goes on`
				if !yield(event{}, err) {
					return
				}
			}
			e = convert(e)
			if !yield(e, nil) {
				return
			}
		}
	}
}

func convert(e event) event { e.ID++; return e }

// 3. json.Valid.

func invalidToEmpty(c toolCall) json.RawMessage {
	if !json.Valid([]byte(c.Function.Arguments)) { // want `json.Valid fails`
		return json.RawMessage("{}")
	}
	return json.RawMessage(c.Function.Arguments)
}

func onlyIfValid(c toolCall) error {
	var args map[string]any
	if json.Valid([]byte(c.Function.Arguments)) { // want `json.Valid fails`
		if err := json.Unmarshal([]byte(c.Function.Arguments), &args); err != nil {
			return err
		}
	}
	run(c.Function.Name, args)
	return nil
}

// 4. A part of a message.

type envelope struct {
	Kind    string          `json:"kind"`
	Payload json.RawMessage `json:"payload"`
}

func payloads(body io.Reader, out chan<- event) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		var env envelope
		if err := json.Unmarshal(sc.Bytes(), &env); err != nil {
			log.Print(err)
			continue
		}
		switch env.Kind {
		case "event":
			var e event
			_ = json.Unmarshal(env.Payload, &e) // want `the error of json.Unmarshal is dropped`
			out <- e
		}
	}
	return sc.Err()
}

type store interface {
	List(ctx context.Context) (*page, error)
}

type page struct{ Rows []row }

type row struct{ Key, Value string }

func list(ctx context.Context, s store) (map[string]event, error) {
	p, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	out := make(map[string]event)
	for _, r := range p.Rows {
		var e event
		if err := json.Unmarshal([]byte(r.Value), &e); err != nil { // want `the piece .* is left out`
			continue
		}
		out[r.Key] = e
	}
	return out, nil
}

// Home-made readers of messages.

func next(r *bufio.Reader) (msg envelope, err error) {
	head, err := r.ReadByte()
	if err != nil {
		return msg, err
	}
	msg.Payload = make([]byte, head)
	_, err = io.ReadFull(r, msg.Payload)
	return msg, err
}

func messages(r *bufio.Reader) (events []event) {
	for {
		msg, err := next(r)
		if err == io.EOF {
			break
		}
		if err != nil {
			break
		}
		var e event
		if err = json.Unmarshal(msg.Payload, &e); err == nil { // want `the piece .* is left out`
			events = append(events, e)
		}
	}
	return events
}

type outcome struct {
	event event
	err   error
}

func toldAndUsed(in <-chan []byte, out chan<- outcome) {
	for data := range in {
		var e event
		if err := json.Unmarshal(data, &e); err != nil { // want `the error is told but the value still goes on`
			out <- outcome{err: err}
		}
		out <- outcome{event: e}
	}
}

func debugOnly(s string) map[string]any {
	var m map[string]any
	if err := json.Unmarshal([]byte(s), &m); err != nil { // want `an empty value is returned`
		slog.Debug("not JSON", "err", err)
		return nil
	}
	return m
}

func callbackOfSDK(each func(func(*page, error) bool)) (names []string) {
	each(func(p *page, err error) bool {
		if err != nil {
			return false
		}
		m := map[string]string{}
		_ = json.Unmarshal([]byte(p.Rows[0].Value), &m) // want `the error of json.Unmarshal is dropped`
		names = append(names, m["name"])
		return true
	})
	return names
}
