// Package usersdk hides what it does from the checks.
package usersdk

import "net/http"

// Session keeps a client.
type Session struct{}

// Pump is given an answer.
func Pump(resp *http.Response) error { return nil }

// Dial is given a client.
func Dial(c *http.Client) *Session { return &Session{} }

// Listen streams.
func (s *Session) Listen() {}

// Ping does not.
func (s *Session) Ping() {}
