//go:build !unix

package bench

import "time"

var began = time.Now()

// cpuTime is the time on the clock, where that of the processor is not told.
func cpuTime() time.Duration { return time.Since(began) }
