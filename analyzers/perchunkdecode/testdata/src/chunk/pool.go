package chunk

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"net"
	"sync"
)

var buffers = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

// A buffer out of a pool holds what was read into it last.
func pooled(conn net.Conn, emit func(doc)) error {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for {
		n, err := conn.Read(*buf)
		if err != nil {
			return err
		}
		var d doc
		if err := json.Unmarshal((*buf)[:n], &d); err != nil { // want `json.Unmarshal decodes one chunk`
			return err
		}
		emit(d)
	}
}

func scratch() ([]byte, func()) {
	b := *buffers.Get().(*[]byte)
	return b, func() { buffers.Put(&b) }
}

func fromHelper(conn net.Conn, emit func(doc)) error {
	buf, free := scratch()
	defer free()
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return err
		}
		var d doc
		if err := json.Unmarshal(buf[:n], &d); err != nil { // want `json.Unmarshal decodes one chunk`
			return err
		}
		emit(d)
	}
}

func nopePooledRecord(conn net.Conn, emit func(doc)) error {
	buf, free := scratch()
	defer free()
	for {
		if _, err := io.ReadFull(conn, buf[:4]); err != nil {
			return err
		}
		n := int(binary.BigEndian.Uint32(buf))
		if _, err := io.ReadFull(conn, buf[:n]); err != nil {
			return err
		}
		var d doc
		if err := json.Unmarshal(buf[:n], &d); err != nil {
			return err
		}
		emit(d)
	}
}
