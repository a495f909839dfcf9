// Package pgxpool stands in for the library: its names and types, nothing more.
package pgxpool

import "context"

type CommandTag struct{}

type Tx interface {
	Exec(ctx context.Context, sql string, args ...any) (CommandTag, error)
	Commit(ctx context.Context) error
	Rollback(ctx context.Context) error
}

type Pool struct{}

func (p *Pool) Exec(ctx context.Context, sql string, args ...any) (CommandTag, error) {
	return CommandTag{}, nil
}

func (p *Pool) Begin(ctx context.Context) (Tx, error) { return nil, nil }
