// Package websocket has the names of coder/websocket that the tests use.
package websocket

import (
	"context"
	"net/http"
)

type MessageType int

type Conn struct{}

type DialOptions struct{ HTTPClient *http.Client }

func Dial(ctx context.Context, url string, opts *DialOptions) (*Conn, *http.Response, error) {
	return nil, nil, nil
}

func (c *Conn) Read(ctx context.Context) (MessageType, []byte, error) { return 0, nil, nil }
