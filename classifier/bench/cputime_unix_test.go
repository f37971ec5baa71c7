//go:build unix

package bench

import (
	"syscall"
	"time"
)

// cpuTime is the time that the processor has spent on this process so far, its
// garbage collection included.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
