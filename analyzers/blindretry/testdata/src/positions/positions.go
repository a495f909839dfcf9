// Package positions keeps how far a stream was read, or loses it.
package positions

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"time"
)

type sink interface {
	Add(at time.Time, line string)
}

type tailer struct {
	last map[string]time.Time
	sink sink
}

func (t *tailer) tail(ctx context.Context, id string) error {
	since := time.Time{}
	if ts, ok := t.last[id]; ok {
		since = ts
	}
	resp, err := http.Get("http://host/" + id + "?since=" + since.Format(time.RFC3339)) // want `blindretry: http.Get begins at a position that is kept only`
	if err != nil {
		return err
	}
	last, err := t.read(resp.Body)
	if err != nil {
		return err
	}
	t.last[id] = last
	return nil
}

func (t *tailer) nopeKept(ctx context.Context, id string) error {
	since := time.Time{}
	if ts, ok := t.last[id]; ok {
		since = ts
	}
	resp, err := http.Get("http://host/" + id + "?since=" + since.Format(time.RFC3339))
	if err != nil {
		return err
	}
	last, err := t.read(resp.Body)
	t.last[id] = last
	return err
}

func (t *tailer) read(r io.ReadCloser) (time.Time, error) {
	defer r.Close()
	var last time.Time
	br := bufio.NewReader(r)
	for {
		line, err := br.ReadString('\n')
		if len(line) > 0 {
			last = time.Now()
			t.sink.Add(last, line)
		}
		if err == io.EOF {
			return last, nil
		}
		if err != nil {
			return last, err
		}
	}
}
