package nope

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

type event struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
	Raw  string `json:"-"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func run(name string, args any) {}

func publish(e event) {}

func nopeReturned(s string) (event, error) {
	var e event
	err := json.Unmarshal([]byte(s), &e)
	return e, err
}

func nopeWrapped(s string) (event, error) {
	var e event
	if err := json.Unmarshal([]byte(s), &e); err != nil {
		return event{}, fmt.Errorf("event: %w", err)
	}
	return e, nil
}

// An empty string or null is how a call without parameters is sent.
func nopeEmptyFirst(f function) error {
	args := map[string]any{}
	raw := f.Arguments
	if raw == "" || raw == "null" {
		raw = "{}"
	}
	if err := json.Unmarshal([]byte(raw), &args); err != nil {
		return err
	}
	run(f.Name, args)
	return nil
}

func nopeEmptyElse(f function) error {
	var args map[string]any
	if f.Arguments != "" {
		if err := json.Unmarshal([]byte(f.Arguments), &args); err != nil {
			return err
		}
	} else {
		args = map[string]any{}
	}
	run(f.Name, args)
	return nil
}

// Bytes just marshalled.
func nopeOwnBytes(v any) map[string]any {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var m map[string]any
	_ = json.Unmarshal(b, &m)
	return m
}

// The body of an HTTP error, as far as it can be read.
type apiError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func nopeErrorBody(resp *http.Response) error {
	if resp.StatusCode != http.StatusOK {
		var e apiError
		_ = json.NewDecoder(resp.Body).Decode(&e)
		return fmt.Errorf("status %d: %s", resp.StatusCode, e.Message)
	}
	return nil
}

type requestError struct {
	Status int
	Body   struct{ Detail event }
	Text   string
}

func (e requestError) Error() string { return e.Text }

func nopeErrorValue(data []byte, status int) requestError {
	var e event
	json.Unmarshal(data, &e)
	return requestError{Status: status, Text: e.Text}
}

func nopeAlreadyFailing(resp *http.Response, v any) error {
	if err := check(resp); err != nil {
		_ = json.NewDecoder(resp.Body).Decode(v)
		return err
	}
	return json.NewDecoder(resp.Body).Decode(v)
}

func check(resp *http.Response) error {
	if resp.StatusCode >= 400 {
		return errors.New(resp.Status)
	}
	return nil
}

// Not being an error is the good case.
func nopeProbe(data []byte) error {
	var e struct {
		Error string `json:"error"`
		ID    int    `json:"id"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return nil
	}
	if e.Error != "" {
		return errors.New(string(data))
	}
	return nil
}

// A type that takes two shapes.
type oneOrMany []string

func (o *oneOrMany) UnmarshalJSON(data []byte) error {
	var many []string
	if err := json.Unmarshal(data, &many); err == nil {
		*o = many
		return nil
	}
	var one string
	_ = json.Unmarshal(data, &one)
	*o = []string{one}
	return nil
}

// Named Unmarshal, returns nothing.
type request struct{ err error }

func Unmarshal(r *request, data []byte) {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		r.err = err
		return
	}
	publish(e)
}

func nopeNoError(r *request, data []byte) { Unmarshal(r, data) }

// Several shapes are tried; the last failure is returned.
func nopeShapes(data []byte) (event, error) {
	var e event
	if err := json.Unmarshal(data, &e); err == nil {
		return e, nil
	}
	var list []event
	if err := json.Unmarshal(data, &list); err != nil {
		return event{}, err
	}
	if len(list) == 0 {
		return event{}, errors.New("no event")
	}
	return list[0], nil
}

func nopeTryTargets(data []byte, targets []any) error {
	for _, t := range targets {
		if err := json.Unmarshal(data, t); err != nil {
			continue
		}
		return nil
	}
	return errors.New("no target fits")
}

func ask() (string, error) { return "", nil }

func nopeAttempts() (event, error) {
	for range 3 {
		text, err := ask()
		if err != nil {
			return event{}, err
		}
		var e event
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			continue
		}
		return e, nil
	}
	return event{}, errors.New("no answer that parses")
}

// The value is not used after.
func nopeUnused(data []byte) int {
	var e event
	_ = json.Unmarshal(data, &e)
	return len(data)
}

// The text is kept.
func nopeRawFallback(f function) {
	var args any
	if err := json.Unmarshal([]byte(f.Arguments), &args); err != nil {
		args = map[string]any{"raw": f.Arguments}
	}
	run(f.Name, args)
}

func nopeRawReturned(s string) any {
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		return s
	}
	return v
}

func nopeRawBefore(data []byte) {
	e := &event{Raw: string(data)}
	_ = json.Unmarshal(data, e)
	publish(*e)
}

func nopeRawPassedOn(body io.Reader, out func(string)) {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		var e event
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			out(sc.Text())
			continue
		}
		out(e.Text)
	}
}

// The error is stored, counted, logged, handed on.
type reader struct {
	err   error
	count int
	onErr func(error)
}

func (r *reader) nopeStored(body io.Reader) {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		var e event
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			r.err = err
			return
		}
		publish(e)
	}
}

func (r *reader) nopeCounted(body io.Reader) {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		var e event
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			r.count++
			continue
		}
		publish(e)
	}
}

func nopeCountedLocal(body io.Reader) (bad int) {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		var e event
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			bad++
			continue
		}
		publish(e)
	}
	return bad
}

func (r *reader) nopeHandled(body io.Reader) {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		var e event
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			r.onErr(err)
			continue
		}
		publish(e)
	}
}

func nopeLoggedSkip(body io.Reader) {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		var e event
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			log.Printf("frame skipped: %v", err)
			continue
		}
		publish(e)
	}
}

func nopeCollected(lines []string) ([]event, error) {
	var out []event
	var errs []error
	for _, l := range lines {
		var e event
		if err := json.Unmarshal([]byte(l), &e); err != nil {
			errs = append(errs, err)
			continue
		}
		out = append(out, e)
	}
	return out, errors.Join(errs...)
}

func nopeLastError(lines []string) (out []event, last error) {
	for _, l := range lines {
		var e event
		if err := json.Unmarshal([]byte(l), &e); err != nil {
			last = err
			continue
		}
		out = append(out, e)
	}
	return out, last
}

func nopeSent(in <-chan []byte, out chan<- event, errs chan<- error) {
	for data := range in {
		var e event
		if err := json.Unmarshal(data, &e); err != nil {
			errs <- err
			continue
		}
		out <- e
	}
}

type result struct {
	event event
	err   error
}

func nopeSentTogether(in <-chan []byte, out chan<- result) {
	for data := range in {
		var e event
		err := json.Unmarshal(data, &e)
		out <- result{e, err}
	}
}

func nopeYielded(in <-chan []byte, yield func(event, error) bool) {
	for data := range in {
		var e event
		err := json.Unmarshal(data, &e)
		if !yield(e, err) {
			return
		}
	}
}

func nopePanics(s string) event {
	var e event
	if err := json.Unmarshal([]byte(s), &e); err != nil {
		panic(err)
	}
	return e
}

func nopeFatal(s string) event {
	var e event
	if err := json.Unmarshal([]byte(s), &e); err != nil {
		log.Fatalf("bad event: %v", err)
	}
	return e
}

// A verdict of another kind.
func nopeOK(s string) (event, bool) {
	var e event
	if json.Unmarshal([]byte(s), &e) != nil {
		return event{}, false
	}
	return e, true
}

func nopeNil(s string) *event {
	var e event
	if json.Unmarshal([]byte(s), &e) != nil {
		return nil
	}
	return &e
}

func nopeSanitized(s string) (string, bool) {
	if !json.Valid([]byte(s)) {
		return "{}", true
	}
	return s, false
}

// The end of a stream is no failed decode.
func nopeEOF(body io.Reader, out chan<- event) error {
	dec := json.NewDecoder(body)
	for {
		var e event
		if err := dec.Decode(&e); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		out <- e
	}
}

func nopeEOFSwitch(body io.Reader, out chan<- event) error {
	dec := json.NewDecoder(body)
	for {
		var e event
		switch err := dec.Decode(&e); err {
		case nil:
			out <- e
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

// An empty body is allowed, a cut one is not.
func nopeEmptyBody(resp *http.Response, v any) error {
	if err := json.NewDecoder(resp.Body).Decode(v); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// A file of this machine: none of this check's business.
func nopeFile(path string) map[string]any {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var m map[string]any
	_ = json.Unmarshal(data, &m)
	return m
}

func nopeHeader(h http.Header) map[string]any {
	m := map[string]any{}
	_ = json.NewDecoder(strings.NewReader(h.Get("X-Config"))).Decode(&m)
	return m
}

// What an object holds was checked when it came in.
type item struct{ value json.RawMessage }

func (i *item) nopeMap() map[string]item {
	m := make(map[string]item)
	_ = json.Unmarshal(i.value, &m)
	return m
}

// A part of a decoded document, probed for its type.
func nopeOptionalPart(data []byte) (name string, err error) {
	var frame []json.RawMessage
	if err = json.Unmarshal(data, &frame); err != nil {
		return "", err
	}
	if len(frame) > 2 {
		_ = json.Unmarshal(frame[2], &name)
	}
	return name, nil
}

// It only prints.
func nopeDebug(text string) {
	var m map[string]any
	if json.Unmarshal([]byte(text), &m) != nil {
		return
	}
	fmt.Fprintln(os.Stderr, m["usage"])
}

// Another reader takes over.
func nopeRepaired(f function) error {
	var args map[string]any
	if err := json.Unmarshal([]byte(f.Arguments), &args); err != nil {
		if err := json.Unmarshal(repair(f.Arguments), &args); err != nil {
			return err
		}
	}
	run(f.Name, args)
	return nil
}

func repair(s string) []byte { return bytes.TrimSpace([]byte(s)) }

// The text stands where the value is not taken.
func nopeRawUnlessSpecial(f function) {
	m := make(map[string]any)
	err := json.Unmarshal([]byte(f.Arguments), &m)
	input := f.Arguments
	if err == nil {
		if arg, ok := m["arg"].(string); ok {
			input = arg
		}
	}
	run(f.Name, input)
}

type plugin struct {
	event event
	err   error
}

func wrap(err error, text string) error { return fmt.Errorf("%s: %w", text, err) }

func nopeErrorInValue(data []byte) (plugin, error) {
	var p plugin
	if err := json.Unmarshal(data, &p.event); err != nil {
		p.err = wrap(err, "event")
		return p, nil
	}
	return p, nil
}

// An enrichment that the caller has decoded before.
func nopeEnrich(body io.Reader) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() {
		line := sc.Bytes()
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		enrich(line)
		publish(e)
	}
	return sc.Err()
}

func enrich(line []byte) {
	var x struct{ Extra event }
	if err := json.Unmarshal(line, &x); err != nil {
		return
	}
	publish(x.Extra)
}

// Token by token: a broken document shows at the next token.
func nopeTokens(resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	for {
		if _, err := dec.Token(); err != nil {
			return err
		}
		var e event
		if err := dec.Decode(&e); err != nil {
			continue
		}
		publish(e)
	}
}

// Looked at after its first use.
func nopeLookedAtLater(data []byte) error {
	var r result
	e, err := decodeOne(data)
	r.event = e
	if err != nil {
		return err
	}
	publish(r.event)
	return nil
}

func decodeOne(data []byte) (event, error) {
	var e event
	err := json.Unmarshal(data, &e)
	return e, err
}

// A field is named: somebody has chosen the value.
type decision struct{ Kind int }

func nopeChosen(out string) decision {
	var d decision
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		return decision{Kind: 0}
	}
	return d
}

// A file, opened by the caller.
func nopeFileLines(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return eachLine(f)
}

func eachLine(r io.Reader) error {
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		var e event
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			continue
		}
		publish(e)
	}
	return sc.Err()
}

// What a query found: not returned, and no stream.
func nopeRow(scan func(*string) error, save func(map[string]bool) error) error {
	prefs := map[string]bool{}
	var text string
	if err := scan(&text); err == nil {
		_ = json.Unmarshal([]byte(text), &prefs)
	}
	return save(prefs)
}

func writeError(in map[string]any, err error) {}

// The half-filled value goes where the error goes.
func nopeTogether(body io.Reader) error {
	var in map[string]any
	if err := json.NewDecoder(body).Decode(&in); err != nil {
		writeError(in, err)
		return nil
	}
	publish(event{Text: fmt.Sprint(in["text"])})
	return nil
}

type logger struct{}

func (logger) Fatalf(format string, args ...any) { os.Exit(1) }

func nopeOwnFatal(l logger, s string) event {
	var e event
	if err := json.Unmarshal([]byte(s), &e); err != nil {
		l.Fatalf("bad event: %v", err)
	}
	return e
}

func nopeKnownError(data []byte) (*event, error) {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, nil
		}
		return nil, err
	}
	return &e, nil
}
