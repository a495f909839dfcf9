package after

import (
	"encoding/json"

	"github.com/streamlint/streamlint/stream/textstream"
)

// Preview is the start of an answer, at most 80 bytes of it.
func Preview(answer string) ([]byte, error) {
	return json.Marshal(map[string]string{"preview": textstream.Truncate(answer, 80)})
}
