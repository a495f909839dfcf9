// Command cacheprog is a build cache that several machines share, for the go command's
// GOCACHEPROG: entries lie in -store, and what is taken from there is copied to -local,
// as a program would do that fetches them over a network.
//
// The protocol is JSON on standard input and output, one request or answer after the
// other; see "go doc cmd/go/internal/cacheprog".
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type request struct {
	ID       int64
	Command  string
	ActionID []byte
	OutputID []byte
	BodySize int64
}

type response struct {
	ID            int64
	Err           string     `json:",omitempty"`
	KnownCommands []string   `json:",omitempty"`
	Miss          bool       `json:",omitempty"`
	OutputID      []byte     `json:",omitempty"`
	Size          int64      `json:",omitempty"`
	Time          *time.Time `json:",omitempty"`
	DiskPath      string     `json:",omitempty"`
}

func main() {
	store := flag.String("store", "", "directory that all machines share")
	local := flag.String("local", "", "directory of this machine")
	flag.Parse()
	if err := serve(*store, *local, os.Stdin, os.Stdout); err != nil {
		log.Fatal("cacheprog: ", err)
	}
}

func serve(store, local string, stdin io.Reader, stdout io.Writer) error {
	for _, dir := range []string{store, local} {
		if !filepath.IsAbs(dir) {
			return fmt.Errorf("%q is no absolute path", dir)
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(stdout)
	enc := json.NewEncoder(out)
	answer := func(r response) error {
		if err := enc.Encode(r); err != nil {
			return err
		}
		return out.Flush()
	}
	if err := answer(response{KnownCommands: []string{"get", "put", "close"}}); err != nil {
		return err
	}
	for dec := json.NewDecoder(bufio.NewReader(stdin)); ; {
		var req request
		if err := dec.Decode(&req); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		resp := response{ID: req.ID}
		var err error
		switch req.Command {
		case "get":
			err = get(store, local, &req, &resp)
		case "put":
			var body []byte
			if req.BodySize > 0 {
				if err := dec.Decode(&body); err != nil {
					return err
				}
			}
			err = put(store, local, &req, &resp, body)
		case "close":
			return answer(resp)
		default:
			err = fmt.Errorf("unknown command %q", req.Command)
		}
		if err != nil {
			resp = response{ID: req.ID, Err: err.Error()}
		}
		if err := answer(resp); err != nil {
			return err
		}
	}
}

func get(store, local string, req *request, resp *response) error {
	entry, err := os.ReadFile(filepath.Join(store, "a-"+hex.EncodeToString(req.ActionID)))
	if os.IsNotExist(err) {
		resp.Miss = true
		return nil
	}
	if err != nil {
		return err
	}
	id := strings.TrimSpace(string(entry))
	if resp.OutputID, err = hex.DecodeString(id); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(store, "o-"+id))
	if err != nil {
		return err
	}
	return keep(local, id, data, resp)
}

func put(store, local string, req *request, resp *response, body []byte) error {
	id := hex.EncodeToString(req.OutputID)
	if err := write(filepath.Join(store, "o-"+id), body); err != nil {
		return err
	}
	if err := write(filepath.Join(store, "a-"+hex.EncodeToString(req.ActionID)), []byte(id+"\n")); err != nil {
		return err
	}
	return keep(local, id, body, resp)
}

// keep puts an output where the go command reads it.
func keep(local, id string, data []byte, resp *response) error {
	now := time.Now()
	resp.Size, resp.Time, resp.DiskPath = int64(len(data)), &now, filepath.Join(local, id)
	if old, err := os.ReadFile(resp.DiskPath); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return write(resp.DiskPath, data)
}

// write makes a file that others see whole or not at all.
func write(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
