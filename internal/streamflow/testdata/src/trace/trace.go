package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func constant() (v any) {
	json.Unmarshal([]byte(`{}`), &v) // want `constant; open`
	return v
}

func parameter(b []byte) (v any) {
	json.Unmarshal(b, &v) // want `parameter; open`
	return v
}

func whole(r *http.Response) (v any) {
	b, _ := io.ReadAll(r.Body)
	json.Unmarshal(b, &v) // want `whole; open`
	return v
}

func file() (v any) {
	b, _ := os.ReadFile("x")
	json.Unmarshal(bytes.TrimSpace(b), &v) // want `whole; open`
	return v
}

func own(x any) (v any) {
	b, _ := json.Marshal(x)
	json.Unmarshal(b, &v) // want `own; open`
	return v
}

func chunk(r io.Reader) (v any) {
	b := make([]byte, 10)
	n, _ := r.Read(b)
	json.Unmarshal(b[:n], &v) // want `chunk; open`
	return v
}

func joined(r io.Reader) (v any) {
	var all []byte
	b := make([]byte, 10)
	for {
		n, err := r.Read(b)
		all = append(all, b[:n]...)
		if err == io.EOF {
			break
		}
	}
	json.Unmarshal(all, &v) // want `constant joined, chunk joined; terminal`
	return v
}

func builder(r io.Reader) (v any) {
	var all strings.Builder
	b := make([]byte, 10)
	for range 3 {
		n, _ := r.Read(b)
		all.Write(b[:n])
		json.Unmarshal([]byte(all.String()), &v) // want `chunk joined; open`
	}
	return v
}

func sprintf(r io.Reader) (v any) {
	b := make([]byte, 10)
	n, _ := r.Read(b)
	s := fmt.Sprintf("[%s]", b[:n])
	json.Unmarshal([]byte(s), &v) // want `chunk; open`
	return v
}

func sections(r io.Reader) (v any) {
	br := bufio.NewReader(r)
	line, _ := br.ReadString('\n')
	json.Unmarshal([]byte(line[5:]), &v) // want `frame; open`
	return v
}

type holder struct{ data []byte }

func field(r io.Reader, h *holder) {
	b := make([]byte, 10)
	n, _ := r.Read(b)
	h.data = b[:n]
}

func (h *holder) decode() (v any) {
	json.Unmarshal(h.data, &v) // want `chunk; open`
	return v
}

func unknown(f func() []byte) (v any) {
	json.Unmarshal(f(), &v) // want `call; open`
	return v
}
