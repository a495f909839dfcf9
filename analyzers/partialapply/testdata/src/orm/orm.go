// Package orm holds the same plans over other libraries.
package orm

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	"gorm.io/gorm"
)

type row struct{ ID, Name string }

type store struct{ db *gorm.DB }

func (s *store) load(ctx context.Context, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var r row
		if err := dec.Decode(&r); err != nil {
			return err
		}
		if err := s.db.WithContext(ctx).Create(&r).Error; err != nil { // want `statement is stored .DB.Create.`
			return err
		}
	}
	return nil
}

func (s *store) nopeUpsert(ctx context.Context, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var r row
		if err := dec.Decode(&r); err != nil {
			return err
		}
		if err := s.db.WithContext(ctx).Clauses("ON CONFLICT").Create(&r).Error; err != nil {
			return err
		}
	}
	return nil
}

func (s *store) nopeTransaction(resp *http.Response) error {
	return s.db.Transaction(func(tx *gorm.DB) error {
		dec := json.NewDecoder(resp.Body)
		dec.Token()
		for dec.More() {
			var r row
			if err := dec.Decode(&r); err != nil {
				return err
			}
			if err := tx.Create(&r).Error; err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *store) nopeBegin(resp *http.Response) error {
	tx := s.db.Begin()
	defer tx.Rollback()
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var r row
		if err := dec.Decode(&r); err != nil {
			return err
		}
		if err := tx.Model(&r).Updates(r).Error; err != nil {
			return err
		}
	}
	return tx.Commit().Error
}

// A handle that code out of sight gives may be a transaction.
func nopeGiven(db *gorm.DB, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var r row
		if err := dec.Decode(&r); err != nil {
			return err
		}
		if err := db.Delete(&r).Error; err != nil {
			return err
		}
	}
	return nil
}

func named(db *sqlx.DB, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var r row
		if err := dec.Decode(&r); err != nil {
			return err
		}
		if _, err := db.NamedExec("INSERT INTO t VALUES (:id, :name)", r); err != nil { // want `DB.NamedExec`
			return err
		}
		if _, err := db.Exec("DELETE FROM u WHERE id = ?", r.ID); err != nil {
			return err
		}
	}
	return nil
}

// The method of the sql.DB inside.
func embedded(db *sqlx.DB, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var r row
		if err := dec.Decode(&r); err != nil {
			return err
		}
		if _, err := db.Exec("DELETE FROM u WHERE id = ?", r.ID); err != nil { // want `DB.Exec`
			return err
		}
	}
	return nil
}

func nopeNamedTx(db *sqlx.DB, resp *http.Response) error {
	tx := db.MustBegin()
	defer tx.Rollback()
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var r row
		if err := dec.Decode(&r); err != nil {
			return err
		}
		if _, err := tx.NamedExec("INSERT INTO t VALUES (:id, :name)", r); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func pool(ctx context.Context, p *pgxpool.Pool, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var r row
		if err := dec.Decode(&r); err != nil {
			return err
		}
		if _, err := p.Exec(ctx, "INSERT INTO t VALUES ($1, $2)", r.ID, r.Name); err != nil { // want `Pool.Exec`
			return err
		}
	}
	return nil
}

func nopePoolTx(ctx context.Context, p *pgxpool.Pool, resp *http.Response) error {
	tx, err := p.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var r row
		if err := dec.Decode(&r); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO t VALUES ($1, $2)", r.ID, r.Name); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}
