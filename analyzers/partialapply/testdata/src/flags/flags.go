// Package flags holds effects and messages that only its user knows.
package flags

import (
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
)

type op struct{ SQL, Name string }

type queue struct{}

// Publish is an effect by the flag.
func (*queue) Publish(topic string, v any) error { return nil }

func publish(q *queue, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if err := q.Publish("ops", o.Name); err != nil { // want `item is applied .queue.Publish.`
			return err
		}
	}
	return nil
}

// The topic is no item.
func nopeTopic(q *queue, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if err := q.Publish(o.Name, nil); err != nil {
			return err
		}
	}
	return nil
}

// A loop over messages, by the flag.
func consume(db *sql.DB, r io.Reader) error {
	dec := json.NewDecoder(r)
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

// What is given a message at a time, by the flag.
func handle(db *sql.DB, o op) error {
	_, err := db.Exec(o.SQL)
	return err
}

func nopeHandled(db *sql.DB, r io.Reader) error {
	dec := json.NewDecoder(r)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if err := handle(db, o); err != nil {
			return err
		}
	}
	return nil
}

// Nothing is said of this one.
func other(db *sql.DB, r io.Reader) error {
	dec := json.NewDecoder(r)
	dec.Token()
	for dec.More() {
		var o op
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if _, err := db.Exec(o.SQL); err != nil { // want `statement is executed`
			return err
		}
	}
	return nil
}
