package toolcall

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
)

// Handler prepares one call: it decodes and checks, and gives the function that
// does the work. Nothing may take effect before that function runs. An error
// refuses the turn; if it is no *[Error] it becomes one of kind [Unfit], and its
// text goes to the model with [Rejections].
type Handler func(c Call) (run func(ctx context.Context) (content string, err error), err error)

// Handle makes a Handler of a function over decoded arguments; see [As].
func Handle[T any](f func(ctx context.Context, args T) (string, error), opts ...DecodeOption) Handler {
	return func(c Call) (func(context.Context) (string, error), error) {
		args, err := As[T](c, opts...)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (string, error) { return f(ctx, args) }, nil
	}
}

// Dispatcher runs the calls of a turn.
type Dispatcher struct {
	Handlers map[string]Handler // by tool name
	Logger   *slog.Logger       // one record for each call; nil logs nothing
}

// Run runs the calls in order, one after the other, and gives a result for each.
// Before the first one runs, all of them are verified against their BufferID and
// prepared: if one is not fit to run, none runs and the *[Error] says which;
// [Rejections] answers the model then. A tool's own error becomes a result with IsError and does not stop the others.
// A context that is done stops before the next call; the results so far come
// back with the context's cause.
func (d *Dispatcher) Run(ctx context.Context, calls []Call) ([]Result, error) {
	runs := make([]func(context.Context) (string, error), len(calls))
	for i, c := range calls {
		run, err := d.prepare(c)
		if err != nil {
			d.log(ctx, slog.LevelError, "tool call refused", err)
			return nil, err
		}
		runs[i] = run
	}
	results := make([]Result, 0, len(calls))
	for i, c := range calls {
		if ctx.Err() != nil {
			return results, context.Cause(ctx)
		}
		// Preparing the others took time and ran their code: check again.
		if err := c.Verify(); err != nil {
			d.log(ctx, slog.LevelError, "tool call refused", err)
			return results, err
		}
		d.log(ctx, slog.LevelInfo, "tool call", c)
		content, err := runs[i](ctx)
		if err != nil {
			results = append(results, ErrorResult(c, err))
			continue
		}
		results = append(results, NewResult(c, content))
	}
	return results, nil
}

func (d *Dispatcher) prepare(c Call) (func(context.Context) (string, error), error) {
	if err := c.Verify(); err != nil {
		return nil, err
	}
	h := d.Handlers[c.name]
	if h == nil {
		return nil, c.refused(NoHandler, fmt.Errorf("no handler for %q", c.name))
	}
	run, err := h(c)
	var e *Error
	switch {
	case err != nil && !errors.As(err, &e):
		return nil, c.refused(Unfit, err)
	case err != nil:
		return nil, err
	case run == nil:
		return nil, c.refused(NoHandler, fmt.Errorf("the handler of %q gave nothing to run", c.name))
	}
	return run, nil
}

func (d *Dispatcher) log(ctx context.Context, level slog.Level, msg string, v any) {
	if d.Logger != nil {
		d.Logger.LogAttrs(ctx, level, msg, slog.Any("call", v))
	}
}
