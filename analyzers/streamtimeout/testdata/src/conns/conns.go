package conns

import (
	"bufio"
	"io"
	"net"
	"time"
)

func once(conn net.Conn, on func(string)) error {
	if err := conn.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil { // want `the deadline is set once, 30s ahead`
		return err
	}
	sc := bufio.NewScanner(conn)
	for sc.Scan() {
		on(sc.Text())
	}
	return sc.Err()
}

type peer struct {
	conn *net.TCPConn
	out  chan []byte
}

func (p *peer) run() {
	p.conn.SetDeadline(time.Now().Add(time.Minute)) // want `the deadline is set once, 1m ahead`
	buf := make([]byte, 1024)
	for {
		n, err := p.conn.Read(buf)
		if err != nil {
			return
		}
		p.out <- append([]byte(nil), buf[:n]...)
	}
}

// nopeEach moves it before each read.
func nopeEach(conn net.Conn, on func(string)) error {
	br := bufio.NewReader(conn)
	for {
		conn.SetReadDeadline(time.Now().Add(30 * time.Second))
		line, err := br.ReadString('\n')
		if err != nil {
			return err
		}
		on(line)
	}
}

// nopeMoved sets it first, and moves it after each piece.
func nopeMoved(conn net.Conn, on func(string)) error {
	conn.SetReadDeadline(time.Now().Add(30 * time.Second))
	sc := bufio.NewScanner(conn)
	for sc.Scan() {
		conn.SetReadDeadline(time.Now().Add(30 * time.Second))
		on(sc.Text())
	}
	return sc.Err()
}

// nopeHandshake takes it off after the greeting.
func nopeHandshake(conn net.Conn, on func(string)) error {
	conn.SetDeadline(time.Now().Add(5 * time.Second))
	br := bufio.NewReader(conn)
	if _, err := br.ReadString('\n'); err != nil {
		return err
	}
	conn.SetDeadline(time.Time{})
	for {
		line, err := br.ReadString('\n')
		if err != nil {
			return err
		}
		on(line)
	}
}

// nopeAnswer reads one answer to its end.
func nopeAnswer(conn net.Conn) ([]byte, error) {
	conn.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := conn.Write([]byte("stats\n")); err != nil {
		return nil, err
	}
	return io.ReadAll(conn)
}

// nopeLines collects the lines of one answer.
func nopeLines(conn net.Conn) (lines []string, err error) {
	conn.SetDeadline(time.Now().Add(5 * time.Second))
	sc := bufio.NewScanner(conn)
	for sc.Scan() {
		if sc.Text() == "END" {
			break
		}
		lines = append(lines, sc.Text())
	}
	return lines, sc.Err()
}

// nopeParameter is the caller's.
func nopeParameter(conn net.Conn, limit time.Duration, on func(string)) error {
	conn.SetReadDeadline(time.Now().Add(limit))
	sc := bufio.NewScanner(conn)
	for sc.Scan() {
		on(sc.Text())
	}
	return sc.Err()
}
