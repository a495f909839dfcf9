// Package cross hands chunks to another package.
package cross

import (
	"io"
	"os"

	"crosslib"
)

func say(r io.Reader) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		crosslib.Say(os.Stdout, string(buf[:n])) // want `lossyutf8: crosslib.Say gets`
	}
}

func show(r io.Reader, p *crosslib.Page) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		p.Show(buf[:n]) // want `lossyutf8: Page.Show gets`
	}
}

func nopeBytes(r io.Reader, p *crosslib.Page) {
	buf := make([]byte, 512)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		p.Bytes(buf[:n])
	}
}
