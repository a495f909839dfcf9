package after

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/streamlint/streamlint/stream/textstream"
)

type progress struct {
	enc  *json.Encoder
	text textstream.Decoder
}

type event struct {
	Text string `json:"text"`
}

// Write sends the characters that are finished; at most three bytes wait.
func (p *progress) Write(b []byte) (int, error) {
	text, err := p.text.Append(nil, b)
	if len(text) > 0 {
		err = errors.Join(err, p.enc.Encode(event{Text: string(text)}))
	}
	return len(b), err
}

// Forward sends output on as events.
func Forward(output io.Reader, w io.Writer) error {
	p := &progress{enc: json.NewEncoder(w)}
	_, err := io.Copy(p, output)
	if err == nil {
		_, err = p.text.Flush(nil) // the output ended inside a character
	}
	return err
}
