package after

import (
	"io"

	"github.com/streamlint/streamlint/stream/envelope"
	"github.com/streamlint/streamlint/stream/toolcall"
)

// Verdict reads the field of a message that proves it is whole.
func Verdict(r io.Reader) (string, error) {
	body, err := envelope.Read(r, envelope.Require("verdict"))
	if err != nil {
		return "", err // a cut message is refused at every offset
	}
	return body.Text("verdict")
}

func showCalls(turn *toolcall.Turn, show func(name, raw string)) {
	for _, p := range turn.Previews() { // cut text to look at; it cannot become a Call
		show(p.Name, p.Text)
	}
}
