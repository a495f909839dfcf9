// Package a holds plans that are the parts of one document.
package a

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
)

type op struct {
	SQL  string   `json:"sql"`
	Path string   `json:"path"`
	Data []byte   `json:"data"`
	Args []string `json:"args"`
}

// The naive form of a schema job.
func Fetch(ctx context.Context, client *http.Client, url string, db *sql.DB) (int, error) {
	resp, err := client.Get(url)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return schema(ctx, db, resp.Body)
}

func schema(ctx context.Context, db *sql.DB, r io.Reader) (int, error) {
	dec := json.NewDecoder(r)
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
		if tok == "statements" {
			break
		}
	}
	if _, err := dec.Token(); err != nil {
		return 0, err
	}
	n := 0
	for dec.More() {
		var stmt string
		if err := dec.Decode(&stmt); err != nil {
			break
		}
		if _, err := db.ExecContext(ctx, stmt); err != nil { // want `still being received from response.Body`
			return 0, err
		}
		n++
	}
	return n, nil
}

// In a helper, with a pointer.
func inHelper(db *sql.DB, r io.Reader) error {
	dec := json.NewDecoder(r)
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		o := new(op)
		if err := dec.Decode(o); err != nil {
			return err
		}
		if err := run(db, o); err != nil {
			return err
		}
	}
	return nil
}

func run(db *sql.DB, o *op) error {
	if o.SQL == "" {
		return errors.New("empty")
	}
	_, err := db.Exec(fmt.Sprintf("/* plan */ %s", o.SQL)) // want `still being received from r`
	return err
}

// The same helper on a transaction.
func nopeHelperTx(db *sql.DB, r io.Reader) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	dec := json.NewDecoder(r)
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		o := new(op)
		if err := dec.Decode(o); err != nil {
			return err
		}
		if err := runTx(tx, o); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func runTx(tx *sql.Tx, o *op) error {
	_, err := tx.Exec(o.SQL)
	return err
}

// A function that takes one item and applies it.
func applyOne(db *sql.DB, dec *json.Decoder) error {
	var o op
	if err := dec.Decode(&o); err != nil {
		return err
	}
	_, err := db.Exec(o.SQL) // want `still being received`
	return err
}

func oneByOne(db *sql.DB, r io.Reader) error {
	dec := json.NewDecoder(r)
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		if err := applyOne(db, dec); err != nil {
			return err
		}
	}
	return nil
}

// A statement prepared outside of a transaction.
func prepared(db *sql.DB, r io.Reader) error {
	st, err := db.Prepare("INSERT INTO t VALUES (?)")
	if err != nil {
		return err
	}
	defer st.Close()
	dec := json.NewDecoder(r)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if _, err := st.Exec(o.Path); err != nil { // want `Stmt.Exec`
			return err
		}
	}
	return nil
}

func nopePreparedTx(db *sql.DB, r io.Reader) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	st, err := tx.Prepare("INSERT INTO t VALUES (?)")
	if err != nil {
		return err
	}
	dec := json.NewDecoder(r)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if _, err := st.Exec(o.Path); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// A statement of unknown making may be one of a transaction.
func nopeGivenStmt(st *sql.Stmt, r io.Reader) error {
	dec := json.NewDecoder(r)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if _, err := st.Exec(o.Path); err != nil {
			return err
		}
	}
	return nil
}

// BEGIN by hand on one connection.
func nopeBegin(ctx context.Context, conn *sql.Conn, r io.Reader) error {
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	dec := json.NewDecoder(r)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			conn.ExecContext(ctx, "ROLLBACK")
			return err
		}
		if _, err := conn.ExecContext(ctx, o.SQL); err != nil {
			return err
		}
	}
	_, err := conn.ExecContext(ctx, "COMMIT")
	return err
}

func conn(ctx context.Context, conn *sql.Conn, r io.Reader) error {
	dec := json.NewDecoder(r)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, o.SQL); err != nil { // want `Conn.ExecContext`
			return err
		}
	}
	return nil
}

// Each row can be brought to its state again.
func nopeUpsert(db *sql.DB, r io.Reader) error {
	dec := json.NewDecoder(r)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if _, err := db.Exec("INSERT INTO t VALUES (?) ON CONFLICT DO NOTHING", o.Path); err != nil {
			return err
		}
	}
	return nil
}

// A new table takes the place of the old one when it is whole.
func nopeSwap(db *sql.DB, r io.Reader) error {
	dec := json.NewDecoder(r)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if _, err := db.Exec("INSERT INTO t_new VALUES (?)", o.Path); err != nil {
			return err
		}
	}
	_, err := db.Exec("ALTER TABLE t_new RENAME TO t")
	return err
}

// Documents that follow each other: each is a unit.
func nopeSequence(db *sql.DB, r io.Reader) error {
	dec := json.NewDecoder(r)
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if _, err := db.Exec("INSERT INTO t VALUES (?)", o.Path); err != nil {
			return err
		}
	}
	return nil
}

// Collected first.
func nopeCollected(db *sql.DB, r io.Reader) error {
	dec := json.NewDecoder(r)
	dec.Token()
	var ops []op
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		ops = append(ops, o)
	}
	if _, err := dec.Token(); err != nil {
		return err
	}
	for _, o := range ops {
		if _, err := db.Exec(o.SQL); err != nil {
			return err
		}
	}
	return nil
}

// In batches, on purpose.
func nopeBatches(db *sql.DB, r io.Reader) error {
	dec := json.NewDecoder(r)
	dec.Token()
	var batch []any
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		batch = append(batch, o.Path)
		if len(batch) == 100 {
			if _, err := db.Exec("INSERT INTO t VALUES (?)", batch...); err != nil {
				return err
			}
			batch = nil
		}
	}
	return nil
}

// Files on disk and memory are there as a whole.
func nopeFile(db *sql.DB, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	dec := json.NewDecoder(f)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if _, err := db.Exec(o.SQL); err != nil {
			return err
		}
	}
	return nil
}

func nopeMemory(db *sql.DB, raw []byte) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if _, err := db.Exec(o.SQL); err != nil {
			return err
		}
	}
	return nil
}

// A row that has nothing to do with the item.
func nopeCounter(db *sql.DB, r io.Reader) (out []op, err error) {
	dec := json.NewDecoder(r)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return nil, err
		}
		if _, err := db.Exec("UPDATE progress SET n = n + 1"); err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// Files.
func files(dir string, r *http.Response) error {
	dec := json.NewDecoder(r.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, o.Path), o.Data, 0o644); err != nil { // want `item is written to disk .os.WriteFile.`
			return err
		}
	}
	return nil
}

func removals(r *http.Response) error {
	dec := json.NewDecoder(r.Body)
	dec.Token()
	for dec.More() {
		var path string
		if err := dec.Decode(&path); err != nil {
			return err
		}
		if err := os.RemoveAll(path); err != nil { // want `item is removed .os.RemoveAll.`
			return err
		}
	}
	return nil
}

func nopeStaged(dir string, r *http.Response) error {
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "plan")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	dec := json.NewDecoder(r.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(tmp, o.Path), o.Data, 0o644); err != nil {
			return err
		}
	}
	return os.Rename(tmp, dir)
}

func nopeRenamed(dir string, r *http.Response) error {
	dec := json.NewDecoder(r.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir+".new", o.Path), o.Data, 0o644); err != nil {
			return err
		}
	}
	return os.Rename(dir+".new", dir)
}

// A cache: what is there already is left alone.
func nopeCached(dir string, r *http.Response) error {
	dec := json.NewDecoder(r.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		path := filepath.Join(dir, o.Path)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := os.WriteFile(path, o.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// One open file.
func nopeOneFile(out *os.File, r *http.Response) error {
	dec := json.NewDecoder(r.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		fmt.Println(o.Path)
		if _, err := out.Write(o.Data); err != nil {
			return err
		}
	}
	return nil
}

// Commands.
func commands(ctx context.Context, r *http.Response) error {
	dec := json.NewDecoder(r.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, "git", o.Args...)
		cmd.Stdout = os.Stdout
		if err := cmd.Run(); err != nil { // want `item is run .Cmd.Run.`
			return err
		}
	}
	return nil
}

// Requests that write.
func requests(ctx context.Context, client *http.Client, r *http.Response) error {
	dec := json.NewDecoder(r.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		raw, err := json.Marshal(o)
		if err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://example.com/ops", bytes.NewReader(raw))
		if err != nil {
			return err
		}
		resp, err := client.Do(req) // want `item is sent to a server .Client.Do.`
		if err != nil {
			return err
		}
		resp.Body.Close()
	}
	return nil
}

func nopeRequests(ctx context.Context, client *http.Client, r *http.Response) error {
	dec := json.NewDecoder(r.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://example.com/ops/"+o.Path, nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
	}
	return nil
}

// Another goroutine applies what comes through a channel.
func channel(db *sql.DB, r *http.Response) error {
	ops := make(chan op)
	done := make(chan error, 1)
	go func() {
		for o := range ops {
			if _, err := db.Exec(o.SQL); err != nil { // want `statement is executed`
				done <- err
				return
			}
		}
		done <- nil
	}()
	dec := json.NewDecoder(r.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		ops <- o
	}
	close(ops)
	return <-done
}

// The consumer of the channel collects.
func nopeChannel(db *sql.DB, r *http.Response) error {
	ops := make(chan op)
	all := make(chan []op)
	go func() {
		var list []op
		for o := range ops {
			list = append(list, o)
		}
		all <- list
	}()
	dec := json.NewDecoder(r.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		ops <- o
	}
	close(ops)
	for _, o := range <-all {
		if _, err := db.Exec(o.SQL); err != nil {
			return err
		}
	}
	return nil
}

// A callback.
func each(r io.Reader, f func(op) error) error {
	dec := json.NewDecoder(r)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if err := f(o); err != nil {
			return err
		}
	}
	return nil
}

func callback(db *sql.DB, resp *http.Response) error {
	return each(resp.Body, func(o op) error {
		_, err := db.Exec(o.SQL) // want `statement is executed`
		return err
	})
}

func nopeCallback(resp *http.Response) ([]op, error) {
	var out []op
	err := each(resp.Body, func(o op) error {
		out = append(out, o)
		return nil
	})
	return out, err
}

// A closure run for each item.
func closures(db *sql.DB, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	errs := make(chan error)
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		go func() {
			_, err := db.Exec(o.SQL) // want `statement is executed`
			errs <- err
		}()
	}
	return <-errs
}

// XML: one document in a body.
func elements(db *sql.DB, resp *http.Response) error {
	dec := xml.NewDecoder(resp.Body)
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		start, ok := tok.(xml.StartElement)
		if !ok || start.Name.Local != "op" {
			continue
		}
		var o op
		if err := dec.DecodeElement(&o, &start); err != nil {
			return err
		}
		if _, err := db.Exec(o.SQL); err != nil { // want `statement is executed`
			return err
		}
	}
}

// The stanzas of a connection come without end.
func nopeStanzas(db *sql.DB, conn io.ReadWriteCloser) error {
	dec := xml.NewDecoder(conn)
	for {
		tok, err := dec.Token()
		if err != nil {
			return err
		}
		start, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		var o op
		if err := dec.DecodeElement(&o, &start); err != nil {
			return err
		}
		if _, err := db.Exec(o.SQL); err != nil {
			return err
		}
	}
}

// The silenced line.
func nopeIgnored(db *sql.DB, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		//streamlint:ignore partialapply the table is dropped when this fails
		if _, err := db.Exec(o.SQL); err != nil {
			return err
		}
	}
	return nil
}

// Each entry of a map in an item.
func entries(db *sql.DB, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var m map[string]string
		if err := dec.Decode(&m); err != nil {
			return err
		}
		for k, v := range m {
			if _, err := db.Exec("INSERT INTO t VALUES (?, ?)", k, v); err != nil { // want `statement is executed`
				return err
			}
		}
	}
	return nil
}

// What a child process lists.
func nopeChild() error {
	cmd := exec.Command("lister", "-json")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	dec := json.NewDecoder(out)
	dec.Token()
	for dec.More() {
		var path string
		if err := dec.Decode(&path); err != nil {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return cmd.Wait()
}
