// Package use applies what another package brings, by helpers of a third.
package use

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"

	"plan"
	"store"
)

func helper(ctx context.Context, s *store.Store, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var op store.Op
		if err := dec.Decode(&op); err != nil {
			return err
		}
		if err := s.Apply(ctx, op); err != nil { // want `Store.Apply, by DB.ExecContext`
			return err
		}
	}
	return nil
}

func nopeHelpers(ctx context.Context, s *store.Store, resp *http.Response) error {
	dec := json.NewDecoder(resp.Body)
	dec.Token()
	for dec.More() {
		var op store.Op
		if err := dec.Decode(&op); err != nil {
			return err
		}
		if err := s.Put(ctx, op); err != nil {
			return err
		}
		if err := s.Touch(ctx, op); err != nil {
			return err
		}
		if err := s.ApplyTx(ctx, op); err != nil {
			return err
		}
		if err := s.Cache(op.Path, nil); err != nil {
			return err
		}
	}
	return nil
}

func script(ctx context.Context, s *store.Store, script io.Reader) error {
	r := bufio.NewReader(script)
	for {
		stmt, err := r.ReadString(';')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.Run(ctx, stmt); err != nil { // want `Store.Run, by DB.ExecContext`
			return err
		}
	}
}

func lines(resp *http.Response) error {
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		if err := store.Remove(sc.Text()); err != nil { // want `item is removed .store.Remove, by os.Remove.`
			return err
		}
	}
	return sc.Err()
}

func callback(ctx context.Context, s *store.Store, resp *http.Response) error {
	return plan.Each(resp.Body, func(op store.Op) error {
		return s.Apply(ctx, op) // want `received from response.Body`
	})
}

func nopeCallbackFile(ctx context.Context, s *store.Store, f *os.File) error {
	return plan.Each(f, func(op store.Op) error {
		return s.Apply(ctx, op)
	})
}

func iterator(ctx context.Context, s *store.Store, resp *http.Response) error {
	for op, err := range plan.Ops(resp.Body) {
		if err != nil {
			return err
		}
		if err := s.Apply(ctx, op); err != nil { // want `received from response.Body`
			return err
		}
	}
	return nil
}

func nopeIteratorCollects(ctx context.Context, s *store.Store, resp *http.Response) error {
	var ops []store.Op
	for op, err := range plan.Ops(resp.Body) {
		if err != nil {
			return err
		}
		ops = append(ops, op)
	}
	for _, op := range ops {
		if err := s.Apply(ctx, op); err != nil {
			return err
		}
	}
	return nil
}

func next(ctx context.Context, s *store.Store, resp *http.Response) error {
	r, err := plan.NewReader(resp.Body)
	if err != nil {
		return err
	}
	for {
		op, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.Apply(ctx, op); err != nil { // want `received from response.Body`
			return err
		}
	}
}

func nopeNextMemory(ctx context.Context, s *store.Store, raw []byte) error {
	r, err := plan.NewReader(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	for {
		op, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.Apply(ctx, op); err != nil {
			return err
		}
	}
}

// The first item alone, to look at.
func nopeFirst(ctx context.Context, s *store.Store, resp *http.Response) error {
	r, err := plan.NewReader(resp.Body)
	if err != nil {
		return err
	}
	op, err := r.Next()
	if err != nil {
		return err
	}
	return s.Apply(ctx, op)
}

func fetched(ctx context.Context, s *store.Store, c *http.Client) error {
	return plan.Fetch(c, func(op store.Op) error {
		return s.Apply(ctx, op) // want `received from response.Body`
	})
}

func nopeAll(ctx context.Context, s *store.Store, resp *http.Response) error {
	ops, err := plan.All(resp.Body)
	if err != nil {
		return err
	}
	for _, op := range ops {
		if err := s.Apply(ctx, op); err != nil {
			return err
		}
	}
	return nil
}
