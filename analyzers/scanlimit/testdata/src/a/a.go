// Package a holds scanners over streams, and their right twins.
package a

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

func body(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body) // want `bufio.Scanner over response.Body stops at a line of 64 KiB`
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

const maxEvent = 8 << 20

func nopeBuffer(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	sc.Buffer(make([]byte, 0, 4096), maxEvent)
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func smallBuffer(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	buf := make([]byte, 0, 4096)
	sc.Buffer(buf, 32*1024) // want `the scanner over response.Body \(line \d+\) stops at a line of 32 KiB`
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

// nopeLargeBuffer: the scanner takes the larger of the maximum and the buffer.
func nopeLargeBuffer(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	sc.Buffer(make([]byte, 1<<20), 1)
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func nopeVariableMax(resp *http.Response, limit int, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	sc.Buffer(nil, limit)
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func lenOfBuffer(conn net.Conn, emit func(string)) error {
	sc := bufio.NewScanner(bufio.NewReader(conn))
	buf := make([]byte, 16*1024)
	sc.Buffer(buf, len(buf)) // want `stops at a line of 16 KiB`
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

// A field: made in one method, scanned in another.
type client struct {
	cmd *exec.Cmd
	out *bufio.Scanner
	log *bufio.Scanner
}

func (c *client) start() error {
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	stderr, err := c.cmd.StderrPipe()
	if err != nil {
		return err
	}
	c.out = bufio.NewScanner(stdout) // want `bufio.Scanner over Cmd.StdoutPipe stops`
	c.log = bufio.NewScanner(stderr)
	c.configure()
	return c.cmd.Start()
}

// configure is where the twin gets its cap.
func (c *client) configure() { c.log.Buffer(nil, maxEvent) }

func (c *client) next() (string, error) {
	if c.out.Scan() {
		return c.out.Text(), nil
	}
	return "", c.out.Err()
}

func (c *client) nextLog() (string, error) {
	if c.log.Scan() {
		return c.log.Text(), nil
	}
	return "", c.log.Err()
}

// A constructor whose reader comes from a caller.
type events struct{ sc *bufio.Scanner }

func newEvents(r io.Reader) *events {
	return &events{sc: bufio.NewScanner(r)} // want `bufio.Scanner over response.Body stops`
}

func (e *events) Next() bool   { return e.sc.Scan() }
func (e *events) Data() []byte { return e.sc.Bytes() }
func (e *events) Err() error   { return e.sc.Err() }

func open(url string) (*events, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	return newEvents(resp.Body), nil
}

// The twin whose reader is memory.
type words struct{ sc *bufio.Scanner }

func newWords(r io.Reader) *words { return &words{sc: bufio.NewScanner(r)} }

func (w *words) Next() bool   { return w.sc.Scan() }
func (w *words) Data() string { return w.sc.Text() }

func nopeMemory(text string) *words { return newWords(strings.NewReader(text)) }

// A helper that sets the cap.
func nopeHelper(conn net.Conn, emit func(string)) error {
	sc := lines(conn)
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func lines(r io.Reader) *bufio.Scanner {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxEvent)
	return sc
}

// A helper that does not.
func helper(conn net.Conn, emit func(string)) error {
	sc := bare(conn)
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func bare(r io.Reader) *bufio.Scanner {
	return bufio.NewScanner(r) // want `bufio.Scanner over conn stops`
}

// A closure scans.
func closure(resp *http.Response) <-chan string {
	sc := bufio.NewScanner(resp.Body) // want `bufio.Scanner`
	ch := make(chan string)
	go func() {
		defer close(ch)
		for sc.Scan() {
			ch <- sc.Text()
		}
	}()
	return ch
}

// A split function of one's own does not lift the limit.
func split(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body) // want `bufio.Scanner`
	sc.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.Index(data, []byte("\n\n")); i >= 0 {
			return i + 2, data[:i], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

// This one hands an over-long line over in parts.
func nopeSplitAtSize(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body)
	sc.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		n, line, err := bufio.ScanLines(data, atEOF)
		if n == 0 && len(data) >= 32*1024 {
			return len(data), data, nil
		}
		return n, line, err
	})
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func nopeWords(resp *http.Response) (n int, err error) {
	sc := bufio.NewScanner(resp.Body)
	sc.Split(bufio.ScanWords)
	for sc.Scan() {
		n += len(sc.Text())
	}
	return n, sc.Err()
}

func explicitLines(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(resp.Body) // want `bufio.Scanner`
	sc.Split(bufio.ScanLines)
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func nopeLimited(resp *http.Response) string {
	sc := bufio.NewScanner(io.LimitReader(resp.Body, 4096))
	if sc.Scan() {
		return sc.Text()
	}
	return ""
}

func unlimited(resp *http.Response, emit func(string)) error {
	sc := bufio.NewScanner(io.LimitReader(resp.Body, 64<<20)) // want `bufio.Scanner`
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func nopeFile(name string) (n int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		n += len(sc.Text())
	}
	return n, sc.Err()
}

func nopeZippedFile(name string) (n int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		return 0, err
	}
	sc := bufio.NewScanner(zr)
	for sc.Scan() {
		n += len(sc.Text())
	}
	return n, sc.Err()
}

func zippedBody(resp *http.Response, emit func(string)) error {
	zr, err := gzip.NewReader(resp.Body)
	if err != nil {
		return err
	}
	sc := bufio.NewScanner(zr) // want `bufio.Scanner over response.Body`
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func nopeStdin(emit func(string)) error {
	sc := bufio.NewScanner(os.Stdin)
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

// nopeTrigger counts lines and looks at none.
func nopeTrigger(conn net.Conn, hit func()) {
	sc := bufio.NewScanner(conn)
	for sc.Scan() {
		hit()
	}
}

// A reader of the caller's: what is read from it tells.
func Decode(r io.Reader, emit func(map[string]any)) error {
	sc := bufio.NewScanner(r) // want `bufio.Scanner over r stops`
	for sc.Scan() {
		var v map[string]any
		if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
			return err
		}
		emit(v)
	}
	return sc.Err()
}

func DecodeEvents(r io.Reader, emit func(string)) error {
	sc := bufio.NewScanner(r) // want `bufio.Scanner over r stops`
	for sc.Scan() {
		name, value, _ := strings.Cut(sc.Text(), ":")
		switch name {
		case "data":
			emit(value)
		}
	}
	return sc.Err()
}

func NopePairs(r io.Reader, emit func(k, v string)) error {
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		if k, v, ok := strings.Cut(sc.Text(), "="); ok {
			emit(k, v)
		}
	}
	return sc.Err()
}

// NewLines hands the scanner out: the caller can call Buffer.
func NewLines(resp *http.Response) *bufio.Scanner { return bufio.NewScanner(resp.Body) }

// Parser lets its user choose.
type Parser struct{ sc *bufio.Scanner }

func NewParser(resp *http.Response) *Parser { return &Parser{sc: bufio.NewScanner(resp.Body)} }

func (p *Parser) Buffer(buf []byte, max int) { p.sc.Buffer(buf, max) }

func (p *Parser) Next() (string, error) {
	if p.sc.Scan() {
		return p.sc.Text(), nil
	}
	return "", p.sc.Err()
}

// The log of a pod: a reader that must be closed, opened with a context.
type logs interface {
	Stream(ctx context.Context) (io.ReadCloser, error)
}

func follow(ctx context.Context, l logs, emit func(string)) error {
	r, err := l.Stream(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	sc := bufio.NewScanner(r) // want `bufio.Scanner over logs.Stream stops`
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func readLine(conn net.Conn, emit func(string)) error {
	br := bufio.NewReader(conn)
	for {
		line, _, err := br.ReadLine() // want `isPrefix`
		if err != nil {
			return err
		}
		emit(string(line))
	}
}

func nopeReadLine(conn net.Conn, emit func(string)) error {
	br := bufio.NewReader(conn)
	var whole []byte
	for {
		line, more, err := br.ReadLine()
		if err != nil {
			return err
		}
		whole = append(whole, line...)
		if !more {
			emit(string(whole))
			whole = whole[:0]
		}
	}
}

// Two pipes of our own.
func pipe(emit func(string)) error {
	pr, pw := io.Pipe()
	go func() { pw.CloseWithError(produce(pw)) }()
	sc := bufio.NewScanner(pr) // want `bufio.Scanner over io.Pipe stops`
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func produce(w io.Writer) error { return nil }

func nopeIgnored(resp *http.Response, emit func(string)) error {
	//streamlint:ignore scanlimit this server's lines have at most 80 bytes
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}
