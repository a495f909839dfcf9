// Package scan holds scan loops over streams: who asks for Err, where, and what
// becomes of it.
package scan

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

func body(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() { // want `nobody asks the scanner over response.Body for Err`
		emit(sc.Text())
	}
	return nil
}

func nopeBody(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

// No error result: the lines of a child process that nobody drains any more.
func child(cmd *exec.Cmd) {
	out, err := cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	sc := bufio.NewScanner(out)
	for sc.Scan() { // want `nobody asks the scanner over Cmd.StdoutPipe for Err`
		log.Print(sc.Text())
	}
}

func nopeChild(cmd *exec.Cmd) {
	out, err := cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	sc := bufio.NewScanner(out)
	for sc.Scan() {
		log.Print(sc.Text())
	}
	if err := sc.Err(); err != nil {
		log.Print("reading: ", err) // nobody is told of a success
	}
}

func inside(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() { // want `asked for Err \(line \d+\) only while there is data`
		if err := sc.Err(); err != nil {
			return err
		}
		emit(sc.Text())
	}
	return nil
}

func nopeDeferred(resp *http.Response, emit func(string)) (err error) {
	sc := bufio.NewScanner(resp.Body)
	defer func() {
		if serr := sc.Err(); err == nil {
			err = serr
		}
	}()
	for sc.Scan() {
		emit(sc.Text())
	}
	return nil
}

// The loop of a select: Scan is asked in an if.
func monitor(ctx context.Context, resp *http.Response) <-chan string {
	ch := make(chan string, 64)
	go func() {
		sc := bufio.NewScanner(resp.Body)
		defer close(ch)
		for {
			if ctx.Err() != nil {
				return
			}
			if !sc.Scan() { // want `nobody asks`
				return
			}
			ch <- sc.Text()
		}
	}()
	return ch
}

// A field, advanced by a method.
type decoder struct {
	sc   *bufio.Scanner
	line []byte
	err  error
}

func newDecoder(conn net.Conn) *decoder { return &decoder{sc: bufio.NewScanner(conn)} }

func (d *decoder) Next() bool {
	for d.sc.Scan() { // want `nobody asks the scanner over conn for Err`
		if len(d.sc.Bytes()) > 0 {
			d.line = d.sc.Bytes()
			return true
		}
	}
	return false
}

func (d *decoder) Err() error { return d.err }

type rightDecoder struct {
	sc   *bufio.Scanner
	line []byte
	err  error
}

func newRightDecoder(conn net.Conn) *rightDecoder { return &rightDecoder{sc: bufio.NewScanner(conn)} }

func (d *rightDecoder) Next() bool {
	for d.sc.Scan() {
		if len(d.sc.Bytes()) > 0 {
			d.line = d.sc.Bytes()
			return true
		}
	}
	d.err = d.sc.Err()
	return false
}

// Only logged, and nil is returned.
func logged(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		emit(sc.Text())
	}
	if err := sc.Err(); err != nil { // want `the error that ends the scanner over response.Body is only logged, and nil is returned`
		log.Println("reading:", err)
	}
	return nil
}

type logger interface {
	Errorf(format string, args ...any)
	WithError(err error) logger
}

// A home-made logger, in a chain.
func loggedChain(resp *http.Response, l logger, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		emit(sc.Text())
	}
	if err := sc.Err(); err != nil { // want `only logged`
		l.WithError(err).Errorf("reading %s", "body")
	}
	return nil
}

func report(err error) { fmt.Fprintf(os.Stderr, "reading: %v\n", err) }

// A helper that logs.
func loggedHelper(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		emit(sc.Text())
	}
	if err := sc.Err(); err != nil { // want `only logged`
		report(err)
	}
	return nil
}

type accumulator interface{ AddError(error) }

func nopeHandedOn(resp *http.Response, acc accumulator, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		emit(sc.Text())
	}
	acc.AddError(sc.Err())
	return nil
}

func nopeWrapped(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		emit(sc.Text())
	}
	if err := sc.Err(); err != nil {
		log.Print(err)
		return fmt.Errorf("reading: %w", err)
	}
	return nil
}

func nopeExit(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		emit(sc.Text())
	}
	if err := sc.Err(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return nil
}

func nopeFlag(resp *http.Response, emit func(string)) (whole bool) {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		emit(sc.Text())
	}
	whole = true
	if err := sc.Err(); err != nil {
		log.Print(err)
		whole = false
	}
	return whole
}

// A goroutine logs and closes the channel.
func channel(resp *http.Response) <-chan string {
	ch := make(chan string)
	go func() {
		defer close(ch)
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() {
			ch <- sc.Text()
		}
		if err := sc.Err(); err != nil { // want `only logged, and the channel is closed`
			log.Println(err)
		}
	}()
	return ch
}

type event struct {
	line string
	err  error
}

func nopeChannel(resp *http.Response) <-chan event {
	ch := make(chan event)
	go func() {
		defer close(ch)
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() {
			ch <- event{line: sc.Text()}
		}
		if err := sc.Err(); err != nil {
			ch <- event{err: err}
		}
	}()
	return ch
}

// A pipe is closed like a whole one.
func relay(resp *http.Response) io.Reader {
	pr, pw := io.Pipe()
	go func() {
		defer pw.Close()
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() {
			if _, err := pw.Write(append(sc.Bytes(), '\n')); err != nil {
				return
			}
		}
		if err := sc.Err(); err != nil { // want `only logged, and the pipe is closed`
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	return pr
}

// An iterator that can yield an error.
func lines(resp *http.Response) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() {
			if !yield(sc.Text(), nil) {
				return
			}
		}
		if err := sc.Err(); err != nil { // want `only logged, and the iteration ends`
			log.Print(err)
		}
	}
}

func nopeLines(resp *http.Response) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() {
			if !yield(sc.Text(), nil) {
				return
			}
		}
		if err := sc.Err(); err != nil {
			log.Print(err)
			yield("", err)
		}
	}
}

// Readers of a caller's, which may be streams: an error result says so.
func Parse(r io.Reader) (map[string]string, error) {
	out := map[string]string{}
	sc := bufio.NewScanner(r)
	for sc.Scan() { // want `nobody asks the scanner over r for Err`
		if k, v, ok := strings.Cut(sc.Text(), "="); ok {
			out[k] = v
		}
	}
	return out, nil
}

// NopeCount promises no error.
func NopeCount(r io.Reader) (n int) {
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		n += len(sc.Text())
	}
	return n
}

// A callback that is given its reader.
type process struct{ out func(io.Reader) }

type plugin struct{ p process }

func (p *plugin) init() { p.p.out = p.read }

func (p *plugin) read(r io.Reader) {
	sc := bufio.NewScanner(r)
	for sc.Scan() { // want `nobody asks`
		log.Print(sc.Text())
	}
}

// In memory, or a file: what they hold cannot break off.
func nopeMemory(text string) (out []string, err error) {
	sc := bufio.NewScanner(strings.NewReader(text))
	for sc.Scan() {
		out = append(out, sc.Text())
	}
	return out, nil
}

func nopeFile(name string) (out []string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		out = append(out, sc.Text())
	}
	return out, nil
}

func nopeStdin(emit func(string)) error {
	sc := bufio.NewScanner(os.Stdin)
	for sc.Scan() {
		emit(sc.Text())
	}
	return nil
}

// The helper only ever reads a file.
func services(name string) (map[string]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return nopeServices(f)
}

func nopeServices(r io.Reader) (map[string]string, error) {
	out := map[string]string{}
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		out[sc.Text()] = ""
	}
	return out, nil
}

// Lines that are only triggers.
func nopeTrigger(conn net.Conn, cancel func()) {
	sc := bufio.NewScanner(conn)
	for sc.Scan() {
		log.Print("tick")
	}
	cancel()
}

// One line of the body of an error.
func nopeOneLine(resp *http.Response) string {
	sc := bufio.NewScanner(io.LimitReader(resp.Body, 1024))
	if sc.Scan() {
		return sc.Text()
	}
	return ""
}

// The end is an error anyway: the line that was waited for has not come.
func nopeWaits(conn net.Conn) error {
	sc := bufio.NewScanner(conn)
	for sc.Scan() {
		if strings.Contains(sc.Text(), "ready") {
			return nil
		}
	}
	return errors.New("closed before it was ready")
}

// The caller gets the scanner and can ask.
func NopeHandedOut(resp *http.Response) *bufio.Scanner {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		if sc.Text() == "" {
			break
		}
	}
	return sc
}

// The exit status of the child alone says nothing of a line over the limit.
func waited(cmd *exec.Cmd, emit func(string)) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	sc := bufio.NewScanner(out)
	for sc.Scan() { // want `nobody asks`
		emit(sc.Text())
	}
	return cmd.Wait()
}

func generic[T any](body io.Reader, fn func(T) error) error {
	sc := bufio.NewScanner(body)
	for sc.Scan() { // want `nobody asks`
		var v T
		if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
			return err
		}
		if err := fn(v); err != nil {
			return err
		}
	}
	return nil
}

func nopeIgnored(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	//streamlint:ignore unfinished the next poll reads it again
	for sc.Scan() {
		emit(sc.Text())
	}
	return nil
}
