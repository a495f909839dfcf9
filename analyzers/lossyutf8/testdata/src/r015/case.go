// Package r015: skanehira/rtty#2, gravitational/teleport#284, genshen/ssh-web-console#7,
// gorilla/websocket#168. Terminal output goes out as websocket text frames; the browser
// closes the connection at the first split character.
package r015

import (
	"io"

	"github.com/gorilla/websocket"
)

func pumpTerminal(pty io.Reader, ws *websocket.Conn) error {
	buf := make([]byte, 4096)
	for {
		n, err := pty.Read(buf)
		if n > 0 {
			if werr := ws.WriteMessage(websocket.TextMessage, buf[:n]); werr != nil { // want `lossyutf8: `
				return werr
			}
		}
		if err != nil {
			return err
		}
	}
}
