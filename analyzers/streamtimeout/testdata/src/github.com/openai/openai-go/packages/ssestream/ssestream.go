// Package ssestream has the names of openai-go that the tests use.
package ssestream

type Stream[T any] struct{ cur T }

func (s *Stream[T]) Next() bool { return false }
func (s *Stream[T]) Current() T { return s.cur }
func (s *Stream[T]) Err() error { return nil }
