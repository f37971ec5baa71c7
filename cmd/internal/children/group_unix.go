//go:build unix

package children

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the process and its workers into a group of their own, so that
// Ctrl-C reaches replyproof alone and replyproof ends them all.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	tether(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}

// killGroup ends whatever of the group is left.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
