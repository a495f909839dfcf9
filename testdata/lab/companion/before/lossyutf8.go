package before

import (
	"encoding/json"
	"io"
)

type progress struct{ enc *json.Encoder }

type event struct {
	Text string `json:"text"`
}

// Write sends a child process's output on as events.
func (p *progress) Write(b []byte) (int, error) {
	return len(b), p.enc.Encode(event{Text: string(b)}) // half a character becomes U+FFFD
}

func forward(output io.Reader, w io.Writer) error {
	_, err := io.Copy(&progress{json.NewEncoder(w)}, output)
	return err
}
