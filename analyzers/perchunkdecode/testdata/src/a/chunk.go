package a

import (
	"encoding/json"
	"net"
)

type request struct {
	Method string `json:"method"`
}

func readLoop(conn net.Conn, handle func(request)) error {
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return err
		}
		var req request
		if err := json.Unmarshal(buf[:n], &req); err != nil { // want `perchunkdecode: json.Unmarshal decodes one chunk \(Conn.Read, line 15\)`
			return err
		}
		handle(req)
	}
}

func nopeDecoder(conn net.Conn, handle func(request)) error {
	dec := json.NewDecoder(conn)
	for {
		var req request
		if err := dec.Decode(&req); err != nil {
			return err
		}
		handle(req)
	}
}
