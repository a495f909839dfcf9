// Package receive holds loops that receive messages with an error each: what
// becomes of the error.
package receive

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

type message struct{ Text string }

type stream interface {
	Recv() (message, error)
	Close() error
}

func dropped(s stream) <-chan string {
	ch := make(chan string)
	go func() {
		defer s.Close()
		defer close(ch)
		for {
			m, err := s.Recv()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil { // want `an error of stream.Recv \(line \d+\) is dropped here, and the channel is closed`
				return
			}
			ch <- m.Text
		}
	}()
	return ch
}

type result struct {
	text string
	err  error
}

func nopeSent(s stream) <-chan result {
	ch := make(chan result)
	go func() {
		defer close(ch)
		for {
			m, err := s.Recv()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				ch <- result{err: err}
				return
			}
			ch <- result{text: m.Text}
		}
	}()
	return ch
}

func broken(s stream, emit func(string)) error {
	for {
		m, err := s.Recv()
		if err != nil { // want `is dropped here, and nil is returned`
			break
		}
		emit(m.Text)
	}
	return nil
}

func logged(s stream, emit func(string)) error {
	for {
		m, err := s.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil { // want `is only logged here, and nil is returned`
			log.Println("receiving:", err)
			return nil
		}
		emit(m.Text)
	}
}

func nopeReturned(s stream, emit func(string)) error {
	for {
		m, err := s.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		emit(m.Text)
	}
}

// nopeHandler closes its connection: there is nobody else to tell.
func nopeHandler(s stream, handle func(string)) {
	defer s.Close()
	for {
		m, err := s.Recv()
		if err != nil {
			log.Print(err)
			return
		}
		handle(m.Text)
	}
}

// nopeWatch opens the stream again: its end means nothing.
func nopeWatch(ctx context.Context, open func() stream, ch chan<- string) {
	defer close(ch)
	for ctx.Err() == nil {
		once(open(), ch)
	}
}

func once(s stream, ch chan<- string) error {
	for {
		m, err := s.Recv()
		if err != nil {
			return nil
		}
		ch <- m.Text
	}
}

// io.ErrUnexpectedEOF is no end.
func cut(resp *http.Response, emit func(message)) error {
	dec := json.NewDecoder(resp.Body)
	for {
		var m message
		err := dec.Decode(&m)
		if err == io.EOF || err == io.ErrUnexpectedEOF { // want `io.ErrUnexpectedEOF means that the stream broke off`
			return nil
		}
		if err != nil {
			return err
		}
		emit(m)
	}
}

func cutIs(conn net.Conn, emit func(string)) error {
	br := bufio.NewReader(conn)
	for {
		line, err := br.ReadString('\n')
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) { // want `io.ErrUnexpectedEOF means`
				return nil
			}
			return err
		}
		emit(line)
	}
}

func nopeCut(resp *http.Response, emit func(message)) error {
	dec := json.NewDecoder(resp.Body)
	for {
		var m message
		err := dec.Decode(&m)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New("the answer broke off")
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		emit(m)
	}
}

// nopeBlocks reads blocks of a fixed size: io.ErrUnexpectedEOF is the last one.
func nopeBlocks(conn net.Conn, emit func([]byte)) error {
	buf := make([]byte, 4096)
	for {
		n, err := io.ReadFull(conn, buf)
		emit(buf[:n])
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// More is false after an error too.
func more(resp *http.Response) (out []message, err error) {
	dec := json.NewDecoder(resp.Body)
	for dec.More() { // want `More is false when response.Body breaks off too, and then nil is returned`
		var m message
		if err := dec.Decode(&m); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

func nopeArray(resp *http.Response) (out []message, err error) {
	dec := json.NewDecoder(resp.Body)
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	for dec.More() {
		var m message
		if err := dec.Decode(&m); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	return out, nil
}

// The closing bracket is never read.
func array(resp *http.Response) (out []message, err error) {
	dec := json.NewDecoder(resp.Body)
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	for dec.More() { // want `More is false`
		var m message
		if err := dec.Decode(&m); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

func nopeMoreMemory(text string) (out []message, err error) {
	dec := json.NewDecoder(strings.NewReader(text))
	for dec.More() {
		var m message
		if err := dec.Decode(&m); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

func nopeMoreFile(name string) (out []message, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	dec := json.NewDecoder(f)
	for dec.More() {
		var m message
		if err := dec.Decode(&m); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// The callback of an iterator.
func yielded(seq iter.Seq2[*message, error]) <-chan string {
	ch := make(chan string)
	go func() {
		defer close(ch)
		seq(func(m *message, err error) bool {
			if err != nil { // want `an error of the stream is dropped here, and the channel is closed`
				return false
			}
			ch <- m.Text
			return true
		})
	}()
	return ch
}

func nopeYielded(seq iter.Seq2[*message, error]) (text string, err error) {
	seq(func(m *message, e error) bool {
		if e != nil {
			err = e
			return false
		}
		text += m.Text
		return true
	})
	return text, err
}

// Pipes.
func piped(resp *http.Response) io.Reader {
	pr, pw := io.Pipe()
	go func() {
		defer pw.Close()
		_, _ = io.Copy(pw, resp.Body) // want `when this Copy fails the pipe is closed \(line \d+\) like a whole one`
	}()
	return pr
}

func pipedLogged(resp *http.Response) io.Reader {
	pr, pw := io.Pipe()
	go func() {
		defer pw.Close()
		if _, err := io.Copy(pw, resp.Body); err != nil { // want `when this Copy fails`
			log.Print(err)
		}
	}()
	return pr
}

func nopePiped(resp *http.Response) io.Reader {
	pr, pw := io.Pipe()
	go func() {
		_, err := io.Copy(pw, resp.Body)
		pw.CloseWithError(err)
	}()
	return pr
}

func nopePipedMemory(text string) io.Reader {
	pr, pw := io.Pipe()
	go func() {
		defer pw.Close()
		_, _ = io.Copy(pw, strings.NewReader(text))
	}()
	return pr
}

// The condition is the wrong way round.
func inverted(conn net.Conn, use func(io.Reader)) error {
	pr, pw := io.Pipe()
	defer pw.Close()
	go use(pr)
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			if errors.Is(err, net.ErrClosed) { // want `only this kind of error reaches the pipe's reader`
				pw.CloseWithError(err)
			}
			return nil
		}
		if _, err := pw.Write(buf[:n]); err != nil {
			return err
		}
	}
}

func nopeInverted(conn net.Conn, use func(io.Reader)) error {
	pr, pw := io.Pipe()
	defer pw.Close()
	go use(pr)
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				pw.CloseWithError(err)
			}
			return nil
		}
		if _, err := pw.Write(buf[:n]); err != nil {
			return err
		}
	}
}

// A cancelled answer is given back as a whole one.
func cancelled(s stream) (string, error) {
	text := ""
	for {
		m, err := s.Recv()
		if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) { // want `context.Canceled broke the stream off`
			return text, nil
		}
		if err != nil {
			return "", err
		}
		text += m.Text
	}
}

// nopeCancelled stops when it is told to, and gives nothing back.
func nopeCancelled(s stream, emit func(string)) error {
	for {
		m, err := s.Recv()
		if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
			return nil
		}
		if err != nil {
			return err
		}
		emit(m.Text)
	}
}

// Wait tells how the process ended, and nothing else breaks its pipe.
func nopeProcess(cmd *exec.Cmd) ([]string, error) {
	var paths []string
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r := bufio.NewReader(stdout)
	for {
		path, err := r.ReadString(0)
		if path != "" {
			paths = append(paths, path)
		}
		if err != nil {
			break
		}
		if len(paths) > 1000 {
			break
		}
	}
	if err := cmd.Wait(); err != nil {
		return nil, err
	}
	return paths, nil
}

// The same with nobody looking at how it ended.
func process(cmd *exec.Cmd) ([]string, error) {
	var paths []string
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r := bufio.NewReader(stdout)
	for {
		path, err := r.ReadString(0)
		if path != "" {
			paths = append(paths, path)
		}
		if err != nil { // want `is dropped here`
			break
		}
		if len(paths) > 1000 {
			break
		}
	}
	if err := cmd.Wait(); err != nil {
		log.Println(err)
	}
	return paths, nil
}
