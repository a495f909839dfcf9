// Package bench compares packages of stream/ with others that do the same, in
// one run and on the same input. It is a module of its own, so that none of
// those others becomes a dependency of streamlint.
//
//	go test -bench SSE -benchtime 5x
//
// Compare columns of one run only: absolute numbers belong to a machine.
package bench
