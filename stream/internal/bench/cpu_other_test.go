//go:build !unix

package bench

import "time"

var began = time.Now()

// cpuTime is the time on the wall where there is no other.
func cpuTime() time.Duration { return time.Since(began) }
