// Package gin has the names of gin that the tests use.
package gin

type H map[string]any

type Context struct{}

func (c *Context) JSON(code int, v any) {}

func (c *Context) SSEvent(name string, v any) {}
