// Package r006: foomo/contentserver#4, sacOO7/socketcluster-client-go#4.
// Works with short requests; a document over one packet gives
// "unexpected end of JSON input".
package r006

import (
	"encoding/json"
	"net"
)

type request struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

func serve(conn net.Conn, handle func(request) error) error {
	buf := make([]byte, 64<<10)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return err
		}
		var req request
		if err := json.Unmarshal(buf[:n], &req); err != nil { // want `perchunkdecode: `
			return err
		}
		if err := handle(req); err != nil {
			return err
		}
	}
}
