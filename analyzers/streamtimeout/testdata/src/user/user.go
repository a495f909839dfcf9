// Package user has functions that only a setting tells the meaning of.
package user

import (
	"net/http"
	"time"

	"usersdk"
)

func reads(req *http.Request) error {
	c := &http.Client{Timeout: 20 * time.Second} // want `http.Client.Timeout \(20s\)`
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return usersdk.Pump(resp)
}

func keeps() {
	s := usersdk.Dial(&http.Client{Timeout: 10 * time.Second}) // want `http.Client.Timeout \(10s\)`
	s.Listen()
}

func nopeOther() {
	s := usersdk.Dial(&http.Client{Timeout: 10 * time.Second})
	s.Ping()
}
