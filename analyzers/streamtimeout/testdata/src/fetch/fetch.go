// Package fetch has tools for agents.
package fetch

import (
	"context"
	"io"
	"net/http"

	"charm.land/fantasy"
)

type page struct{ client *http.Client }

func (page) Name() string { return "page" }

// Get reads a page whole.
func (p page) Get(ctx context.Context, req *http.Request) ([]byte, error) {
	resp, err := p.client.Do(req.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// NewTool makes a tool that fetches pages with the client.
func NewTool(c *http.Client) fantasy.AgentTool { return page{c} }
