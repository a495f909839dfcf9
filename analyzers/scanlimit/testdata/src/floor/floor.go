// Package floor is looked at with -min.
package floor

import (
	"bufio"
	"net"
)

func below(conn net.Conn, emit func(string)) error {
	sc := bufio.NewScanner(conn)
	sc.Buffer(nil, 512<<10) // want `stops at a line of 512 KiB`
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}

func nopeAbove(conn net.Conn, emit func(string)) error {
	sc := bufio.NewScanner(conn)
	sc.Buffer(nil, 2<<20)
	for sc.Scan() {
		emit(sc.Text())
	}
	return sc.Err()
}
