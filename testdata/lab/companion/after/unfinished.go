package after

import (
	"net/http"
	"strings"

	"github.com/streamlint/streamlint/stream/sse"
)

// Answer gives a whole answer, or what there was and an error.
func Answer(resp *http.Response) (string, error) {
	var text strings.Builder
	for ev, err := range sse.OpenAIDone.Events(sse.NewDecoder(resp.Body)) {
		if err != nil {
			return text.String(), err // *sse.IncompleteError if [DONE] did not come
		}
		text.Write(ev.Data)
	}
	return text.String(), nil
}
