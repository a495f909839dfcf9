package streamtest

import (
	"iter"
	"math/rand/v2"
	"slices"
)

// Interleave merges the fragments of several calls into one order that the
// seed picks. Every call's own fragments stay in order. The same seed gives the
// same order.
func Interleave[T any](seed uint64, calls ...[]T) []T {
	rnd := rand.New(rand.NewPCG(seed, 0x5eed))
	left := 0
	for _, c := range calls {
		left += len(c)
	}
	rest := slices.Clone(calls)
	out := make([]T, 0, left)
	for ; left > 0; left-- {
		// Each remaining fragment is as likely as any other to be the one
		// whose call is next, so that every merge is equally likely.
		k := rnd.IntN(left)
		for i := range rest {
			if k < len(rest[i]) {
				out = append(out, rest[i][0])
				rest[i] = rest[i][1:]
				break
			}
			k -= len(rest[i])
		}
	}
	return out
}

// Interleavings gives every merge of the calls' fragments that keeps each
// call's own order. There are many: (a+b)!/(a!b!) for two calls of a and b
// fragments. The slice is reused; copy it to keep it.
func Interleavings[T any](calls ...[]T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		total := 0
		for _, c := range calls {
			total += len(c)
		}
		next := make([]int, len(calls))
		out := make([]T, 0, total)
		var walk func() bool
		walk = func() bool {
			if len(out) == total {
				return yield(out)
			}
			for i, c := range calls {
				if next[i] == len(c) {
					continue
				}
				out = append(out, c[next[i]])
				next[i]++
				ok := walk()
				next[i]--
				out = out[:len(out)-1]
				if !ok {
					return false
				}
			}
			return true
		}
		walk()
	}
}
