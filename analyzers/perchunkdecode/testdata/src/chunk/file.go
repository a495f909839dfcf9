package chunk

import (
	"encoding/json"
	"io"
	"os"
)

// A local file is there as a whole; what its one Read leaves out is no stream's
// doing.
func nopeLocalFile(name string) (d doc, err error) {
	f, err := os.Open(name)
	if err != nil {
		return d, err
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	n, err := f.Read(buf)
	if err != nil {
		return d, err
	}
	return d, json.Unmarshal(buf[:n], &d)
}

// A device is a stream, whatever the package calls it.
func device() (d doc, err error) {
	f, err := os.Open("/dev/ttyUSB0")
	if err != nil {
		return d, err
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	n, err := f.Read(buf)
	if err != nil {
		return d, err
	}
	return d, json.Unmarshal(buf[:n], &d) // want `json.Unmarshal decodes one chunk`
}

// A record whose size somebody knows, and a read whose error is looked at.
func nopeSized(r io.Reader, size int) (d doc, err error) {
	buf := make([]byte, size)
	if _, err := r.Read(buf); err != nil {
		return d, err
	}
	return d, json.Unmarshal(buf, &d)
}
