// Package store applies what it is given. // want package:"applies things"
package store

import (
	"context"
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
)

type Op struct{ SQL, Path string }

type Store struct {
	db  *sql.DB
	dir string
}

func (s *Store) Apply(ctx context.Context, op Op) error { // want Apply:`applies\(2 by DB.ExecContext\)`
	q := op.SQL
	_, err := s.db.ExecContext(ctx, q)
	return err
}

func (s *Store) Run(ctx context.Context, stmt string) error { // want Run:`executes\(2 by DB.ExecContext\)`
	_, err := s.db.ExecContext(ctx, stmt)
	return err
}

func (s *Store) ApplyTx(ctx context.Context, op Op) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, op.SQL); err != nil {
		return err
	}
	return tx.Commit()
}

// Put can be repeated.
func (s *Store) Put(ctx context.Context, op Op) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO t VALUES (?) ON CONFLICT DO NOTHING", op.Path)
	return err
}

// Touch does nothing with what it is given.
func (s *Store) Touch(ctx context.Context, op Op) error {
	_, err := s.db.ExecContext(ctx, "UPDATE t SET n = n + 1")
	return err
}

func Remove(path string) error { // want Remove:`applies\(0 by os.Remove\)`
	return remove(path)
}

func remove(path string) error { return os.Remove(path) }

// Cache leaves alone what is there.
func (s *Store) Cache(path string, data []byte) error {
	path = filepath.Join(s.dir, path)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return os.WriteFile(path, data, 0o644)
}

func Shell(line string) error { // want Shell:`applies\(0 by Cmd.Run\)`
	cmd := exec.Command("sh", "-c", line)
	return cmd.Run()
}
