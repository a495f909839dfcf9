// Package lines holds plans that are the lines of a body, and scripts.
package lines

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

func response(db *sql.DB, resp *http.Response) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		if _, err := db.Exec("INSERT INTO blocked VALUES (?)", sc.Text()); err != nil { // want `received from response.Body`
			return err
		}
	}
	return sc.Err()
}

func nopeResponseTx(db *sql.DB, resp *http.Response) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		if _, err := tx.Exec("INSERT INTO blocked VALUES (?)", sc.Text()); err != nil {
			return err
		}
	}
	if err := sc.Err(); err != nil {
		return err
	}
	return tx.Commit()
}

// Lines of NDJSON are messages.
func nopeNDJSON(db *sql.DB, resp *http.Response) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		var e struct{ ID string }
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			return err
		}
		if _, err := db.Exec("INSERT INTO events VALUES (?)", e.ID); err != nil {
			return err
		}
	}
	return sc.Err()
}

// So are events.
func nopeEvents(db *sql.DB, resp *http.Response) error {
	br := bufio.NewReader(resp.Body)
	for {
		line, err := br.ReadString('\n')
		if err != nil {
			return err
		}
		data, ok := strings.CutPrefix(line, "data:")
		if !ok {
			continue
		}
		if _, err := db.Exec("INSERT INTO events VALUES (?)", data); err != nil {
			return err
		}
	}
}

func records(db *sql.DB, resp *http.Response) error {
	r := csv.NewReader(resp.Body)
	for {
		rec, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := db.Exec("INSERT INTO t VALUES (?, ?)", rec[0], rec[1]); err != nil { // want `statement is executed`
			return err
		}
	}
}

func nopeRecordsFile(db *sql.DB, f *os.File) error {
	r := csv.NewReader(f)
	for {
		rec, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := db.Exec("INSERT INTO t VALUES (?, ?)", rec[0], rec[1]); err != nil {
			return err
		}
	}
}

func commands(resp *http.Response) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		if err := exec.Command("sh", "-c", sc.Text()).Run(); err != nil { // want `item is run`
			return err
		}
	}
	return sc.Err()
}

// Commands of a connection are requests.
func nopeServer(conn net.Conn) error {
	sc := bufio.NewScanner(conn)
	for sc.Scan() {
		if err := exec.Command("sh", "-c", sc.Text()).Run(); err != nil {
			return err
		}
	}
	return sc.Err()
}

// A script from the standard input.
func stdin(db *sql.DB) error {
	sc := bufio.NewScanner(os.Stdin)
	sc.Split(splitStatements)
	for sc.Scan() {
		if _, err := db.Exec(sc.Text()); err != nil { // want `received from the standard input`
			return err
		}
	}
	return sc.Err()
}

func splitStatements(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, ';'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return 0, nil, errors.New("statement without an end")
	}
	return 0, nil, nil
}

// A person types statements.
func nopePrompt(db *sql.DB) error {
	sc := bufio.NewScanner(os.Stdin)
	fmt.Print("sql> ")
	for sc.Scan() {
		if strings.HasSuffix(sc.Text(), ";") {
			if _, err := db.Exec(sc.Text()); err != nil {
				fmt.Println(err)
			}
		}
		fmt.Print("sql> ")
	}
	return sc.Err()
}

// Rows on the standard input, one by one, and not a script.
func nopeRows(db *sql.DB) error {
	sc := bufio.NewScanner(os.Stdin)
	for sc.Scan() {
		if _, err := db.Exec("INSERT INTO t VALUES (?)", strings.TrimSuffix(sc.Text(), ";")); err != nil {
			return err
		}
	}
	return sc.Err()
}

// Lines joined until a semicolon.
func joined(db *sql.DB, script io.Reader) error {
	var sb strings.Builder
	sc := bufio.NewScanner(script)
	for sc.Scan() {
		sb.WriteString(sc.Text())
		sb.WriteByte('\n')
		if !strings.HasSuffix(sc.Text(), ";") {
			continue
		}
		if _, err := db.Exec(sb.String()); err != nil { // want `received from script`
			return err
		}
		sb.Reset()
	}
	return sc.Err()
}

// Split first, run after the end.
func nopeJoined(db *sql.DB, script io.Reader) error {
	var stmts []string
	sc := bufio.NewScanner(script)
	sc.Split(splitStatements)
	for sc.Scan() {
		stmts = append(stmts, sc.Text())
	}
	if err := sc.Err(); err != nil {
		return err
	}
	for _, s := range stmts {
		if _, err := db.Exec(s); err != nil {
			return err
		}
	}
	return nil
}

// A sequence of documents that are statements.
func documents(db *sql.DB, body io.Reader) error {
	for dec := json.NewDecoder(body); ; {
		var stmt string
		err := dec.Decode(&stmt)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := db.Exec(stmt); err != nil { // want `received from body`
			return err
		}
	}
}

// Statements that a peer sends one by one over a connection.
func nopePeer(db *sql.DB, conn net.Conn) error {
	for dec := json.NewDecoder(conn); ; {
		var stmt string
		if err := dec.Decode(&stmt); err != nil {
			return err
		}
		if _, err := db.Exec(stmt); err != nil {
			return err
		}
	}
}

// Log lines that go on.
func nopeFollowed(db *sql.DB, c *http.Client) error {
	resp, err := c.Get("http://localhost/logs?follow=1")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		if _, err := db.Exec("INSERT INTO lines VALUES (?)", sc.Text()); err != nil {
			return err
		}
	}
	return sc.Err()
}

// A list that is fetched.
func fetched(db *sql.DB, c *http.Client) error {
	resp, err := c.Get("http://localhost/blocklist.txt")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		if _, err := db.Exec("INSERT INTO blocked VALUES (?)", sc.Text()); err != nil { // want `statement is executed`
			return err
		}
	}
	return sc.Err()
}

// What is told of each statement is no prompt.
func told(db *sql.DB) error {
	sc := bufio.NewScanner(os.Stdin)
	sc.Split(splitStatements)
	for n := 1; sc.Scan(); n++ {
		if _, err := db.Exec(sc.Text()); err != nil { // want `received from the standard input`
			return err
		}
		fmt.Printf("statement %d done\n", n)
	}
	return sc.Err()
}
