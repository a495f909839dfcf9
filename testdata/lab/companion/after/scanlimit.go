package after

import (
	"io"
	"net/http"

	"github.com/streamlint/streamlint/stream/sse"
)

// Events hands on each event. The data is valid until use returns.
func Events(resp *http.Response, use func(data []byte)) error {
	d := sse.NewDecoder(resp.Body, sse.WithMaxEventSize(64<<20)) // of an event; the default is 16 MiB
	for {
		ev, err := d.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err // *sse.TooLongError says which event
		}
		use(ev.Data)
	}
}
