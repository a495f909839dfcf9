// Package sqlx stands in for the library: its names and types, nothing more.
package sqlx

import "database/sql"

type DB struct{ *sql.DB }

func (db *DB) NamedExec(query string, arg any) (sql.Result, error) { return nil, nil }
func (db *DB) MustBegin() *Tx                                      { return nil }

type Tx struct{ *sql.Tx }

func (tx *Tx) NamedExec(query string, arg any) (sql.Result, error) { return nil, nil }
