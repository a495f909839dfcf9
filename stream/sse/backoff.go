package sse

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// Exponential returns a backoff that doubles from base up to limit, with
// jitter: attempt n waits between half and all of min(limit, base*2^(n-1)).
func Exponential(base, limit time.Duration) func(failures int) time.Duration {
	return func(failures int) time.Duration {
		d := min(base, limit)
		for i := 1; i < failures && d < limit; i++ {
			if d > limit/2 {
				d = limit
				break
			}
			d *= 2
		}
		if d <= 0 {
			return 0
		}
		return d/2 + rand.N(d/2+1)
	}
}

// retryAfter reads a Retry-After header (RFC 9110, section 10.2.3): seconds, or
// a date. It gives 0 for what is neither, and for what is past. A number beyond
// what a Duration holds is a long wait all the same, and gives the longest.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	if s, err := strconv.ParseUint(v, 10, 63); err == nil || errors.Is(err, strconv.ErrRange) {
		const most = uint64(1<<63-1) / uint64(time.Second)
		return time.Duration(min(s, most)) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, t.Sub(now))
	}
	return 0
}
