// Package funcvar decodes with functions that variables hold.
package funcvar

import (
	stdjson "encoding/json"
	"net"

	"funcvar/json"
)

type doc struct{ A int }

var unmarshal = stdjson.Unmarshal

var hook func([]byte, any) error

func own(conn net.Conn) (d doc, err error) {
	buf := make([]byte, 4096)
	n, err := conn.Read(buf)
	if err != nil {
		return d, err
	}
	err = unmarshal(buf[:n], &d) // want `json.Unmarshal decodes one chunk`
	return d, err
}

func ofPackage(conn net.Conn) (d doc, err error) {
	buf := make([]byte, 4096)
	n, err := conn.Read(buf)
	if err != nil {
		return d, err
	}
	err = json.Unmarshal(buf[:n], &d) // want `json.Unmarshal decodes one chunk`
	return d, err
}

func nopeChanged(conn net.Conn) (d doc, err error) {
	buf := make([]byte, 4096)
	n, err := conn.Read(buf)
	if err != nil {
		return d, err
	}
	if err := hook(buf[:n], &d); err == nil {
		return d, nil
	}
	if err := json.Swapped(buf[:n], &d); err == nil {
		return d, nil
	}
	err = json.Shared(buf[:n], &d)
	return d, err
}
