// Package r020: HKUDS/nanobot#4038, aden-hive/hive#5923, Gitlawb/zero#228 (review). The whole
// request is sent again after tokens already reached the caller.
package r020

import (
	"context"
	"time"
)

type client struct {
	// once opens one stream and reports every token; it returns nil only after the
	// terminal marker.
	once func(ctx context.Context, prompt string, token func(string)) error
}

func (c *client) generate(ctx context.Context, prompt string, token func(string)) error {
	var err error
	for attempt := range 3 {
		err = c.once(ctx, prompt, token) // want `blindretry: `
		if err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(time.Duration(attempt+1) * time.Second)
	}
	return err
}
