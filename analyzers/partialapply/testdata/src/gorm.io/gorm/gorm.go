// Package gorm stands in for the library: its names and types, nothing more.
package gorm

import "context"

type DB struct{ Error error }

func (db *DB) WithContext(ctx context.Context) *DB                  { return db }
func (db *DB) Clauses(conds ...any) *DB                             { return db }
func (db *DB) Model(value any) *DB                                  { return db }
func (db *DB) Create(value any) *DB                                 { return db }
func (db *DB) Delete(value any, conds ...any) *DB                   { return db }
func (db *DB) Updates(values any) *DB                               { return db }
func (db *DB) Exec(sql string, values ...any) *DB                   { return db }
func (db *DB) Begin() *DB                                           { return db }
func (db *DB) Commit() *DB                                          { return db }
func (db *DB) Rollback() *DB                                        { return db }
func (db *DB) Transaction(fc func(tx *DB) error, opts ...any) error { return nil }
