// Package crosslib encodes for package cross.
package crosslib

import (
	"encoding/json"
	"io"

	"github.com/gorilla/websocket"
)

type line struct{ Text string }

func Say(w io.Writer, text string) error { // want Say:"text.1."
	return json.NewEncoder(w).Encode(line{text})
}

type Page struct{ Conn *websocket.Conn }

func (p *Page) Show(b []byte) error { // want Show:"text.1."
	return p.Conn.WriteMessage(websocket.TextMessage, b)
}

func (p *Page) Bytes(b []byte) error {
	return p.Conn.WriteMessage(websocket.BinaryMessage, b)
}
