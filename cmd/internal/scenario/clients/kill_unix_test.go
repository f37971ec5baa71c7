//go:build unix

package clients

import (
	"os/exec"
	"syscall"
)

// kill makes the end of a command the end of all that it started.
func kill(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
