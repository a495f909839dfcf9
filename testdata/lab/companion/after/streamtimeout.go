package after

import (
	"context"
	"net/http"
	"time"

	"github.com/streamlint/streamlint/stream/sse"
)

var patient = &sse.Client{
	Terminal:  sse.OpenAIDone,
	HTTP:      &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: 30 * time.Second}}, // no Timeout
	EventIdle: 2 * time.Minute,                                                                   // without an event; comments do not count
}

// Read takes as long as the answer does, if it goes on.
func Read(ctx context.Context, url string, use func(sse.Event)) error {
	for ev, err := range patient.Stream(ctx, sse.Get(url)) {
		if err != nil {
			return err // under *sse.RetryError or *sse.ResumeError: *sse.IdleError
		}
		use(ev)
	}
	return nil
}
