package subject

import (
	"os/exec"
	"syscall"
)

// The arguments of waitid.
const (
	waitPID    = 1 // P_PID
	waitExited = syscall.WEXITED | syscall.WNOWAIT
)

// hasEnded waits until the program has ended and leaves it to be waited for, so that
// its number is not given to another process meanwhile. It gives false where the
// system cannot do that.
func hasEnded(cmd *exec.Cmd) bool {
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, waitPID, uintptr(cmd.Process.Pid), 0, waitExited, 0, 0)
		if errno != syscall.EINTR {
			return errno == 0
		}
	}
}
